import type { TenderSummary } from '@nivida/contract/tender';
import { Badge } from '../../ui/Badge.tsx';
import { Rail } from '../../ui/Rail.tsx';
import { closingFacts, isStale } from './facts.ts';

/** The closing badge of a card. */
export function ClosingBadge({ tender, now }: { tender: TenderSummary; now: Date }) {
  const { tone, label } = closingFacts(tender, now);
  return (
    <Badge tone={tone}>
      <time dateTime={tender.closing_date}>{label}</time>
    </Badge>
  );
}

/** The rail of a card, whose element must be `position: relative`. */
export function ClosingRail({ tender, now }: { tender: TenderSummary; now: Date }) {
  const { tone, left, isOver } = closingFacts(tender, now);
  const look = isOver ? 'hollow' : isStale(tender, now) ? 'stale' : undefined;
  return <Rail tone={tone} left={left} {...(look && { look })} />;
}
