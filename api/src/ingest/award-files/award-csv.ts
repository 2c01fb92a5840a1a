/** Reads award files. Each row is a tender with its bids as JSON, or with its winner in lists of portals. Other columns are ignored. */
import type { Readable } from 'node:stream';
import { indianDay } from '@nivida/contract/format';
import { findRegion } from '@nivida/contract/regions/regions';
import { isCentralPortal } from '@nivida/contract/tenders/portals';
import { dayText } from '@nivida/contract/time';
import { parse } from 'csv-parse';
import { parse as parseHeader } from 'csv-parse/sync';
import { type Award, type AwardBid, MAX_AWARD_AMOUNT } from '../../awards/award.entity.ts';
import { type CellWarning, RowWarnings } from '../cells/cell-warnings.ts';
import { DateOrderCheck } from '../cells/date-order.ts';
import { agreedCell } from '../cells/doubled-cells.ts';
import {
  cleanText,
  isEmptyText,
  optionalText,
  parseCategory,
  parseCount,
  parseDate,
  parsePincode,
  readRupees,
} from '../cells/normalise.ts';
import { checkCsvStructure } from '../gepnic/csv-shape.ts';
import { InvalidValueError, type Rejection, toRejection } from '../source-tender.ts';
import { type AwardHeader, readAwardHeader } from './award-columns.ts';

/** A longer row is rejected; the largest of 62,000 real ones has 0.2 MB. */
const MAX_ROW_BYTES = 2_000_000;
/** A row of this length means an unclosed quote. */
const MAX_QUOTED_BYTES = 32_000_000;
const MAX_ID_CHARACTERS = 200;
const MAX_TITLE_CHARACTERS = 2_000;
const MAX_BIDS = 1_000;
/** The portals' status of the winning bid. */
const ACCEPTED = 'Accepted-AOC';

/** Portal and state for files without these columns. */
export interface AwardFileOptions {
  portal: string | undefined;
  /** Listed name. */
  state: string | undefined;
}

/** One row of a source: an award or a rejection. */
export type AwardFileRow =
  | { line: number; award: Award; warnings?: CellWarning[] }
  | { line: number; rejection: Rejection };

type CsvRow = Record<string, string | undefined>;
/** A column that occurs twice has a list of cells. */
type CsvCells = Record<string, string | string[] | undefined>;
const DATE_COLUMNS = ['publish_date', 'closing_date', 'contract_date'];

/** Lines and bytes of the file up to the end of a row. */
interface CsvPosition {
  lines: number;
  bytes: number;
}

/** Checks the whole file without reading its values; returns the number of rows. Throws UnreadableFileError. */
export async function checkAwardFile(input: Readable): Promise<number> {
  const { rows } = await checkCsvStructure(input, { row: MAX_ROW_BYTES, quoted: MAX_QUOTED_BYTES }, (header) => {
    const { columns } = readAwardHeader(parseHeader(header)[0] ?? []);
    return columns.indexOf('tender_id');
  });
  return rows;
}

/** Throws HeldBackFileError for a file with the month before the day. */
export async function checkAwardDates(input: Readable): Promise<void> {
  const order = new DateOrderCheck();
  for await (const { cells, line } of readCells(input))
    for (const column of DATE_COLUMNS) order.add(column, [cells[column]].flat()[0], line);
  order.assertDayFirst();
}

/** Yields every row as an award or a rejection. */
export async function* readAwardFile(input: Readable, options: AwardFileOptions): AsyncGenerator<AwardFileRow> {
  for await (const row of readCells(input)) yield toAwardFileRow(row, options);
}

interface CsvAward {
  header: AwardHeader;
  cells: CsvCells;
  bytes: number;
  line: number;
}

async function* readCells(input: Readable): AsyncGenerator<CsvAward> {
  let header: AwardHeader = { columns: [], isList: false };
  const csv = input.pipe(
    parse({
      bom: true,
      columns: (cells: string[]) => {
        header = readAwardHeader(cells);
        return header.columns;
      },
      group_columns_by_name: true,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      info: true,
      max_record_size: MAX_QUOTED_BYTES,
    }),
  );
  input.on('error', (error) => csv.destroy(error));
  let line = 2;
  // The bytes of the first row include the header.
  let bytes = 0;
  for await (const { record, info } of csv as AsyncIterable<{ record: CsvCells; info: CsvPosition }>) {
    yield { header, cells: record, bytes: info.bytes - bytes, line };
    line = info.lines + 1;
    bytes = info.bytes;
  }
}

function toAwardFileRow({ header, cells, bytes, line }: CsvAward, options: AwardFileOptions): AwardFileRow {
  const warnings = new RowWarnings();
  try {
    if (bytes > MAX_ROW_BYTES)
      throw new InvalidValueError('bids', '', `the row has ${bytes} bytes, more than ${MAX_ROW_BYTES}`);
    const needed = header.isList ? header.columns : ['bids'];
    const missing = needed.find((column) => !(column in cells));
    if (missing !== undefined) throw new InvalidValueError(missing, '', 'the row has fewer columns than the header');
    const award = toAward(toCsvRow(cells), options, warnings);
    return { line, award, ...warnings.of(line) };
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    return { line, rejection: toRejection(error, line) };
  }
}

/** One cell for each column; throws InvalidValueError for doubled columns that contradict each other. */
function toCsvRow(cells: CsvCells): CsvRow {
  return Object.fromEntries(
    Object.entries(cells).flatMap(([column, cell]) =>
      column === '' ? [] : [[column, Array.isArray(cell) ? agreedCell(column, cell) : cell]],
    ),
  );
}

/** An unreadable id, portal, state or list of bids rejects the row. Any other unreadable cell becomes empty with a warning. */
function toAward(row: CsvRow, options: AwardFileOptions, warnings: RowWarnings): Award {
  const sourceId = cleanText(row.tender_id);
  if (sourceId === '') throw new InvalidValueError('tender_id', '', 'is empty');
  if (sourceId.length > MAX_ID_CHARACTERS) throw new InvalidValueError('tender_id', sourceId, 'is too long');
  const portal = portalOf(row, options);
  const contractOn = warnings.optional(() => parseDay('contract_date', row.contract_date));
  return {
    portal,
    sourceId,
    state: stateOf(row, portal, options),
    title: cleanText(row.title).slice(0, MAX_TITLE_CHARACTERS).toWellFormed(),
    organisationChain: cleanText(row.org_chain)
      .split('||')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    category: warnings.known('category', row.category, parseCategory, 'is no category'),
    pincode: warnings.known('pincode', row.pincode, parsePincode, 'is no PIN code of six digits'),
    estimate: warnings.optional(() => parseAmount('estimate', row.estimate)),
    awardedValue: warnings.optional(() => parseAmount('awarded_value', row.awarded_value)),
    publishedOn: warnings.optional(() => parseDay('publish_date', row.publish_date)),
    closesOn: warnings.optional(() => parseDay('closing_date', row.closing_date)),
    contractOn,
    ...(row.bids === undefined ? readWinners(row, contractOn, warnings) : { bids: parseBids(row.bids, warnings) }),
  };
}

/** Reads the winners of a list. Some lists have the number of bids too. */
function readWinners(
  row: CsvRow,
  updatedOn: string | null,
  warnings: RowWarnings,
): Pick<Award, 'bids' | 'areBidsUnknown'> {
  const winners = (row.bidder ?? '').split(/[\r\n;]+/).flatMap((name) => optionalText(name) ?? []);
  const toBid = (bidder: string | null, status: string): AwardBid => {
    const awarded = status === ACCEPTED;
    return { bidder, submittedAt: null, status, updatedOn: awarded ? updatedOn : null, awarded };
  };
  const bids = winners.map((name) => toBid(name, ACCEPTED));
  const count = warnings.known('bidders', row.bidders, parseCount, 'is no whole number');
  if (count === null || count < Math.max(1, winners.length)) return { bids, areBidsUnknown: true };
  const others = Math.min(count, MAX_BIDS) - winners.length;
  return { bids: [...bids, ...Array.from({ length: others }, () => toBid(null, 'Rejected-Finance'))] };
}

function portalOf(row: CsvRow, options: AwardFileOptions): string {
  const portal = options.portal ?? cleanText(row.portal).toLowerCase();
  if (!/^[a-z0-9][a-z0-9.-]{0,62}$/.test(portal))
    throw new InvalidValueError('portal', portal, 'is no portal name; name it with --portal');
  return portal;
}

/** The state of a row. A central portal has tenders of many states, so its row takes precedence over the option. */
function stateOf(row: CsvRow, portal: string, options: AwardFileOptions): string {
  const state = cleanText(row.state);
  const region = findRegion(state);
  if (options.state !== undefined) return (isCentralPortal(portal) && region?.state.name) || options.state;
  if (!region) throw new InvalidValueError('state', state, 'is no state of India; name it with --state');
  return region.state.name;
}

/** Rupees; null for an empty value, 'NA' and 0. */
function parseAmount(column: string, raw: string | undefined): number | null {
  if (isEmptyText(raw)) return null;
  const text = cleanText(raw);
  const amount = readRupees(text);
  if (amount === null || amount >= MAX_AWARD_AMOUNT)
    throw new InvalidValueError(column, text, 'is no amount in rupees');
  return amount === 0 ? null : amount;
}

/** The Indian day 'YYYY-MM-DD'; null for an empty value. */
function parseDay(column: string, raw: unknown): string | null {
  const date = parseDate(column, raw);
  return date && dayText(indianDay(date.at));
}

function parseBids(json: string, warnings: RowWarnings): AwardBid[] {
  let bids: unknown;
  try {
    bids = JSON.parse(json.trim() === '' ? '[]' : json);
  } catch {
    throw new InvalidValueError('bids', json, 'is no JSON');
  }
  if (!Array.isArray(bids) || bids.length > MAX_BIDS || bids.some((bid) => typeof bid !== 'object' || bid === null))
    throw new InvalidValueError('bids', json, `is no list of at most ${MAX_BIDS} bids`);
  return bids.map((bid) => toBid(bid, warnings));
}

function toBid(bid: Record<string, unknown>, warnings: RowWarnings): AwardBid {
  const submitted = cleanText(bid.submitted);
  return {
    bidder: optionalText(bid.bidder),
    // The source writes Indian time without a zone.
    submittedAt: /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(submitted) ? validDate(`${submitted}:00+05:30`) : null,
    status: cleanText(bid.status).slice(0, 100),
    updatedOn: warnings.optional(() => parseDay('bids', bid.updated)),
    awarded: bid.awarded === true,
  };
}

function validDate(text: string): Date | null {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? null : at;
}
