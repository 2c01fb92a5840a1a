import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Link } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import css from '../auth.module.css';

// One entry for each stored item, with its purpose.
const noticeItems = () =>
  [
    [t`Name, email, mobile number`, t`To sign you in and to send codes, receipts and the alerts you ask for.`],
    [t`Password`, t`To check that it is you. We store only a hash of it, from which it cannot be read.`],
    [t`Company, its type, address`, t`For the receipts and invoices of your purchases.`],
    [t`State, districts, departments`, t`To show you tenders that fit, and to alert you to new ones.`],
    [t`Version of the terms, date`, t`To know what you agreed to, and when.`],
  ] as const;

/** The itemised notice of the DPDP Act: what registering stores and why. */
export function PrivacyNotice() {
  return (
    <details className={css.notice}>
      <summary>
        <Icon name="next" small /> {t`What we store, and why`}
      </summary>
      <dl className="xs muted">
        {noticeItems().map(([what, why]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{why}</dd>
          </div>
        ))}
        <div>
          <dt>{t`Your rights`}</dt>
          <dd>
            <Trans>
              Correct your data in your profile. Download it or delete the account in Settings; deleting withdraws your
              consent. We keep invoices as long as tax law requires. To complain, use Contact, then the Data Protection
              Board of India. You must be 18 or older. More in{' '}
              <Link to="/privacy" target="_blank" rel="noopener">
                Privacy
              </Link>
              .
            </Trans>
          </dd>
        </div>
      </dl>
    </details>
  );
}
