import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { TERMS_VERSION } from '@nivida/contract/account/auth';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Sold, useSellsNothing } from '../../data/server/site.ts';
import { LegalPage } from '../../features/info/LegalPage.tsx';
import { termsSections } from '../../features/info/terms.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** The terms of service, in the version that a user accepts when registering. */
export function Terms() {
  const sellsNothing = useSellsNothing();
  return (
    <>
      <PageMeta {...pageText(PAGES['/terms'], sellsNothing)} />
      <LegalPage
        title={t`Terms of Service`}
        updated={TERMS_VERSION}
        lead={
          <p>
            <Trans>
              Nivida finds tenders, keeps them and reminds you of them. The portal that published a tender decides;{' '}
              <Sold free={t`everything is free.`}>all payments are non-refundable; searching stays free.</Sold>
            </Trans>
          </p>
        }
        sections={termsSections()}
      />
    </>
  );
}
