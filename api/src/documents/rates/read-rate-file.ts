/** Reads a schedule of rates as offices publish it: a table of headings, items and sub-items. */
import { asciiDigits } from '@nivida/contract/digits';
import { continuesCode } from '@nivida/contract/documents/item-codes';
import { normalUnit } from '@nivida/contract/documents/units';
import { parse } from 'csv-parse/sync';
import { OperatorError } from '../../base/operator-error.ts';
import { findRateColumns, type RateColumns, type RateRole } from './rate-columns.ts';

/** An item with a rate in rupees for one `unit`. */
export interface RateFileItem {
  /** Empty without one. */
  code: string;
  /** With the texts of its headings. */
  text: string;
  unit: string;
  /** A decimal. */
  rate: string;
  line: number;
}

/** A row with a rate that is not stored. */
export interface RefusedRate {
  line: number;
  reason: string;
}

export interface RateFile {
  items: RateFileItem[];
  /** Rows without a rate. */
  headings: number;
  /** Equal rows. */
  repeated: number;
  refused: RefusedRate[];
}

const MAX_FILE_BYTES = 30_000_000;
const MAX_TEXT_CHARACTERS = 4_000;
const MAX_CODE_CHARACTERS = 60;
const MAX_UNIT_CHARACTERS = 60;

/**
 * Reads the bytes of a CSV file. A row that is unclear is refused with its reason; the others are read. Throws
 * OperatorError when the file as a whole is unclear.
 */
export function readRateFile(bytes: Uint8Array, stated?: Partial<Record<RateRole, string>>): RateFile {
  if (bytes.length > MAX_FILE_BYTES) throw new OperatorError('is larger than 30 MB');
  const rows = readRows(decodeText(bytes));
  const { header, columns } = findRateColumns(
    rows.map(({ cells }) => cells),
    stated,
  );
  const file = readItems(rows.slice(header + 1), columns, rows[header]?.cells ?? []);
  if (file.items.length === 0)
    throw new OperatorError(
      `has no item that can be read${file.refused[0] ? `: line ${file.refused[0].line} ${file.refused[0].reason}` : ''}`,
    );
  if (file.refused.length > file.items.length) {
    const [first] = file.refused;
    throw new OperatorError(
      `${file.refused.length} of ${file.refused.length + file.items.length} items are unclear, so nothing is stored; the first: line ${first?.line} ${first?.reason}`,
    );
  }
  return file;
}

function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw new OperatorError('is a workbook: save its sheet as CSV UTF-8');
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const charset = !isWide ? 'utf-8' : bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError('is not UTF-8: save it as CSV UTF-8');
  }
}

interface Row {
  line: number;
  cells: string[];
}

const cleanCell = (cell: string): string =>
  cell
    .normalize('NFC')
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
    .replace(/[\s\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]+/g, ' ')
    .trim();

/** The rows that are not blank, with their lines, in the dialect that gives the most cells. */
function readRows(text: string): Row[] {
  const tables = [',', ';', '\t', '|'].map((delimiter) => {
    try {
      const rows = parse(text, {
        delimiter,
        bom: true,
        info: true,
        relax_column_count: true,
        relax_quotes: true,
      }) as unknown as {
        record: string[];
        info: { lines: number };
      }[];
      return rows.map(({ record, info }) => ({ line: info.lines, cells: record.map(cleanCell) }));
    } catch {
      return [];
    }
  });
  const size = (rows: Row[]) => rows.slice(0, 500).reduce((sum, { cells }) => sum + cells.length, 0);
  const [best = []] = tables.sort((one, other) => size(other) - size(one));
  return best.filter(({ cells }) => cells.some((cell) => cell !== ''));
}

interface Heading {
  code: string;
  text: string;
}

/** Codes that continue the heading above them: '(a)', 'ii)', 'b'. A text may begin with one. */
const CONTINUING: readonly [kind: string, pattern: RegExp][] = [
  ['roman', /^(?:\([ivx]{1,5}\)|[ivx]{1,5}[).]?)(?=\s|$)/],
  ['letter', /^(?:\([a-zA-Z]\)|[a-z][).]?)(?=\s|$)/],
  ['number', /^\(\d{1,2}\)(?=\s|$)/],
];
/** 'code' for a code of its own, 'none' for a row without a code. */
function kindOf({ code, text }: Heading): string {
  if (code === '')
    return CONTINUING.find(([, pattern]) => /[).]/.test(text.slice(0, 7)) && pattern.test(text))?.[0] ?? 'none';
  return CONTINUING.find(([, pattern]) => pattern.exec(code)?.[0] === code)?.[0] ?? 'code';
}
/** A text with fewer words of three letters says nothing without its heading. */
const isWhole = (text: string): boolean => (text.match(/[\p{L}\p{M}]{3,}/gu)?.length ?? 0) >= 2;

function readItems(rows: readonly Row[], columns: RateColumns, header: readonly string[]): RateFile {
  const file: RateFile = { items: [], headings: 0, repeated: 0, refused: [] };
  let headings: Heading[] = [];
  for (const { line, cells } of rows) {
    const cell = (role: RateRole) => cells[columns[role]] ?? '';
    const [code, text, unit, rate] = [cell('code'), cell('text'), cell('unit'), cell('rate')];
    const isHeader = text === header[columns.text] && rate === header[columns.rate];
    if (isHeader || (code === '' && text === '' && rate === '')) continue;
    // A strip of column numbers below the header.
    if ([text, unit, rate].every((value) => /^\(?\d{1,2}\)?$/.test(value))) continue;
    if (rate === '' || (unit === '' && /^[-–]+$/.test(rate))) {
      file.headings += 1;
      headings = [...headingsAbove(headings, { code, text }, true), { code, text }];
      continue;
    }
    const refuse = (reason: string) => file.refused.push({ line, reason });
    const amount = readRate(rate);
    const kind = kindOf({ code, text });
    const parents = headingsAbove(headings, { code, text }, false);
    const own = [...parents.map((heading) => heading.text), text].filter((part) => part !== '').join(': ');
    const base = parents.findLast((heading) => kindOf(heading) === 'code')?.code ?? '';
    const fullCode = kind === 'code' || code === '' ? code : `${base} ${code}`.trim();
    if (amount === null) refuse(`has a rate that is no amount of rupees: "${rate}"`);
    else if (text === '') refuse('has a rate and no description');
    else if (normalUnit(unit) === null) refuse(unit === '' ? 'has a rate and no unit' : `has no clear unit: "${unit}"`);
    else if (parents.length === 0 && kind !== 'code' && kind !== 'none') refuse('is a sub-item without a heading');
    else if (!isWhole(own)) refuse(`has no clear description: "${own}"`);
    else if (own.length > MAX_TEXT_CHARACTERS || code.length > MAX_CODE_CHARACTERS || unit.length > MAX_UNIT_CHARACTERS)
      refuse('is too long');
    else file.items.push({ code: fullCode, text: own, unit, rate: amount, line });
  }
  return withoutContradictions(file);
}

/**
 * The headings above a row. A code of its own continues the headings whose code begins it. Other rows continue all headings
 * above them up to one of their own kind, because '(b)' continues what '(a)' continues.
 */
function headingsAbove(headings: Heading[], row: Heading, isHeading: boolean): Heading[] {
  const kind = kindOf(row);
  if (kind === 'code') return headings.filter(({ code }) => continuesCode(row.code, code));
  const at = kind === 'none' && !isHeading ? -1 : headings.findIndex((heading) => kindOf(heading) === kind);
  return at === -1 ? headings : headings.slice(0, at);
}

/** A positive amount of rupees as a decimal: '1,23,456.50', '₹ 12', 'Rs. 12/-'; null for another text. */
function readRate(text: string): string | null {
  const plain = asciiDigits(text)
    .replace(/^(?:rs\.?|inr|₹|रु\.?)\s*/i, '')
    .replace(/\s*(?:\/-|\/=|-\/)$/, '')
    .trim();
  if (!/^(?:\d{1,9}|\d{1,3}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,4})?$/.test(plain)) return null;
  const decimal = plain.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  return Number(decimal) > 0 ? decimal : null;
}

/** Items that the file names twice with different rates are refused, equal ones counted. */
function withoutContradictions(file: RateFile): RateFile {
  const byName = new Map<string, RateFileItem[]>();
  for (const item of file.items) {
    const key = JSON.stringify([item.code, item.text.toLowerCase(), normalUnit(item.unit)]);
    byName.set(key, [...(byName.get(key) ?? []), item]);
  }
  const items: RateFileItem[] = [];
  const refused = [...file.refused];
  let repeated = 0;
  for (const same of byName.values()) {
    const [first] = same;
    if (first && same.every(({ rate }) => Number(rate) === Number(first.rate))) {
      items.push(first);
      repeated += same.length - 1;
      continue;
    }
    const lines = same.map(({ line }) => line).join(', ');
    for (const { line } of same)
      refused.push({ line, reason: `has another rate than the same item in lines ${lines}` });
  }
  return { ...file, items, repeated, refused: refused.sort((one, other) => one.line - other.line) };
}
