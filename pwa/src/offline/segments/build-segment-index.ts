/**
 * Builds the index of a segment or delta. It takes a second for some thousand rows, so call it in the worker.
 */
import { type FieldClass, INDEX_TERMS_VERSION, indexTerms } from '@nivida/contract/search/index-terms';
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import {
  CLOSING_TIME_KNOWN_FLAG,
  DEMONSTRATION_FLAG,
  DETAIL_VALUE_COLUMNS,
  INSTANT_COLUMNS,
  LIST_VALUE_COLUMNS,
  LISTED_FLAG,
  NAME_COLUMNS,
} from './columns.ts';
import { hashText, toCompactNumbers } from './compact-numbers.ts';
import { compareCodePoints, packTexts } from './packed-texts.ts';
import { CLASS_BITS, FIELD_CLASSES } from './segment-index.ts';
import { type Section, writeSegmentIndex } from './segment-index-file.ts';
import { packValues, TextNumbering } from './shown-values.ts';

/** Row numbers by ascending tender id. If an id has several rows, the last one is used. */
function indexesById(ids: readonly number[]): number[] {
  return [...new Map(ids.map((id, index) => [id, index]))].sort(([one], [other]) => one - other).map(([, at]) => at);
}

const numberOrNaN = (value: number | string | null): number => (value === null ? Number.NaN : Number(value));

/**
 * Without `details` words match the list fields only, and the engine is not complete. Throws RangeError when
 * the details are not of the same tenders in the same order.
 */
export function buildSegmentIndex(list: ListRows, details: DetailRows | null): ArrayBuffer {
  if (details && (details.id.length !== list.id.length || details.id.some((id, at) => id !== list.id[at])))
    throw new RangeError('The details are those of other tenders');
  const order = indexesById(list.id);
  const pick = <T>(values: readonly T[]): T[] => order.map((at) => values[at] as T);
  const sections: Record<string, Section> = { id: Int32Array.from(pick(list.id)) };

  const names = new TextNumbering('');
  for (const column of NAME_COLUMNS) {
    const codes = pick<string | null>(list[column]).map((name) => names.of(name ?? ''));
    sections[column] = toCompactNumbers(codes, names.texts.length);
  }
  for (const column of INSTANT_COLUMNS)
    sections[column] = Float64Array.from(pick<number | null>(list[column]).map(numberOrNaN));
  const price = Float64Array.from(pick(list.price).map(numberOrNaN));
  sections.price = price;
  sections.flags = Uint8Array.from(order, (at) => {
    return (
      (list.closingTimeKnown[at] ? CLOSING_TIME_KNOWN_FLAG : 0) |
      (list.demonstration[at] ? DEMONSTRATION_FLAG : 0) |
      (list.isListed[at] ? LISTED_FLAG : 0)
    );
  });
  addSortOrders(sections, 'price', price);
  addSortOrders(sections, 'closing', sections.closesAt as Float64Array);

  const distinct = new TextNumbering('null');
  const codes = new Map<string, number[]>();
  const code = (column: string, fields: readonly unknown[]) =>
    codes.set(
      column,
      // A column may be missing: a stored delta can be older than the column.
      pick(fields).map((field) => distinct.of(JSON.stringify(field ?? null))),
    );
  if (details) for (const column of DETAIL_VALUE_COLUMNS) code(column, details[column] ?? []);
  for (const column of LIST_VALUE_COLUMNS) code(column, list[column]);
  const values = packValues(distinct.texts);
  for (const [column, each] of codes)
    sections[column] = toCompactNumbers(each, each.reduce((most, one) => Math.max(most, one), 0) + 1);
  sections.pieces = values.pieces.bytes;
  sections.pieceStarts = values.pieces.starts;
  sections.valuePieces = values.numbers;
  sections.valueStarts = values.starts;
  if (details) sections.nit = Uint32Array.from(pick(details.nitId), (nit) => hashText(nit ?? ''));

  addTerms(
    sections,
    order.map((at) => rowTerms(list, details, at)),
  );
  return writeSegmentIndex(
    { rows: order.length, hasDetails: details !== null, names: names.texts, termsVersion: INDEX_TERMS_VERSION },
    sections,
  );
}

/**
 * Adds the order of the rows in both directions of a key. Nulls are last and ties are by id, so one direction
 * is not the reverse of the other.
 */
function addSortOrders(sections: Record<string, Section>, key: 'price' | 'closing', values: Float64Array): void {
  const at = (row: number) => values[row] as number;
  const rows = toCompactNumbers(
    Array.from(values, (_, row) => row),
    values.length,
  );
  const missing = (one: number, other: number) => Number(Number.isNaN(at(one))) - Number(Number.isNaN(at(other)));
  sections[`${key}Asc`] = rows.slice().sort((a, b) => missing(a, b) || at(a) - at(b) || a - b);
  sections[`${key}Desc`] = rows.slice().sort((a, b) => missing(a, b) || at(b) - at(a) || a - b);
}

/** The same terms as on the server. Without details, only the terms of the list fields. */
function rowTerms(list: ListRows, details: DetailRows | null, at: number): Map<string, FieldClass> {
  const title = list.title[at] as string;
  return indexTerms({
    title,
    description: details?.description[at] || title,
    source_tender_id: list.sourceTenderId[at] as string,
    reference_number: details?.reference[at] ?? null,
    organisation_chain: details?.organisationChain[at] ?? [list.orgName[at] as string],
    district: list.district[at] ?? null,
    second_district: list.secondDistrict[at] ?? null,
    department: list.department[at] ?? null,
    place: details?.place[at] ?? null,
    pincode: details?.pincode[at] ?? null,
  });
}

/**
 * Adds the sorted terms and their postings. Posting lists are consecutive, so the postings of a prefix are
 * one slice.
 */
function addTerms(sections: Record<string, Section>, termsOfRows: readonly ReadonlyMap<string, FieldClass>[]): void {
  const postingsOfTerm = new Map<string, number[]>();
  for (const [row, terms] of termsOfRows.entries()) {
    for (const [term, fieldClass] of terms) {
      const posting = (row << CLASS_BITS) | FIELD_CLASSES.indexOf(fieldClass);
      const own = postingsOfTerm.get(term);
      if (own) own.push(posting);
      else postingsOfTerm.set(term, [posting]);
    }
  }
  const sorted = [...postingsOfTerm.keys()].sort(compareCodePoints);
  const terms = packTexts(sorted);
  const starts = new Uint32Array(sorted.length + 1);
  for (const [at, term] of sorted.entries())
    starts[at + 1] = (starts[at] as number) + (postingsOfTerm.get(term)?.length ?? 0);
  const postings = new Uint32Array(starts.at(-1) as number);
  for (const [at, term] of sorted.entries()) postings.set(postingsOfTerm.get(term) ?? [], starts[at]);
  sections.terms = terms.bytes;
  sections.termStarts = terms.starts;
  sections.postings = toCompactNumbers(postings, termsOfRows.length << CLASS_BITS);
  sections.postingStarts = starts;
}
