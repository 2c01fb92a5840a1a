/** The ledger of money that offices hold. */
import { type Deposit, type DepositPlace, endsSoon, isHeld, leftPaise, placeOf, returnedPaise } from './deposit.ts';

/** A deposit, with the bid to which it belongs. */
export interface LedgerEntry {
  deposit: Deposit;
  /** Title of the bid. */
  title: string;
  office: string;
}

export interface LedgerSums {
  /** All held money in paise. It is the sum of locked, due and overdue money. */
  held: number;
  locked: number;
  due: number;
  overdue: number;
}

interface Ledger {
  sums: LedgerSums;
  /** Offices that hold money, largest sum first. */
  offices: { office: string; sums: LedgerSums }[];
  /** Money in paise that offices have returned. */
  returned: number;
  overdue: LedgerEntry[];
  /** Held money with a due day, next due day first. */
  due: LedgerEntry[];
  locked: LedgerEntry[];
  /** Held money whose instrument ends soon. */
  ending: LedgerEntry[];
  /** Held deposits without an amount. They are not in the sums. */
  unknownAmounts: number;
}

const amountOf = ({ deposit }: LedgerEntry): number => leftPaise(deposit) ?? 0;
const sumOf = (entries: readonly LedgerEntry[]): number => entries.reduce((sum, entry) => sum + amountOf(entry), 0);

const UNKNOWN_DAY = '9999';
const byDueDay = (a: LedgerEntry, b: LedgerEntry): number =>
  (a.deposit.dueOn ?? UNKNOWN_DAY).localeCompare(b.deposit.dueOn ?? UNKNOWN_DAY) ||
  amountOf(b) - amountOf(a) ||
  a.deposit.id.localeCompare(b.deposit.id);

function sumsOf(entries: readonly LedgerEntry[], now: Date): LedgerSums {
  const at = (place: DepositPlace) => sumOf(entries.filter(({ deposit }) => placeOf(deposit, now) === place));
  const [locked, due, overdue] = [at('locked'), at('due'), at('overdue')];
  return { held: locked + due + overdue, locked, due, overdue };
}

/** The ledger of the given deposits at `now`. */
export function ledgerOf(entries: readonly LedgerEntry[], now: Date): Ledger {
  const held = entries.filter(({ deposit }) => isHeld(deposit));
  const at = (place: DepositPlace) => held.filter(({ deposit }) => placeOf(deposit, now) === place).sort(byDueDay);
  const offices = [...new Set(held.map(({ office }) => office))].map((office) => ({
    office,
    sums: sumsOf(
      held.filter((entry) => entry.office === office),
      now,
    ),
  }));
  return {
    sums: sumsOf(held, now),
    offices: offices.sort((a, b) => b.sums.held - a.sums.held || a.office.localeCompare(b.office)),
    returned: entries.reduce((sum, { deposit }) => sum + returnedPaise(deposit), 0),
    overdue: at('overdue'),
    due: at('due'),
    locked: at('locked'),
    ending: held.filter(({ deposit }) => endsSoon(deposit, now)).sort(byDueDay),
    unknownAmounts: held.filter(({ deposit }) => deposit.amountPaise === undefined).length,
  };
}

/** The money of one bid, in paise. */
export function moneyOfBid(deposits: readonly Deposit[]): { heldPaise: number; returnedPaise: number } {
  return {
    heldPaise: deposits.filter(isHeld).reduce((sum, deposit) => sum + (leftPaise(deposit) ?? 0), 0),
    returnedPaise: deposits.reduce((sum, deposit) => sum + returnedPaise(deposit), 0),
  };
}
