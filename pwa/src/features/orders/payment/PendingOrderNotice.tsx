import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useSession } from '../../../data/session.ts';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { ContinuePayment } from './ContinuePayment.tsx';
import css from './PaymentNotices.module.css';
import { deletePendingOrder, type PendingOrder, readPendingOrder } from './pending-order.ts';

/** Whether the page itself follows an order: the status page, or the tender that the buyer has come back to. */
function isOrderFollowedBy(pathname: string, search: string): boolean {
  return pathname === '/payment-status' || (pathname.startsWith('/tenders/') && new URLSearchParams(search).has('id'));
}

/**
 * A payment that this phone began and whose end it never saw, because the tab was closed meanwhile: offers to look.
 * Asked at the start and after each move; the pages that follow an order make an end of it.
 */
export function PendingOrderNotice() {
  const { pathname, search, key } = useLocation();
  const [pending, setPending] = useState<PendingOrder | null>(null);
  const owner = useSession()?.user._id ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each move may come from a page that has seen the end
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
    <section className={css.offer} aria-label="Your payment">
      <p>You began a payment here, and its end was not seen. We email you in any case.</p>
      <div className="row">
        <ContinuePayment orderId={orderId} />
        <ButtonLink to={`/payment-status?id=${encodeURIComponent(orderId)}`}>Check payment</ButtonLink>
        <Button look="plain" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    </section>
  );
}
