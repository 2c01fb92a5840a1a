/** The differences between the stored tender and its source. */
import { isDeepStrictEqual } from 'node:util';
import { CONTRADICTION_TYPE, type CorrigendumChange, REVOCATION_TYPE } from '@nivida/contract/tenders/tender';
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import type { FieldChange, ListedDocument, TenderEntity } from '../tenders/tender.entity.ts';
import type { SourceTender } from './source-tender.ts';
import { type StoredRow, shiftDate } from './stored-row.ts';

/** All changed fields, the corrigenda that result from them, and the mark on the tender's card. */
export interface Difference {
  changes: FieldChange[];
  corrigenda: { title: string; type: string | null; changes: CorrigendumChange[] }[];
  kind: 'date' | 'other' | null;
}

/** Fields whose change is a corrigendum, by their name in the contract. */
const CORRIGENDUM_FIELDS: [CorrigendumChange['field'], string, keyof TenderEntity][] = [
  ['closing_date', 'closes_at', 'closesAt'],
  ['opening_date', 'opens_at', 'opensAt'],
  ['bid_start_date', 'bid_start_at', 'bidStartAt'],
  ['price', 'price', 'price'],
  ['emd', 'emd', 'emd'],
  ['documents', 'documents', 'documents'],
];

/** Fields whose change is only recorded in the history: column and property. */
const HISTORY_FIELDS: [string, keyof TenderEntity][] = [
  ['title', 'title'],
  ['description', 'description'],
  ['reference', 'reference'],
  ['organisation_chain', 'organisationChain'],
  ['state', 'state'],
  ['district', 'district'],
  ['second_district', 'secondDistrict'],
  ['department', 'department'],
  ['category', 'category'],
  ['price_text', 'priceText'],
  ...TENDER_FIELD_LIST.map(({ name, key }): [string, keyof TenderEntity] => [name, key]),
  ['published_at', 'publishedAt'],
  ['pre_bid_at', 'preBidAt'],
  ['closing_time_known', 'closingTimeKnown'],
  ['stage', 'stage'],
];

/**
 * Compares a stored tender with its source. Stored dates are first moved to the shift of the new row, so a different shift
 * alone is no change. `namedCorrigenda` are those that the source names for the first time.
 */
export function compareRows(
  before: TenderEntity,
  row: StoredRow,
  namedCorrigenda: SourceTender['corrigenda'],
): Difference {
  const moved = row.shift_days - before.shiftDays;
  const isFill = isFillOf(before, row);
  const fieldChanges: CorrigendumChange[] = [];
  const changes: FieldChange[] = [];
  for (const [field, column, property] of CORRIGENDUM_FIELDS) {
    const change = fieldChange(field, toComparable(before[property], moved), toComparable(row[column], 0));
    if (!change || (isFill && isEmptyValue(change.old))) continue;
    changes.push(change);
    const values = changeValues(field, change);
    // Documents in another order or cover are no change.
    if (values.old !== values.new) fieldChanges.push({ field, ...values });
  }
  for (const [column, property] of HISTORY_FIELDS) {
    const change = fieldChange(column, toComparable(before[property], moved), toComparable(row[column], 0));
    // A notice has other texts than the list; only its stage is news.
    if (change && (!isFill || column === 'stage')) changes.push(change);
  }
  const corrigenda = assignCorrigenda(namedCorrigenda, fieldChanges);
  return { changes, corrigenda, kind: corrigendumKind(corrigenda) };
}

/** Whether a notice fills a tender that was known from a list alone. What the list did not have is no change. */
export const isFillOf = (before: Pick<TenderEntity, 'isListed'>, row: StoredRow): boolean =>
  before.isListed && row.is_listed !== true;

const isEmptyValue = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);

function toComparable(value: unknown, shiftDays: number): unknown {
  if (value instanceof Date) return shiftDate(value, shiftDays)?.toISOString() ?? null;
  return value ?? null;
}

function fieldChange(field: string, old: unknown, now: unknown): FieldChange | null {
  return isDeepStrictEqual(old, now) ? null : { field, old, new: now };
}

/** Old and new value as texts. For documents, only the removed and the added ones. */
function changeValues(field: string, change: FieldChange): { old: string | null; new: string | null } {
  if (field !== 'documents') return { old: change.old as string | null, new: change.new as string | null };
  const before = (change.old as ListedDocument[]).map(documentName);
  const after = (change.new as ListedDocument[]).map(documentName);
  const only = (these: string[], others: string[]) => these.filter((name) => !others.includes(name)).join('; ') || null;
  return { old: only(before, after), new: only(after, before) };
}

const documentName = ({ name, type }: ListedDocument) => (type ? `${name} (${type})` : name);

/** Types of entries that do not change the terms of the tender. */
export const IGNORED_TYPES: readonly (string | null)[] = [REVOCATION_TYPE, CONTRADICTION_TYPE];

const CHANGE_TITLES: Record<CorrigendumChange['field'], string> = {
  closing_date: 'Closing date changed',
  opening_date: 'Opening date changed',
  bid_start_date: 'Bid start changed',
  price: 'Estimated value changed',
  emd: 'EMD changed',
  documents: 'Documents changed',
};

/** Assigns the changes to the corrigendum that the source names. If it names none, the title describes the changes. */
function assignCorrigenda(
  namedCorrigenda: SourceTender['corrigenda'],
  fieldChanges: CorrigendumChange[],
): Difference['corrigenda'] {
  const last = namedCorrigenda.findLastIndex(({ type }) => !IGNORED_TYPES.includes(type));
  const corrigenda = namedCorrigenda.map((corrigendum, index) => ({
    ...corrigendum,
    changes: index === last ? fieldChanges : [],
  }));
  const [first] = fieldChanges;
  if (last < 0 && first) corrigenda.push({ title: CHANGE_TITLES[first.field], type: null, changes: fieldChanges });
  return corrigenda;
}

function corrigendumKind(all: Difference['corrigenda']): Difference['kind'] {
  const corrigenda = all.filter(({ type }) => !IGNORED_TYPES.includes(type));
  if (corrigenda.length === 0) return null;
  const isDate = corrigenda.some(
    ({ type, changes }) =>
      changes.some(({ field }) => field === 'closing_date') || (changes.length === 0 && /date/i.test(type ?? '')),
  );
  return isDate ? 'date' : 'other';
}
