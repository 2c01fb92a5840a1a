/**
 * Pending changes of bookmarks, saved searches, records and followed offices in the outbox.
 *
 * The app and the service worker follow the same rule. If an owner changes a thing several times, only the
 * last change is stored. An accepted change is removed only if no later change has replaced it.
 */
import type { OfficeReference } from '@nivida/contract/awards/awards';
import type { RecordKind } from '@nivida/contract/bids/records';
import type {
  DeviceDatabase,
  OutboxRequestRow,
  OutboxRow,
  PendingBookmarkRow,
  PendingChangeRow,
  PendingOfficeRow,
  PendingRecordRow,
  PendingSearchRow,
  SavedSearchFields,
} from '../device/schema.ts';

/** The outbox table within a transaction, of Dexie or of the service worker. */
export interface OutboxTable {
  get(id: string): PromiseLike<OutboxRow | undefined>;
  put(row: OutboxRow): unknown;
  delete(id: string): unknown;
}

/** A change of a bookmark, a saved search or a followed office. Changes of these kinds are sent together. */
export type SentChangeRow = PendingBookmarkRow | PendingSearchRow | PendingOfficeRow;

/** True for a request, false for a pending change. */
export const isRequest = (row: OutboxRow): row is OutboxRequestRow => 'path' in row;

/** Sorts requests by the time at which they were made. */
export const oldestFirst = (rows: OutboxRequestRow[]): OutboxRequestRow[] =>
  rows.sort((one, other) => one.at - other.at);

/** The change of a bookmark at `at` (milliseconds since 1970). */
export function bookmarkChange(owner: string, tenderId: string, wanted: boolean, at: number): PendingBookmarkRow {
  return { id: `bookmark ${owner} ${tenderId}`, owner, kind: 'bookmark', tenderId, wanted, at };
}

/** The change of a saved search at `at` (milliseconds since 1970). */
export function searchChange(
  owner: string,
  wanted: PendingSearchRow['wanted'],
  search: SavedSearchFields,
  at: number,
): PendingSearchRow {
  return { id: `search ${owner} ${search.id}`, owner, kind: 'search', wanted, search, at };
}

/** The mark of a record that changed at `at` (milliseconds since 1970). */
export function recordChange(owner: string, recordKind: RecordKind, recordId: string, at: number): PendingRecordRow {
  return { id: `record ${owner} ${recordKind} ${recordId}`, owner, kind: 'record', recordKind, recordId, at };
}

/** The follow or unfollow of an office at `at` (milliseconds since 1970). */
export function officeChange(owner: string, office: OfficeReference, wanted: boolean, at: number): PendingOfficeRow {
  return { id: `office ${owner} ${office.id}`, owner, kind: 'office', office, wanted, at };
}

/** The pending changes of one kind and owner. */
export async function pendingChanges<Kind extends PendingChangeRow['kind']>(
  db: DeviceDatabase,
  owner: string,
  kind: Kind,
): Promise<Extract<PendingChangeRow, { kind: Kind }>[]> {
  // The kind of a row says which fields it has.
  return (await db.outbox.where({ owner, kind }).toArray()) as Extract<PendingChangeRow, { kind: Kind }>[];
}

/**
 * Replaces the earlier change of the same item. The new time is always later, even after the clock was set
 * back.
 */
export async function putPendingChange(outbox: OutboxTable, change: PendingChangeRow): Promise<void> {
  const previous = await outbox.get(change.id);
  await outbox.put({ ...change, at: Math.max(change.at, (previous?.at ?? 0) + 1) });
}

/** Removes sent changes, except those that the user has changed since. Returns the removed changes. */
export async function deleteSentChanges<Row extends PendingChangeRow>(
  outbox: OutboxTable,
  sent: readonly Row[],
): Promise<Row[]> {
  const deleted: Row[] = [];
  for (const change of sent) {
    if ((await outbox.get(change.id))?.at !== change.at) continue;
    await outbox.delete(change.id);
    deleted.push(change);
  }
  return deleted;
}
