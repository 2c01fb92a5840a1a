import { t } from '@lingui/core/macro';
import { officeLabel } from '@nivida/contract/awards/office';
import { Link } from 'react-router-dom';
import css from './FollowOffice.module.css';
import { UnfollowButton, useFollowedOffices } from './FollowOffice.tsx';

/**
 * The followed offices, each with a link and a button that ends following it. Renders nothing without any.
 */
export function FollowedOfficeList() {
  const offices = useFollowedOffices();
  if (offices.length === 0) return null;
  return (
    <section aria-label={t`Followed offices`}>
      <h3 className="s">{t`Followed offices`}</h3>
      <ul className={css.list}>
        {offices.map(({ officeId, office }) => (
          <li key={officeId}>
            <Link to={`/analysis/offices/${officeId}`}>{officeLabel(office)}</Link>
            <UnfollowButton officeId={officeId} followed={offices} />
          </li>
        ))}
      </ul>
    </section>
  );
}
