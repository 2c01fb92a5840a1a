/** Money that a bidder pays for a bid. Money is in paise, days are Indian: '2026-04-15'. */
import { t } from '@lingui/core/macro';
import type { DEPOSIT_KINDS, DEPOSIT_MODES, DEPOSIT_STATES, RecordFields } from '@nivida/contract/bids/records';
import { indianDay } from '@nivida/contract/format';
import { EMD_RETURN_DAYS } from '@nivida/contract/rules/emd';
import { dayNumber, dayText } from '@nivida/contract/time';

export type DepositKind = (typeof DEPOSIT_KINDS)[number];
export type DepositMode = (typeof DEPOSIT_MODES)[number];
type DepositState = (typeof DEPOSIT_STATES)[number];

/** A record of the kind `deposit`. */
export type Deposit = RecordFields<'deposit'> & { id: string };

export const kindLabels = (): Record<DepositKind, string> => ({
  emd: t`EMD`,
  tender_fee: t`Tender fee`,
  performance: t`Performance security`,
  additional: t`Additional security`,
});
export const modeLabels = (): Record<DepositMode, string> => ({
  online: t`Online payment`,
  fdr: t`FDR (fixed deposit)`,
  bg: t`Bank guarantee`,
  dd: t`Demand draft`,
  exempt: t`Exempt, nothing paid`,
});
export const stateLabels = (): Record<DepositState, string> => ({
  locked: t({ message: 'Locked', context: 'state of a deposit' }),
  due_back: t({ message: 'Due back', context: 'state of a deposit' }),
  asked: t({ message: 'Asked for', context: 'state of a deposit' }),
  returned: t({ message: 'Returned', context: 'state of a deposit' }),
  adjusted: t({ message: 'Adjusted in the work', context: 'state of a deposit' }),
  forfeited: t({ message: 'Forfeited', context: 'state of a deposit' }),
});

export const kindOf = ({ kind }: Deposit): DepositKind => kind ?? 'emd';
export const kindLabel = (deposit: Deposit): string => kindLabels()[kindOf(deposit)];
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
export const emdReturnRule = (): string =>
  t`EMD of unsuccessful bidders is due by the ${EMD_RETURN_DAYS}th day after the award; of those rejected at the first stage, within ${EMD_RETURN_DAYS} days of its result (GFR 2017, rule 170).`;

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
