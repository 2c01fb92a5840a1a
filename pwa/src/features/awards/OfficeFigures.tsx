import { t } from '@lingui/core/macro';
import type { AwardRange, GroupAwards, OfficeAwards } from '@nivida/contract/awards/awards';
import { formatAge } from '@nivida/contract/format';
import type { ReactNode } from 'react';
import { useNow } from '../../data/clock.ts';
import { Disclosure } from '../../ui/display/Disclosure.tsx';
import { BidderDots, PriceBar } from './AwardPlots.tsx';
import {
  ageSentence,
  basisNote,
  biddersSentence,
  daysSentence,
  lateBidsSentence,
  priceRangeCells,
  pricesSentence,
  refusedSentence,
  singleBidSentence,
  sourceSentence,
} from './award-texts.ts';
import shared from './awards.module.css';
import css from './OfficeFigures.module.css';

/** A range's row in the table behind the plots. */
function RangeRow({ name, range, unit }: { name: string; range: AwardRange; unit: 'count' | 'price' }) {
  if (!range.isShown) return null;
  const [low, high] = unit === 'price' ? priceRangeCells(range) : [range.low, range.high];
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{low}</td>
      <td>{high}</td>
      <td>{range.awards}</td>
    </tr>
  );
}

/** The figures of an office or of a group of offices. A group has no masses and no late bids. */
type Figures = GroupAwards & Partial<Pick<OfficeAwards, 'masses' | 'lateBids'>>;

interface OfficeFiguresProps {
  statistics: Figures;
  /** 'this office', 'Assam'. */
  place: string;
  /** Advice to the bidder; '' for none. */
  advice?: string;
}

/** The figures with their plots. Below them in small type: why other figures are withheld, and the source. */
export function OfficeFigures({ statistics, place, advice = '' }: OfficeFiguresProps) {
  const { bidders, price, daysToContract, masses = [], refused, singleBid, lateBids = null } = statistics;
  const age = ageSentence(statistics);
  const said: { sentence: string; plot?: ReactNode }[] = [
    { sentence: bidders.isShown ? biddersSentence(bidders) : '', plot: <BidderDots range={bidders} /> },
    { sentence: refusedSentence(refused) },
    { sentence: price.isShown ? pricesSentence(price, masses) : '', plot: <PriceBar range={price} masses={masses} /> },
    { sentence: daysSentence(daysToContract) },
    { sentence: singleBidSentence(singleBid) },
    { sentence: lateBidsSentence(lateBids) },
  ].filter(({ sentence }) => sentence !== '');
  const isFewOnly = !bidders.isShown && !price.isShown && bidders.reason === 'too-few' && price.reason === 'too-few';
  const withheld = new Set([
    ...(bidders.isShown ? [] : [biddersSentence(bidders)]),
    ...(price.isShown || isFewOnly ? [] : [pricesSentence(price, masses)]),
  ]);
  const note = basisNote(bidders) || basisNote(price);
  return (
    <>
      {age && <p className={css.age}>{age}</p>}
      {said.length > 0 && (
        <ul className={css.sentences}>
          {said.map(({ sentence, plot }) => (
            <li key={sentence}>
              {sentence}
              {plot}
            </li>
          ))}
        </ul>
      )}
      {[...withheld].map((sentence) => (
        <p key={sentence} className={said.length > 0 ? 'xs muted' : undefined}>
          {sentence}
        </p>
      ))}
      {note && <p className="xs muted">{note}</p>}
      {advice && (
        <p>
          <strong>{t`Before you bid:`}</strong> {advice}
        </p>
      )}
      <Disclosure title={t`How we know`} className={`${css.details} ${shared.printed}`}>
        <p>{sourceSentence(place, statistics)}</p>
        {(bidders.isShown || price.isShown || daysToContract.isShown) && (
          <table className={shared.table}>
            <thead>
              <tr>
                <th scope="col">{t`Range`}</th>
                <th scope="col">{t({ message: 'From', context: 'column of a range' })}</th>
                <th scope="col">{t({ message: 'To', context: 'column of a range' })}</th>
                <th scope="col">{t`Awards`}</th>
              </tr>
            </thead>
            <tbody>
              <RangeRow name={t`Bidders`} range={bidders} unit="count" />
              <RangeRow name={t`Price`} range={price} unit="price" />
              <RangeRow name={t`Days to contract`} range={daysToContract} unit="count" />
            </tbody>
          </table>
        )}
        <p>{t`Past awards are history, not a forecast.`}</p>
      </Disclosure>
    </>
  );
}

/** Says that figures come from the device, and how old they are. */
export function SavedAwardsNote({ savedAt }: { savedAt: Date }) {
  const now = useNow();
  return <p className="xs muted">{t`Offline copy · Saved ${{ age: formatAge(savedAt, now) }}.`}</p>;
}
