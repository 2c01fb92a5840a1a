import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { GDPR_DATE, gdprSections } from '../../features/info/gdpr.tsx';
import { LegalPage } from '../../features/info/LegalPage.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** The data protection page: rights of users, and the responsible officer. */
export function Gdpr() {
  return (
    <>
      <PageMeta {...pageText(PAGES['/gdpr'])} />
      <LegalPage
        title={t`GDPR and data protection`}
        updated={GDPR_DATE}
        lead={
          <p>
            <Trans>
              Your rights under the Digital Personal Data Protection Act 2023 of India (DPDP Act) and the General Data
              Protection Regulation of the European Union (GDPR), and how to use them.
            </Trans>
          </p>
        }
        sections={gdprSections()}
      />
    </>
  );
}
