import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { ZipFile } from 'yazl';
import { permissions } from '../../base/limited-program.ts';
import { withPlainFiles } from './plain-file.ts';
import { openSource } from './source-file.ts';
import { READER, readerLimits, readSpreadsheet } from './spreadsheet.ts';

let folder: string;
let written = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-spreadsheet-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function zipOf(...files: [name: string, content: Buffer | string][]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

async function save(content: Buffer): Promise<string> {
  const path = join(folder, `book-${written++}`);
  await writeFile(path, content);
  return path;
}

/** The plain form of a workbook with its notes, or the sentence that refuses it. */
const read = async (content: Buffer) =>
  withPlainFiles(await save(content), [], async ([plain]) => ({
    lines: String(await buffer(await openSource(plain?.path ?? ''))).split('\n'),
    notes: plain?.notes,
  })).catch((error: Error) => error.message);

const HEADER = 'Tender ID,Title,Organisation Chain,Publish Date,Bid Submission End Date,Tender Value in ₹';
const ROW = 'A1,Road,PWD,2026-11-05,2026-11-20 15:00,4500.5';

const cell = (text: string, type = '', attributes = '') =>
  `<table:table-cell office:value-type="${type || 'string'}" ${attributes}>${text === '' ? '' : `<text:p>${text}</text:p>`}</table:table-cell>`;
const row = (cells: string, attributes = '') => `<table:table-row ${attributes}>${cells}</table:table-row>`;
const sheet = (name: string, rows: string) => `<table:table table:name="${name}">${rows}</table:table>`;
const names = row(
  HEADER.split(',')
    .map((name) => cell(name))
    .join(''),
);
const values = row(
  [
    cell('A1'),
    `<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>Road</text:p></table:table-cell>`,
    cell('PWD'),
    cell('5. 11.', 'date', 'office:date-value="2026-11-05"'),
    cell('20. 11. 15 h', 'date', 'office:date-value="2026-11-20T15:00:00"'),
    cell('4.500,50', 'currency', 'office:value="4500.5"'),
    '<table:table-cell table:number-columns-repeated="16378"/>',
  ].join(''),
);
const endless = row(
  '<table:table-cell table:number-columns-repeated="16384"/>',
  'table:number-rows-repeated="1048576"',
);
const content = (...sheets: string[]) =>
  `<?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>${sheets.join('')}</office:spreadsheet></office:body></office:document-content>`;
const ods = (...sheets: string[]) =>
  zipOf(['mimetype', 'application/vnd.oasis.opendocument.spreadsheet'], ['content.xml', content(...sheets)]);

test('an OpenDocument file is read: values instead of shown texts, without notes, empty rows and columns', async () => {
  expect(await read(await ods(sheet('Tenders', names + values + endless)))).toEqual({
    lines: [HEADER, ROW, ''],
    notes: [],
  });
});

test('of several sheets the one with the most known columns is read, below its merged title', async () => {
  const title = row(
    `<table:table-cell table:number-columns-spanned="6"><text:p>All tenders</text:p></table:table-cell><table:covered-table-cell table:number-columns-repeated="5"/>`,
  );
  const other = sheet('Help', row(cell('Tender ID') + cell('means the number')));
  expect(await read(await ods(other, sheet('November', title + names + values)))).toEqual({
    lines: [HEADER, '', ROW, ''],
    notes: ['sheet "November" is read, the one with the most known columns; 1 other not'],
  });
});

const workbook = async (rows: unknown[][]) =>
  (await writeWorkbook(
    rows.map((cells) =>
      cells.map((value) => ({ value, ...(value instanceof Date && { format: 'dd/mm/yyyy hh:mm' }) })),
    ) as never,
  ).toBuffer()) as Buffer;
const dated = () =>
  workbook([
    HEADER.split(','),
    ['A1', 'Road', 'PWD', new Date(Date.UTC(2026, 10, 5)), new Date(Date.UTC(2026, 10, 20, 15)), 4500.5],
  ]);

/** A workbook as Excel writes it, from the XML of its sheet. */
const excel = (sheetRows: string, properties = '', ...more: [string, string][]) =>
  zipOf(
    ['[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'],
    [
      'xl/workbook.xml',
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">${properties}<sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    ],
    [
      'xl/styles.xml',
      '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
    ],
    [
      'xl/worksheets/sheet1.xml',
      `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${sheetRows}</sheetData></worksheet>`,
    ],
    ...more,
  );
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const excelHeader = `<row r="1">${HEADER.split(',')
  .map((name, n) => text(`${'ABCDEF'[n]}1`, name))
  .join('')}</row>`;
const excelRow = (shift: number) =>
  `<row r="2">${text('A2', 'A1')}${text('B2', 'Road')}${text('C2', 'PWD')}<c r="D2" s="1"><v>${46331 - shift}</v></c><c r="E2" s="1"><v>${46346.625 - shift}</v></c><c r="F2"><f>SUM(A9:A10)</f><v>4500.5</v></c></row>`;

test.each<[string, () => Promise<Buffer>]>([
  ['dates of a workbook', dated],
  ['serial numbers and the stored value of a formula', () => excel(excelHeader + excelRow(0))],
  ['days that count from 1904', () => excel(excelHeader + excelRow(1_462), '<workbookPr date1904="1"/>')],
  ['a workbook with macros, which are not run', () => excel(excelHeader + excelRow(0), '', ['xl/vbaProject.bin', 'x'])],
])('%s are read', async (_name, make) => {
  expect(await read(await make())).toMatchObject({ lines: [HEADER, ROW, ''] });
});

test('an archive with a workbook and a list is read file by file', async () => {
  const file = await save(
    await zipOf(
      ['one.xlsx', await dated()],
      ['two.ods', await ods(sheet('A', names + values))],
      ['three.csv', `${HEADER}\n${ROW}\n`],
    ),
  );
  expect(await withPlainFiles(file, [], async (files) => files.map(({ name, format }) => [name, format]))).toEqual([
    ['one.xlsx', 'gepnic'],
    ['two.ods', 'gepnic'],
    ['three.csv', 'gepnic'],
  ]);
});

test.each<[string, () => Promise<Buffer>, RegExp]>([
  [
    'rows that repeat without end',
    () => ods(sheet('A', names + row(cell('A1'), 'table:number-rows-repeated="9000000"'))),
    /^is a workbook with more than 5,000,000 cells/,
  ],
  [
    'columns that repeat without end',
    () => ods(sheet('A', row(cell('A1', '', 'table:number-columns-repeated="9000000"')))),
    /^is a workbook with more than 5,000,000 cells/,
  ],
  [
    'a password',
    () => zipOf(['META-INF/manifest.xml', '<manifest:encryption-data/>'], ['content.xml', 'x']),
    /^has a password/,
  ],
  [
    'a broken table',
    () => zipOf(['content.xml', '<office:document-content><table:table']),
    /^is a workbook that cannot be read/,
  ],
])('%s is refused', async (_name, make, sentence) => {
  expect(await read(await make())).toMatch(sentence);
});

/** An archive whose directory states `size` for its only entry. */
async function withStatedSize(size: number): Promise<Buffer> {
  const bytes = await zipOf(['content.xml', Buffer.alloc(100_000, 'x')]);
  const entry = bytes.lastIndexOf(Buffer.from('504b0102', 'hex'));
  bytes.writeUInt32LE(size, entry + 24);
  return bytes;
}

test('a ZIP bomb is refused, also one whose directory states a smaller size', async () => {
  expect(await read(await withStatedSize(260_000_000))).toMatch(/^is a workbook that unpacks to more than 250 MB/);
  expect(await read(await withStatedSize(10))).toMatch(/^is a workbook that cannot be read/);
});

test('a workbook that takes too long is refused', async () => {
  const path = await save(await dated());
  await expect(readSpreadsheet('xlsx', path, folder, 0.01)).rejects.toThrow('seconds to read');
});

test('the reader can open the workbook, and no other file of this machine', async () => {
  const path = await save(Buffer.from('book'));
  const other = await save(Buffer.from('another import'));
  const tryToRead = (file: string) => {
    const script = `process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(file)}))`;
    const { status, stdout, stderr } = spawnSync(process.execPath, [
      ...permissions(READER, readerLimits(path, folder)),
      '--eval',
      script,
    ]);
    return status === 0 ? String(stdout) : /ERR_\w+/.exec(String(stderr))?.[0];
  };
  expect(tryToRead(path)).toBe('book');
  for (const file of ['/etc/passwd', '/proc/self/environ', other, import.meta.filename])
    expect([file, tryToRead(file)]).toEqual([file, 'ERR_ACCESS_DENIED']);
});
