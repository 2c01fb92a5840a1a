import { Link } from 'react-router-dom';
import { Icon } from '../../ui/Icon.tsx';
import css from './Lead.module.css';
import { type TenderSearch, writePlace } from './search.ts';

/** The search in a phone's top bar; it leads to the filled form. */
export function ResultsLead({ search }: { search: TenderSearch }) {
  const title = search.q ? `“${search.q}”` : search.state;
  const place = [search.district || 'All districts', search.department || 'All departments'].join(' · ');
  const below = search.q ? [search.district, search.state || 'All states'].filter(Boolean).join(', ') : place;
  return (
    <Link className={css.lead} to={`/tenders?${writePlace(search)}`}>
      <Icon name="back" />
      <span className={css.words}>
        <span className="sr">Change the search: </span>
        <b>{title}</b>
        <span className="xs muted">{below}</span>
      </span>
      <Icon name="filter" />
    </Link>
  );
}
