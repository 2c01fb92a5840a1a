import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './Bids.module.css';
import { BidClosingBadge, BidGauge } from './ClosingFacts.tsx';
import type { DeskBid } from './desk.ts';
import { MoveDialog } from './MoveDialog.tsx';
import { missingText, nextStep } from './rules/next-step.ts';
import type { BidStage } from './rules/stages.ts';

export const bidPath = (id: string): string => `/dashboard/applications/${id}`;

interface BidCardProps {
  listed: DeskBid;
  now: Date;
  onMove: (to: BidStage) => void;
  /** The keyboard or the menu has just moved it: its menu has the focus again. */
  isMoved: boolean;
}

/** A bid in the list: its closing, what is missing, news, and the next step as one button. */
export function BidCard({ listed, now, onMove, isMoved }: BidCardProps) {
  const { bid, facts, state, news } = listed;
  const [isMoving, setIsMoving] = useState(false);
  const missing = missingText(state);
  const step = nextStep(state, now);
  return (
    <article className={css.card}>
      <BidGauge facts={facts} now={now} />
      <h3>
        <Link to={bidPath(bid.id)}>{facts.title}</Link>
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
          aria-label={`Move ${facts.title} to another stage`}
          autoFocus={isMoved}
          onClick={() => setIsMoving(true)}
        >
          Move to
        </Button>
      </div>
      {isMoving && (
        <MoveDialog
          title={facts.title}
          stage={state.stage}
          onClose={() => setIsMoving(false)}
          onMove={(to) => {
            setIsMoving(false);
            onMove(to);
          }}
        />
      )}
    </article>
  );
}
