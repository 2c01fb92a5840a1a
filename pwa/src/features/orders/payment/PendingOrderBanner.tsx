import { t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useOwner } from '../../../data/session.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ContinuePayment } from './ContinuePayment.tsx';
import css from './PaymentBanners.module.css';
import { deletePendingOrder, type PendingOrder, readPendingOrder } from './pending-order.ts';

/**
 * True for pages that poll an order themselves: the status page, and the tender to which the buyer has
 * returned.
 */
function isOrderFollowedBy(pathname: string, search: string): boolean {
  return pathname === '/payment-status' || (pathname.startsWith('/tenders/') && new URLSearchParams(search).has('id'));
}

/**
 * Offers to check a payment that was started on this device and whose tab was closed before the outcome was
 * shown. Pages that poll an order delete its entry.
 */
export function PendingOrderBanner() {
  const { pathname, search, key } = useLocation();
  const [pending, setPending] = useState<PendingOrder | null>(null);
  const owner = useOwner();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with a navigation, before which a page may delete the order
  useEffect(() => {
    let isWanted = true;
    void readPendingOrder(Date.now()).then((found) => isWanted && setPending(found));
    return () => {
      isWanted = false;
    };
  }, [key, owner]);

  if (!pending || isOrderFollowedBy(pathname, search)) return null;
  const { orderId } = pending;
  const dismiss = () => {
    setPending(null);
    void deletePendingOrder(orderId);
  };
  return (
    <section className={css.offer} aria-label={t`Your payment`}>
      <p>{t`We could not confirm your payment. We email you the result in any case.`}</p>
      <div className="row">
        <ContinuePayment orderId={orderId} />
        <ButtonLink to={`/payment-status?id=${encodeURIComponent(orderId)}`}>{t`Check payment`}</ButtonLink>
        <Button look="plain" onClick={dismiss}>
          {t`Dismiss`}
        </Button>
      </div>
    </section>
  );
}
