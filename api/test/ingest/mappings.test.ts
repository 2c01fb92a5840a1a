import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ColumnMapping } from '@nivida/contract/desk/mapping';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { AuditEntity } from '../../src/audit/audit.entity.ts';
import { importFile } from '../../src/ingest/import.ts';
import type { ImportRequest } from '../../src/ingest/import-request.ts';
import { MappingService } from '../../src/ingest/mapping/mapping.service.ts';
import type { Database } from '../../src/schema/database.ts';
import { createTestDatabase } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T06:00:00Z');
const HEADER = [
  'क्र.सं.',
  'NIT No.',
  'Name of Work / कार्य का नाम',
  'ज़िला',
  'अनुमानित लागत',
  'धरोहर राशि',
  'Floated',
  'Last date',
  'Time',
];
const ROWS = [
  [
    1,
    'PWD/UK/101',
    'Construction of a retaining wall at km 12 of the Almora road',
    'Almora',
    '12.50 Lakh',
    '25,000',
    '05/11/2026',
    '20/11/2026',
    '3:00 PM',
  ],
  [
    2,
    'PWD/UK/102',
    'Repair of the footbridge over the Kosi near the market',
    'Almora',
    '4,00,000',
    '8000',
    '06/11/2026',
    '25/11/2026',
    '11:00 AM',
  ],
];
const OFFICE = 'Public Works Department Uttarakhand';
const ACT = { actorId: null, reason: 'A new list of the association' };

let folder: string;
let database: Database;
let service: MappingService;
let written = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-mappings-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  database = await createTestDatabase();
  service = new MappingService(database.dataSource, () => NOW);
  return () => database.close();
});

async function workbook(
  rows: readonly (readonly (string | number)[])[],
  title = 'Tenders of November',
): Promise<string> {
  const path = join(folder, `list-${written++}.xlsx`);
  const cells = [[title], [], ...rows].map((row) => row.map((value) => ({ value })));
  await writeFile(path, (await writeWorkbook(cells as never).toBuffer()) as Buffer);
  return path;
}

function run(file: string, options: Partial<ImportRequest> = {}, log: (line: string) => void = () => {}) {
  const request = {
    file,
    format: 'auto' as const,
    portal: 'ukassociation',
    state: undefined,
    rebase: undefined,
    dryRun: false,
    rejects: join(folder, 'rejects.csv'),
  };
  return importFile({ ...request, ...options }, { dataSource: database.dataSource, dataDir: folder, now: NOW, log });
}

/** The mapping of the guesses, with the one office of the list. */
async function mappingOf(file: string): Promise<ColumnMapping> {
  const { columns } = await service.describe(file);
  return {
    columns: columns.map(({ column, guess }) => ({ column, field: column === 'Time' ? 'closing' : guess })),
    fixed: { organisation: OFFICE },
    state: 'Uttarakhand',
  };
}

test('an unknown workbook is described with values and guesses, in English and Hindi', async () => {
  const found = await service.describe(await workbook([HEADER, ...ROWS]));
  expect(found).toMatchObject({ header_line: 3, format: null, mapping: null });
  expect(found.columns.map(({ column, guess }) => [column, guess])).toEqual([
    ['क्र.सं.', null],
    ['NIT No.', 'tender_id'],
    ['Name of Work / कार्य का नाम', 'title'],
    ['ज़िला', 'district'],
    ['अनुमानित लागत', 'value'],
    ['धरोहर राशि', 'emd'],
    ['Floated', 'published'],
    ['Last date', 'closing'],
    ['Time', null],
  ]);
  expect(found.columns[4]?.samples).toEqual(['12.50 Lakh', '4,00,000']);
});

test('amounts in lakhs or crores are stored in rupees; a cell with its own unit keeps it', async () => {
  const path = join(folder, 'lakhs.csv');
  const rows = [
    'Tender ID,Name of work,Office,Last date,value_in_lakhs,EMD in crores,Fee',
    'A1,Road,PWD,20/11/2026,110.00,0.022,500',
    'A2,Wall,PWD,20/11/2026,12.5/-,,500',
    'A3,Roof,PWD,20/11/2026,2 crore,,0.5',
    'A4,Drain,PWD,20/11/2026,Rs. 12.50/- only,,500',
    'A5,Gate,PWD,20/11/2026,"12,34,567.00",,500',
  ];
  await writeFile(path, `${rows.join('\n')}\n`);
  const { columns } = await service.describe(path);
  expect(columns.map(({ guess }) => guess).slice(4, 6)).toEqual(['value', 'emd']);
  const mapped = columns.map(({ column, guess }) => ({ column, field: guess }));
  await run(path, { columns: { columns: mapped, fixed: {}, state: 'Goa' } });
  const stored = await database.dataSource.query('SELECT source_id, price, emd FROM tender ORDER BY source_id');
  expect(stored).toEqual([
    { source_id: 'A1', price: '11000000.00', emd: '220000.00' },
    { source_id: 'A2', price: '1250000.00', emd: null },
    { source_id: 'A3', price: '20000000.00', emd: null },
    { source_id: 'A4', price: '1250000.00', emd: null },
    // In a column of lakhs this can only be rupees.
    { source_id: 'A5', price: '1234567.00', emd: null },
  ]);
  // The operator knows better than the name.
  const inRupees = mapped.map((each) => (each.field === 'value' ? { ...each, unit: 'thousand' as const } : each));
  await run(path, { columns: { columns: inRupees, fixed: {}, state: 'Goa' }, acceptMassChange: true });
  const [first] = await database.dataSource.query("SELECT price FROM tender WHERE source_id = 'A2'");
  expect(first.price).toBe('12500.00');
});

test('dates, amounts, ids and places are guessed by values where names say nothing', async () => {
  const path = join(folder, 'bare.csv');
  const rows = [
    'a,b,c,d,e,f,g',
    '2026_UPPWD_1_1,"Widening of the road to the hospital",01/11/2026,20/11/2026,226001,4500000,90000',
    '2026_UPPWD_2_1,"Whitewash of the primary school and its wall",02/11/2026,21/11/2026,226002,900000,18000',
  ];
  await writeFile(path, `${rows.join('\n')}\n`);
  const { columns } = await service.describe(path);
  expect(columns.map(({ guess, by }) => [guess, by])).toEqual(
    ['tender_id', 'title', 'published', 'closing', 'pincode', 'value', 'emd'].map((field) => [field, 'values']),
  );
});

test('a mapping is previewed, saved with its act, and reads the next file by itself', async () => {
  const first = await workbook([HEADER, ...ROWS, [3, '', 'No number', 'Almora', '', '', '', '22/11/2026', '']]);
  const mapping = await mappingOf(first);
  const preview = await service.preview(first, { portal: 'ukassociation', mapping });
  expect(preview.counts).toMatchObject({ read: 3, new: 2, rejected: 1 });
  expect(preview.problem).toBeNull();
  expect(preview.rejections).toEqual([
    { column: 'Tender ID', reason: 'the tender has no id', count: 1, line: 6, value: '' },
  ]);
  expect(preview.tenders[0]).toMatchObject({
    title: 'Construction of a retaining wall at km 12 of the Almora road',
    district: 'Almora',
    state: 'Uttarakhand',
    price: 1_250_000,
    emd: '25000.00',
    closing_date: '2026-11-20T09:30:00.000Z',
    closing_time_known: true,
    published_date: '2026-11-04T18:30:00.000Z',
    org_name: OFFICE,
  });
  expect(await database.dataSource.query('SELECT 1 FROM tender')).toEqual([]);

  expect(await service.save('UKassociation', mapping, ACT)).toMatchObject({ portal: 'ukassociation', version: 1 });
  const [event] = await database.dataSource.getRepository(AuditEntity).findBy({ action: 'mapping.saved' });
  expect(event).toMatchObject({ subject: 'ukassociation', detail: { version: 1, reason: ACT.reason } });

  expect(await run(first)).toMatchObject({ new: 2, rejected: 1 });
  const later = [HEADER.toReversed(), ...ROWS.map((row) => row.with(4, '13 Lakh').toReversed())];
  const lines: string[] = [];
  expect(await run(await workbook(later), {}, (line) => lines.push(line))).toMatchObject({ read: 2, changed: 2 });
  expect(lines.join()).toContain('read by the mapping of ukassociation, version 1');
  expect(await service.describe(first, 'ukassociation')).toMatchObject({
    mapping: { portal: 'ukassociation', version: 1 },
  });
});

test('a file with other columns is refused and names them; a new version reads it, and the old form too', async () => {
  const first = await workbook([HEADER, ...ROWS]);
  await service.save('ukassociation', await mappingOf(first), ACT);
  const renamed = HEADER.with(4, 'Cost put to tender');
  const second = await workbook([renamed, ...ROWS]);
  await expect(run(second)).rejects.toThrow(
    'has the new columns "Cost put to tender" and lacks "अनुमानित लागत", unlike the mapping of ukassociation (version 1), so nothing was imported',
  );
  const mapping = await mappingOf(second);
  expect(await service.save('ukassociation', mapping, ACT)).toMatchObject({ version: 2 });
  expect(await service.save('ukassociation', mapping, ACT)).toMatchObject({ version: 2 });
  expect(await run(second)).toMatchObject({ new: 2 });
  expect(await run(first)).toMatchObject({ read: 2, rejected: 0 });
  // A short list with usual names would be read without a mapping; a portal with one is asked again.
  const path = join(folder, 'usual.csv');
  await writeFile(
    path,
    'Tender ID,Title,Organisation Chain,Publish Date,Closing Date\nA1,Road,PWD,05/11/2026,20/11/2026\n',
  );
  await expect(run(path, { state: 'Uttarakhand' })).rejects.toThrow('has the new columns "Tender ID"');
  expect(await run(path, { state: 'Uttarakhand', format: 'gepnic' })).toMatchObject({ new: 1 });
});

test('a mapping without a needed field, or with two columns for one amount, is refused', async () => {
  const mapping = await mappingOf(await workbook([HEADER, ...ROWS]));
  const save = (change: Partial<ColumnMapping>) => service.save('ukassociation', { ...mapping, ...change }, ACT);
  await expect(save({ fixed: {} })).rejects.toThrow('No column is "Organisation"');
  const doubled = mapping.columns.map((each) => (each.column === 'क्र.सं.' ? { ...each, field: 'emd' as const } : each));
  await expect(save({ columns: doubled })).rejects.toThrow('Only one column can be "EMD"');
  await expect(save({ state: 'Atlantis' })).rejects.toThrow('There is no state “Atlantis” in India');
  await expect(run('missing.xlsx', { mapping: 'unknown' })).rejects.toThrow('no mapping is saved for "unknown"');
});

test('dates with the month first are the problem of a preview', async () => {
  const path = join(folder, 'month-first.csv');
  const rows = ['No,Work,Office,Closing', 'A1,Road to the school,PWD,11/20/2026', 'A2,Road to the bank,PWD,11/25/2026'];
  await writeFile(path, `${rows.join('\n')}\n`);
  const fields = ['tender_id', 'title', 'organisation', 'closing'] as const;
  const columns = ['No', 'Work', 'Office', 'Closing'].map((column, n) => ({ column, field: fields[n] ?? null }));
  const mapping = { columns, fixed: {}, state: 'Uttarakhand' };
  const preview = await service.preview(path, { portal: 'ukassociation', mapping });
  expect(preview.problem).toContain('has the month before the day in column "Bid Submission End Date"');
});
