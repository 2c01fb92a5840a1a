import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Link } from 'react-router-dom';
import { LegalPage } from '../../features/info/LegalPage.tsx';
import { Privacy2024 } from '../../features/info/Privacy2024.tsx';
import { PRIVACY_DATE, privacySections } from '../../features/info/privacy.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** The privacy policy in force. Below it, the earlier policy with its date. */
export function Privacy() {
  return (
    <>
      <PageMeta {...pageText(PAGES['/privacy'])} />
      <LegalPage
        title={t`Privacy Policy`}
        updated={PRIVACY_DATE}
        lead={
          <p>
            <Trans>
              We hold what a service like this needs, keep as much as possible on your own device, and sell nothing. The{' '}
              <Link to={{ hash: 'august-2024' }} replace>
                version of 29th Aug 2024
              </Link>{' '}
              stands below.
            </Trans>
          </p>
        }
        sections={privacySections()}
        contents={[{ id: 'august-2024', title: t`Version of 29th Aug 2024` }]}
      >
        <Privacy2024 />
      </LegalPage>
    </>
  );
}
