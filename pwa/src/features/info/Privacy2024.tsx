import { Sold } from '../../data/server/site.ts';
import { Panel } from '../../ui/display/Panel.tsx';
import css from './LegalPage.module.css';

/** The earlier privacy policy with its date (R61). */
export function Privacy2024() {
  return (
    <Panel id="august-2024" aria-labelledby="august-2024-title">
      <div className={css.prose}>
        <h2 id="august-2024-title">Version of 29th Aug 2024</h2>
        <p className="xs muted">
          Last updated: <time dateTime="2024-08-29">29th Aug 2024</time>
        </p>
        <p>This version is kept for reference. Where it says less than the one above, the one above counts.</p>
        <h3>Information we collect</h3>
        <ul>
          <li>Personal information: name, e-mail address, mobile number and the details of your company.</li>
          <Sold>
            <li>Subscription details: the plan you chose, its dates and its payment status.</li>
          </Sold>
          <li>Usage data: the pages you open and the searches you make.</li>
        </ul>
        <h3>How we use it</h3>
        <p>
          To provide the service, to keep your account<Sold> and subscription</Sold>, to support you, and to improve the
          service.
        </p>
        <h3>Sharing</h3>
        <p>We do not sell your data.</p>
        <h3>Your rights</h3>
        <p>You may access, update and delete your personal information, and opt out of messages from us.</p>
      </div>
    </Panel>
  );
}
