import { DOCUMENT_PRICE_PAISE } from '@nivida/contract/order';
import { portalOf } from '@nivida/contract/portals';
import type { Tender } from '@nivida/contract/tender';
import { useNavigate } from 'react-router-dom';
import { DocumentDialog } from '../features/documents/DocumentDialog.tsx';
import { Checkout } from '../features/orders/Checkout.tsx';
import { PackagePrice } from '../features/tenders/Download.tsx';

/** The access dialog of a tender's documents with the payment form in it. */
export function DocumentPurchase({ tender, onClose }: { tender: Tender; onClose: () => void }) {
  const navigate = useNavigate();
  const tenderId = tender._id;
  return (
    <DocumentDialog
      tender={tender}
      portal={portalOf(tender.source_portal).name}
      onClose={onClose}
      renderCheckout={(waitsFor) => (
        <Checkout
          item={{ product: 'tender-documents', tenderId, documentId: tenderId }}
          pricePaise={DOCUMENT_PRICE_PAISE}
          priceLabel="NIT & BOQ"
          returnPath={`/tenders/${tenderId}`}
          billingState={tender.state}
          terms={<PackagePrice />}
          brief="Free at the portal. ₹99 collects, bundles, delivers."
          waitsFor={waitsFor}
          onCancel={onClose}
          onEntitled={(orderId) => void navigate(`/payment-status?id=${encodeURIComponent(orderId)}`)}
        />
      )}
    />
  );
}
