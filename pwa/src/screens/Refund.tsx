import { PAGES } from '@nivida/contract/pages';
import { LegalPage } from '../features/info/LegalPage.tsx';
import { REFUND_DATE, REFUND_SECTIONS } from '../features/info/refund.tsx';
import { PageHead } from '../ui/PageHead.tsx';

/** When money comes back. */
export function Refund() {
  return (
    <>
      <PageHead {...PAGES['/refund']} />
      <LegalPage
        title="Refund Policy"
        updated={REFUND_DATE}
        lead={
          <p>
            All payments are non-refundable, except when you paid twice or we could not deliver: then the money comes
            back by itself.
          </p>
        }
        sections={REFUND_SECTIONS}
      />
    </>
  );
}
