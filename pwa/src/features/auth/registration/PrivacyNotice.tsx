import { Icon } from '../../../ui/display/Icon.tsx';
import css from '../auth.module.css';

// Each stored item and its purpose.
const NOTICE_ITEMS = [
  ['Name, email, mobile number', 'To sign you in and to send codes, receipts and the alerts you ask for.'],
  ['Password', 'To check that it is you. It is stored in a form that cannot be read back.'],
  ['Company, its type, address', 'For receipts and invoices of what you buy.'],
  ['State, districts, departments', 'To show and announce the tenders that fit.'],
  ['Version of the terms, date', 'To know what you agreed to, and when.'],
] as const;

/** The itemised notice of the DPDP Act: what registering stores and why. */
export function PrivacyNotice() {
  return (
    <details className={css.notice}>
      <summary>
        <Icon name="next" small /> What we store, and why
      </summary>
      <dl className="xs muted">
        {NOTICE_ITEMS.map(([what, why]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{why}</dd>
          </div>
        ))}
        <div>
          <dt>Your rights</dt>
          <dd>
            Correct it in your profile, take it with you or delete the account in Settings: that withdraws your consent.
            Invoices stay as long as tax law asks. Complaints: through Contact, then to the Data Protection Board of
            India. You must be 18 or older. More in{' '}
            <a href="/privacy" target="_blank" rel="noopener">
              Privacy
            </a>
            .
          </dd>
        </div>
      </dl>
    </details>
  );
}
