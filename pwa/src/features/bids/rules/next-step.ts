/** What is missing for a bid, and the next step. */
import { t } from '@lingui/core/macro';
import { type Closing, daysLeft } from '@nivida/contract/tenders/closing';
import { timeLeftText } from '../../../data/bid-documents/closing-day.ts';
import { type BidStage, isBeforeSubmission } from './stages.ts';

/** State of the documents in a bid's checklist. */
export interface DocumentState {
  /** Documents that are missing by the user's mark or by a date. */
  missing: number;
  /** Documents that are neither missing nor done. */
  open: number;
  /** '3 of 9 documents missing' */
  text: string;
}

/** Which deposits of the bid are entered. */
export interface MoneyState {
  hasEmd: boolean;
  hasPerformance: boolean;
  /** The office still holds money. The performance security of a won work does not count. */
  isEmdHeld: boolean;
}

export interface BidState {
  stage: BidStage;
  /** The portal accepts bids. Also true before the submission when the closing is unknown. */
  isOpen: boolean;
  /** Rupees; 0 when not required; null when unknown. */
  emd: number | null;
  openingAt: Date | null;
  /** Null while the checklist is unknown. */
  documents: DocumentState | null;
  money: MoneyState;
}

function emdState({ emd, money }: BidState): string | null {
  return money.hasEmd || emd === 0 ? null : t`EMD not entered`;
}

/**
 * '3 of 9 documents missing · EMD not entered'; '' when nothing is missing. After the submission nothing
 * counts as missing.
 */
export function missingText(state: BidState): string {
  if (!isBeforeSubmission(state.stage)) return '';
  return [state.documents?.text, emdState(state)].filter(Boolean).join(' · ');
}

/**
 * On the day of closing: what the user can still do. Null on other days, after the submission, and when the
 * hour is unknown.
 */
export function closingDayText(stage: BidStage, closing: Closing | null, now: Date): string | null {
  if (!isBeforeSubmission(stage) || !closing?.timeKnown || daysLeft(closing, now) !== 0) return null;
  const advice = t`Upload at the portal what is ready; you can still replace your bid until closing.`;
  return `${timeLeftText(closing.at, now)} ${advice}`;
}

/** A part of the bid's page. */
type BidPart = 'documents' | 'money' | 'result';

/** The next step: a move to a stage, or a part of the bid's page to open. */
type NextStep = { label: string } & ({ moveTo: BidStage } | { open: BidPart });

function preparingStep(state: BidState): NextStep {
  const { documents } = state;
  if (!state.isOpen) return { label: t`Closed. Did you submit?`, open: 'result' };
  if (documents && documents.missing + documents.open > 0) return { label: t`Check documents`, open: 'documents' };
  if (emdState(state) !== null) return { label: t`Enter the EMD`, open: 'money' };
  return { label: t`I submitted it at the portal`, moveTo: 'submitted' };
}

/** The next step of a bid; null when there is none. */
export function nextStep(state: BidState, now: Date): NextStep | null {
  switch (state.stage) {
    case 'considering':
      return state.isOpen
        ? { label: t`Prepare this bid`, moveTo: 'preparing' }
        : { label: t`Closed. Did you submit?`, open: 'result' };
    case 'preparing':
      return preparingStep(state);
    case 'submitted':
      if (state.isOpen || (state.openingAt !== null && now < state.openingAt)) return null;
      return { label: t`Bids were opened`, moveTo: 'opened' };
    case 'opened':
      return { label: t`Enter the result`, open: 'result' };
    case 'won':
      return state.money.hasPerformance ? null : { label: t`Enter the performance security`, open: 'money' };
    case 'lost':
    case 'dropped':
      return state.money.isEmdHeld ? { label: t`Get the EMD back`, open: 'money' } : null;
  }
}
