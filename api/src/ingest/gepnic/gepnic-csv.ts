/** Reads the notice CSV of a GePNIC portal (hptenders, assamtenders …): one row per tender, all values as text. */
import type { Readable } from 'node:stream';
import { formatDateTime, indianDay, startOfIndianDay } from '@nivida/contract/format';
import { findRegion } from '@nivida/contract/regions/regions';
import { isCentralPortal } from '@nivida/contract/tenders/portals';
import { REVOCATION_TYPE } from '@nivida/contract/tenders/tender';
import { parse } from 'csv-parse';
import { parse as parseRow } from 'csv-parse/sync';
import { InvalidOptionsError } from '../../base/config.ts';
import type { ListedDocument } from '../../tenders/tender.entity.ts';
import { RowWarnings } from '../cells/cell-warnings.ts';
import { DateOrderCheck } from '../cells/date-order.ts';
import {
  cleanText,
  earliest,
  isPlaceholderEstimate,
  jsonDepth,
  limitTexts,
  nitKeyOf,
  optionalText,
  PLACEHOLDER_REASON,
  parseCategory,
  parseCount,
  parseDate,
  parseDesignation,
  parseEstimate,
  parsePincode,
  parseRupees,
  parseYesNo,
  toClosingInstant,
  truncatedText,
} from '../cells/normalise.ts';
import {
  contradictionEntry,
  InvalidValueError,
  type Rejection,
  type SourceCells,
  type SourceRow,
  type SourceTender,
  toRejection,
  UnreadableFileError,
} from '../source-tender.ts';
import type { GepnicColumn } from './column-lists.ts';
import { checkCsvStructure } from './csv-shape.ts';
import { DATE_COLUMNS, GepnicHeader, type RowReader } from './gepnic-columns.ts';
import type { ListKind } from './list-kinds.ts';
import { SourceColumns } from './source-cells.ts';

/** A longer row is rejected. */
const MAX_ROW_BYTES = 1_000_000;
/** A row of this length means an unclosed quote. */
const MAX_QUOTED_BYTES = 32_000_000;
/** Maximum depth of the JSON in 'Cover Documents', which normally has two levels. */
const MAX_DEPTH = 8;
const MAX_ID_CHARACTERS = 100;
/** A long number after a spreadsheet program has rounded it. */
const ROUNDED_NUMBER = /^\d(?:\.\d+)?E\+\d+$/i;

/** Portal and state, which a notice file does not contain. */
export interface GepnicOptions {
  portal: string;
  /** Listed name; undefined when the column "State" has it. */
  state: string | undefined;
  /** The day on which a list was read, for lists without publishing dates. */
  readAt?: Date;
  /** Columns that the portal does not provide. */
  allowMissing?: ReadonlySet<GepnicColumn>;
  /** Set for a table whose rows are converted. Its last column has the cells of its own columns as JSON. */
  sourceColumns?: SourceColumns | undefined;
  /** Set for a table whose columns the operator has mapped. It may lack publishing dates. */
  isMapped?: boolean;
  /** Gets the columns of the file before its first row. */
  onHeader?(header: GepnicHeader): void;
}

/** Yields every row as a notice or a rejection. Throws UnreadableFileError for another format and for a truncated file. */
export async function* readGepnic(input: Readable, options: GepnicOptions): AsyncGenerator<SourceRow> {
  for await (const record of readRecords(input, options))
    yield 'row' in record ? toSourceRow(record, { ...options, kind: record.kind, isList: record.isList }) : record;
}

/**
 * Checks the whole file without parsing its rows; throws like readGepnic. Returns the number of rows, and whether two of
 * them may name the same tender.
 */
export async function checkGepnic(
  input: Readable,
  { allowMissing, isMapped, onHeader }: Pick<GepnicOptions, 'allowMissing' | 'isMapped' | 'onHeader'> = {},
): Promise<{ rows: number; mayRepeat: boolean }> {
  const { rows, mayRepeat } = await checkCsvStructure(
    input,
    { row: MAX_ROW_BYTES, quoted: MAX_QUOTED_BYTES },
    (text) => {
      const header = new GepnicHeader(parseRow(text)[0] ?? [], allowMissing, isMapped);
      onHeader?.(header);
      return header.positionOf('Tender ID');
    },
  );
  return { rows, mayRepeat };
}

/** Throws HeldBackFileError for a file with the month before the day. */
export async function checkGepnicDates(input: Readable, options: GepnicOptions): Promise<void> {
  const order = new DateOrderCheck();
  for await (const record of readRecords(input, options)) {
    if (!('row' in record)) continue;
    for (const column of DATE_COLUMNS) order.add(column, cellOf(record.row, column), record.line);
  }
  order.assertDayFirst();
}

/** The text of a cell; '' if doubled cells contradict each other. Their row is rejected later. */
function cellOf(row: RowReader, column: GepnicColumn): string {
  try {
    return row(column);
  } catch {
    return '';
  }
}

/** A row with as many columns as the header, or its rejection. */
type CsvRecord =
  | { line: number; row: RowReader; cells: SourceCells; kind: ListKind | undefined; isList: boolean }
  | { line: number; rejection: Rejection };

async function* readRecords(
  input: Readable,
  { allowMissing, isMapped, onHeader, sourceColumns }: GepnicOptions,
): AsyncGenerator<CsvRecord> {
  // The parser runs ahead of the loop below. When it fails, its finished rows are lost.
  let parsed = { lines: 0, bytes: 0 };
  let givenBytes = 0;
  input.on('data', (chunk: Buffer) => {
    givenBytes += chunk.length;
  });
  const rows = parseRows(input, (info) => {
    parsed = info;
  });
  let header: GepnicHeader | undefined;
  let columns = sourceColumns;
  let broken: { line: number; found: number } | undefined;
  let line = 1;
  let bytes = 0;
  try {
    for await (const { record: cells, info } of rows) {
      const record = header ? withoutSpareCells(cells, header.count) : cells;
      if (!header) {
        header = new GepnicHeader(record, allowMissing, isMapped);
        columns ??= new SourceColumns(record, header.roles);
        onHeader?.(header);
        line = info.lines + 1;
        bytes = info.bytes;
        continue;
      }
      const isBlank = record.length === 1 && record[0]?.trim() === '';
      if (!isBlank) {
        // A short row in the middle is rejected; a short last row means a truncated file.
        if (broken) yield wrongColumnCount(broken, header);
        broken = undefined;
        const fault = record.length === header.count && findRowFault(record, info.bytes - bytes, header);
        if (fault) yield { line, rejection: toRejection(fault, line) };
        else if (record.length === header.count && columns)
          yield {
            line,
            row: header.row(record),
            cells: columns.row(sourceColumns ? (record.at(-1) ?? '[]') : record, line),
            kind: header.kind,
            isList: header.isList,
          };
        else broken = { line, found: record.length };
      }
      line = info.lines + 1;
      bytes = info.bytes;
    }
  } catch (error) {
    if (error instanceof UnreadableFileError || error instanceof InvalidOptionsError) throw error;
    const isLong = givenBytes - parsed.bytes > MAX_ROW_BYTES;
    throw toUnreadableFile(error as Error & { code?: string }, parsed.lines + 1, isLong);
  }
  if (!header) throw new UnreadableFileError('is empty');
  if (!broken) return;
  if (broken.found > header.count) yield wrongColumnCount(broken, header);
  else
    throw new UnreadableFileError(
      `is truncated: line ${broken.line} ends after ${broken.found} of ${header.count} columns`,
    );
}

/** Spreadsheets write empty cells beyond the header. */
const withoutSpareCells = (cells: string[], count: number): string[] =>
  cells.slice(count).every((cell) => cell.trim() === '') ? cells.slice(0, count) : cells;

function parseRows(
  input: Readable,
  parsed: (info: { lines: number; bytes: number }) => void,
): AsyncIterable<{ record: string[]; info: { lines: number; bytes: number } }> {
  const rows = parse({
    bom: true,
    // Both line endings count as one line, as in the shape check.
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    info: true,
    max_record_size: MAX_QUOTED_BYTES,
    on_record(record, { lines, bytes }) {
      parsed({ lines, bytes });
      return record;
    },
  });
  input.on('error', (error) => rows.destroy(error));
  return input.pipe(rows);
}

function toUnreadableFile(error: Error & { code?: string }, line: number, isLong: boolean): UnreadableFileError {
  if (isLong || error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE')
    return new UnreadableFileError(`is truncated or damaged: the quote in the row at line ${line} is never closed`);
  return new UnreadableFileError(`is not CSV: ${error.message}`);
}

/** An error that makes the whole row unusable, in whichever column it is. */
function findRowFault(record: string[], bytes: number, header: GepnicHeader): InvalidValueError | null {
  const nul = record.findIndex((cell) => cell.includes('\0'));
  if (nul >= 0) return new InvalidValueError(header.names[nul] ?? '', cleanText(record[nul]), 'holds a NUL byte');
  if (bytes <= MAX_ROW_BYTES) return null;
  const longestIndex = record.reduce((best, cell, n) => (cell.length > (record[best] ?? '').length ? n : best), 0);
  const reason = `holds ${(record[longestIndex] ?? '').length} characters: the row has ${bytes} bytes, more than a notice can`;
  return new InvalidValueError(
    header.names[longestIndex] ?? '',
    cleanText((record[longestIndex] ?? '').slice(0, 1_000)),
    reason,
  );
}

function wrongColumnCount({ line, found }: { line: number; found: number }, header: GepnicHeader): CsvRecord {
  const reason = `the row has ${found} columns instead of ${header.count}`;
  return { line, rejection: { line, column: '', value: '', reason } };
}

/** The options, and the kind of list that the header shows. */
type RowOptions = GepnicOptions & { kind: ListKind | undefined; isList: boolean };

function toSourceRow({ row, line, cells }: Extract<CsvRecord, { row: RowReader }>, options: RowOptions): SourceRow {
  const warnings = new RowWarnings();
  try {
    const tender = limitTexts(toSourceTender(row, options, warnings));
    return { line, tender, cells, ...warnings.of(line) };
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    return { line, rejection: toRejection(error, line) };
  }
}

/** An unreadable id, title, organisation, publishing or closing rejects the row. Any other unreadable cell becomes empty with a warning. */
function toSourceTender(row: RowReader, options: RowOptions, warnings: RowWarnings): SourceTender {
  const { portal, kind, isMapped } = options;
  const sourceId = readId(row);
  const title = truncatedText(row('Title')) || truncatedText(row('Work Description'));
  if (title === '') throw new InvalidValueError('Title', '', 'the tender has neither title nor description');
  const chain = (kind ? row('Organisation Chain') : cleanText(row('Organisation Chain')))
    .split(kind?.levels ?? '||')
    .flatMap((part) => optionalText(part) ?? []);
  if (chain.length === 0) throw new InvalidValueError('Organisation Chain', '', 'the tender names no organisation');
  const reference = optionalText(row('Tender Reference Number'));
  const { remarks, ...stated } = readDates(row, options, warnings);
  return {
    portal,
    sourceId,
    state: readState(row, options),
    title,
    description: (kind || isMapped ? readListed(row) : truncatedText(row('Work Description'))) || title,
    reference,
    nitKey: nitKeyOf({ portal, sourceId, reference }),
    organisationChain: chain,
    address: optionalText(row('Address')),
    place: optionalText(row('Location')),
    pincode: warnings.known('Pincode', row('Pincode'), parsePincode, 'is no PIN code of six digits'),
    ...readTerms(row, warnings),
    ...stated,
    contactDesignation: parseDesignation(row('Name')),
    bidOpeningPlace: optionalText(row('Bid Opening Place')),
    preBidPlace: optionalText(row('Pre Bid Meeting Place')),
    documents:
      warnings.known('Cover Documents', row('Cover Documents'), readDocuments, 'is no list of documents') ?? [],
    corrigenda: [...remarks, ...readCorrigenda(row)],
    // AOC is the last stage of every archived notice. It counts as awarded only after the closing.
    ...readStage(row),
    ...(options.isList && { isListed: true as const }),
  };
}

/** The tender id as the portal writes it. */
function readId(row: RowReader): string {
  const id = (optionalText(row('Tender ID')) ?? '').replace(/^(\d+)\.0$/, '$1');
  const reject = (reason: string) => new InvalidValueError('Tender ID', id, reason);
  if (!/[\p{L}\p{N}]/u.test(id)) throw reject('the tender has no id');
  if (id.length > MAX_ID_CHARACTERS) throw reject(`has ${id.length} characters, more than an id can`);
  if (ROUNDED_NUMBER.test(id)) throw reject('is a number that a spreadsheet program has rounded');
  return id;
}

/** The state of a row. A central portal has tenders of many states, so its row takes precedence over the option. */
function readState(row: RowReader, { portal, state }: RowOptions): string {
  const text = optionalText(row('State'));
  const stated = text === null ? undefined : findRegion(text)?.state.name;
  const found = isCentralPortal(portal) ? (stated ?? state) : (state ?? stated);
  if (found === undefined)
    throw new InvalidValueError('State', text ?? '', 'is no state of India; name it with --state');
  return found;
}

/** The title. A list has the quantity in another column, which is added. */
function readListed(row: RowReader): string {
  const quantity = optionalText(row('Quantity'));
  const description = truncatedText(row('Work Description')) || truncatedText(row('Title'));
  return quantity === null ? description : `${description} · Quantity: ${quantity}`;
}

function readTerms(row: RowReader, warnings: RowWarnings) {
  const rupees = (column: GepnicColumn) => warnings.optional(() => parseRupees(column, row(column)));
  const count = (column: GepnicColumn) => warnings.known(column, row(column), parseCount, 'is no whole number');
  const column = 'Tender Value in ₹';
  const stated = {
    price: warnings.optional(() => parseEstimate(column, row(column))),
    emd: rupees('EMD Amount in ₹'),
    tenderFee: rupees('Tender Fee in ₹'),
  };
  const isPlaceholder = isPlaceholderEstimate(stated);
  if (isPlaceholder) warnings.add(column, row(column), PLACEHOLDER_REASON);
  return {
    ...stated,
    price: isPlaceholder ? null : stated.price,
    category: warnings.known('Tender Category', row('Tender Category'), parseCategory, 'is no category'),
    subCategory: optionalText(row('Product Category')),
    tenderType: optionalText(row('Tender Type')),
    formOfContract: optionalText(row('Form of contract')),
    priceText: null,
    emdPercent: warnings.known('EMD Percentage', row('EMD Percentage'), readPercent, 'is no percentage below 100'),
    emdExemptionAllowed: warnings.known(
      'EMD Exemption Allowed',
      row('EMD Exemption Allowed'),
      parseYesNo,
      'is neither yes nor no',
    ),
    covers: count('No. of Covers'),
    periodOfWorkDays: count('Period Of Work(Days)'),
    bidValidityDays: count('Bid Validity(Days)'),
  };
}

function readPercent(raw: unknown): string | null {
  const match = /^(\d{1,2}(?:\.\d+)?)\s*%?$/.exec(cleanText(raw));
  return match ? Number(match[1]).toFixed(2) : null;
}

function readDates(row: RowReader, { kind, isMapped, readAt }: RowOptions, warnings: RowWarnings) {
  const optionalDate = (column: GepnicColumn) => warnings.optional(() => parseDate(column, row(column)))?.at ?? null;
  const stated = parseDate('Publish Date', row('Publish Date'));
  const closes = parseDate('Bid Submission End Date', row('Bid Submission End Date'));
  if (!closes) throw new InvalidValueError('Bid Submission End Date', '', 'the tender has no closing date');
  const closesAt = toClosingInstant(closes);
  // A list without publishing dates contains tenders that are public on the day on which it is read.
  const isUnstated = !stated && (kind !== undefined || isMapped) && readAt !== undefined;
  const published = isUnstated ? { at: earliest(startOfIndianDay(indianDay(readAt)), closesAt) } : stated;
  if (!published) throw new InvalidValueError('Publish Date', '', 'the tender has no publishing date');
  const bidStartAt = optionalDate('Bid Submission Start Date');
  const isSlip = closesAt < published.at;
  const publishedAt = isSlip ? earliest(published.at, readSaleStart(row), bidStartAt) : published.at;
  if (closesAt < publishedAt) {
    const reason = `closes before it is published (${cleanText(row('Publish Date'))})`;
    throw new InvalidValueError('Bid Submission End Date', cleanText(row('Bid Submission End Date')), reason);
  }
  return {
    remarks: isSlip
      ? [
          contradictionEntry(
            `Publishing date corrected: the portal says ${formatDateTime(published.at)}, after the closing`,
          ),
        ]
      : [],
    publishedAt,
    ...((isSlip || isUnstated) && { isPublishedInferred: true as const }),
    bidStartAt,
    closesAt,
    closingTimeKnown: closes.timeKnown,
    opensAt: optionalDate('Bid Opening Date'),
    preBidAt: optionalDate('Pre Bid Meeting Date'),
  };
}

/** Start of the sale. It is used only to derive other dates, so an unreadable one is ignored. */
function readSaleStart(row: RowReader): Date | null {
  try {
    return parseDate('', row('Document Download / Sale Start Date'))?.at ?? null;
  } catch {
    return null;
  }
}

/** 'Cover Documents' is a JSON list of [cover, '.pdf', name]; null for anything else. */
function readDocuments(raw: unknown): ListedDocument[] | null {
  let list: unknown;
  try {
    list = JSON.parse(String(raw));
  } catch {
    return null;
  }
  if (!Array.isArray(list)) return null;
  const depth = jsonDepth(list);
  if (depth > MAX_DEPTH) throw new InvalidValueError('Cover Documents', String(raw), `is a list nested ${depth} deep`);
  return list
    .filter((entry): entry is unknown[] => Array.isArray(entry))
    .map(([cover, type, name]) => ({
      cover: cleanText(cover),
      type: cleanText(type).replace(/^\./, '').toLowerCase(),
      name: cleanText(name),
    }));
}

/** In GePNIC a revocation moves an evaluation back by one stage; it does not cancel the tender. */
function readCorrigenda(row: RowReader): SourceTender['corrigenda'] {
  const type = optionalText(row('Corrigendum Type'));
  const title = optionalText(row('Corrigendum Title'));
  const revocation = optionalText(row('Revocation Title'));
  return [
    ...(revocation ? [{ title: revocation, type: REVOCATION_TYPE }] : []),
    ...(type || title ? [{ title: title ?? 'Corrigendum', type }] : []),
  ];
}

/** The stage. If the row states none, the tender is published and a stored stage is not changed. */
function readStage(row: RowReader): Pick<SourceTender, 'stage' | 'isStageUnstated'> {
  const stage = stageOf(row);
  const isUnstated = stage === 'published' && optionalText(row('Tender Stage')) === null;
  return { stage, ...(isUnstated && { isStageUnstated: true as const }) };
}

/** Only a statement about the tender itself cancels it. An award or a contract date takes precedence. */
function stageOf(row: RowReader): SourceTender['stage'] {
  const stage = cleanText(row('Tender Stage')).toLowerCase();
  const type = cleanText(row('Corrigendum Type')).toLowerCase();
  const isTakenBack = /(?:aoc|award|evaluation|opening).*(?:cancel|revo[ck])/.test(stage);
  if (!isTakenBack && (/aoc|award/.test(stage) || optionalText(row('Contract Date')))) return 'awarded';
  if (/re-?tender/.test(stage)) return 'retendered';
  if (isTakenBack) return 'under_evaluation';
  if (/cancel|discharg/.test(stage) || type === 'cancellation') return 'cancelled';
  if (/evaluation|opening|opened/.test(stage) || optionalText(row('Revocation Title'))) return 'under_evaluation';
  return 'published';
}
