/** Money that a bidder pays for a bid. Money is in paise, days are Indian: '2026-04-15'. */
import type { DEPOSIT_KINDS, DEPOSIT_MODES, DEPOSIT_STATES, RecordFields } from '@nivida/contract/bids/records';
import { indianDay } from '@nivida/contract/format';
import { EMD_RETURN_DAYS } from '@nivida/contract/rules/emd';
import { dayNumber, dayText } from '@nivida/contract/time';

export type DepositKind = (typeof DEPOSIT_KINDS)[number];
export type DepositMode = (typeof DEPOSIT_MODES)[number];
type DepositState = (typeof DEPOSIT_STATES)[number];

/** A record of the kind `deposit`. */
export type Deposit = RecordFields<'deposit'> & { id: string };

export const KIND_LABELS: Record<DepositKind, string> = {
  emd: 'EMD',
  tender_fee: 'Tender fee',
  performance: 'Performance security',
  additional: 'Additional security',
};
export const MODE_LABELS: Record<DepositMode, string> = {
  online: 'Online payment',
  fdr: 'FDR (fixed deposit)',
  bg: 'Bank guarantee',
  dd: 'Demand draft',
  exempt: 'Exempt, nothing paid',
};
export const STATE_LABELS: Record<DepositState, string> = {
  locked: 'Locked',
  due_back: 'Due back',
  asked: 'Asked for',
  returned: 'Returned',
  adjusted: 'Adjusted in the work',
  forfeited: 'Forfeited',
};

export const kindOf = ({ kind }: Deposit): DepositKind => kind ?? 'emd';
const stateOf = ({ state }: Deposit): DepositState => state ?? 'locked';

/** The Indian day of an instant: '2026-04-15'. */
export const dayOf = (instant: Date): string => dayText(indianDay(instant));

/** True while the office holds the money. A tender fee is spent, and with an exemption nothing is paid. */
export function isHeld(deposit: Deposit): boolean {
  const isSpent = kindOf(deposit) === 'tender_fee' || deposit.mode === 'exempt';
  return !isSpent && ['locked', 'due_back', 'asked'].includes(stateOf(deposit));
}

/**
 * Where the money is. `done` when the office holds nothing of it. Without a due day it is `locked`, or `due`
 * if it is due back or was asked for.
 */
export type DepositPlace = 'locked' | 'due' | 'overdue' | 'done';

/** Where the money of a deposit is at `now`. */
export function placeOf(deposit: Deposit, now: Date): DepositPlace {
  if (!isHeld(deposit)) return 'done';
  if (!deposit.dueOn) return stateOf(deposit) === 'locked' ? 'locked' : 'due';
  return deposit.dueOn < dayOf(now) ? 'overdue' : 'due';
}

/** Days since the due day; 0 on the due day and before. */
export function daysOverdue({ dueOn }: Deposit, now: Date): number {
  return dueOn ? Math.max(0, indianDay(now) - dayNumber(dueOn)) : 0;
}

/** When unsuccessful bidders get their EMD back. */
export const EMD_RETURN_RULE = `EMD of unsuccessful bidders is due by the ${EMD_RETURN_DAYS}th day after the award; of those rejected at the first stage, within ${EMD_RETURN_DAYS} days of its result (GFR 2017, rule 170).`;

/**
 * The known values of an EMD that is entered after the bid was lost. It is due back `EMD_RETURN_DAYS` after
 * today, because the day of the loss is unknown. The user can change the day.
 */
export const lostEmd = (now: Date): Pick<Deposit, 'state' | 'dueOn'> => ({
  state: 'due_back',
  dueOn: dayText(indianDay(now) + EMD_RETURN_DAYS),
});

/**
 * The user is warned this many days before an instrument ends: the office may call the bid invalid if it is
 * not extended.
 */
const EXPIRY_DAYS = 30;

/** True when the instrument of held money ends soon or has ended. */
export function endsSoon(deposit: Deposit, now: Date): boolean {
  if (!isHeld(deposit) || !deposit.validUntil) return false;
  return dayNumber(deposit.validUntil) - indianDay(now) <= EXPIRY_DAYS;
}
