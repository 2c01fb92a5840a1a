import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { amountText, formatDateTime, formatExactRupees, formatRupees } from '@nivida/contract/format';
import { closingText } from '@nivida/contract/tenders/closing';
import { Link } from 'react-router-dom';
import css from './Bids.module.css';
import type { Bid, BidFacts } from './rules/bid.ts';
import { type BidStage, isFinished, stageLabel } from './rules/stages.ts';

const PATH: readonly BidStage[] = ['considering', 'preparing', 'submitted', 'opened', 'won'];
const stepLabel = (stage: BidStage): string => (stage === 'won' ? t`Result` : stageLabel(stage));

/** The steps of a bid with the current one marked. */
export function BidSteps({ stage }: { stage: BidStage }) {
  const current = isFinished(stage) ? 'won' : stage;
  return (
    <ol className={css.steps} aria-label={t`Steps of this bid`}>
      {PATH.map((each) => (
        <li key={each} aria-current={each === current ? 'step' : undefined}>
          {each === 'won' && isFinished(stage) ? stageLabel(stage) : stepLabel(each)}
        </li>
      ))}
    </ol>
  );
}

/**
 * The facts of the tender. They are live where the device has the tender, otherwise those that the bid
 * stores.
 */
export function BidOverview({ bid, facts, hasTender }: { bid: Bid; facts: BidFacts; hasTender: boolean }) {
  const { closing, openingAt } = facts;
  return (
    <div className="stack">
      <dl className={css.facts}>
        <dt>{t`Office`}</dt>
        <dd>{facts.office || t`Not entered`}</dd>
        <dt>{t`Closes`}</dt>
        <dd>{closing ? closingText(closing) : t`Not entered`}</dd>
        {openingAt && (
          <>
            <dt>{t`Opens`}</dt>
            <dd>{formatDateTime(openingAt)}</dd>
          </>
        )}
        {hasTender && (
          <>
            <dt>{t`Estimate`}</dt>
            <dd>{facts.estimate === null ? t`Not published` : formatExactRupees(facts.estimate)}</dd>
            <dt>{t`EMD`}</dt>
            <dd>{amountText(facts.emd === null ? null : String(facts.emd))}</dd>
            <dt>{t`Tender fee`}</dt>
            <dd>{facts.tenderFee === null ? t`Not specified` : formatRupees(facts.tenderFee)}</dd>
            <dt>{t`Tender ID`}</dt>
            <dd>{facts.sourceTenderId}</dd>
          </>
        )}
        {bid.portalBidId && (
          <>
            <dt>{t`Bid ID of the portal`}</dt>
            <dd>{bid.portalBidId}</dd>
          </>
        )}
      </dl>
      {bid.tenderId && <Link to={`/tenders/${bid.tenderId}`}>{t`Open the tender`}</Link>}
      {bid.tenderId && !hasTender && (
        <p className="s muted">
          <Trans>
            These facts are from your bid. The others load when you are online, unless the tender was withdrawn.
          </Trans>
        </p>
      )}
    </div>
  );
}
