/** Puts one delta on another, so that the device holds a single one: everything since its segments. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';

/** What changed since the segments: rows that win over those of the segments, and tenders that are gone. */
export interface MergedDelta {
  list: ListRows;
  details: DetailRows;
  removed: number[];
}

/** Columns of equal length; the list and the detail fields of a tender stand at the same index. */
type Columns<T> = { [K in keyof T]: readonly unknown[] };

/** The rows of `older` at `kept`, then those of `newer`. */
function appendRows<T extends object>(older: T, keptIndexes: readonly number[], newer: T): T {
  const columns = Object.keys(newer).map((name) => {
    const before = (older as Columns<Record<string, unknown>>)[name] ?? [];
    const after = (newer as Columns<Record<string, unknown>>)[name] ?? [];
    return [name, [...keptIndexes.map((index) => before[index]), ...after]];
  });
  return Object.fromEntries(columns) as T;
}

/** Both deltas as one; `older` is null when nothing is held yet. A tender that comes again is removed no more. */
export function mergeDeltas(older: MergedDelta | null, newer: MergedDelta): MergedDelta {
  if (!older) return newer;
  const replaced = new Set([...newer.list.id, ...newer.removed]);
  const keptIndexes = [...older.list.id.keys()].filter((index) => !replaced.has(older.list.id[index] as number));
  const back = new Set(newer.list.id);
  return {
    list: appendRows(older.list, keptIndexes, newer.list),
    details: appendRows(older.details, keptIndexes, newer.details),
    removed: [...new Set([...older.removed, ...newer.removed])].filter((id) => !back.has(id)),
  };
}
