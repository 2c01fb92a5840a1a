/** Rebuilds an index whose terms an earlier version of the app built by other rules. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { buildSegmentIndex } from './build-segment-index.ts';
import {
  CLOSING_TIME_KNOWN_FLAG,
  DEMONSTRATION_FLAG,
  DETAIL_VALUE_COLUMNS,
  INSTANT_COLUMNS,
  LIST_VALUE_COLUMNS,
  LISTED_FLAG,
  NAME_COLUMNS,
  type ValueColumn,
} from './columns.ts';
import type { SegmentIndex } from './segment-index.ts';

/** An index of the same tenders in this version. Takes as long as building it. */
export function rebuildSegmentIndex(old: SegmentIndex): ArrayBuffer {
  const rows = Array.from(old.ids, (_, row) => row);
  const columns = <Value>(names: readonly string[], read: (name: string, row: number) => Value) =>
    names.map((name) => [name, rows.map((row) => read(name, row))] as const);
  const numberOrNull = (value: number) => (Number.isNaN(value) ? null : value);
  const flag = (bit: number) => rows.map((row) => ((old.flags[row] as number) & bit) !== 0);
  const valueAt = (name: string, row: number) => old.valueAt(name as ValueColumn, row) ?? null;
  const list = {
    id: [...old.ids],
    ...Object.fromEntries(columns(NAME_COLUMNS, (name, row) => old.nameAt(name as (typeof NAME_COLUMNS)[number], row))),
    ...Object.fromEntries(
      columns(INSTANT_COLUMNS, (name, row) =>
        numberOrNull(old[name as (typeof INSTANT_COLUMNS)[number]][row] as number),
      ),
    ),
    ...Object.fromEntries(columns(LIST_VALUE_COLUMNS, valueAt)),
    price: rows.map((row) => numberOrNull(old.price[row] as number)),
    closingTimeKnown: flag(CLOSING_TIME_KNOWN_FLAG),
    demonstration: flag(DEMONSTRATION_FLAG),
    isListed: flag(LISTED_FLAG),
  } as unknown as ListRows;
  const details = { id: [...old.ids], ...Object.fromEntries(columns(DETAIL_VALUE_COLUMNS, valueAt)) };
  return buildSegmentIndex(list, old.hasDetails ? (details as unknown as DetailRows) : null);
}
