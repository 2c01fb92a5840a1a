/**
 * Converts files of spreadsheets and portals to the plain form that the readers need: JSON, or CSV in UTF-8 with commas and
 * the header in its first row. A file that is already plain is read in place.
 */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SourceColumns } from '../gepnic/source-cells.ts';
import { headerDifference, type StoredMapping } from '../mapping/mapped-table.ts';
import { HeldBackFileError } from '../source-tender.ts';
import { openParts, type Part } from './file-parts.ts';
import { guessHeader } from './guess-header.ts';
import type { TableFormat } from './known-header.ts';
import { openBytes } from './source-file.ts';
import type { SourceTable, TextFilePart } from './table.ts';
import {
  decode,
  type FoundHeader,
  findDialect,
  findHeader,
  guessDialect,
  type PlainTableOptions,
  readTable,
  sampleRows,
  writeTable,
} from './text-table.ts';

/** A file in its plain form. */
export interface PlainFile {
  path: string;
  /** Its name in the archive; null when the file is not in one. */
  name: string | null;
  /** Undefined when the header is not known, and for JSON. */
  format: TableFormat | undefined;
  /** Set for a converted table, whose last column has the cells of these columns as JSON. */
  sourceColumns: SourceColumns | undefined;
  /** The saved mapping by which it is read. */
  mapping: StoredMapping | undefined;
  /** The portal of the address from which a page was saved. */
  portal: string | undefined;
  /** Sentences for the operator, such as which sheet is read. */
  notes: string[];
}

/**
 * Calls `work` with the plain forms of the file, which are removed afterwards: several for an archive with several files.
 * `mappings` are those of its portal, the newest first. Throws UnreadableFileError, which says what the file is and what to
 * do, and HeldBackFileError for a table with other columns than the portal's mappings.
 */
export async function withPlainFiles<T>(
  path: string,
  mappings: readonly StoredMapping[],
  work: (files: PlainFile[]) => Promise<T>,
): Promise<T> {
  return withParts(path, async (parts, folder) => {
    const files: PlainFile[] = [];
    for (const [n, part] of parts.entries()) files.push(await toPlainFile(part, join(folder, `plain-${n}`), mappings));
    return work(files);
  });
}

/** Calls `work` with the parts of a file and the folder of their temporary files, which is removed afterwards. */
export async function withParts<T>(path: string, work: (parts: Part[], folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-import-'));
  try {
    return await work(await openParts(path, folder), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toPlainFile(part: Part, path: string, mappings: readonly StoredMapping[]): Promise<PlainFile> {
  return 'tables' in part ? tablesToPlain(part, path, mappings) : textToPlain(part, path, mappings);
}

async function textToPlain(part: TextFilePart, path: string, mappings: readonly StoredMapping[]): Promise<PlainFile> {
  const { name, charset } = part;
  const dialect = part.isJson ? undefined : findDialect(part.sample, mappings);
  const { mapping, format } = dialect?.header.known ?? {};
  const found = { name, format, mapping, sourceColumns: undefined, portal: undefined, notes: [] };
  if (!dialect && !part.isJson && mappings.length > 0) {
    const rows = sampleRows(part.sample, guessDialect(part.sample), 40);
    throw otherColumns(mappings, guessHeader(rows).names);
  }
  if (charset === 'utf-8' && (!dialect || dialect.isPlain)) return { ...found, path: part.path };
  const decoded = Readable.from(decode(await openBytes(part.path), charset));
  if (!dialect) await pipeline(decoded, createWriteStream(path));
  else {
    const options = toWriteOptions(dialect.header);
    await writeTable(readTable(decoded, dialect), options, path);
    return { ...found, sourceColumns: options.sourceColumns, path };
  }
  return { ...found, path };
}

const toWriteOptions = ({ titleLines, names, known: { converter } }: FoundHeader): PlainTableOptions =>
  converter ? { titleLines, converter, sourceColumns: new SourceColumns(names, converter.roles) } : { titleLines };

async function tablesToPlain(
  { name, tables, portal, unknown }: Extract<Part, { tables: SourceTable[] }>,
  path: string,
  mappings: readonly StoredMapping[],
): Promise<PlainFile> {
  const found = tables.flatMap((table) => {
    const header = findHeader(table.first, mappings);
    return header ? { table, header } : [];
  });
  if (found.length === 0 && mappings.length > 0)
    throw otherColumns(mappings, guessHeader((tables[0] as SourceTable).first).names);
  if (found.length === 0) throw unknown;
  const best = found.reduce((one, other) => (other.header.known.columns > one.header.known.columns ? other : one));
  // Several lists of one page are read together.
  const same = found.filter(
    ({ table, header }) => table.isPiece && best.table.isPiece && isSameHeader(header, best.header),
  );
  const options = toWriteOptions({ ...best.header, titleLines: 0 });
  await writeTable(joinTables(same.length > 1 ? same : [best]), options, path);
  const notes =
    tables.length > 1 && best.table.name !== null && same.length <= 1
      ? [`sheet "${best.table.name}" is read, the one with the most known columns; ${tables.length - 1} other not`]
      : [];
  const { format, mapping } = best.header.known;
  return { path, name, format, mapping, sourceColumns: options.sourceColumns, portal, notes };
}

const isSameHeader = (one: FoundHeader, other: FoundHeader): boolean =>
  one.names.length === other.names.length && one.names.every((name, n) => name.trim() === other.names[n]?.trim());

/** The header of the first table, empty rows for the lines above it, and the rows of all tables. */
async function* joinTables(found: { table: SourceTable; header: FoundHeader }[]): AsyncGenerator<readonly string[]> {
  for (const [n, { table, header }] of found.entries()) {
    let line = 0;
    for await (const row of table.rows()) {
      const isHeader = line === header.titleLines;
      if (line >= header.titleLines && !(isHeader && n > 0)) yield row;
      if (isHeader && n === 0) for (let above = 0; above < header.titleLines; above++) yield [''];
      line++;
    }
  }
}

/** The error for a table that no mapping of its portal fits. */
function otherColumns([newest]: readonly StoredMapping[], header: readonly string[]): HeldBackFileError {
  if (!newest) throw new Error('no mapping');
  const { portal, version, columns } = newest;
  return new HeldBackFileError(
    `${headerDifference(columns, header)}, unlike the mapping of ${portal} (version ${version}), so nothing was imported: ` +
      `describe the file and save a mapping for these columns`,
    'columns',
  );
}
