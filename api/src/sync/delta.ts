/** One page of changes as it goes to a device. */
import { type Delta, type DetailRow, packDelta } from '@nivida/contract/sync/sync-wire';
import { checkedStamp, formatCursor, type SyncCursor } from './cursor.ts';
import type { SqlQuery } from './epoch.ts';
import { filterPublishedBy, readNitSiblings, readScopeChanges, readSimilarTenders } from './scope-changes.sql.ts';
import { readRowsById, rowsToColumns, scopeState } from './scope-rows.sql.ts';

const MAX_CHANGES_PER_DELTA = 2_000;

/** A device's request for a delta, and the server's state. */
export interface DeltaRequest {
  scope: string;
  cursor: SyncCursor;
  /** Whether the device has the details of all its tenders. New tenders are then sent as differences from these. */
  isComplete: boolean;
  /** The last change number to send. */
  head: number;
  /** When each portal was last compared. */
  checked: Record<string, string>;
  now: Date;
}

/** The first 2,000 changes after the cursor, and the works of the same NITs, whose count of works changes. */
export async function readDeltaPage(query: SqlQuery, request: DeltaRequest): Promise<Delta> {
  const { scope, cursor, head, checked, now } = request;
  const from = cursor.changeNo;
  // Statements that need no other's answer run together, because the database may be far away.
  const [{ ids, upTo, more }, siblingsUpToHead] = await Promise.all([
    readScopeChanges(query, scope, from, head, MAX_CHANGES_PER_DELTA),
    readNitSiblings(query, scope, from, head),
  ]);
  const siblings = more ? await readNitSiblings(query, scope, from, upTo) : siblingsUpToHead;
  const rows = await readRowsById(query, scopeState(scope), now, [...ids, ...siblings]);
  const there = new Set(rows.map(({ id }) => id as number));
  const gone = ids.filter((id) => !there.has(id));
  const columns = rowsToColumns(rows);
  const [alike, removed] = await Promise.all([
    request.isComplete ? readSimilarTenders(query, scope, now, from, [...there]) : new Map<number, number>(),
    filterPublishedBy(query, gone, from),
  ]);
  const similarRows = new Map<number, DetailRow>();
  for (const row of await readRowsById(query, scopeState(scope), now, [...new Set(alike.values())]))
    similarRows.set(row.id as number, row as unknown as DetailRow);
  return packDelta(
    {
      epoch: cursor.epoch,
      cursor: formatCursor({ epoch: cursor.epoch, changeNo: upTo, stamp: more ? cursor.stamp : checkedStamp(checked) }),
      more,
      ...columns,
      removed,
      checked,
    },
    columns.list.id.map((id) => alike.get(id) ?? null),
    (id) => similarRows.get(id),
  );
}
