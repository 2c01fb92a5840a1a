/** Reads a table by a saved mapping: its rows become rows of a notice file. */
import {
  type AmountUnit,
  type ColumnMapping,
  hasUnit,
  type MappedFieldName,
  mappedField,
  unitOfColumn,
} from '@nivida/contract/desk/mapping';
import { readRupees } from '../cells/normalise.ts';
import type { TableConverter } from '../files/table.ts';
import type { GepnicColumn } from '../gepnic/column-lists.ts';

/** A saved version of a portal's mapping. */
export interface StoredMapping {
  portal: string;
  version: number;
  columns: ColumnMapping;
}

/** The column of a notice file for each field. District and place are both the location, from which districts are derived. */
const COLUMNS: Record<MappedFieldName, GepnicColumn> = {
  tender_id: 'Tender ID',
  title: 'Title',
  organisation: 'Organisation Chain',
  closing: 'Bid Submission End Date',
  published: 'Publish Date',
  reference: 'Tender Reference Number',
  description: 'Work Description',
  category: 'Tender Category',
  value: 'Tender Value in ₹',
  emd: 'EMD Amount in ₹',
  emd_percent: 'EMD Percentage',
  emd_exemption: 'EMD Exemption Allowed',
  tender_fee: 'Tender Fee in ₹',
  bid_start: 'Bid Submission Start Date',
  opening: 'Bid Opening Date',
  opening_place: 'Bid Opening Place',
  pre_bid: 'Pre Bid Meeting Date',
  pre_bid_place: 'Pre Bid Meeting Place',
  place: 'Location',
  district: 'Location',
  state: 'State',
  pincode: 'Pincode',
  address: 'Address',
  contact: 'Name',
  tender_type: 'Tender Type',
  form_of_contract: 'Form of contract',
  sub_category: 'Product Category',
  covers: 'No. of Covers',
  period_of_work: 'Period Of Work(Days)',
  bid_validity: 'Bid Validity(Days)',
  quantity: 'Quantity',
  stage: 'Tender Stage',
};

const SEPARATORS = { levels: '||', date: ' ', text: ', ', one: '' };

/** The field whose values stand in a column of a notice file, for guesses. */
export function fieldOfColumn(column: GepnicColumn): MappedFieldName | undefined {
  return (Object.keys(COLUMNS) as MappedFieldName[]).find((field) => COLUMNS[field] === column);
}

/** Comparable name of a column in any script: case, spaces and punctuation are ignored. */
export const foldHeader = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}%]+/gu, '');

/** The names without the empty ones that spreadsheets add at the end. */
export const withoutPadding = (names: readonly string[]): readonly string[] =>
  names.slice(0, names.findLastIndex((name) => name.trim() !== '') + 1);

const sortedNames = (names: readonly string[]) => withoutPadding(names).map(foldHeader).sort();

/** Whether a table with this header has the columns of a mapping and no others, in any order. */
export function hasColumnsOf({ columns }: ColumnMapping, header: readonly string[]): boolean {
  const own = sortedNames(columns.map(({ column }) => column));
  const names = sortedNames(header);
  return own.length === names.length && own.every((name, n) => name === names[n]);
}

/** How the header differs from a mapping's columns, as the end of a sentence. */
export function headerDifference({ columns }: ColumnMapping, header: readonly string[]): string {
  const own = new Set(columns.map(({ column }) => foldHeader(column)));
  const names = new Set(header.map(foldHeader));
  const list = (texts: readonly string[]) => [...new Set(texts)].map((text) => `"${text.trim()}"`).join(', ');
  const added = header.filter((name) => name.trim() !== '' && !own.has(foldHeader(name)));
  const missing = columns.filter(({ column }) => !names.has(foldHeader(column))).map(({ column }) => column);
  const parts = [
    ...(added.length > 0 ? [`has the new columns ${list(added)}`] : []),
    ...(missing.length > 0 ? [`lacks ${list(missing)}`] : []),
  ];
  return parts.join(' and ') || 'has other columns';
}

/** A column of a mapped field in the table. */
interface FoundColumn {
  position: number;
  unit: AmountUnit;
}

/** The mapping's columns in the header. Columns of one name are taken in their order. */
function findColumns({ columns }: ColumnMapping, header: readonly string[]): Map<MappedFieldName, FoundColumn[]> {
  const left = header.map((name, position) => ({ name: foldHeader(name), position }));
  const found = new Map<MappedFieldName, FoundColumn[]>();
  for (const { column, field, unit = unitOfColumn(column) } of columns) {
    const index = left.findIndex(({ name }) => name === foldHeader(column));
    const [next] = index < 0 ? [] : left.splice(index, 1);
    if (!next || !field) continue;
    const { position } = next;
    found.set(field, [...(found.get(field) ?? []), { position, unit: hasUnit(field) ? unit : 'rupee' }]);
  }
  return found;
}

/** No tender costs a lakh crore: such a number counts rupees, and the header is wrong for this row. */
const MAX_NUMBER_WITH_UNIT = 100_000;

/** A cell with the unit of its column, unless it states its own or can only be rupees. */
function withUnit(cell: string, unit: AmountUnit): string {
  const number = cell.replace(/\s*(?:\/[-=]|\bonly\b\.?|\brs\b\.?|\binr\b|\brupees\b)/gi, '').trim();
  const isBare = /^(?:₹\s*)?[\d,]*\.?\d+$/.test(number);
  if (unit === 'rupee' || !isBare || (readRupees(number) ?? 0) >= MAX_NUMBER_WITH_UNIT) return cell;
  return `${number} ${unit}`;
}

/** The rows of a notice file that a mapping makes of a table with this header. */
export function mappingConverter(mapping: ColumnMapping, header: readonly string[]): TableConverter {
  const found = findColumns(mapping, header);
  const fixed = Object.entries(mapping.fixed) as [MappedFieldName, string][];
  const fields = [...new Set([...found.keys(), ...fixed.map(([field]) => field)])];
  const columns = [...new Set(fields.map((field) => COLUMNS[field]))];
  const folded = header.map(foldHeader);
  return {
    header: columns,
    roles: new Map([...found].flatMap(([field, at]) => at.map(({ position }) => [position, COLUMNS[field]]))),
    convert(cells) {
      const filled = [...found.values()].flat().filter(({ position }) => (cells[position] ?? '').trim() !== '');
      // A repeated header, and a title or a sum in one cell.
      if (filled.length <= 1 || folded.every((name, n) => foldHeader(cells[n] ?? '') === name)) return null;
      return columns.map((column) =>
        fields
          .filter((field) => COLUMNS[field] === column)
          .flatMap((field) => {
            const parts = found
              .get(field)
              ?.map(({ position, unit }) => withUnit(cells[position]?.trim() ?? '', unit)) ?? [
              mapping.fixed[field] ?? '',
            ];
            const text = parts.filter((part) => part !== '').join(SEPARATORS[mappedField(field).join]);
            return text === '' ? [] : text;
          })
          .join(', '),
      );
    },
  };
}
