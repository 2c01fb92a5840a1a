import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { ButtonLink } from '../../../ui/Button.tsx';
import { openPaymentUrl, readPendingOrder } from './pending-order.ts';

/** Opens the payment page of an order again while that page is valid. */
export function ContinuePayment({ orderId }: { orderId: string }) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    let isWanted = true;
    const now = Date.now();
    void readPendingOrder(now).then((pendingOrder) => {
      if (isWanted && pendingOrder?.orderId === orderId) setAddress(openPaymentUrl(pendingOrder, now));
    });
    return () => {
      isWanted = false;
    };
  }, [orderId]);
  if (address === null) return null;
  return (
    <ButtonLink look="main" to={address} reloadDocument>
      {t`Continue payment`}
    </ButtonLink>
  );
}
