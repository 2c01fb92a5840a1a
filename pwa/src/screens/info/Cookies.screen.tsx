import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { COOKIES_DATE, cookieSections } from '../../features/info/cookies.tsx';
import { LegalPage } from '../../features/info/LegalPage.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** The cookie policy. It lists all data stored in the browser. */
export function Cookies() {
  return (
    <>
      <PageMeta {...pageText(PAGES['/cookies'])} />
      <LegalPage
        title={t`Cookie Policy`}
        updated={COOKIES_DATE}
        lead={
          <p>
            <Trans>
              Nivida sets two cookies: one while an e-mail address is verified, one when this browser first sends
              something. It works offline, so your browser keeps more than that: here is all of it.
            </Trans>
          </p>
        }
        sections={cookieSections()}
      />
    </>
  );
}
