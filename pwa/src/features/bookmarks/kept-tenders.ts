/** Everything about the bookmarked tenders, kept on the device so that they stay readable offline after they close. */
import { BookmarkList } from '@nivida/contract/bookmark';
import { TenderAnswer, type TenderSummary } from '@nivida/contract/tender';
import { api, isNotFound } from '../../data/api.ts';
import { currentTime } from '../../data/clock.ts';
import type { BookmarkRow, TenderRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { withRoom } from '../../data/room.ts';
import { currentOwner } from '../../data/session.ts';
import { visibleBookmarks } from './bookmarks.ts';

/** A kept copy of an open tender is asked for again when it is older: closing dates move. */
const FRESH_MS = 6 * 3_600_000;

/** The tender from where the device has it already (an opened page, a state's pack), or undefined. */
export type FindTender = (id: string) => Promise<TenderRow | undefined>;

async function fetchTender(id: string): Promise<TenderRow | undefined> {
  try {
    const { tender } = await api.get(`api/tenders/${id}`).json(TenderAnswer);
    return { id, tender, savedAt: currentTime().getTime() };
  } catch (error) {
    // withdrawn by its portal: the next ones are still to be asked for
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isFresh(kept: TenderRow | undefined, now: number): boolean {
  return kept !== undefined && (now - kept.savedAt < FRESH_MS || Date.parse(kept.tender.closing_date) <= kept.savedAt);
}

/** Keeps all of one tender: from the device if it is there, else from the server. Throws when that fails. */
export async function keepTender(id: string, find?: FindTender): Promise<void> {
  const kept = await onDevice((db) => db.tenders.get(id));
  if (isFresh(kept, currentTime().getTime())) return;
  const found = await find?.(id);
  const newer = found && found.savedAt > (kept?.savedAt ?? 0) ? found : undefined;
  const row = newer ?? (navigator.onLine ? await fetchTender(id) : undefined);
  if (row) await onDevice((db) => withRoom(db, null, () => db.tenders.put(row)));
}

/** Fills the cards of bookmarks that came from another device as bare ids, in one request. */
async function fillSummaries(rows: readonly BookmarkRow[]): Promise<void> {
  const owner = currentOwner();
  const kept = await onDevice((db) => db.tenders.bulkGet(rows.map(({ tenderId }) => tenderId)));
  const isBare = rows.some(({ summary }, index) => summary === null && !kept[index]);
  if (!isBare || owner === '') return;
  const { tenders } = await api.get('api/tenders/bookmarked').json(BookmarkList);
  const byId = new Map<string, TenderSummary>(tenders.map((tender) => [tender._id, tender]));
  await onDevice((db) =>
    db.bookmarks
      .where('owner')
      .equals(owner)
      .modify((row) => {
        row.summary ??= byId.get(row.tenderId) ?? null;
      }),
  );
}

let running: Promise<void> | undefined;

async function keepAll(find?: FindTender): Promise<void> {
  const rows = await onDevice((db) => visibleBookmarks(db, currentOwner()));
  if (navigator.onLine) await fillSummaries(rows);
  // one after the other: this must not crowd out what the user is waiting for
  for (const { tenderId } of rows) await keepTender(tenderId, find);
}

/** Keeps all bookmarked tenders and refreshes old copies of open ones; stops at the first broken call. One at a time. */
export function keepBookmarkedTenders(find?: FindTender): Promise<void> {
  running ??= keepAll(find).finally(() => {
    running = undefined;
  });
  return running;
}
