/**
 * The tenders that a text names: a message, a pasted list, or a table from a spreadsheet. Server and device compare numbers
 * by the same rules.
 */
import * as v from 'valibot';
import { foldText, isTenderId, wholeIdTerm } from '../search/terms.ts';
import type { TenderSummary } from './tender.ts';
import { distinct, linkedIds, portalIds } from './tender-numbers.ts';

/** Maximum numbers in one request. */
export const MAX_LOOKED_UP_NUMBERS = 100;
/** Maximum tenders of one number, such as the works of an NIT. */
export const MAX_TENDERS_OF_NUMBER = 100;
const MAX_NUMBER_CHARACTERS = 100;

/** Body of `POST /api/tenders/by-number`. */
export const TenderNumbersRequest = v.strictObject(
  {
    /** Ids of this app. */
    ids: v.pipe(
      v.array(v.pipe(v.string('ids must be texts'), v.regex(/^\d{1,10}$/, 'ids must be those of tenders'))),
      v.maxLength(MAX_LOOKED_UP_NUMBERS, `at most ${MAX_LOOKED_UP_NUMBERS} ids`),
    ),
    /** Ids at portals, NITs and references. */
    numbers: v.pipe(
      v.array(
        v.pipe(
          v.string('numbers must be texts'),
          v.maxLength(MAX_NUMBER_CHARACTERS, `a number has at most ${MAX_NUMBER_CHARACTERS} characters`),
        ),
      ),
      v.maxLength(MAX_LOOKED_UP_NUMBERS, `at most ${MAX_LOOKED_UP_NUMBERS} numbers`),
    ),
  },
  'The body must have ids and numbers and nothing else',
);
export type TenderNumbersRequest = v.InferOutput<typeof TenderNumbersRequest>;

/** A line of a list and the tenders that it names. */
export interface ListLine {
  /** As it was typed. */
  text: string;
  /** Ids of this app, from its links. */
  ids: string[];
  /** Ids at portals, NITs and references. */
  numbers: string[];
}

const MOBILE_NUMBER = /^(?:0|91)?[6-9]\d{9}$/;
const DAY = /^\d{1,2}\W[a-z]{3,9}\W\d{2,4}$/i;
/** A line of words may contain parts that only look like numbers. */
const MAX_LIKELY_NUMBERS = 5;

/** Parts of a text that may be the id of another portal or a reference, such as '30255012' or '35-TRL-26-27'. */
function likelyNumbers(text: string): string[] {
  const words = text.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  const found = words.filter(
    (word) =>
      word.length <= MAX_NUMBER_CHARACTERS &&
      (isTenderId(word) || wholeIdTerm(word) !== undefined) &&
      !MOBILE_NUMBER.test(word) &&
      !DAY.test(word),
  );
  return distinct(found).slice(0, MAX_LIKELY_NUMBERS);
}

interface Row {
  text: string;
  cells: string[];
}

/** The rows of a text with these separators. A quoted cell may contain separators and line breaks. */
function splitRows(text: string, separator: string): Row[] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`, 'gy');
  const rows: Row[] = [];
  let cells: string[] = [];
  let start = 0;
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, quoted, plain = '', end] = found;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end !== separator) {
      const line = text.slice(start, cell.lastIndex).trim();
      if (line !== '') rows.push({ text: line, cells });
      cells = [];
      start = cell.lastIndex;
    }
    // The end of the text matches again.
    if (cell.lastIndex >= text.length) break;
  }
  return rows;
}

/** The rows of a table, or the lines of another text as rows of one cell. */
function readRows(text: string): Row[] {
  for (const separator of ['\t', ';', ',']) {
    const rows = splitRows(text, separator);
    const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
    // One row is a text with commas.
    if (rows.length > 1 && widest > 1 && rows.filter(({ cells }) => cells.length === widest).length * 2 > rows.length)
      return rows;
  }
  return text.split(/\r\n|\r|\n/).flatMap((line) => (line.trim() === '' ? [] : { text: line.trim(), cells: [line] }));
}

/** The column with the most different numbers, the first of several; -1 when no cell has one. */
function numberColumn(rows: readonly Row[], numbersIn: (cell: string) => string[]): number {
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const counts = Array.from(
    { length: width },
    (_, column) => new Set(rows.flatMap(({ cells }) => numbersIn(cells[column] ?? ''))).size,
  );
  const most = Math.max(0, ...counts);
  return most === 0 ? -1 : counts.indexOf(most);
}

const isHeading = ({ cells }: Row): boolean => cells.length > 1 && !cells.some((cell) => /\p{N}/u.test(cell));

/**
 * The lines of a list with the tenders that each names. In a table the column of the numbers is found by its content, and a
 * first row without any digit is its heading. Empty lines are left out. `host` is this app's.
 */
export function readTenderList(text: string, host: string): ListLine[] {
  const all = readRows(text.replace(/^\ufeff/, ''));
  const rows = all[0] && isHeading(all[0]) ? all.slice(1) : all;
  const idColumn = numberColumn(rows, portalIds);
  const likelyColumn = idColumn < 0 ? numberColumn(rows, likelyNumbers) : -1;
  return rows.map(({ text: line, cells }) => {
    const ids = linkedIds(line, host);
    const inColumn = portalIds(cells[idColumn] ?? '');
    const numbers = inColumn.length > 0 ? inColumn : portalIds(line);
    if (ids.length > 0 || numbers.length > 0) return { text: line, ids, numbers };
    return { text: line, ids, numbers: likelyNumbers(cells.length > 1 ? (cells[likelyColumn] ?? '') : line) };
  });
}

/** Each id of a portal in typed words, as a line of its own. */
export const typedLines = (words: string): ListLine[] =>
  portalIds(words).map((number) => ({ text: number, ids: [], numbers: [number] }));

/** The form in which numbers are compared: '2026_pwd_77_1', 'gem_2026_b_7654321'. */
export const numberKey = (number: string): string =>
  foldText(number)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

/** The ASCII part of a key, by which the server selects candidates. */
export const asciiNumberKey = (number: string): string =>
  numberKey(number)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');

/** The keys under which a tender is found: its id at the portal, its NIT at GePNIC, and its reference. */
export function numberKeysOf(tender: Pick<TenderSummary, 'source_tender_id' | 'reference_number'>): string[] {
  const id = numberKey(tender.source_tender_id);
  const ofPortal = id.replace(/^ocds_[a-z0-9]{6}_(?=\d{4}_)/, '');
  const nit = /^(\d{4}_[a-z0-9]+_\d+)_\d+$/.exec(ofPortal)?.[1];
  const keys = [id, ofPortal, nit ?? '', numberKey(tender.reference_number ?? '')];
  return distinct(keys).filter((key) => key !== '');
}

/** What a list has. */
export interface FoundInList {
  /** Each tender once, in the order of the list. */
  tenders: TenderSummary[];
  /** Lines that name tenders of which none is known. */
  missing: ListLine[];
  /** Lines that name no tender. */
  unread: ListLine[];
}

/** The tenders of a list among `known`. */
export function findInList(lines: readonly ListLine[], known: readonly TenderSummary[]): FoundInList {
  const byId = new Map(known.map((tender) => [tender._id, tender]));
  const byKey = new Map<string, TenderSummary[]>();
  for (const tender of byId.values())
    for (const key of numberKeysOf(tender)) byKey.set(key, [...(byKey.get(key) ?? []), tender]);
  const found = new Set<TenderSummary>();
  const missing: ListLine[] = [];
  const unread: ListLine[] = [];
  for (const line of lines) {
    const tenders = [
      ...line.ids.flatMap((id) => byId.get(id) ?? []),
      ...line.numbers.flatMap((number) => byKey.get(numberKey(number)) ?? []),
    ];
    for (const tender of tenders) found.add(tender);
    if (line.ids.length + line.numbers.length === 0) unread.push(line);
    else if (tenders.length === 0) missing.push(line);
  }
  return { tenders: [...found], missing, unread };
}

/** The ids and numbers of lines, each once. */
export const namedIn = (lines: readonly ListLine[]): Pick<ListLine, 'ids' | 'numbers'> => ({
  ids: distinct(lines.flatMap(({ ids }) => ids)),
  numbers: distinct(lines.flatMap(({ numbers }) => numbers)),
});
