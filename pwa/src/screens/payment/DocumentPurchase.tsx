import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { DOCUMENT_PRICE_PAISE } from '@nivida/contract/orders/order';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Link, useNavigate } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { DocumentDialog } from '../../features/documents/DocumentDialog.tsx';
import { Checkout } from '../../features/orders/checkout/Checkout.tsx';
import { PackagePrice } from '../../features/tender/documents/DocumentActions.tsx';
import { Button } from '../../ui/Button.tsx';
import { DialogActions } from '../../ui/Dialog.tsx';
import { Note } from '../../ui/feedback/Note.tsx';
import { useAccountActions } from '../account/useAccountActions.ts';

/** Where nothing is sold: downloads need an account, and the account must have the tender's state. */
function FreeDownload() {
  const { onSignIn, onSignUp } = useAccountActions();
  if (useSession()) {
    return (
      <Note icon="document">
        <Trans>
          Downloads are for the states of your account. Choose them under{' '}
          <Link to="/dashboard/payments">Documents & EMD</Link>.
        </Trans>
      </Note>
    );
  }
  return (
    <>
      <p className="s">{t`The documents are free here. Sign in to download them.`}</p>
      <DialogActions>
        <Button onClick={onSignUp}>{t`Create account`}</Button>
        <Button look="main" onClick={onSignIn}>
          {t`Sign in`}
        </Button>
      </DialogActions>
    </>
  );
}

interface DocumentPurchaseProps {
  tender: Tender;
  /** Called when the user requests missing documents. */
  onAsk: () => void;
  onClose: () => void;
}

/** The access dialog for a tender's documents, with the payment form. */
export function DocumentPurchase({ tender, onAsk, onClose }: DocumentPurchaseProps) {
  const navigate = useNavigate();
  const tenderId = tender._id;
  return (
    <DocumentDialog
      tender={tender}
      portal={portalInfo(tender.source_portal).name}
      onAsk={onAsk}
      onClose={onClose}
      renderCheckout={(waitsFor, name) => (
        <Sold free={<FreeDownload />}>
          <Checkout
            item={{ product: 'tender-documents', tenderId, documentId: tenderId }}
            pricePaise={DOCUMENT_PRICE_PAISE}
            priceLabel={name}
            returnPath={`/tenders/${tenderId}`}
            billingState={tender.state}
            terms={
              <>
                <PackagePrice />
                <p className="xs muted">
                  <Trans>
                    All payments are non-refundable, except duplicate debits and packages that could not be delivered,
                    which are refunded automatically: <Link to="/refund">refund policy</Link>.
                  </Trans>
                </p>
              </>
            }
            brief={t`Free at the portal. ₹99 to collect and email them.`}
            waitsFor={waitsFor}
            onCancel={onClose}
            onEntitled={(orderId) => void navigate(`/payment-status?id=${encodeURIComponent(orderId)}`)}
          />
        </Sold>
      )}
    />
  );
}
