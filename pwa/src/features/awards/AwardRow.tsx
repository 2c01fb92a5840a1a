import type { AwardSummary } from '@nivida/contract/awards/awards';
import { formatRupees } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import css from './AwardRow.module.css';
import { awardDayText, awardPriceText, biddersText } from './award-texts.ts';

/**
 * An award in a list, like a tender's card: title, bidders and day, awarded value and rate. The title's link
 * covers the row.
 */
export function AwardRow({ award }: { award: AwardSummary }) {
  const { id, title, bidders, knownOn, awardedValue, price } = award;
  return (
    <li className={css.row}>
      <h3 className="s clamp">
        <Link to={`/awards/${id}`}>{title}</Link>
      </h3>
      <p className="xs muted">{[biddersText(bidders), knownOn && awardDayText(knownOn)].filter(Boolean).join(' · ')}</p>
      {awardedValue !== null && (
        <p className={css.sum}>
          <b>{formatRupees(awardedValue)}</b>
          {price !== null && <span className="xs">{awardPriceText(price)}</span>}
        </p>
      )}
    </li>
  );
}
