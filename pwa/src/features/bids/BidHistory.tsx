import { t } from '@lingui/core/macro';
import { formatDate, formatDateTime } from '@nivida/contract/format';
import css from './Bids.module.css';
import type { BidEvent } from './rules/bid-changes.ts';

/** The dated events of a bid, newest first. */
export function BidHistory({ events }: { events: readonly BidEvent[] }) {
  if (events.length === 0) return <p className="muted">{t`No dates yet.`}</p>;
  return (
    <ol className={css.history}>
      {events.map(({ at, isDay, text }) => (
        <li key={`${at.getTime()} ${text}`}>
          <time dateTime={at.toISOString()}>{isDay ? formatDate(at) : formatDateTime(at)}</time>
          {text}
        </li>
      ))}
    </ol>
  );
}
