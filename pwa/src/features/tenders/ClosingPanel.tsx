import { formatAge, formatDate } from '@nivida/contract/format';
import type { TenderSummary } from '@nivida/contract/tender';
import { WeekRail } from '../../ui/Rail.tsx';
import css from './ClosingPanel.module.css';
import { closingFacts, closingMoment, detailTone, isStale } from './facts.ts';

/** How long bids are taken, large, over the rail of the last seven days. */
export function ClosingPanel({ tender, now }: { tender: TenderSummary; now: Date }) {
  const closing = closingFacts(tender, now);
  const tone = detailTone(closing);
  return (
    <section aria-label="Closing">
      <p className={css.closing} data-tone={tone}>
        {closing.label}
      </p>
      {isStale(tender, now) && (
        <p className={css.stale} data-tone="amber">
          Checked {formatAge(new Date(tender.fetched_at), now)}: the date may have changed.
        </p>
      )}
      <WeekRail
        tone={tone}
        left={closing.left}
        start={`Published ${formatDate(tender.published_date)}`}
        end={<time dateTime={tender.closing_date}>{closingMoment(tender, now)}</time>}
      />
    </section>
  );
}
