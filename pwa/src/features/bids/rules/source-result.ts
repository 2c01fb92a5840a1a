/** What the source says about a bid's tender after closing, and the stage that it suggests. Only the user moves a bid. */
import { t } from '@lingui/core/macro';
import { formatRupees } from '@nivida/contract/format';
import type { TenderStatus } from '@nivida/contract/tenders/status';
import { type BidStage, isFinished } from './stages.ts';

/** The award of a tender as the source has it. */
interface SourceAward {
  /** Rupees; null when the source names no value. */
  value: number | null;
  /** The name as the source writes it; null when it names no winner. */
  winner: string | null;
}

export interface SourceResult {
  /** 'Result is out.' or 'Bids were opened.', followed by what the source says. */
  text: string;
  /** The stage that one tap confirms. Null when the user has to choose. */
  suggestion: BidStage | null;
  /** Why this stage is suggested. */
  reason: string | null;
}

const LEGAL_FORMS = /\b(m\/?s|messrs|pvt|private|ltd|limited|llp|and|co|company|shri|sri|smt)\b/g;

/** A firm's name without legal forms, punctuation and spaces, for comparison. */
export function comparableName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKC')
    .replace(/&/g, ' and ')
    .replace(/\bm\s*\/\s*s\b/g, ' ')
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, ' ')
    .replace(LEGAL_FORMS, ' ')
    .replace(/\s+/g, '');
}

const isSameFirm = (winner: string, firmNames: readonly string[]): boolean => {
  const name = comparableName(winner);
  return name !== '' && firmNames.some((each) => comparableName(each) === name);
};

function awardText(value: string | null, winner: string | null): string {
  if (winner === null) return value === null ? t`Awarded.` : t`Awarded at ${value}.`;
  return value === null
    ? t`Awarded to “${winner}”, as the source writes it.`
    : t`Awarded at ${value} to “${winner}”, as the source writes it.`;
}

function awardedResult(award: SourceAward | null, firmNames: readonly string[]): SourceResult {
  const winner = award?.winner ?? null;
  const text = `${t`Result is out.`} ${awardText(award?.value ? formatRupees(award.value) : null, winner)}`;
  if (winner === null || firmNames.length === 0) return { text, suggestion: null, reason: null };
  return isSameFirm(winner, firmNames)
    ? { text, suggestion: 'won', reason: t`This looks like your firm.` }
    : { text, suggestion: 'lost', reason: t`This is not a name of your firm.` };
}

/**
 * What the source says; null when it says nothing new for the bid's stage. If the winner has the name of the
 * user's firm, a stage is suggested, not set.
 */
export function sourceResult(
  stage: BidStage,
  status: TenderStatus | null,
  award: SourceAward | null,
  firmNames: readonly string[],
): SourceResult | null {
  if (isFinished(stage)) return null;
  if (status === 'cancelled')
    return { text: t`Result is out. The source says: cancelled.`, suggestion: 'dropped', reason: null };
  if (status === 'retendered')
    return { text: t`Result is out. The source says: called again.`, suggestion: 'dropped', reason: null };
  if (status === 'awarded' || award !== null) return awardedResult(award, firmNames);
  if (status === 'under_evaluation' && stage !== 'opened')
    return { text: t`Bids were opened. The source says: under evaluation.`, suggestion: 'opened', reason: null };
  return null;
}
