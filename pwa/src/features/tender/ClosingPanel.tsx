import { t } from '@lingui/core/macro';
import { formatAge, formatDate } from '@nivida/contract/format';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { closesAttribute } from '../../data/stored-pages/correct-page.ts';
import { WeekGauge } from '../../ui/display/Gauge.tsx';
import css from './ClosingPanel.module.css';
import { closingDateText, closingFacts, detailPageTone, isClosingDateStale } from './labels.ts';

interface ClosingPanelProps {
  tender: TenderSummary;
  now: Date;
  /**
   * 'list': the countdown has the colour of the card's badge. 'page': red from 7 days before closing (SPEC
   * section 4).
   */
  scale: 'list' | 'page';
}

/**
 * The time left for bids, above the gauge of the last seven days. The gauge has the same colour as the
 * card's.
 */
export function ClosingPanel({ tender, now, scale }: ClosingPanelProps) {
  const closing = closingFacts(tender, now);
  return (
    <section aria-label={t`Closing`}>
      <p
        // A stored page has a label from a later time than its data.
        suppressHydrationWarning
        className={css.closing}
        data-tone={scale === 'page' ? detailPageTone(closing) : closing.tone}
        data-closes={closesAttribute(
          tender.closing_date,
          tender.closing_time_known,
          scale === 'page' ? 'page' : 'card',
        )}
      >
        {closing.label}
      </p>
      {isClosingDateStale(tender, now) && (
        <p className={css.stale} data-tone="amber" data-clock="">
          {t`Checked ${formatAge(new Date(tender.fetched_at), now)}: the date may have changed.`}
        </p>
      )}
      <WeekGauge
        tone={closing.tone}
        left={closing.left}
        start={t`Published ${formatDate(tender.published_date)}`}
        end={<time dateTime={tender.closing_date}>{closingDateText(tender, now)}</time>}
      />
    </section>
  );
}
