import type { AwardSummary } from '@nivida/contract/awards/awards';
import { Link } from 'react-router-dom';
import css from './AwardRow.module.css';
import { awardFactsText } from './award-texts.ts';

/** An award in a list: title, awarded value, number of bidders and day. */
export function AwardRow({ award }: { award: AwardSummary }) {
  return (
    <li className={css.row}>
      <Link to={`/awards/${award.id}`}>{award.title}</Link>
      <p className="xs muted">{awardFactsText(award)}</p>
    </li>
  );
}
