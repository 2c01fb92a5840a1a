/** Reads the sheets of a workbook in a process of its own, which has limits and reads nothing but the file and its own program. */
import { spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createRequire, findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
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

const READER = join(import.meta.dirname, `read-spreadsheet.${import.meta.filename.endsWith('.ts') ? 'ts' : 'js'}`);

/**
 * What Node lets the reader of a workbook do: read the workbook, the program and its modules, write into `folder`. The
 * modules are in the folders in which Node looks for them.
 */
export function readerLimits(path: string, folder: string): string[] {
  const moduleFolders = (createRequire(READER).resolve.paths('yauzl') ?? []).filter((each) => existsSync(each));
  const readable = [path, READER, findPackageJSON(pathToFileURL(READER)) ?? READER, ...moduleFolders];
  return [
    ...[`--max-old-space-size=${MAX_HEAP_MB}`, '--permission', '--allow-worker', `--allow-fs-write=${folder}`],
    ...readable.map((each) => `--allow-fs-read=${each}`),
  ];
}

async function runReader(
  kind: string,
  path: string,
  folder: string,
  maxSeconds: number,
): Promise<SpreadsheetAnswer | { refused: 'time' }> {
  const child = spawn(process.execPath, [...readerLimits(path, folder), READER, kind, path, folder], {
    // No setting of this process, such as a secret, is passed on.
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: maxSeconds * 1_000,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<NodeJS.Signals | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', (_code, signal) => done(signal));
  });
  const [output, signal] = await Promise.all([text(child.stdout), ended]);
  if (signal === 'SIGKILL') return { refused: 'time' };
  // A heap that is full ends the process without an answer.
  return output === '' ? { refused: 'memory' } : (JSON.parse(output) as SpreadsheetAnswer);
}

async function* readRows(path: string): AsyncGenerator<string[]> {
  const input = createReadStream(path);
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) yield JSON.parse(line);
  } finally {
    input.destroy();
  }
}
