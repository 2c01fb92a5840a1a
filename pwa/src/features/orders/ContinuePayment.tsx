import { useEffect, useState } from 'react';
import { ButtonLink } from '../../ui/Button.tsx';
import { continueAddress, readPending } from './pending.ts';

/** Leads back to the payment page of an order, while it is open. */
export function ContinuePayment({ orderId }: { orderId: string }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    const now = Date.now();
    void readPending(now).then((pending) => {
      if (isWanted && pending?.orderId === orderId) setAddress(continueAddress(pending, now));
    });
    return () => {
      isWanted = false;
    };
  }, [orderId]);
  if (address === null) return null;
  return (
    <ButtonLink look="main" to={address} reloadDocument>
      Continue payment
    </ButtonLink>
  );
}
