import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { portalOfAddress } from '../../src/ingest/files/page-tables.ts';
import { splitTitle } from '../../src/ingest/gepnic/gepnic-list.ts';
import { importFile } from '../../src/ingest/import.ts';
import type { ImportRequest } from '../../src/ingest/import-request.ts';
import type { Database } from '../../src/schema/database.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T06:00:00Z');
const HEADER = [
  'S.No',
  'e-Published Date',
  'Closing Date',
  'Opening Date',
  'Title and Ref.No./Tender ID',
  'Organisation Chain',
];
const ROWS = [
  [
    '1.',
    '05-Nov-2026 09:00 AM',
    '29-Nov-2026 05:00 PM',
    '30-Nov-2026 11:00 AM',
    '[Repair of road [Km 0 to 5] at Solan] [NIT-5/2026 [2nd call]][2026_PWD_123456_1]',
    'PWD||Solan Circle',
  ],
  [
    '2.',
    '06-Nov-2026 09:00 AM',
    '28-Nov-2026 03:00 PM',
    '29-Nov-2026 11:00 AM',
    '[Kuhl at Kandaghat] [JSV/12][2026_JSV_7_1]',
    'JSV||Solan Division',
  ],
];
const TENDERS = [
  ['2026_JSV_7_1', 'Kuhl at Kandaghat', 'JSV/12', '2026-11-28T09:30:00.000Z'],
  ['2026_PWD_123456_1', 'Repair of road [Km 0 to 5] at Solan', 'NIT-5/2026 [2nd call]', '2026-11-29T11:30:00.000Z'],
];

const cells = (row: readonly string[], tag = 'td') =>
  `<tr class="even">${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
const list = (rows: readonly (readonly string[])[], header = HEADER) =>
  `<table id="table" class="list_table">${cells(header)}${rows.map((row) => cells(row)).join('')}<tr><td colspan="6">1 <a>2</a> Next &gt;</td></tr></table>`;
const page = (...lists: string[]) =>
  `<!DOCTYPE html>\n<!-- saved from url=(0049)https://hptenders.gov.in/nicgep/app?page=Home -->\n<html><body><table><tr><td><table><tr><td>MIS Reports</td><td>Help</td></tr></table></td></tr><tr><td>${lists.join('<p>Tenders closing today</p>')}</td></tr></table></body></html>`;
const text = (rows: readonly (readonly string[])[]) => rows.map((row) => row.join('\t')).join('\n');

let folder: string;
let database: Database;
let written = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-list-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.close();
});

async function run(content: string, options: Partial<ImportRequest> = {}) {
  const file = join(folder, `list-${written++}`);
  await writeFile(file, content);
  const request = {
    file,
    format: 'auto' as const,
    portal: 'hptenders',
    state: 'Himachal Pradesh',
    rebase: undefined,
    dryRun: false,
    rejects: join(folder, 'rejects.csv'),
  };
  return importFile(
    { ...request, ...options },
    { dataSource: database.dataSource, dataDir: folder, now: NOW, log: () => {} },
  );
}

async function stored() {
  const rows = await database.dataSource.query('SELECT * FROM tender ORDER BY source_id');
  return rows.map((row: Record<string, unknown> & { closes_at: Date }) => [
    row.source_id,
    row.title,
    row.reference,
    row.closes_at.toISOString(),
  ]);
}

const quoted = (part: string) => part.replaceAll('=', '=3D').replace(/(.{60})/g, '$1=\r\n');
const archive = (html: string) =>
  `From: <Saved by Blink>\r\nSnapshot-Content-Location: https://hptenders.gov.in/nicgep/app\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="----Mark"\r\n\r\n\r\n------Mark\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quoted(html)}\r\n------Mark--\r\n`;

test.each<[string, string]>([
  ['a saved page', page(list(ROWS))],
  ['a page with two lists', page(list(ROWS.slice(0, 1)), list(ROWS.slice(1)))],
  ['a web archive', archive(page(list(ROWS)))],
  ['a copied table', text([HEADER, ...ROWS])],
  ['copied rows without the header, with the pager', `${text(ROWS)}\n1\t2\t3\tNext >\n`],
  ['rows that Chrome broke into lines', ROWS.map((row) => row.join('\n\t')).join('\n')],
  [
    'rows with a broken organisation and Windows line ends',
    text(ROWS).replaceAll('||', '||\r\n').replaceAll('\n2.', '\r\n2.'),
  ],
  ['CSV', [HEADER, ...ROWS].map((row) => row.map((cell) => `"${cell}"`).join(',')).join('\n')],
])('%s is read', async (_name, content) => {
  expect(await run(content)).toMatchObject({ read: 2, new: 2, rejected: 0 });
  expect(await stored()).toEqual(TENDERS);
  const [row] = await database.dataSource.query("SELECT * FROM tender WHERE source_id = '2026_PWD_123456_1'");
  expect(row).toMatchObject({
    is_listed: true,
    price: null,
    emd: null,
    tender_fee: null,
    documents: [],
    pincode: null,
  });
  expect(row.organisation_chain).toEqual(['PWD', 'Solan Circle']);
});

test('a list with values, other dates and a broken row', async () => {
  const rows = [
    [...(ROWS[0] ?? []).with(1, '5 November 2026').with(2, '29/11/2026 05:00 PM'), '12,34,567.00'],
    [...(ROWS[1] ?? []).with(4, '[Kuhl at Kandaghat] JSV/12'), 'NA'],
  ];
  expect(await run(page(list(rows, [...HEADER, 'Tender Value in ₹'])))).toMatchObject({ new: 1, rejected: 1 });
  const [row] = await database.dataSource.query('SELECT price FROM tender');
  expect(row.price).toBe('1234567.00');
});

test('a list with the month first is refused, and a page without a list', async () => {
  const rows = ROWS.map((row) => row.with(2, '11/29/2026 05:00 PM'));
  await expect(run(page(list(rows)))).rejects.toThrow('has the month before the day');
  await expect(run(text(rows))).rejects.toThrow('has the month before the day');
  await expect(run(page())).rejects.toThrow('is a web page or XML');
  await expect(run('a,b\n1,2\n', { format: 'gepnic-list' })).rejects.toThrow('is no list of a GePNIC portal');
});

test('the address of a saved page names the portal', async () => {
  expect(await run(page(list(ROWS)), { portal: undefined })).toMatchObject({ new: 2 });
  await expect(run(text(ROWS), { portal: undefined })).rejects.toThrow('--portal is needed');
  const names = [
    'https://www.assamtenders.gov.in/x',
    'https://etenders.gov.in/eprocure',
    'https://eproc.rajasthan.gov.in/',
  ];
  expect(names.map(portalOfAddress)).toEqual(['assamtenders', undefined, undefined]);
});

test.each<[string, [string, string, string]]>([
  ['[A] [R][1]', ['1', 'A', 'R']],
  ['[A [b] c] [R [x]/5] [2026_X_1_1]', ['2026_X_1_1', 'A [b] c', 'R [x]/5']],
  ['[A] b] [R][1]', ['1', 'A] b', 'R']],
  ['[A without reference][1]', ['1', 'A without reference', '']],
  ['A without brackets', ['', 'A without brackets', '']],
])('%s is split', (cell, parts) => {
  expect(splitTitle(cell)).toEqual(parts);
});

const detail = (fields = {}) =>
  createSourceTender({
    portal: 'hptenders',
    sourceId: '2026_PWD_123456_1',
    state: 'Himachal Pradesh',
    title: 'Repair of road [Km 0 to 5] at Solan',
    description: 'Repair of the road with its drains',
    reference: 'NIT-5/2026 [2nd call]',
    organisationChain: ['PWD', 'Solan Circle'],
    price: '500000.00',
    emd: '10000.00',
    place: 'Solan',
    pincode: '173212',
    publishedAt: new Date('2026-11-05T03:30:00Z'),
    closesAt: new Date('2026-11-29T11:30:00Z'),
    opensAt: new Date('2026-11-30T05:30:00Z'),
    bidStartAt: new Date('2026-11-05T03:30:00Z'),
    documents: [{ cover: 'Finance', type: 'xls', name: 'BOQ' }],
    corrigenda: [{ title: 'Older', type: 'Date' }],
    ...fields,
  });
const history = () => database.dataSource.query("SELECT changes FROM tender_history WHERE kind = 'changed'");

test('a notice fills what the list did not have, without a corrigendum or a change that alerts', async () => {
  await run(text(ROWS));
  const [before] = await database.dataSource.query("SELECT * FROM tender WHERE source_id = '2026_PWD_123456_1'");
  expect(await importTenders(database.dataSource, [detail()], { now: NOW })).toMatchObject({ changed: 1 });
  const [row] = await database.dataSource.query("SELECT * FROM tender WHERE source_id = '2026_PWD_123456_1'");
  expect(row).toMatchObject({
    is_listed: false,
    price: '500000.00',
    emd: '10000.00',
    pincode: '173212',
    district: 'Solan',
    version: before.version,
  });
  expect(Number(row.change_no)).toBeGreaterThan(Number(before.change_no));
  expect(await history()).toEqual([]);
});

test('a notice with another closing than the list is a corrigendum of the closing alone', async () => {
  await run(text(ROWS));
  await importTenders(database.dataSource, [detail({ closesAt: new Date('2026-12-05T11:30:00Z') })], { now: NOW });
  expect(
    (await history()).map(({ changes }: { changes: { field: string }[] }) => changes.map(({ field }) => field)),
  ).toEqual([['closing_date']]);
});

test('a list after a notice empties nothing, and moves its closing', async () => {
  await importTenders(database.dataSource, [detail()], { now: NOW });
  const read = async () =>
    (await database.dataSource.query("SELECT * FROM tender WHERE source_id = '2026_PWD_123456_1'"))[0];
  const before = await read();
  expect(await run(text(ROWS))).toMatchObject({ new: 1, changed: 0, unchanged: 1 });
  expect({ ...(await read()), fetched_at: null }).toEqual({ ...before, fetched_at: null });
  const moved = ROWS.map((row) => row.with(2, '05-Dec-2026 05:00 PM'));
  expect(await run(text(moved))).toMatchObject({ changed: 2 });
  const after = await read();
  expect(after).toMatchObject({
    is_listed: false,
    emd: '10000.00',
    price: '500000.00',
    district: 'Solan',
    words: before.words,
    description: before.description,
    documents: before.documents,
  });
  expect(after.closes_at.toISOString()).toBe('2026-12-05T11:30:00.000Z');
});
