import { formatAge, formatDate } from '@nivida/contract/format';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { WeekGauge } from '../../../ui/display/Gauge.tsx';
import { closingDateText, closingFacts, detailPageTone, isClosingDateStale } from '../labels.ts';
import css from './ClosingPanel.module.css';

/** The time left for bids over the gauge of the last seven days. */
export function ClosingPanel({ tender, now }: { tender: TenderSummary; now: Date }) {
  const closing = closingFacts(tender, now);
  const tone = detailPageTone(closing);
  return (
    <section aria-label="Closing">
      <p className={css.closing} data-tone={tone}>
        {closing.label}
      </p>
      {isClosingDateStale(tender, now) && (
        <p className={css.stale} data-tone="amber">
          Checked {formatAge(new Date(tender.fetched_at), now)}: the date may have changed.
        </p>
      )}
      <WeekGauge
        tone={tone}
        left={closing.left}
        start={`Published ${formatDate(tender.published_date)}`}
        end={<time dateTime={tender.closing_date}>{closingDateText(tender, now)}</time>}
      />
    </section>
  );
}
