import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { Sold } from '../../data/server/site.ts';
import { FreeHere } from '../../features/info/FreeHere.tsx';
import { LegalPage } from '../../features/info/LegalPage.tsx';
import { REFUND_DATE, refundSections } from '../../features/info/refund.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';

/** The refund policy. */
export function Refund() {
  return (
    <Sold free={<FreeHere />}>
      <PageMeta {...pageText(PAGES['/refund'])} />
      <LegalPage
        title={t`Refund Policy`}
        updated={REFUND_DATE}
        lead={
          <p>
            <Trans>
              All payments are non-refundable, except when you paid twice or we could not deliver: then the money comes
              back by itself.
            </Trans>
          </p>
        }
        sections={refundSections()}
      />
    </Sold>
  );
}
