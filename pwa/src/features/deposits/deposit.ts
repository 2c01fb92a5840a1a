/** Money that a bidder pays for a bid. Money is in paise, days are Indian: '2026-04-15'. */
import { t } from '@lingui/core/macro';
import type { DEPOSIT_KINDS, DEPOSIT_MODES, DEPOSIT_STATES } from '@nivida/contract/bids/records';
import { indianDay } from '@nivida/contract/format';
import { EMD_RETURN_DAYS } from '@nivida/contract/rules/emd';
import { dayNumber, dayText } from '@nivida/contract/time';
import type { DepositRecord } from '../../data/records/deposits.ts';

export type DepositKind = (typeof DEPOSIT_KINDS)[number];
export type DepositMode = (typeof DEPOSIT_MODES)[number];
type DepositState = (typeof DEPOSIT_STATES)[number];

export type Deposit = DepositRecord;

export const kindLabels = (): Record<DepositKind, string> => ({
  emd: t`EMD`,
  tender_fee: t`Tender fee`,
  performance: t`Performance security`,
  additional: t`Additional security`,
  retention: t`Retention money`,
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

/** Money in paise that came back in parts. */
export const releasedPaise = ({ releases = [] }: Deposit): number =>
  releases.reduce((sum, { amountPaise = 0 }) => sum + amountPaise, 0);

/** What the parts leave of the amount, in paise; undefined while the amount is not entered. */
export function leftPaise(deposit: Deposit): number | undefined {
  const { amountPaise } = deposit;
  return amountPaise === undefined ? undefined : Math.max(0, amountPaise - releasedPaise(deposit));
}

/** Money in paise that came back. */
export function returnedPaise(deposit: Deposit): number {
  const last = deposit.state === 'returned' ? (deposit.returnedPaise ?? leftPaise(deposit) ?? 0) : 0;
  return releasedPaise(deposit) + last;
}

/** True when all of the money came back in parts. */
const isReleased = (deposit: Deposit): boolean => leftPaise(deposit) === 0 && releasedPaise(deposit) > 0;

/** True while the office holds the money. A tender fee is spent, and with an exemption nothing is paid. */
export function isHeld(deposit: Deposit): boolean {
  const isSpent = kindOf(deposit) === 'tender_fee' || deposit.mode === 'exempt' || isReleased(deposit);
  return !isSpent && ['locked', 'due_back', 'asked'].includes(stateOf(deposit));
}

/** True when what the deposit secures has ended. */
export const isObligationOver = ({ obligationUntil }: Deposit, now: Date): boolean =>
  obligationUntil !== undefined && obligationUntil < dayOf(now);

/**
 * Where the money is. `done` when the office holds nothing of it. Without a due day it is `locked`, or `due`
 * if it is due back, was asked for, or its obligation is over.
 */
export type DepositPlace = 'locked' | 'due' | 'overdue' | 'done';

/** Where the money of a deposit is at `now`. */
export function placeOf(deposit: Deposit, now: Date): DepositPlace {
  if (!isHeld(deposit)) return 'done';
  if (!deposit.dueOn) return stateOf(deposit) === 'locked' && !isObligationOver(deposit, now) ? 'locked' : 'due';
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
 * Days before the end of an instrument on which its user is warned, first to last. The office may call a bid
 * invalid whose instrument is not extended. A bank guarantee for a work takes weeks to renew, and the office
 * may claim it if it is not renewed in time.
 */
const WARNING_DAYS = [30];
export const RENEWAL_DAYS = [90, 60, 30];

/** True for a bank guarantee that secures a work. */
export const isGuarantee = (deposit: Deposit): boolean => deposit.mode === 'bg' && kindOf(deposit) !== 'emd';

/**
 * The warning that is due about the end of an instrument: the days before the end, or 0 after it. Null when
 * none is due, the office holds nothing, or the instrument lasts until its obligation ends.
 */
export function expiryWarning(deposit: Deposit, now: Date): number | null {
  const { validUntil, obligationUntil } = deposit;
  if (!isHeld(deposit) || !validUntil) return null;
  if (obligationUntil && (obligationUntil <= validUntil || isObligationOver(deposit, now))) return null;
  const days = dayNumber(validUntil) - indianDay(now);
  if (days < 0) return 0;
  const reached = (isGuarantee(deposit) ? RENEWAL_DAYS : WARNING_DAYS).filter((each) => days <= each);
  return reached.at(-1) ?? null;
}

/** True when the instrument of held money ends soon or has ended. */
export const endsSoon = (deposit: Deposit, now: Date): boolean => expiryWarning(deposit, now) !== null;
