/** Reads the sheets of a workbook in a process of its own, which has limits and reads nothing but the file and its own program. */
import { createReadStream } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type ProgramLimits, programFile, runLimitedProgram } from '../../base/limited-program.ts';
import { UnreadableFileError } from '../source-tender.ts';
import type { SpreadsheetAnswer, SpreadsheetRefusal } from './read-spreadsheet.ts';
import { unknownTable } from './source-file.ts';
import type { SourceTable, TablesFilePart } from './table.ts';

const MAX_SECONDS = 120;
const MAX_HEAP_MB = 1_500;
const FIRST_ROWS = 200;

const REFUSALS: Record<SpreadsheetRefusal | 'time', string> = {
  size: 'is a workbook that unpacks to more than 250 MB: save its sheet as CSV UTF-8',
  cells: 'is a workbook with more than 5,000,000 cells, 400,000 rows or 1,000 columns: save its sheet as CSV UTF-8',
  memory: 'is a workbook that needs too much memory: save its sheet as CSV UTF-8',
  time: `is a workbook that takes more than ${MAX_SECONDS} seconds to read: save its sheet as CSV UTF-8`,
  password: 'has a password: save it without a password',
  damaged: 'is a workbook that cannot be read: open it and save it again as .xlsx or CSV UTF-8',
};

/** The sheets of a workbook. Throws UnreadableFileError. */
export async function readSpreadsheet(
  kind: 'xlsx' | 'ods',
  path: string,
  folder: string,
  maxSeconds = MAX_SECONDS,
): Promise<TablesFilePart> {
  const sheetFolder = await mkdtemp(join(folder, 'sheets-'));
  const answer = await runReader(kind, path, sheetFolder, maxSeconds);
  if ('refused' in answer) throw new UnreadableFileError(REFUSALS[answer.refused]);
  const tables: SourceTable[] = [];
  for (const [n, name] of answer.sheets.entries()) {
    const rows = () => readRows(join(sheetFolder, `sheet-${n}.jsonl`));
    const first: string[][] = [];
    for await (const row of rows()) {
      first.push(row);
      if (first.length >= FIRST_ROWS) break;
    }
    if (first.length > 0) tables.push({ name, first, rows });
  }
  if (tables.length === 0) throw new UnreadableFileError('is a workbook without rows');
  return { name: null, tables, unknown: unknownTable() };
}

export const READER = programFile(import.meta, 'read-spreadsheet');

/** The reader reads the workbook and writes into `folder`. */
export const readerLimits = (path: string, folder: string, seconds = MAX_SECONDS): ProgramLimits => ({
  seconds,
  heapMb: MAX_HEAP_MB,
  readable: [path],
  writable: [folder],
  allowWorker: true,
});

async function runReader(
  kind: string,
  path: string,
  folder: string,
  maxSeconds: number,
): Promise<SpreadsheetAnswer | { refused: 'time' | 'memory' }> {
  const end = await runLimitedProgram(READER, [kind, path, folder], readerLimits(path, folder, maxSeconds));
  if ('answer' in end) return JSON.parse(end.answer) as SpreadsheetAnswer;
  return { refused: end.exceeded === 'time' ? 'time' : 'memory' };
}

async function* readRows(path: string): AsyncGenerator<string[]> {
  const input = createReadStream(path);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield JSON.parse(line);
  } finally {
    input.destroy();
  }
}
