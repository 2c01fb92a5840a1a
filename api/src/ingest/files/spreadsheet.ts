/** Reads the sheets of a workbook. */
import { readFile } from 'node:fs/promises';
import { MINUTE_MS } from '@nivida/contract/time';
import readWorkbook, { type CellValue } from 'read-excel-file/node';
import type { Entry } from 'yauzl';
import { UnreadableFileError } from '../source-tender.ts';
import { unknownTable } from './source-file.ts';
import type { TablesFilePart } from './table.ts';

/** Maximum size of a workbook, because it is read into memory. */
const MAX_WORKBOOK_BYTES = 400_000_000;

/** The sheets of a workbook. Throws UnreadableFileError. */
export async function readSpreadsheet(
  kind: 'xlsx' | 'ods',
  path: string,
  entries: readonly Entry[],
  _folder: string,
): Promise<TablesFilePart> {
  if (kind === 'ods') throw new UnreadableFileError('is an OpenDocument file: save it as .xlsx or CSV UTF-8');
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (bytes > MAX_WORKBOOK_BYTES)
    throw new UnreadableFileError(
      `is a workbook of more than ${MAX_WORKBOOK_BYTES / 1_000_000} MB: save its sheet as CSV UTF-8`,
    );
  const sheets = await readWorkbook(await readFile(path), { trim: false }).catch(() => {
    throw new UnreadableFileError('is a workbook that cannot be read: open it and save it again as .xlsx or CSV UTF-8');
  });
  const tables = sheets.map(({ sheet, data }) => {
    const rows = data.map((row) => row.map(cellText));
    return { name: sheet, first: rows.slice(0, 200), rows: () => rows };
  });
  return { name: null, tables, unknown: unknownTable() };
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
