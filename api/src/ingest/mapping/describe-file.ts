/** Says what tables a file holds and what their columns may mean. */

import { Readable } from 'node:stream';
import type { FileDescription } from '@nivida/contract/desk/mapping';
import type { Part } from '../files/file-parts.ts';
import { guessHeader } from '../files/guess-header.ts';
import { type KnownHeader, readHeader } from '../files/known-header.ts';
import { withParts } from '../files/plain-file.ts';
import { openBytes } from '../files/source-file.ts';
import type { SourceTable, TextFilePart } from '../files/table.ts';
import { decode, findDialect, findHeader, guessDialect, readTable } from '../files/text-table.ts';
import { UnreadableFileError } from '../source-tender.ts';
import { guessColumns } from './column-guesses.ts';
import { type StoredMapping, withoutPadding } from './mapped-table.ts';

/** Rows below the header whose values are looked at. */
const LOOKED_AT_ROWS = 200;

/** JSON has no columns. */
const JSON_DESCRIPTION: FileDescription = {
  table: null,
  other_tables: [],
  header_line: 1,
  columns: [],
  format: 'ocds',
  mapping: null,
};

interface DescribedTable {
  name: string | null;
  titleLines: number;
  names: readonly string[];
  known: KnownHeader | undefined;
  rows: readonly (readonly string[])[];
}

/** Describes the table of a file that an import would read. `mappings` are those of its portal. Throws UnreadableFileError. */
export function describeFile(path: string, mappings: readonly StoredMapping[]): Promise<FileDescription> {
  return withParts(path, async (parts) => {
    if (parts.every((part) => 'isJson' in part && part.isJson)) return JSON_DESCRIPTION;
    const tables: DescribedTable[] = [];
    for (const part of parts) tables.push(...(await describePart(part, mappings)));
    const [first] = tables;
    if (!first) throw new UnreadableFileError('holds no table');
    const best = tables.reduce((one, other) => (widthOf(other) > widthOf(one) ? other : one), first);
    const mapping = best.known?.mapping;
    const names = withoutPadding(best.names);
    return {
      table: best.name,
      other_tables: tables.flatMap((table) => (table === best || table.name === null ? [] : table.name)),
      header_line: best.titleLines + 1,
      columns: guessColumns(
        names.map((column, n) => ({ column: column.trim(), values: best.rows.map((row) => row[n] ?? '') })),
      ),
      format: mapping ? null : (best.known?.format ?? null),
      mapping: mapping ? { portal: mapping.portal, version: mapping.version } : null,
    };
  });
}

/** A known table comes before any other, then the widest with rows. */
const widthOf = ({ known, names, rows }: DescribedTable): number =>
  (known ? 1_000 + known.columns : 0) + (rows.length > 0 ? withoutPadding(names).length : 0);

async function describePart(part: Part, mappings: readonly StoredMapping[]): Promise<DescribedTable[]> {
  if ('tables' in part) return part.tables.map((table) => describeTable(table, mappings));
  if (part.isJson) return [];
  const rows = await firstRows(part, mappings);
  return [{ ...describeTable({ name: part.name, first: rows }, mappings), name: part.name }];
}

function describeTable(
  { name, first }: Pick<SourceTable, 'name' | 'first'>,
  mappings: readonly StoredMapping[],
): DescribedTable {
  const { titleLines, names } = findHeader(first, mappings) ?? guessHeader(first);
  return { name, titleLines, names, known: readHeader(names, mappings), rows: first.slice(titleLines + 1) };
}

async function firstRows(part: TextFilePart, mappings: readonly StoredMapping[]): Promise<string[][]> {
  const dialect = findDialect(part.sample, mappings) ?? guessDialect(part.sample);
  const rows: string[][] = [];
  const text = Readable.from(decode(await openBytes(part.path), part.charset));
  for await (const row of readTable(text, dialect)) {
    rows.push(row);
    if (rows.length >= LOOKED_AT_ROWS) break;
  }
  text.destroy();
  return rows;
}
