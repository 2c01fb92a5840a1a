/** What is missing for a bid, and its next step. */
import { type Closing, daysLeft } from '@nivida/contract/tenders/closing';
import { timeLeftText } from '../../../data/bid-documents/closing-day.ts';
import { type BidStage, isBeforeSubmission } from './stages.ts';

/** The documents of a bid's checklist. */
export interface DocumentState {
  /** The user or a date says that it is missing. */
  missing: number;
  /** Neither missing nor done. */
  open: number;
  /** '3 of 9 documents missing' */
  text: string;
}

/** Which deposits of the bid are entered. */
export interface MoneyState {
  hasEmd: boolean;
  hasPerformance: boolean;
  /** Money that the office still holds, without the performance security of a won work. */
  isEmdHeld: boolean;
}

export interface BidState {
  stage: BidStage;
  /** Bids are accepted; true too before the submission when the closing is unknown. */
  isOpen: boolean;
  /** Rupees; 0: not required; null: not known. */
  emd: number | null;
  openingAt: Date | null;
  /** Null while the checklist is not known. */
  documents: DocumentState | null;
  money: MoneyState;
}

function emdState({ emd, money }: BidState): string | null {
  return money.hasEmd || emd === 0 ? null : 'EMD not entered';
}

/**
 * '3 of 9 documents missing · EMD not entered'; '' when nothing is missing. Documents count only while the bid is being
 * prepared.
 */
export function missingText(state: BidState): string {
  if (!isBeforeSubmission(state.stage)) return '';
  return [state.documents?.text, emdState(state)].filter(Boolean).join(' · ');
}

/** On the day of closing: what can still be done. Null on other days, and after the submission. */
export function closingDayText(stage: BidStage, closing: Closing | null, now: Date): string | null {
  if (!isBeforeSubmission(stage) || !closing?.timeKnown || daysLeft(closing, now) !== 0) return null;
  return `${timeLeftText(closing.at, now)} Upload at the portal what is ready; you can still replace your bid until closing.`;
}

/** A part of the bid's page. */
export type BidPart = 'documents' | 'money' | 'result';

/** The next step: a move to a stage, or a part of the bid's page. */
export type NextStep = { label: string } & ({ moveTo: BidStage } | { open: BidPart });

const ENTER_RESULT: NextStep = { label: 'Enter the result', open: 'result' };

function preparingStep(state: BidState): NextStep {
  const { documents } = state;
  if (!state.isOpen) return { label: 'Closed. Did you submit?', open: 'result' };
  if (documents && documents.missing + documents.open > 0) return { label: 'Check documents', open: 'documents' };
  if (emdState(state) !== null) return { label: 'Enter the EMD', open: 'money' };
  return { label: 'I submitted it at the portal', moveTo: 'submitted' };
}

/** The next step of a bid; null when none is left. */
export function nextStep(state: BidState, now: Date): NextStep | null {
  switch (state.stage) {
    case 'considering':
      return state.isOpen
        ? { label: 'Prepare this bid', moveTo: 'preparing' }
        : { label: 'Closed. Did you submit?', open: 'result' };
    case 'preparing':
      return preparingStep(state);
    case 'submitted':
      if (state.isOpen || (state.openingAt !== null && now < state.openingAt)) return null;
      return { label: 'Bids were opened', moveTo: 'opened' };
    case 'opened':
      return ENTER_RESULT;
    case 'won':
      return state.money.hasPerformance ? null : { label: 'Enter the performance security', open: 'money' };
    case 'lost':
    case 'dropped':
      return state.money.isEmdHeld ? { label: 'Get the EMD back', open: 'money' } : null;
  }
}
