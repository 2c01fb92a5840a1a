/** Changes of bids that a tap makes. Each shows "Undo". */
import { t } from '@lingui/core/macro';
import { recordIdFor } from '@nivida/contract/bids/record-ids';
import type { Tender } from '@nivida/contract/tenders/tender';
import { currentTime } from '../../data/clock.ts';
import { inPresentSpace } from '../../data/firms/space.ts';
import type { RecordWrite } from '../../data/records/record-rows.ts';
import {
  newRecordId,
  recordPresence,
  removeRecord,
  restoreRecord,
  saveFailureText,
  saveRecord,
  saveRecords,
} from '../../data/records/records.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import type { Bid } from './rules/bid.ts';
import {
  type BidDeposit,
  type ConfirmedAward,
  moveChanges,
  moveNote,
  newBidFields,
  type UndoableChange,
} from './rules/bid-changes.ts';
import { type BidStage, stageLabel } from './rules/stages.ts';

/** Reminds the user that this app submits no bid. */
export const portalText = (): string => t`Bids are submitted at the portal, not here.`;

const nowMs = (): number => currentTime().getTime();

/** Why a bid was not saved. */
export const bidFailureText = (error: unknown): string => saveFailureText(error, 'bids');

/** Runs a change. Returns false, after a message, when it was not stored. */
export async function trySave(save: () => Promise<void>): Promise<boolean> {
  try {
    await save();
    return true;
  } catch (error) {
    showToast({ text: bidFailureText(error) });
    return false;
  }
}

const toWrites = (changes: readonly UndoableChange[], name: 'change' | 'undo'): RecordWrite[] =>
  // The fields belong to records of this kind.
  changes.map((each) => ({ kind: each.kind, id: each.id, change: each[name] }) as RecordWrite);

/** Stores changes in one transaction and shows the text with "Undo". */
async function applyChanges(changes: readonly UndoableChange[], text: string): Promise<boolean> {
  if (changes.length === 0) return true;
  if (!(await trySave(() => saveRecords(toWrites(changes, 'change'), nowMs())))) return false;
  const undo = () => void trySave(() => saveRecords(toWrites(changes, 'undo'), nowMs()));
  showToast({ text, action: { label: t`Undo`, run: inPresentSpace(undo) }, passing: true });
  return true;
}

/** Moves a bid to a stage, with "Undo". */
export function moveBid(
  bid: Bid,
  to: BidStage,
  deposits: readonly BidDeposit[],
  award?: ConfirmedAward,
): Promise<boolean> {
  const changes = moveChanges(bid, to, deposits, currentTime(), award);
  const note = to === 'submitted' ? portalText() : moveNote(changes);
  const moved = t`Moved to ${{ stage: stageLabel(to) }}.`;
  return applyChanges(changes, note === '' ? moved : `${moved} ${note}`);
}

/** The id of the only bid on a tender. It is the same on all devices. */
export const bidIdOf = (tenderId: string): string => recordIdFor('bid', tenderId);

/**
 * Adds a bid on a tender, or restores a removed one. An existing bid stays as it is. Null when it was not
 * stored.
 */
export async function addBidOn(tender: Tender): Promise<string | null> {
  const id = bidIdOf(tender._id);
  const isAdded = await trySave(async () => {
    const presence = await recordPresence('bid', id);
    if (presence === 'present') return;
    const restart = presence === 'deleted' ? { stage: 'preparing' as const } : {};
    await saveRecord('bid', id, { ...newBidFields(tender, currentTime()), ...restart }, nowMs());
  });
  return isAdded ? id : null;
}

/** Adds an own entry, or changes the one with this id. Null when it was not stored. */
export async function saveOwnBid(
  id: string | null,
  entry: { title: string; organisation: string | null; closingAt: string | null },
): Promise<string | null> {
  const start = id === null ? { stage: 'preparing' as const, createdAt: currentTime().toISOString() } : {};
  const savedId = id ?? newRecordId();
  return (await trySave(() => saveRecord('bid', savedId, { ...entry, ...start }, nowMs()))) ? savedId : null;
}

/** Removes a bid, with "Undo". Its deposits stay in the ledger. */
export async function removeBid(id: string): Promise<boolean> {
  if (!(await trySave(() => removeRecord('bid', id, nowMs())))) return false;
  const undo = () => void trySave(() => restoreRecord('bid', id, nowMs()));
  showToast({ text: t`Bid removed.`, action: { label: t`Undo`, run: inPresentSpace(undo) }, passing: true });
  return true;
}

/** Stores fields of a bid. Throws the errors of the store. */
export const saveBid = (id: string, change: Parameters<typeof saveRecord<'bid'>>[2]): Promise<void> =>
  saveRecord('bid', id, change, nowMs());

/** Ends a reminder that is due, with "Undo". */
export async function endReminder({ id, reminderAt }: Bid): Promise<void> {
  if (!(await trySave(() => saveBid(id, { reminderAt: null })))) return;
  const undo = () => void trySave(() => saveBid(id, { reminderAt: reminderAt ?? null }));
  showToast({ text: t`Reminder done.`, action: { label: t`Undo`, run: inPresentSpace(undo) }, passing: true });
}
