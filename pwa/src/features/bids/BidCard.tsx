import { t } from '@lingui/core/macro';
import { type Closing, closingLabel, closingTone } from '@nivida/contract/tenders/closing';
import { DAY_MS } from '@nivida/contract/time';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Badge } from '../../ui/display/Badge.tsx';
import { EdgeGauge } from '../../ui/display/Gauge.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { langOf } from '../../ui/words/lang-of.ts';
import css from './Bids.module.css';
import type { DeskBid } from './desk.ts';
import { MoveDialog } from './MoveDialog.tsx';
import type { BidFacts } from './rules/bid.ts';
import { missingText, nextStep } from './rules/next-step.ts';
import type { BidStage } from './rules/stages.ts';

const WEEK_MS = 7 * DAY_MS;
/** Minimum of the gauge while the bid is open, so that it stays visible. */
const MIN_LEFT = 0.04;

const shareLeft = ({ at }: Closing, now: Date): number =>
  Math.min(1, Math.max(MIN_LEFT, (at.getTime() - now.getTime()) / WEEK_MS));

/** The closing gauge of a bid. The parent must be `position: relative`. */
export function BidGauge({ facts: { closing, isOpen }, now }: { facts: BidFacts; now: Date }) {
  if (!closing || !isOpen) return <EdgeGauge tone="gray" left={0} look="hollow" />;
  return <EdgeGauge tone={closingTone(closing, now)} left={shareLeft(closing, now)} />;
}

/** The closing as a badge. Renders nothing without a closing. */
export function BidClosingBadge({ facts: { closing, isOpen }, now }: { facts: BidFacts; now: Date }) {
  if (!closing) return null;
  return (
    <Badge tone={isOpen ? closingTone(closing, now) : 'gray'}>
      <time dateTime={closing.at.toISOString()}>{isOpen ? closingLabel(closing, now) : t`Closed`}</time>
    </Badge>
  );
}

/** The path of the page of a bid. */
export const bidPath = (id: string): string => `/dashboard/applications/${id}`;

interface BidSummaryProps {
  listed: DeskBid;
  now: Date;
}

/** The card of a bid without buttons: its closing, what is missing, and news. */
export function BidSummary({ listed: { bid, facts, state, news }, now }: BidSummaryProps) {
  const missing = missingText(state);
  return (
    <>
      <BidGauge facts={facts} now={now} />
      <h3>
        <Link to={bidPath(bid.id)} className="clamp" lang={langOf(facts.title)}>
          {facts.title}
        </Link>
      </h3>
      <p className={css.meta}>
        <span className={css.office}>{facts.office}</span>
        <BidClosingBadge facts={facts} now={now} />
      </p>
      {missing && <p className={css.missing}>{missing}</p>}
      {news.map((line) => (
        <p key={line} className={css.news}>
          <Icon name="bell" small /> {line}
        </p>
      ))}
    </>
  );
}

interface BidCardProps extends BidSummaryProps {
  onMove: (to: BidStage) => void;
  /** True when the keyboard or the menu has just moved this bid; its menu takes the focus again. */
  isMoved: boolean;
}

/** A bid in the list: its closing, what is missing, news, and one button for the next step. */
export function BidCard({ listed, now, onMove, isMoved }: BidCardProps) {
  const { bid, facts, state } = listed;
  const [isMoving, setIsMoving] = useState(false);
  const step = nextStep(state, now);
  return (
    <article className={css.card}>
      <BidSummary listed={listed} now={now} />
      <div className={css.actions}>
        {step &&
          ('moveTo' in step ? (
            <Button onClick={() => onMove(step.moveTo)}>{step.label}</Button>
          ) : (
            <ButtonLink to={`${bidPath(bid.id)}#${step.open}`}>{step.label}</ButtonLink>
          ))}
        <Button
          look="plain"
          aria-haspopup="dialog"
          aria-label={t`Move to another stage: ${{ title: facts.title }}`}
          autoFocus={isMoved}
          onClick={() => setIsMoving(true)}
        >
          {t`Move to`}
        </Button>
      </div>
      {isMoving && (
        <MoveDialog title={facts.title} stage={state.stage} onClose={() => setIsMoving(false)} onMove={onMove} />
      )}
    </article>
  );
}
