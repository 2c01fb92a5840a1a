/**
 * Converts files of spreadsheets and portals to the plain form that the readers need: JSON, or CSV in UTF-8 with commas and
 * the header in its first row. A file that is already plain is read in place.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { parse as parseSample } from 'csv-parse/sync';
import { stringify } from 'csv-stringify';
import readWorkbook, { type CellValue } from 'read-excel-file/node';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { UnreadableFileError } from '../source-tender.ts';
import { firstBytes, formatOfHeader, openBytes, toUnreadable } from './source-file.ts';

const SAMPLE_BYTES = 65_536;
/** Lines that may stand above the header. */
const MAX_TITLE_LINES = 20;
/** Maximum size of a workbook, because it is read into memory. */
const MAX_WORKBOOK_BYTES = 400_000_000;
const MAX_UNPACKED_BYTES = 2_000_000_000;
const DELIMITERS = [',', ';', '\t', '|'];
const ARCHIVED_DATA = /\.(?:csv|tsv|txt|json|jsonl|xlsx)$/i;
const MINUTE_MS = 60_000;

const ZIP_MAGIC = Buffer.from('504b0304', 'hex');
/** Files that are not read, by their first bytes, and what to do. */
const FOREIGN_KINDS: readonly [magic: Buffer, advice: string][] = [
  [
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'is an old Excel workbook (.xls) or has a password: save it without a password as .xlsx or CSV UTF-8',
  ],
  [Buffer.from('%PDF-'), 'is a PDF: import the table that it was made from, as .xlsx or CSV UTF-8'],
  [Buffer.from('Rar!'), 'is a RAR archive: unpack it and import the file in it'],
  [Buffer.from('377abcaf271c', 'hex'), 'is a 7z archive: unpack it and import the file in it'],
];

type Charset = 'utf-8' | 'utf-16le' | 'utf-16be';

/** How a table separates its cells and rows, and how many rows stand above its header. */
interface Dialect {
  delimiter: string;
  record_delimiter: string[];
  titleLines: number;
}

/**
 * Calls `work` with the path of the file in its plain form, which is removed afterwards. Throws UnreadableFileError, which
 * says what the file is and what to do.
 */
export async function withPlainFile<T>(path: string, work: (plainPath: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-import-'));
  try {
    return await work(await toPlainFile(path, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function toPlainFile(path: string, folder: string): Promise<string> {
  const magic = await firstBytes(path, 8);
  const foreign = FOREIGN_KINDS.find(([bytes]) => magic.subarray(0, bytes.length).equals(bytes));
  if (foreign) throw new UnreadableFileError(foreign[1]);
  if (magic.subarray(0, ZIP_MAGIC.length).equals(ZIP_MAGIC)) return readZip(path, folder);
  const sample = await readSample(path);
  const charset = charsetOf(sample);
  const text = new TextDecoder(charset).decode(sample);
  if (/^\s*<(?:!doctype|html|head|meta|style|table|\?xml)/i.test(text))
    throw new UnreadableFileError(
      'is a web page or XML, also if its name says .xls or .csv: open it in a spreadsheet program and save it as .xlsx or CSV UTF-8',
    );
  const dialect = /^\s*[[{]/.test(text) ? undefined : findDialect(text);
  if (charset === 'utf-8' && !dialect) return path;
  const plain = join(folder, 'plain');
  const decoded = Readable.from(decode(await openBytes(path), charset));
  if (!dialect) await pipeline(decoded, createWriteStream(plain));
  else await writeTable(readTable(decoded, dialect), dialect.titleLines, plain);
  return plain;
}

/** The first bytes of the text. If the file is broken, the bytes before the error. */
async function readSample(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const stream = await openBytes(path);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= SAMPLE_BYTES) break;
    }
  } catch {
    // The reader will report the error.
  }
  return Buffer.concat(chunks).subarray(0, SAMPLE_BYTES);
}

/** The encoding by the byte order mark, else by the zero bytes of ASCII characters in UTF-16. */
function charsetOf(sample: Buffer): Charset {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const firstLine = sample.subarray(0, 200);
  const zeros = (offset: number) => firstLine.filter((byte, at) => byte === 0 && at % 2 === offset).length;
  const most = firstLine.length / 3;
  if (zeros(1) > most && zeros(0) === 0) return 'utf-16le';
  return zeros(0) > most && zeros(1) === 0 ? 'utf-16be' : 'utf-8';
}

/** The dialect of a table that is not plain; undefined for a plain or an unknown one. */
function findDialect(text: string): Dialect | undefined {
  // Old Mac programs end lines with a carriage return alone.
  const hasReturns = /^(?:"(?:[^"]|"")*"|[^"\r\n])*\r(?!\n)/.test(text);
  const record_delimiter = hasReturns ? ['\r'] : ['\r\n', '\n'];
  for (const delimiter of DELIMITERS) {
    const rows = firstRows(text, { delimiter, record_delimiter });
    const titleLines = rows.findIndex((row) => formatOfHeader(row) !== undefined);
    if (titleLines < 0) continue;
    const isPadded = rows[titleLines]?.at(-1)?.trim() === '';
    const isPlain = delimiter === ',' && !hasReturns && titleLines === 0 && !isPadded;
    return isPlain ? undefined : { delimiter, record_delimiter, titleLines };
  }
  return undefined;
}

/** The rows in which the header may be; none when the text has misplaced quotes. */
function firstRows(text: string, separators: Omit<Dialect, 'titleLines'>): string[][] {
  const options = { ...separators, bom: true, to: MAX_TITLE_LINES + 1, relax_column_count: true, relax_quotes: true };
  try {
    return parseSample(text, { ...options, skip_records_with_error: true }) as string[][];
  } catch {
    return [];
  }
}

async function* decode(input: Readable, charset: Charset): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset, { fatal: true });
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw toUnreadable(error);
  }
}

async function* readTable(input: Readable, { delimiter, record_delimiter }: Dialect): AsyncGenerator<string[]> {
  const rows = parse({ delimiter, record_delimiter, bom: true, relax_column_count: true });
  input.on('error', (error) => rows.destroy(error));
  try {
    yield* input.pipe(rows) as AsyncIterable<string[]>;
  } catch (error) {
    throw error instanceof UnreadableFileError
      ? error
      : new UnreadableFileError(`is not CSV: ${(error as Error).message}`);
  }
}

/**
 * Writes the table with its header first. Lines above the header are replaced by empty lines below it, so that the rows
 * keep their line numbers. Empty cells beyond the header are left out.
 */
async function writeTable(
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  titleLines: number,
  path: string,
): Promise<void> {
  await pipeline(
    async function* () {
      let skipped = 0;
      let columns = 0;
      for await (const row of rows)
        if (skipped < titleLines) skipped++;
        else if (columns === 0) {
          columns = row.findLastIndex((cell) => cell.trim() !== '') + 1;
          yield row.slice(0, columns);
          for (let line = 0; line < titleLines; line++) yield [''];
        } else yield row.slice(columns).some((cell) => cell.trim() !== '') ? row : row.slice(0, columns);
    },
    stringify(),
    createWriteStream(path),
  );
}

/** The workbook, or the one file with data in the archive. */
async function readZip(path: string, folder: string): Promise<string> {
  let zip: ZipFile;
  try {
    zip = await openPromise(path, { autoClose: false });
  } catch {
    throw new UnreadableFileError('is a damaged or truncated ZIP archive: fetch or save it again');
  }
  try {
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    const names = entries.map(({ fileName }) => fileName);
    const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    if (names.includes('xl/workbook.xml')) return await readWorkbookFile(path, bytes, folder);
    if (names.includes('content.xml'))
      throw new UnreadableFileError('is an OpenDocument file: save it as .xlsx or CSV UTF-8');
    const data = entries.filter(
      ({ fileName }) => ARCHIVED_DATA.test(fileName) && !/(?:^|\/)(?:\.|__MACOSX)/.test(fileName),
    );
    const [entry, second] = data;
    if (!entry) throw new UnreadableFileError('is an archive without a CSV, JSON or .xlsx file');
    if (second)
      throw new UnreadableFileError(
        `is an archive with ${data.length} files, like ${basename(entry.fileName)} and ${basename(second.fileName)}: unpack it and import them together`,
      );
    return await unpack(zip, entry, folder);
  } finally {
    zip.close();
  }
}

async function unpack(zip: ZipFile, entry: Entry, folder: string): Promise<string> {
  if (entry.isEncrypted())
    throw new UnreadableFileError('is an archive with a password: unpack it and import the file in it');
  if (entry.uncompressedSize > MAX_UNPACKED_BYTES)
    throw new UnreadableFileError(`holds a file of more than ${MAX_UNPACKED_BYTES / 1_000_000} MB: split it`);
  const unpacked = join(folder, 'unpacked');
  try {
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(unpacked));
  } catch {
    throw new UnreadableFileError('is a damaged or truncated ZIP archive: fetch or save it again');
  }
  if ((await stat(unpacked)).size === 0) throw new UnreadableFileError('is an archive with an empty file');
  const magic = await firstBytes(unpacked, ZIP_MAGIC.length);
  if (magic.equals(ZIP_MAGIC) && !/\.xlsx$/i.test(entry.fileName))
    throw new UnreadableFileError('is an archive in an archive: unpack it and import the file in it');
  return toPlainFile(unpacked, folder);
}

/** The first sheet of a workbook whose header is known, else its first sheet, as CSV. */
async function readWorkbookFile(path: string, bytes: number, folder: string): Promise<string> {
  if (bytes > MAX_WORKBOOK_BYTES)
    throw new UnreadableFileError(
      `is a workbook of more than ${MAX_WORKBOOK_BYTES / 1_000_000} MB: save its sheet as CSV UTF-8`,
    );
  const sheets = await readWorkbook(await readFile(path), { trim: false }).catch(() => {
    throw new UnreadableFileError('is a workbook that cannot be read: open it and save it again as .xlsx or CSV UTF-8');
  });
  const tables = sheets.map(({ data }) => data.map((row) => row.map(cellText)));
  const headerOf = (table: string[][]) =>
    table.slice(0, MAX_TITLE_LINES + 1).findIndex((row) => formatOfHeader(row) !== undefined);
  const table = tables.find((each) => headerOf(each) >= 0) ?? tables[0] ?? [];
  if (table.length === 0) throw new UnreadableFileError('is a workbook without rows');
  const plain = join(folder, 'sheet');
  await writeTable(table, Math.max(0, headerOf(table)), plain);
  return plain;
}

/** A date cell holds wall time; one without a time is written as a day. */
function cellText(value: CellValue | null): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (!(value instanceof Date)) return String(value);
  // Excel counts days as fractions, which miss the minute by some milliseconds.
  const text = new Date(Math.round(value.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
  return text.slice(11, 16) === '00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}
