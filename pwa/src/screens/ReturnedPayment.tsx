import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useSession } from '../data/session.ts';
import { ContinuePayment } from '../features/orders/ContinuePayment.tsx';
import { OutcomeView } from '../features/orders/OutcomeView.tsx';
import { outcomeOf } from '../features/orders/outcome.ts';
import { takePending } from '../features/orders/pending.ts';
import { useOrderView } from '../features/orders/useOrderView.ts';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { PaidWays } from './PaidWays.tsx';

const SAVE_PAGE = 'Save the page of your order: it gives your documents and the receipt again.';

interface StatusDialogProps {
  orderId: string;
  /** The payment page did not send the buyer here. */
  isBack: boolean;
  /** Opens the access dialog again. */
  onRetry: () => void;
  onClose: () => void;
}

function StatusDialog({ orderId, isBack, onRetry, onClose }: StatusDialogProps) {
  const isSignedIn = useSession() !== null;
  const { view, again } = useOrderView(orderId, 'api/status-check');
  const outcome = outcomeOf(view, isSignedIn);
  const order = view.kind === 'known' ? view.check.order : null;
  const isPaid = order !== null && outcome.tone === 'green';
  return (
    <Dialog title={outcome.title} onClose={onClose}>
      <OutcomeView
        outcome={outcome}
        view={view}
        orderId={orderId}
        hint={isSignedIn ? undefined : SAVE_PAGE}
        heading={<span className="sr">{outcome.title}</span>}
      >
        {isPaid && <PaidWays orderId={orderId} order={order} />}
        {isPaid && !isSignedIn && (
          <ButtonLink to={`/payment-status?id=${encodeURIComponent(orderId)}`}>Page of your order</ButtonLink>
        )}
        {isBack && 'check' in view && view.check?.status === 'PENDING' && <ContinuePayment orderId={orderId} />}
        {view.kind === 'known' && outcome.tone === 'red' && (
          <Button look="main" onClick={onRetry}>
            Try Again
          </Button>
        )}
        {view.kind === 'error' && (
          <Button look="main" onClick={again}>
            Try Again
          </Button>
        )}
        {view.kind === 'unconfirmed' && <Button onClick={again}>Check again</Button>}
        <Button onClick={onClose}>Close</Button>
      </OutcomeView>
    </Dialog>
  );
}

/** On return from the payment page to the tender screen: how the payment ended, in a dialog. */
export function ReturnedPayment({ onRetry }: { onRetry: () => void }) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  // the address goes before the tab's memory (RESOLUTIONS R42), which is read and removed in any case (SPEC section 4)
  const [orderId, setOrderId] = useState(() => new URLSearchParams(search).get('id'));
  useEffect(() => {
    const remembered = takePending();
    setOrderId((present) => present || remembered);
  }, []);
  if (!orderId) return null;

  const close = () => {
    setOrderId(null);
    const rest = new URLSearchParams(search);
    rest.delete('id');
    // the dialog must not open again by going back or reloading
    void navigate({ pathname, search: rest.toString(), hash }, { replace: true, state, preventScrollReset: true });
  };
  const retry = () => {
    close();
    onRetry();
  };
  return (
    <StatusDialog orderId={orderId} isBack={!new URLSearchParams(search).has('id')} onRetry={retry} onClose={close} />
  );
}
