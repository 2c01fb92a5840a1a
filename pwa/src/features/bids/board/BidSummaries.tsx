import { BidSummary } from '../BidCard.tsx';
import cardCss from '../Bids.module.css';
import type { DeskBid } from '../desk.ts';
import css from './BidBoard.module.css';

/** Bids with their closing and what is missing, each with a link to its page. */
export function BidSummaries({ bids, now }: { bids: readonly DeskBid[]; now: Date }) {
  return (
    <ul className={`${css.list} entries`}>
      {bids.map((listed) => (
        <li key={listed.bid.id}>
          <article className={cardCss.card}>
            <BidSummary listed={listed} now={now} />
          </article>
        </li>
      ))}
    </ul>
  );
}
