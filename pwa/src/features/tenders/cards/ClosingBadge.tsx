import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { Badge } from '../../../ui/display/Badge.tsx';
import { EdgeGauge } from '../../../ui/display/Gauge.tsx';
import { closingFacts, isClosingDateStale } from '../labels.ts';

export function ClosingBadge({ tender, now }: { tender: TenderSummary; now: Date }) {
  const { tone, label } = closingFacts(tender, now);
  return (
    <Badge tone={tone}>
      <time dateTime={tender.closing_date}>{label}</time>
    </Badge>
  );
}

/** The closing gauge of a card. The card must be `position: relative`. */
export function ClosingGauge({ tender, now }: { tender: TenderSummary; now: Date }) {
  const { tone, left, isOver } = closingFacts(tender, now);
  const look = isOver ? 'hollow' : isClosingDateStale(tender, now) ? 'stale' : undefined;
  return <EdgeGauge tone={tone} left={left} {...(look && { look })} />;
}
