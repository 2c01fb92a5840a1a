/**
 * `read-spreadsheet.js KIND FILE FOLDER`: a program of its own that reads a workbook (`xlsx` or `ods`) within limits. It
 * writes each sheet into FOLDER, one JSON list of texts a line, and the names of the sheets to stdout.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import readWorkbook, { type CellValue } from 'read-excel-file/node';
import { Parser } from 'saxen';
import { openPromise, type ZipFile } from 'yauzl';

/** What the program prints: the sheets in their order, or why the workbook is not read. */
export type SpreadsheetAnswer = { sheets: string[] } | { refused: SpreadsheetRefusal };
export type SpreadsheetRefusal = 'size' | 'cells' | 'memory' | 'password' | 'damaged';

const MAX_UNPACKED_BYTES = 250_000_000;
const MAX_CELLS = 5_000_000;
const MAX_ROWS = 400_000;
const MAX_COLUMNS = 1_000;
/** Buffers are not in the heap that the start of this program limits. */
const MAX_MEMORY_BYTES = 2_000_000_000;
const MINUTE_MS = 60_000;

class Refusal extends Error {
  readonly reason: SpreadsheetRefusal;

  // Node runs this file as it is in tests, and takes no properties as parameters.
  constructor(reason: SpreadsheetRefusal) {
    super(reason);
    this.reason = reason;
  }
}

type Sheet = { name: string; rows: Iterable<readonly string[]> };

async function run(kind: string, path: string, folder: string): Promise<SpreadsheetAnswer> {
  const zip = await openPromise(path, { autoClose: false });
  const content = await checkEntries(zip, kind).finally(() => zip.close());
  const sheets = kind === 'ods' ? readOpenDocument(content) : await readExcel(path);
  let cells = 0;
  for (const [n, { rows }] of sheets.entries()) {
    const file = openSync(join(folder, `sheet-${n}.jsonl`), 'wx');
    let count = 0;
    for (const row of rows) {
      cells += row.length;
      if (cells > MAX_CELLS || ++count > MAX_ROWS) throw new Refusal('cells');
      writeSync(file, `${JSON.stringify(row)}\n`);
    }
    closeSync(file);
  }
  return { sheets: sheets.map(({ name }) => name) };
}

/** Unpacks every entry once, because the directory of an archive may state wrong sizes. Returns the content of an OpenDocument file. */
async function checkEntries(zip: ZipFile, kind: string): Promise<string> {
  let bytes = 0;
  let content = '';
  for await (const entry of zip.eachEntry()) {
    if (entry.isEncrypted()) throw new Refusal('password');
    if (bytes + entry.uncompressedSize > MAX_UNPACKED_BYTES) throw new Refusal('size');
    // It fails when the entry is larger than its directory says.
    const stream = await zip.openReadStreamPromise(entry);
    const isKept = kind === 'ods' && /^(?:content\.xml|META-INF\/manifest\.xml)$/.test(entry.fileName);
    bytes += entry.uncompressedSize;
    if (!isKept) {
      await pipeline(stream, new Writable({ write: (_chunk, _encoding, done) => done() }));
      continue;
    }
    const text = (await buffer(stream)).toString();
    if (entry.fileName === 'content.xml') content = text;
    else if (text.includes('encryption-data')) throw new Refusal('password');
  }
  return content;
}

async function readExcel(path: string): Promise<Sheet[]> {
  const sheets = await readWorkbook(path, { trim: false });
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: textRows(data) }));
}

function* textRows(rows: readonly (readonly (CellValue | null)[])[]): Generator<string[]> {
  for (const row of rows) yield row.map(cellText);
}

/** A date cell holds wall time; one without a time is written as a day, and a time without a day as an hour. */
function cellText(value: CellValue | null): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (!(value instanceof Date)) return String(value);
  // Excel counts days as fractions, which miss the minute by some milliseconds.
  const text = new Date(Math.round(value.getTime() / MINUTE_MS) * MINUTE_MS).toISOString();
  const [day, hour] = [text.slice(0, 10), text.slice(11, 16)];
  if (value.getUTCFullYear() < 1905) return hour;
  return hour === '00:00' ? day : `${day} ${hour}`;
}

/** The cell of an OpenDocument table while it is read. */
interface OpenCell {
  value: string | undefined;
  text: string[];
  repeated: number;
}

const count = (text: string | undefined): number => Math.max(1, Math.min(Number(text ?? 1) || 1, 20_000_000));

/** The sheets of an OpenDocument file. Empty cells and rows at the ends are left out, however often they repeat. */
function readOpenDocument(content: string): Sheet[] {
  const sheets: { name: string; rows: string[][] }[] = [];
  let cells = 0;
  let row: string[] = [];
  let emptyCells = 0;
  let emptyRows = 0;
  let rowRepeats = 1;
  let cell: OpenCell | undefined;
  let depth = 0;
  let notes = 0;
  const parser = new Parser();
  parser.on('openTag', (name, getAttributes, decode) => {
    const attributes = getAttributes();
    const attribute = (key: string) => (attributes[key] === undefined ? undefined : decode(String(attributes[key])));
    if (name === 'table:table' && ++depth === 1) {
      sheets.push({ name: attribute('table:name') ?? '', rows: [] });
      emptyRows = 0;
    } else if (name === 'table:table-row' && depth === 1) {
      row = [];
      emptyCells = 0;
      rowRepeats = count(attribute('table:number-rows-repeated'));
    } else if ((name === 'table:table-cell' || name === 'table:covered-table-cell') && depth === 1)
      cell = {
        value: cellValue(attribute),
        text: [],
        repeated: count(attribute('table:number-columns-repeated')),
      };
    else if (name === 'office:annotation') notes++;
    else if (cell && name === 'text:p' && notes === 0) cell.text.push('');
    else if (cell && (name === 'text:s' || name === 'text:tab' || name === 'text:line-break')) addText(' ');
  });
  const addText = (text: string) => {
    if (cell && notes === 0 && cell.text.length > 0) cell.text.push((cell.text.pop() ?? '') + text);
  };
  parser.on('text', (text, decode) => addText(decode(text)));
  parser.on('cdata', (text) => addText(text));
  parser.on('closeTag', (name) => {
    if (name === 'office:annotation') notes--;
    else if (name === 'table:table') depth--;
    else if (cell && depth === 1 && /^table:(?:covered-)?table-cell$/.test(name)) {
      const text = cell.value ?? cell.text.join('\n');
      if (text === '') emptyCells += cell.repeated;
      else {
        if (row.length + emptyCells + cell.repeated > MAX_COLUMNS) throw new Refusal('cells');
        row.push(...Array(emptyCells).fill(''), ...Array(cell.repeated).fill(text));
        emptyCells = 0;
      }
      cell = undefined;
    } else if (name === 'table:table-row' && depth === 1) {
      if (row.length === 0) {
        emptyRows += rowRepeats;
        return;
      }
      const { rows } = sheets.at(-1) as { rows: string[][] };
      cells += row.length * rowRepeats + emptyRows;
      if (cells > MAX_CELLS || rows.length + emptyRows + rowRepeats > MAX_ROWS) throw new Refusal('cells');
      for (; emptyRows > 0; emptyRows--) rows.push(['']);
      for (let n = 0; n < rowRepeats; n++) rows.push(row);
    }
  });
  parser.on('error', () => {
    throw new Refusal('damaged');
  });
  parser.parse(content);
  if (sheets.length === 0) throw new Refusal('damaged');
  return sheets;
}

/** The value of a cell whose type is not text, as a reader writes it; undefined for a text. */
function cellValue(attribute: (key: string) => string | undefined): string | undefined {
  switch (attribute('office:value-type')) {
    case 'float':
    case 'currency':
      return attribute('office:value');
    case 'percentage':
      return `${Number(((Number(attribute('office:value')) || 0) * 100).toFixed(6))}%`;
    case 'boolean':
      return attribute('office:boolean-value') === 'true' ? 'Yes' : 'No';
    case 'date':
      return attribute('office:date-value')?.slice(0, 16).replace('T00:00', '').replace('T', ' ');
    case 'time': {
      const [, hours = '0', minutes = '0'] = /^PT(\d+)H(\d+)M/.exec(attribute('office:time-value') ?? '') ?? [];
      return `${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
    }
    default:
      return undefined;
  }
}

const watch = setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) answer({ refused: 'memory' });
}, 50);

function answer(found: SpreadsheetAnswer): never {
  clearInterval(watch);
  writeSync(1, JSON.stringify(found));
  process.exit();
}

const [kind = '', path = '', folder = ''] = process.argv.slice(2);
try {
  answer(await run(kind, path, folder));
} catch (error) {
  answer({ refused: error instanceof Refusal ? error.reason : 'damaged' });
}
