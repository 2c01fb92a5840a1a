import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { ZipFile } from 'yazl';
import { readGepnic } from '../gepnic/gepnic-csv.ts';
import { withPlainFiles } from './plain-file.ts';
import { detectFormat, openSource, type SourceFormat } from './source-file.ts';

const COLUMNS = [
  'Tender ID',
  'Title',
  'Organisation Chain',
  'Publish Date',
  'Bid Submission End Date',
  'Tender Value in ₹',
];
const ROWS = [
  ['2026_PWD_1_1', 'Road, "upper" part', 'PWD||Shimla', '01-Nov-2026 09:00 AM', '05-Dec-2026 11:00 AM', '₹ 4,50,000'],
  ['2026_PWD_2_1', 'Bridge_x000D_\nand wall', 'PWD||Shimla', '02-Nov-2026 09:00 AM', '06-Dec-2026 03:00 PM', '90000'],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-plain-'));
});
afterAll(() => rm(folder, { recursive: true }));

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const table = (delimiter = ',', end = '\n', rows: readonly string[][] = [COLUMNS, ...ROWS]) =>
  rows.map((row) => row.map(quote).join(delimiter) + end).join('');

async function zipOf(...files: [name: string, content: Buffer | string][]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of files) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

const workbookOf = async (rows: readonly (string | number | Date | null)[][]) =>
  (await writeWorkbook(
    rows.map((row) =>
      row.map((value) => ({ value, ...(value instanceof Date && { format: 'dd/mm/yyyy hh:mm' }) })),
    ) as never,
  ).toBuffer()) as Buffer;

/** The format of a file with this content, and its tenders, or the sentence that refuses it. */
async function read(content: Buffer | string) {
  const path = join(folder, 'file');
  await writeFile(path, content);
  return withPlainFiles(path, [], async (files) => {
    const [{ path: plain = '' } = {}, ...others] = files;
    if (others.length > 0) return files.map(({ name }) => name);
    const format: SourceFormat = await detectFormat(plain);
    const rows = [];
    for await (const row of readGepnic(await openSource(plain), { portal: 'trial', state: 'Jharkhand' }))
      rows.push(row);
    return rows.map((row) =>
      'tender' in row
        ? [row.line, row.tender.sourceId, row.tender.title, row.tender.closesAt.toISOString(), row.tender.price]
        : [row.line, row.rejection.reason, format],
    );
  }).catch((error: Error) => error.message);
}

const TENDERS = [
  ['2026_PWD_1_1', 'Road, "upper" part', '2026-12-05T05:30:00.000Z', '450000.00'],
  ['2026_PWD_2_1', 'Bridge and wall', '2026-12-06T09:30:00.000Z', '90000.00'],
];
const utf16 = (text: string, isBigEndian = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
};

test.each<[string, () => Promise<Buffer> | Buffer | string]>([
  ['CSV', () => table()],
  ['CSV in gzip', () => gzipSync(table())],
  ['CSV with a byte order mark and Windows line ends', () => `\ufeff${table(',', '\r\n')}`],
  ['semicolons', () => table(';')],
  ['semicolons with a byte order mark', () => `\ufeff${table(';', '\r\n')}`],
  ['tabs', () => table('\t')],
  ['vertical bars', () => table('|')],
  ['UTF-16, as Excel saves "Unicode text"', () => utf16(table('\t', '\r\n'))],
  ['UTF-16, big endian', () => utf16(table(), true)],
  ['UTF-16 without a byte order mark', () => utf16(table()).subarray(2)],
  ['UTF-16 in gzip', () => gzipSync(utf16(table()))],
  ['line ends of an old Mac', () => table(',', '\r')],
  ['a title above the header', () => `Tenders as on 28-Nov-2026,,,,,\n\n${table()}`],
  ['a title of one cell above semicolons', () => `Tenders as on 28-Nov-2026\n${table(';')}`],
  ['empty cells beyond the header in every row', () => table(',', ',,,\n')],
  ['empty cells beyond the header in rows only', () => table(',', '\n', [COLUMNS]) + table(',', ',, \n', ROWS)],
  ['a line break in a header cell', () => table(',', '\n', [['Tender\nID', ...COLUMNS.slice(1)], ...ROWS])],
  ['an Excel workbook', () => workbookOf([COLUMNS, ...ROWS])],
  ['a workbook with a title', () => workbookOf([['Tenders of today', null], [null], COLUMNS, ...ROWS])],
  [
    'a workbook with dates and numbers in its cells',
    () =>
      workbookOf([
        COLUMNS,
        ...ROWS.map(([id = '', title = '', chain = '', ...rest], n) => [
          id,
          title,
          chain,
          new Date(Date.UTC(2026, 10, n + 1, 9)),
          new Date(n === 0 ? Date.UTC(2026, 11, 5, 11) : Date.UTC(2026, 11, 6, 15)),
          n === 0 ? 450_000 : Number(rest[2]),
        ]),
      ]),
  ],
  ['an archive with a CSV', () => zipOf(['read me.pdf', '%PDF-'], ['list.csv', table()], ['__MACOSX/._list.csv', 'x'])],
  ['an archive with a workbook', async () => zipOf(['list.xlsx', await workbookOf([COLUMNS, ...ROWS])])],
])('%s is read', async (_name, content) => {
  const rows = await read(await content());
  expect(rows).toEqual(TENDERS.map((tender) => [expect.any(Number), ...tender]));
});

test('a rejected row below a title has the number of its line in the file', async () => {
  const rows = [ROWS[0] ?? [], ['no id', ...(ROWS[1] ?? []).slice(1)]];
  const found = await read(`Tenders\nas on today\n${table(';', '\n', [COLUMNS, ...rows])}`);
  expect(found).toEqual([expect.arrayContaining([4]), expect.arrayContaining([5])]);
});

test.each<[string, () => Promise<Buffer> | Buffer | string, RegExp]>([
  [
    'an old Excel workbook',
    () => Buffer.from('d0cf11e0a1b11ae10000', 'hex'),
    /^is an old Excel workbook \(\.xls\) or has a password: save it/,
  ],
  ['a web page named .xls', () => '<html><table><tr><td>Name</td></tr></table></html>', /^is a web page or XML/],
  ['a PDF', () => '%PDF-1.7 …', /^is a PDF: import the table/],
  ['a RAR archive', () => 'Rar!\u001a\u0007', /^is a RAR archive: unpack it/],
  ['a damaged OpenDocument sheet', () => zipOf(['content.xml', '<x/>']), /^is a workbook that cannot be read/],
  [
    'an archive without data',
    () => zipOf(['notice.pdf', '%PDF-']),
    /^is an archive without a CSV, JSON, HTML, \.xlsx or \.ods file$/,
  ],
  [
    'an archive in an archive',
    async () => zipOf(['one.csv', await zipOf(['two.csv', table()])]),
    /^is an archive in an archive/,
  ],
  [
    'a cut archive',
    async () => (await zipOf(['one.csv', table()])).subarray(0, 90),
    /^is a damaged or truncated ZIP archive/,
  ],
  [
    'a damaged workbook',
    () => zipOf(['xl/workbook.xml', '<']),
    /^is a workbook that cannot be read: open it and save it again/,
  ],
  [
    'OCDS as a table',
    () => 'ocid,tag,tender/id\nocds-1,tender,1\n',
    /^is a table made from OCDS: import the OCDS JSON/,
  ],
  [
    'an 8-bit character set',
    () => Buffer.from(table().replace('₹', '\u00e9'), 'latin1'),
    /^is not UTF-8 text: save it as CSV UTF-8$/,
  ],
  ['an open quote below a title', () => `Title\n${table(';')}"open`, /^is not CSV: Quote Not Closed/],
])('%s is refused with what to do', async (_name, content, sentence) => {
  expect(await read(await content())).toMatch(sentence);
});

test('an archive with several files is read file by file', async () => {
  const found = await read(await zipOf(['a/one.csv', table()], ['two.json', '{}'], ['notice.pdf', '%PDF-']));
  expect(found).toEqual(['one.csv', 'two.json']);
});

test('a packed file that unpacks to hundreds of times its size is refused', async () => {
  const path = join(folder, 'bomb.gz');
  await writeFile(path, gzipSync(`${table()}${' '.repeat(70_000_000)}`));
  await expect(buffer(await openSource(path))).rejects.toThrow('unpacks to more than 200 times its size');
});
