/** Tables in text: their dialect, their rows, and the plain form in which the readers take them. */
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { parse as parseSample } from 'csv-parse/sync';
import { stringify } from 'csv-stringify';
import type { SourceColumns } from '../gepnic/source-cells.ts';
import type { StoredMapping } from '../mapping/mapped-table.ts';
import { UnreadableFileError } from '../source-tender.ts';
import { type KnownHeader, readHeader } from './known-header.ts';
import { openBytes, toUnreadable } from './source-file.ts';
import type { Charset, TableConverter } from './table.ts';

/** Lines that may stand above the header. */
export const MAX_TITLE_LINES = 20;
const DELIMITERS = [',', ';', '\t', '|'];

/** How a table separates its cells and rows. */
export interface Dialect {
  delimiter: string;
  record_delimiter: string[];
}

/** The header of a table and the number of rows above it. */
export interface FoundHeader {
  titleLines: number;
  names: readonly string[];
  known: KnownHeader;
}

/** The header among the first rows of a table; undefined for an unknown table. */
export function findHeader(
  rows: readonly (readonly string[])[],
  mappings: readonly StoredMapping[],
): FoundHeader | undefined {
  for (const [titleLines, names] of rows.slice(0, MAX_TITLE_LINES + 1).entries()) {
    const known = readHeader(names, mappings);
    if (known) return { titleLines, names, known };
  }
  return undefined;
}

/** The dialect of a text in which a header is known; undefined for an unknown table. */
export function findDialect(
  text: string,
  mappings: readonly StoredMapping[],
): (Dialect & { header: FoundHeader; isPlain: boolean }) | undefined {
  const record_delimiter = recordDelimiters(text);
  for (const delimiter of DELIMITERS) {
    const header = findHeader(sampleRows(text, { delimiter, record_delimiter }, MAX_TITLE_LINES + 1), mappings);
    if (!header) continue;
    const isPadded = header.names.at(-1)?.trim() === '';
    const isPlain =
      delimiter === ',' &&
      record_delimiter.length > 1 &&
      header.titleLines === 0 &&
      !isPadded &&
      !header.known.converter;
    return { delimiter, record_delimiter, header, isPlain };
  }
  return undefined;
}

/** The dialect of a text without a known header: the one with the most cells in the first rows. */
export function guessDialect(text: string): Dialect {
  const record_delimiter = recordDelimiters(text);
  const cells = (delimiter: string) =>
    sampleRows(text, { delimiter, record_delimiter }, MAX_TITLE_LINES).reduce((sum, row) => sum + row.length, 0);
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: cells(delimiter) }));
  const [best] = counts.sort((one, other) => other.count - one.count);
  return { delimiter: best?.delimiter ?? ',', record_delimiter };
}

/** Old Mac programs end lines with a carriage return alone. */
const recordDelimiters = (text: string): string[] =>
  /^(?:"(?:[^"]|"")*"|[^"\r\n])*\r(?!\n)/.test(text) ? ['\r'] : ['\r\n', '\n'];

/** The first rows; none when the text has misplaced quotes. */
export function sampleRows(text: string, dialect: Dialect, to: number): string[][] {
  const options = { ...dialect, bom: true, to, relax_column_count: true, relax_quotes: true };
  try {
    return parseSample(text, { ...options, skip_records_with_error: true }) as string[][];
  } catch {
    return [];
  }
}

/** The text of encoded bytes. Throws UnreadableFileError. */
export async function* decode(input: Readable, charset: Charset): AsyncGenerator<string> {
  const decoder = new TextDecoder(charset, { fatal: true });
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw toUnreadable(error);
  }
}

/** The whole text of a file of at most `maxBytes`. Throws UnreadableFileError. */
export async function readText(path: string, charset: Charset, maxBytes: number): Promise<string> {
  let text = '';
  for await (const piece of decode(await openBytes(path), charset)) {
    text += piece;
    if (text.length > maxBytes)
      throw new UnreadableFileError(`is a page or list of more than ${maxBytes / 1_000_000} MB`);
  }
  return text;
}

/** The rows of a text. Throws UnreadableFileError. */
export async function* readTable(input: Readable, { delimiter, record_delimiter }: Dialect): AsyncGenerator<string[]> {
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

/** Name of the last column of a converted table. */
const CELLS_COLUMN = 'Cells';

/** How a table is written. The cells of `sourceColumns` are added to the rows that a converter makes, as JSON. */
export type PlainTableOptions = { titleLines: number } & (
  | { converter: TableConverter; sourceColumns: SourceColumns }
  | { converter?: undefined; sourceColumns?: undefined }
);

/**
 * Writes the table with its header first. Lines above the header are replaced by empty lines below it, and rows that are no
 * tenders by empty lines, so that the rows keep their line numbers. Empty cells beyond the header are left out.
 */
export async function writeTable(
  rows: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
  { titleLines, converter, sourceColumns }: PlainTableOptions,
  path: string,
): Promise<void> {
  await pipeline(
    async function* () {
      let skipped = 0;
      let columns = 0;
      for await (const row of rows)
        if (skipped < titleLines) skipped++;
        else if (columns === 0) {
          columns = Math.max(1, row.findLastIndex((cell) => cell.trim() !== '') + 1);
          yield converter ? [...converter.header, CELLS_COLUMN] : row.slice(0, columns);
          for (let line = 0; line < titleLines; line++) yield [''];
        } else if (converter) {
          const cells = converter.convert(row);
          yield cells ? [...cells, sourceColumns.cellsOf(row)] : [''];
        } else yield row.slice(columns).some((cell) => cell.trim() !== '') ? row : row.slice(0, columns);
    },
    stringify(),
    createWriteStream(path),
  );
}
