/** One page of changes as it goes to a device. */
import { type Delta, type DetailRow, packDelta } from '@nivida/contract/sync-wire';
import { readAlike, readChanges, readKnown, readSiblings } from './changes.ts';
import { type Cursor, cursorText, stampOf } from './cursor.ts';
import type { Query } from './life.ts';
import { readRowsOf, stateOf, toColumns } from './scope.ts';

const MOST_CHANGES = 2_000;

/** What a device asks, and what the server knows by then. */
export interface DeltaRequest {
  scope: string;
  cursor: Cursor;
  /** The device holds the details of all its tenders, so that new ones may be told as being like those. */
  isComplete: boolean;
  /** The change number up to which changes are told. */
  head: number;
  /** When each portal was last compared. */
  checked: Record<string, string>;
  now: Date;
}

/** The first 2,000 changes after the cursor, with the works of the same NITs whose count they change. */
export async function readDeltaPage(query: Query, request: DeltaRequest): Promise<Delta> {
  const { scope, cursor, head, checked, now } = request;
  const from = cursor.changeNo;
  const { ids, upTo, more } = await readChanges(query, scope, from, head, MOST_CHANGES);
  const siblings = await readSiblings(query, scope, from, upTo);
  const rows = await readRowsOf(query, stateOf(scope), now, [...ids, ...siblings]);
  const there = new Set(rows.map(({ id }) => id as number));
  const gone = ids.filter((id) => !there.has(id));
  const columns = toColumns(rows);
  const alike = request.isComplete ? await readAlike(query, scope, now, from, [...there]) : new Map<number, number>();
  const held = new Map<number, DetailRow>();
  for (const row of await readRowsOf(query, stateOf(scope), now, [...new Set(alike.values())]))
    held.set(row.id as number, row as unknown as DetailRow);
  return packDelta(
    {
      epoch: cursor.epoch,
      cursor: cursorText({ epoch: cursor.epoch, changeNo: upTo, stamp: more ? cursor.stamp : stampOf(checked) }),
      more,
      ...columns,
      removed: await readKnown(query, gone, from),
      checked,
    },
    columns.list.id.map((id) => alike.get(id) ?? null),
    (id) => held.get(id),
  );
}
