/** What a press of the bookmark button does. */
import { TenderSummary } from '@nivida/contract/tender';
import { parse } from 'valibot';
import { sentLaterText } from '../../data/background-sync.ts';
import { currentTime } from '../../data/clock.ts';
import type { DeviceDatabase } from '../../data/db.ts';
import { DeviceUnavailable, onDevice } from '../../data/device.ts';
import { withRoom } from '../../data/room.ts';
import { currentOwner, currentSession } from '../../data/session.ts';
import { askToPersist } from '../../data/storage.ts';
import { showToast } from '../../ui/toast.ts';
import { type Change, TooManyBookmarks, toggleBookmark, undoChange } from './bookmarks.ts';
import { type FindTender, keepTender } from './kept-tenders.ts';
import { takeRemoved } from './removed.ts';
import { sendWishes } from './wishes.ts';

const now = () => currentTime().getTime();

function refusal(error: unknown): string {
  if (error instanceof TooManyBookmarks) return 'At most 1,000 tenders can be bookmarked. Remove one first.';
  if (error instanceof DeviceUnavailable) return 'This browser keeps nothing on this device: bookmarks need that.';
  return 'Failed to bookmark tender';
}

async function undo(change: Change): Promise<void> {
  try {
    await onDevice((db) => undoChange(db, change, now()));
  } catch (error) {
    showToast({ text: refusal(error) });
    return;
  }
  await sendQuietly();
}

/** What cannot be sent now is repeated by itself. */
async function sendQuietly(): Promise<void> {
  await sendWishes().catch(() => undefined);
}

/** Says that bookmarks were removed by a notification's button, with a way back. */
export async function tellRemoved(): Promise<void> {
  const owner = currentOwner();
  const rows = await onDevice((db) => takeRemoved(db, owner));
  if (rows.length > 0) tell({ wanted: false, rows });
}

function tell(change: Change): void {
  const isHeldBack = currentSession() !== null && !navigator.onLine;
  const made = isHeldBack ? `Kept on this phone. ${sentLaterText()}` : 'Bookmarked.';
  showToast({
    text: change.wanted ? made : 'Bookmark removed.',
    action: { label: 'Undo', run: () => void undo(change) },
    passing: true,
  });
}

/** Turns the tender's bookmark round, on the device first; says so with a way back, then sends it and keeps the tender. */
export async function pressBookmark(tender: TenderSummary, find?: FindTender): Promise<void> {
  let change: Change;
  try {
    const summary = parse(TenderSummary, tender); // of a whole tender only what a card shows
    const toggle = (db: DeviceDatabase) => toggleBookmark(db, currentOwner(), tender._id, summary, now());
    change = (await onDevice((db) => withRoom(db, null, () => toggle(db)))).value;
  } catch (error) {
    showToast({ text: refusal(error) });
    return;
  }
  tell(change);
  if (change.wanted) void askToPersist();
  await sendQuietly();
  // a tender that could not be fetched now is fetched with the next refresh
  if (change.wanted) await keepTender(tender._id, find).catch(() => undefined);
}
