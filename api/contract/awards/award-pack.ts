/**
 * The statistics of a state's offices in columns: one list of values for each field. Equal neighbours compress to almost
 * nothing, so a pack is a third of the same rows as JSON. What the device can derive is left out: id, name and state of an
 * office, and its age.
 */
import type { OfficeAwards } from './awards.ts';
import { officeName } from './office.ts';

/** Values of all offices by the path of their field, 'price.low'. A list of one value: all offices have it. */
export type AwardColumns = Record<string, unknown[]>;

/** The field does not exist in this office. No text of a statistic is empty. */
const ABSENT = '';

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function flatten(fields: Fields, prefix: string, into: Fields): Fields {
  for (const [name, value] of Object.entries(fields)) {
    if (isFields(value)) flatten(value, `${prefix}${name}.`, into);
    else into[prefix + name] = value;
  }
  return into;
}

/** Packs offices in the order of their keys. */
export function packOffices(offices: readonly Omit<OfficeAwards, 'isOld'>[]): AwardColumns {
  const rows = offices
    .toSorted((one, other) => (one.office.key < other.office.key ? -1 : 1))
    .map(({ office: { id: _id, name: _name, state: _state, ...office }, ...statistics }) =>
      flatten({ ...statistics, office }, '', {}),
    );
  const paths = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((path) => path !== 'isOld');
  return Object.fromEntries(
    paths.map((path) => {
      const values = rows.map((row) => row[path] ?? (path in row ? null : ABSENT));
      const isConstant = values.every((value) => JSON.stringify(value) === JSON.stringify(values[0]));
      return [path, isConstant ? values.slice(0, 1) : values];
    }),
  );
}

function setField(row: Fields, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let at = row;
  for (const name of names) {
    // A null beside fields of the same name: another office has none of them.
    if (!isFields(at[name])) at[name] = {};
    at = at[name] as Fields;
  }
  at[last] = value;
}

/** The packed row `at` with the office's name. The caller adds its id and age and validates. */
export function unpackOffice(columns: AwardColumns, at: number, state: string): Fields {
  const row: Fields = {};
  for (const [path, values] of Object.entries(columns)) {
    const value = values.length === 1 ? values[0] : values[at];
    if (value !== ABSENT) setField(row, path, value);
  }
  const office = row.office as Fields;
  return { ...row, office: { ...office, state, name: officeName(String(office.key)) } };
}

/** The keys of the packed offices, in their order. */
export const packedKeys = (columns: AwardColumns): unknown[] => columns['office.key'] ?? [];
