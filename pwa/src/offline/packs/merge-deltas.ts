/** Merges deltas, so that the device stores only one: all changes since its segments. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';

/** All changes since the segments: rows that override the segments' rows, and ids of removed tenders. */
export interface MergedDelta {
  list: ListRows;
  details: DetailRows;
  removed: number[];
}

/** Columns of equal length. A tender has the same index in the list and in the details. */
type Columns<T> = { [K in keyof T]: readonly unknown[] };

/** The rows of `older` at `remainingIndexes`, followed by the rows of `newer`. */
function appendRows<T extends object>(older: T, remainingIndexes: readonly number[], newer: T): T {
  const columns = Object.keys(newer).map((name) => {
    const before = (older as Columns<Record<string, unknown>>)[name] ?? [];
    const after = (newer as Columns<Record<string, unknown>>)[name] ?? [];
    return [name, [...remainingIndexes.map((index) => before[index]), ...after]];
  });
  return Object.fromEntries(columns) as T;
}

/**
 * `older` is null when no delta is stored yet. A removed tender that comes back is taken out of `removed`.
 */
export function mergeDeltas(older: MergedDelta | null, newer: MergedDelta): MergedDelta {
  if (!older) return newer;
  const replaced = new Set([...newer.list.id, ...newer.removed]);
  const remainingIndexes = [...older.list.id.keys()].filter((index) => !replaced.has(older.list.id[index] as number));
  const back = new Set(newer.list.id);
  return {
    list: appendRows(older.list, remainingIndexes, newer.list),
    details: appendRows(older.details, remainingIndexes, newer.details),
    removed: [...new Set([...older.removed, ...newer.removed])].filter((id) => !back.has(id)),
  };
}
