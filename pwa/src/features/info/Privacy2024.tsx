import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Sold } from '../../data/server/site.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './LegalPage.module.css';

/** The earlier privacy policy with its date (R61). */
export function Privacy2024() {
  return (
    <Panel id="august-2024" aria-labelledby="august-2024-title">
      <div className={css.prose}>
        <h2 id="august-2024-title">{t`Version of 29th Aug 2024`}</h2>
        <p className="xs muted">
          <Trans>
            Last updated: <time dateTime="2024-08-29">29th Aug 2024</time>
          </Trans>
        </p>
        <p>
          <Trans>
            This version is kept for reference. Where it says less than the one above, the one above counts.
          </Trans>
        </p>
        <h3>{t`Information we collect`}</h3>
        <ul>
          <li>
            <Trans>Personal information: name, e-mail address, mobile number and the details of your company.</Trans>
          </li>
          <Sold>
            <li>{t`Subscription details: the plan you chose, its dates and its payment status.`}</li>
          </Sold>
          <li>{t`Usage data: the pages you open and the searches you make.`}</li>
        </ul>
        <h3>{t`How we use it`}</h3>
        <p>
          <Trans>
            To provide the service, to keep your account<Sold> and subscription</Sold>, to support you, and to improve
            the service.
          </Trans>
        </p>
        <h3>{t`Sharing`}</h3>
        <p>{t`We do not sell your data.`}</p>
        <h3>{t`Your rights`}</h3>
        <p>
          <Trans>You may access, update and delete your personal information, and opt out of messages from us.</Trans>
        </p>
      </div>
    </Panel>
  );
}
