import { DOCUMENT_PRICE_PAISE } from '@nivida/contract/orders/order';
import { portalInfo } from '@nivida/contract/tenders/portals';
import type { Tender } from '@nivida/contract/tenders/tender';
import { Link, useNavigate } from 'react-router-dom';
import { DocumentDialog } from '../../features/documents/DocumentDialog.tsx';
import { Checkout } from '../../features/orders/checkout/Checkout.tsx';
import { PackagePrice } from '../../features/tenders/detail/DocumentActions.tsx';

interface DocumentPurchaseProps {
  tender: Tender;
  /** Requests missing documents. */
  onAsk: () => void;
  onClose: () => void;
}

/** The access dialog of a tender's documents with the payment form. */
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
                All payments are non-refundable, except duplicate debits and packages that could not be delivered, which
                are refunded automatically: <Link to="/refund">refund policy</Link>.
              </p>
            </>
          }
          brief="Free at the portal. ₹99 to collect and email them."
          waitsFor={waitsFor}
          onCancel={onClose}
          onEntitled={(orderId) => void navigate(`/payment-status?id=${encodeURIComponent(orderId)}`)}
        />
      )}
    />
  );
}
