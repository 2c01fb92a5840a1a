import { TERMS_VERSION } from '@nivida/contract/auth';
import { PAGES } from '@nivida/contract/pages';
import { LegalPage } from '../features/info/LegalPage.tsx';
import { TERMS_SECTIONS } from '../features/info/terms.tsx';
import { PageHead } from '../ui/PageHead.tsx';

/** The terms, in the version that registering accepts. */
export function Terms() {
  return (
    <>
      <PageHead {...PAGES['/terms']} />
      <LegalPage
        title="Terms of Service"
        updated={TERMS_VERSION}
        lead={
          <p>
            Nivida finds tenders, keeps them and reminds you of them. The portal that published a tender decides; all
            payments are non-refundable; searching stays free.
          </p>
        }
        sections={TERMS_SECTIONS}
      />
    </>
  );
}
