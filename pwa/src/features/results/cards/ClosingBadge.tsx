import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { closesAttribute } from '../../../data/stored-pages/correct-page.ts';
import { Badge } from '../../../ui/display/Badge.tsx';
import { EdgeGauge } from '../../../ui/display/Gauge.tsx';
import { closingFacts, isClosingDateStale } from '../../tender/labels.ts';

/** The closing badge of a card. */
export function ClosingBadge({ tender, now }: { tender: TenderSummary; now: Date }) {
  const { tone, label } = closingFacts(tender, now);
  return (
    <Badge tone={tone} closes={closesAttribute(tender.closing_date, tender.closing_time_known, 'card')}>
      {/* A stored page has a label from a later time than its data. */}
      <time dateTime={tender.closing_date} suppressHydrationWarning>
        {label}
      </time>
    </Badge>
  );
}

/** The closing gauge of a card. The card must be `position: relative`. */
export function ClosingGauge({ tender, now }: { tender: TenderSummary; now: Date }) {
  const { tone, left, isOver } = closingFacts(tender, now);
  const look = isOver ? 'hollow' : isClosingDateStale(tender, now) ? 'stale' : undefined;
  return <EdgeGauge tone={tone} left={left} {...(look && { look })} />;
}
