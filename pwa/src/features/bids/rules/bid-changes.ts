/** Changes of records that moves and results make. A change lists the fields to set; null removes a field. */

import { t } from '@lingui/core/macro';
import { formatDate, indianDay, startOfIndianDay, truncateText } from '@nivida/contract/format';
import { EMD_RETURN_DAYS } from '@nivida/contract/rules/emd';
import { closingText } from '@nivida/contract/tenders/closing';
import type { Tender } from '@nivida/contract/tenders/tender';
import { dayText } from '@nivida/contract/time';
import type { DepositRecord } from '../../../data/records/deposits.ts';
import { type Bid, stageOf } from './bid.ts';
import type { BidStage } from './stages.ts';

export type BidDeposit = DepositRecord;

/** The change of one record, and the change that undoes it. */
export interface UndoableChange {
  kind: 'bid' | 'deposit';
  id: string;
  change: Record<string, unknown>;
  undo: Record<string, unknown>;
}

/** Maximum length of a winner's name. */
const MAX_WINNER = 300;

/** The Indian day `days` after an instant: '2026-04-15'. */
function dayAfter(instant: Date, days: number): string {
  return dayText(indianDay(instant) + days);
}

function changeOf<Fields extends object>(
  kind: UndoableChange['kind'],
  record: Fields & { id: string },
  change: Partial<Record<keyof Fields, unknown>>,
): UndoableChange {
  const undo = Object.fromEntries(Object.keys(change).map((name) => [name, record[name as keyof Fields] ?? null]));
  return { kind, id: record.id, change, undo };
}

/** The award that the source names. It is copied when the user confirms a result. */
export interface ConfirmedAward {
  awardedPaise?: number | undefined;
  winner?: string | undefined;
  /** The day of the contract. */
  awardedOn?: Date | undefined;
}

/**
 * Locks the EMDs that are due back: the bid was not lost after all. An EMD that the user has asked for stays
 * as it is.
 */
const lockAgain = (deposits: readonly BidDeposit[]): UndoableChange[] =>
  deposits
    .filter(({ kind, state }) => kind === 'emd' && state === 'due_back')
    .map((deposit) => changeOf<BidDeposit>('deposit', deposit, { state: 'locked', dueOn: null }));

/**
 * The changes of records when a bid moves to a stage:
 * - The bid gets the stage.
 * - The first move to `submitted` sets the time of submission.
 * - The winner and the awarded value are set, if the bid has none.
 * - A move to `lost` makes a locked EMD due back, some days after the award or, if its day is unknown, after
 *   today.
 * - A move from `lost` or `dropped` to another stage than these locks the EMD again.
 */
export function moveChanges(
  bid: Bid,
  to: BidStage,
  deposits: readonly BidDeposit[],
  now: Date,
  { awardedPaise, winner, awardedOn }: ConfirmedAward = {},
): UndoableChange[] {
  if (stageOf(bid) === to) return [];
  const fields = {
    stage: to,
    ...(to === 'submitted' && !bid.submittedAt && { submittedAt: now.toISOString() }),
    ...(awardedPaise !== undefined && bid.awardedPaise === undefined && { awardedPaise }),
    ...(winner !== undefined && bid.winner === undefined && { winner: truncateText(winner, MAX_WINNER) }),
  };
  const moves = [changeOf('bid', bid, fields)];
  const wasOver = ['lost', 'dropped'].includes(stageOf(bid));
  if (to !== 'lost') return wasOver && to !== 'dropped' ? [...moves, ...lockAgain(deposits)] : moves;
  const locked = deposits.filter(
    ({ kind, mode, state = 'locked', dueOn }) => kind === 'emd' && mode !== 'exempt' && state === 'locked' && !dueOn,
  );
  return [
    ...moves,
    ...locked.map((deposit) =>
      changeOf<BidDeposit>('deposit', deposit, {
        state: 'due_back',
        dueOn: dayAfter(awardedOn ?? now, EMD_RETURN_DAYS),
      }),
    ),
  ];
}

/** Text about the side effects of a move; '' when there are none. */
export function moveNote(changes: readonly UndoableChange[]): string {
  const deposit = changes.find(({ kind }) => kind === 'deposit');
  if (!deposit) return '';
  const { dueOn } = deposit.change;
  if (typeof dueOn !== 'string') return t`EMD locked again.`;
  return t`EMD due back by ${{ day: formatDate(dueOn) }}; you can change the date.`;
}

/** Maximum length of a bid's title and organisation. */
const MAX_TEXT = 1_000;

/** The closing of a tender in the form that a bid stores. */
export const closingOf = (tender: Pick<Tender, 'closing_date' | 'closing_time_known'>) => ({
  closingAt: tender.closing_date,
  closingTimeKnown: tender.closing_time_known,
});

/**
 * The fields of a new bid on a tender: the facts that it must show without the tender. A new bid has no
 * stage, which means `preparing`: another device may have submitted the same bid already.
 */
export function newBidFields(
  tender: Pick<Tender, '_id' | 'title' | 'org_name' | 'closing_date' | 'closing_time_known'>,
  now: Date,
) {
  return {
    tenderId: tender._id,
    title: truncateText(tender.title, MAX_TEXT),
    organisation: truncateText(tender.org_name, MAX_TEXT),
    ...closingOf(tender),
    createdAt: now.toISOString(),
  };
}

/** An event of a bid. */
export interface BidEvent {
  at: Date;
  /** Only the Indian day is known; `at` is its begin. */
  isDay: boolean;
  text: string;
}

interface HistoryDeposit {
  name: string;
  paidOn?: string | undefined;
  returnedOn?: string | undefined;
  releases?: DepositRecord['releases'];
}

interface HistoryLetter {
  name: string;
  createdAt?: string | undefined;
  sentOn?: string | undefined;
  answeredOn?: string | undefined;
}

/**
 * The closing that a corrigendum names. A closing without an hour is stored as the last second of its Indian
 * day.
 */
function changedClosing(instant: string): string {
  const at = new Date(instant);
  const isLastSecond = startOfIndianDay(indianDay(at) + 1).getTime() - at.getTime() <= 1_000;
  return closingText({ at, timeKnown: !isLastSecond });
}

/**
 * The history of a bid, newest first. It comes from the dates of its records and from the corrigenda of its
 * tender.
 */
export function bidHistory(
  bid: Bid,
  tender: Tender | undefined,
  deposits: readonly HistoryDeposit[],
  letters: readonly HistoryLetter[],
): BidEvent[] {
  const events: BidEvent[] = [];
  const add = (instant: Date | string | undefined | null, text: string, isDay = false) => {
    const at = instant === undefined || instant === null ? undefined : new Date(instant);
    if (at && !Number.isNaN(at.getTime())) events.push({ at, isDay, text });
  };
  const addDay = (day: string | undefined, text: string) => {
    if (day) add(new Date(`${day}T00:00:00+05:30`), text, true);
  };
  add(bid.createdAt, t`Added to My Applications`);
  add(bid.submittedAt, t`Submitted at the portal, as you entered`);
  for (const { name, paidOn, returnedOn, releases = [] } of deposits) {
    addDay(paidOn, t`${name} paid`);
    addDay(returnedOn, t`${name} returned`);
    for (const { releasedOn } of releases) addDay(releasedOn, t`${name}: a part came back`);
  }
  for (const { name, createdAt, sentOn, answeredOn } of letters) {
    add(createdAt, t`Letter written: ${name}`);
    addDay(sentOn, t`Letter sent: ${name}`);
    addDay(answeredOn, t`Letter answered: ${name}`);
  }
  for (const { noticed_at, changes, title } of tender?.corrigenda ?? []) {
    const move = changes.find(({ field }) => field === 'closing_date');
    if (move?.old && move.new) {
      const [was, now] = [changedClosing(move.old), changedClosing(move.new)];
      add(noticed_at, t`Closing moved from ${was} to ${now}`);
    } else add(noticed_at, t`Corrigendum: ${title}`);
  }
  return events.sort((a, b) => b.at.getTime() - a.at.getTime());
}
