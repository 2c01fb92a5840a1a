import type { AwardSummary } from '@nivida/contract/awards/awards';
import { formatRupees } from '@nivida/contract/format';
import { Link } from 'react-router-dom';
import css from './AwardRow.module.css';
import { awardDayText, awardPriceText } from './award-texts.ts';

/** An award in a list: title, awarded value, number of bidders and day. */
export function AwardRow({ award }: { award: AwardSummary }) {
  const { id, title, awardedValue, price, bidders, knownOn } = award;
  const facts = [
    awardedValue !== null && `Awarded at ${formatRupees(awardedValue)}`,
    price !== null && awardPriceText(price),
    `${bidders} bidder${bidders === 1 ? '' : 's'}`,
    knownOn !== null && awardDayText(knownOn),
  ];
  return (
    <li className={css.row}>
      <Link to={`/awards/${id}`}>{title}</Link>
      <p className="xs muted">{facts.filter(Boolean).join(' · ')}</p>
    </li>
  );
}
