import { TERMS_VERSION } from '@nivida/contract/account/auth';
import { PAGE_TEXTS } from '@nivida/contract/site/pages';
import { LegalPage } from '../../features/info/LegalPage.tsx';
import { TERMS_SECTIONS } from '../../features/info/terms.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** The terms, in the version that registering accepts. */
export function Terms() {
  return (
    <>
      <PageMeta {...PAGE_TEXTS['/terms']} />
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
