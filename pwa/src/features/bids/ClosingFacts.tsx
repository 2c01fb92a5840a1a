import { type Closing, closingLabel, closingTone } from '@nivida/contract/tenders/closing';
import { DAY_MS } from '@nivida/contract/time';
import { Badge } from '../../ui/display/Badge.tsx';
import { EdgeGauge } from '../../ui/display/Gauge.tsx';
import type { BidFacts } from './rules/bid.ts';

const WEEK_MS = 7 * DAY_MS;
/** An open bid always shows some of the gauge. */
const MIN_LEFT = 0.04;

const shareLeft = ({ at }: Closing, now: Date): number =>
  Math.min(1, Math.max(MIN_LEFT, (at.getTime() - now.getTime()) / WEEK_MS));

/** The closing gauge of a bid. The parent must be `position: relative`. */
export function BidGauge({ facts: { closing, isOpen }, now }: { facts: BidFacts; now: Date }) {
  if (!closing || !isOpen) return <EdgeGauge tone="gray" left={0} look="hollow" />;
  return <EdgeGauge tone={closingTone(closing, now)} left={shareLeft(closing, now)} />;
}

/** The closing as a badge; nothing without a closing. */
export function BidClosingBadge({ facts: { closing, isOpen }, now }: { facts: BidFacts; now: Date }) {
  if (!closing) return null;
  return (
    <Badge tone={isOpen ? closingTone(closing, now) : 'gray'}>
      <time dateTime={closing.at.toISOString()}>{isOpen ? closingLabel(closing, now) : 'Closed'}</time>
    </Badge>
  );
}
