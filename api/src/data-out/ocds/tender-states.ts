/** The states that a tender has had, from its present one and its history. */
import type { ExportedRow } from './ocds-export.sql.ts';
import { STATE_COLUMNS } from './ocds-export.sql.ts';

/** Values by column; instants are ISO 8601 in UTC, decimals are text. */
export type TenderState = Readonly<Record<string, unknown>>;

/** A state and the change that led to it. */
export interface DatedState {
  /** The number of the change. */
  no: string;
  at: string;
  state: TenderState;
  /** Columns that the change has changed; empty for the publication. */
  changed: readonly string[];
}

/** Fields of the history that are not named like their column. */
const COLUMNS_OF_FIELDS: Readonly<Record<string, string>> = {
  closing_date: 'closes_at',
  opening_date: 'opens_at',
  bid_start_date: 'bid_start_at',
};

/** The states of a tender, oldest first. Changes of what is not exported make no state. */
export function tenderStates(row: ExportedRow): DatedState[] {
  let state = presentState(row);
  const states: DatedState[] = [];
  const history = row.history ?? [];
  for (const { no, at, kind, changes } of history.toReversed()) {
    const known = changes.flatMap(({ field, old }) => {
      const column = COLUMNS_OF_FIELDS[field] ?? field;
      return STATE_COLUMNS.includes(column) ? [[column, old] as const] : [];
    });
    if (kind === 'changed' && known.length === 0) continue;
    states.unshift({ no, at: isoTime(at), state, changed: known.map(([column]) => column) });
    state = { ...state, ...Object.fromEntries(known) };
  }
  // A publication after an unhidden draft repeats the first state.
  return states.filter(({ changed }, index) => index === 0 || changed.length > 0);
}

/** The present values of a row. */
export function presentState(row: ExportedRow): TenderState {
  return Object.fromEntries(
    STATE_COLUMNS.map((name) => {
      const value = row[name];
      return [name, value instanceof Date ? value.toISOString() : (value ?? null)];
    }),
  );
}

/** ISO 8601 in UTC of a time as PostgreSQL writes it in JSON. */
export const isoTime = (time: string): string => new Date(time).toISOString();
