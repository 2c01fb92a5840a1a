import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../src/database/database.ts';
import { fillDemo } from '../src/ingest/fill-demo.ts';
import { BadRequest, type ImportContext, type ImportRequest, importFile } from '../src/ingest/import.ts';
import { UnreadableFile } from '../src/ingest/notice.ts';
import { createTestDatabase } from './start-app.ts';

const HEADER =
  'Tender ID,Tender Reference Number,Title,Work Description,Organisation Chain,Name,Location,Pincode,Tender Category,Tender Value in ₹,EMD Amount in ₹,Publish Date,Bid Submission Start Date,Bid Submission End Date,Bid Opening Date,Tender Stage,Corrigendum Title,Corrigendum Type,Cover Documents';

interface Row {
  id?: string;
  title?: string;
  value?: string;
  emd?: string;
  published?: string;
  closes?: string;
  corrigendum?: [title: string, type: string];
  documents?: string[];
}

function line({
  id = '2026_PWD_100001_1',
  title = 'Construction of footbridge at Bharmour',
  value = '5,00,000',
  emd = '10,000',
  published = '02-Nov-2026 09:00 AM',
  closes = '20-Nov-2026 11:00 AM',
  corrigendum = ['', ''],
  documents = ['BOQ'],
}: Row = {}): string {
  const covers = JSON.stringify(documents.map((name) => ['Finance', '.xls', name])).replaceAll('"', '""');
  return `${id},NIT-7,${title},${title},PWD||Chamba Circle,Executive Engineer,Bharmour,176315.0,Works,"${value}","${emd}",${published},${published},${closes},21-Nov-2026 11:00 AM,,${corrigendum[0]},${corrigendum[1]},"${covers}"`;
}

const file = (...rows: Row[]) => `${[HEADER, ...rows.map(line)].join('\n')}\n`;

const NOW = new Date('2026-11-10T06:00:00Z');
let database: Database;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-import-'));
});
afterAll(() => rm(folder, { recursive: true }));

beforeEach(async () => {
  database = await createTestDatabase();
  return () => database.close();
});

let written = 0;

async function run(content: string | Buffer, options: Partial<ImportRequest & ImportContext> = {}) {
  const path = join(folder, `file-${written++}`);
  await writeFile(path, content);
  const { now = NOW, say = () => {}, ...asked } = options;
  const request: ImportRequest = {
    file: path,
    format: 'auto',
    portal: 'hptenders',
    state: 'Himachal Pradesh',
    rebase: undefined,
    dryRun: false,
    rejects: join(folder, 'rejects.csv'),
    ...asked,
  };
  const context = { dataSource: database.dataSource, dataDir: folder, now, say };
  return importFile(request, context);
}

const query = (sql: string) => database.dataSource.query(sql);

describe('importing a portal file', () => {
  test('the same file twice changes nothing, also gzipped and with its rows in another order', async () => {
    const rows: Row[] = [{ id: '2026_PWD_1_1' }, { id: '2026_PWD_1_2' }, { id: '2026_PWD_2_1', title: 'Kuhl repair' }];
    expect(await run(file(...rows))).toEqual({ read: 3, new: 3, changed: 0, unchanged: 0, rejected: 0 });
    expect(await run(gzipSync(file(...rows.reverse())))).toEqual({
      read: 3,
      new: 0,
      changed: 0,
      unchanged: 3,
      rejected: 0,
    });
    expect(await query('SELECT kind FROM tender_history')).toEqual(Array(3).fill({ kind: 'published' }));
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);
  });

  test('a moved closing date becomes a numbered history row and a corrigendum from old to new', async () => {
    await run(file({}));
    const counts = await run(file({ closes: '25-Nov-2026 05:00 PM', corrigendum: ['Extension', 'Date'] }));
    expect(counts).toMatchObject({ changed: 1, unchanged: 0 });
    const [published, changed] = await query('SELECT * FROM tender_history ORDER BY change_no');
    expect(Number(changed.change_no)).toBeGreaterThan(Number(published.change_no));
    expect(changed).toMatchObject({ kind: 'changed', version: 2 });
    expect(await query('SELECT title, type, changes FROM corrigendum')).toEqual([
      {
        title: 'Extension',
        type: 'Date',
        changes: [{ field: 'closing_date', old: '2026-11-20T05:30:00.000Z', new: '2026-11-25T11:30:00.000Z' }],
      },
    ]);
    expect(await query('SELECT last_corrigendum, version FROM tender')).toEqual([
      { last_corrigendum: 'date', version: 2 },
    ]);
  });

  test('a corrigendum that the portal names without its values is kept once, without values', async () => {
    const row: Row = { corrigendum: ['Corrigendum-I', 'Technical Bid'] };
    await run(file(row));
    await run(file(row));
    expect(await query('SELECT title, type, changes FROM corrigendum')).toEqual([
      { title: 'Corrigendum-I', type: 'Technical Bid', changes: [] },
    ]);
  });

  test('changed value, EMD and documents are told, a changed title only kept', async () => {
    await run(file({}));
    await run(file({ value: '6,50,000', emd: '13,000', documents: ['BOQ', 'Drawing'], title: 'Footbridge' }));
    const [{ title, changes }] = await query('SELECT title, changes FROM corrigendum');
    expect(title).toBe('Estimated value changed');
    expect(changes).toEqual([
      { field: 'price', old: '500000.00', new: '650000.00' },
      { field: 'emd', old: '10000.00', new: '13000.00' },
      { field: 'documents', old: null, new: 'Drawing (xls)' },
    ]);
    const [{ fields }] = await query(
      `SELECT jsonb_path_query_array(changes, '$[*].field') AS fields FROM tender_history WHERE kind = 'changed'`,
    );
    expect(fields).toContain('title');
  });

  test('bad rows go to the reject file with line, column, value and reason; the others are stored', async () => {
    const counts = await run(
      file(
        { id: '2026_PWD_1_1' },
        { id: 'no id' },
        { id: '2026_PWD_2_1', published: '31-Feb-2026 09:00 AM' },
        { id: '2026_PWD_3_1', value: 'five lakh' },
        { id: '2026_PWD_4_1', closes: '01-Nov-2026 09:00 AM' },
      ),
    );
    expect(counts).toEqual({ read: 5, new: 1, changed: 0, unchanged: 0, rejected: 4 });
    expect((await readFile(join(folder, 'rejects.csv'), 'utf8')).trim().split('\n')).toEqual([
      'line,column,value,reason',
      `3,Tender ID,no id,is not a tender id like '2025_PWD_109746_1'`,
      `4,Publish Date,31-Feb-2026 09:00 AM,is not a date like '17-Sep-2025 09:00 AM'`,
      '5,Tender Value in ₹,five lakh,is not an amount in rupees',
      '6,Bid Submission End Date,01-Nov-2026 09:00 AM,closes before it is published (02-Nov-2026 09:00 AM)',
    ]);
  });

  test('a dry run counts and stores nothing', async () => {
    expect(await run(file({}), { dryRun: true })).toMatchObject({ read: 1, new: 1 });
    expect(await query('SELECT id FROM tender')).toEqual([]);
  });

  test('a tender of the future is a draft without a history row', async () => {
    await run(file({ published: '12-Nov-2026 05:00 PM' }));
    expect(await query('SELECT change_no FROM tender')).toEqual([{ change_no: null }]);
    expect(await query('SELECT * FROM tender_history')).toEqual([]);
  });

  test('two rows of one id in a file are two versions of it', async () => {
    expect(await run(file({}, { closes: '22-Nov-2026 11:00 AM' }))).toMatchObject({ read: 2, new: 1, changed: 1 });
  });
});

describe('rebasing', () => {
  test('moves every date by whole Indian days and marks the tenders', async () => {
    await run(file({}), { rebase: '2026-11-02' });
    const [row] = await query('SELECT published_at, closes_at, origin, shift_days FROM tender');
    expect(row).toEqual({
      published_at: new Date('2026-11-10T03:30:00Z'),
      closes_at: new Date('2026-11-28T05:30:00Z'),
      origin: 'rebased',
      shift_days: 8,
    });
  });

  test('a day later the same file is unchanged: dates move without history, corrigenda or numbers', async () => {
    await run(file({}), { rebase: '2026-11-02' });
    const history = await query('SELECT * FROM tender_history');
    const later = new Date(NOW.getTime() + 86_400_000);
    expect(await run(file({}), { rebase: '2026-11-02', now: later })).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await query('SELECT closes_at FROM tender')).toEqual([{ closes_at: new Date('2026-11-29T05:30:00Z') }]);
    expect(await query('SELECT * FROM tender_history')).toEqual(history);
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);
  });
});

describe('demonstration tenders', () => {
  test('fill every state once, and leave a state with its first real import', async () => {
    const stored = await fillDemo(database.dataSource, NOW);
    expect(stored).toBeGreaterThan(5_000);
    expect(await fillDemo(database.dataSource, NOW)).toBe(0);
    expect(await query('SELECT DISTINCT origin FROM tender')).toEqual([{ origin: 'generated' }]);
    const [{ states }] = await query('SELECT count(DISTINCT state)::int AS states FROM tender');
    expect(states).toBe(36);
    const [{ moved }] = await query(`SELECT count(*)::int AS moved FROM corrigendum WHERE changes <> '[]'`);
    expect(moved).toBeGreaterThan(500);

    const said: string[] = [];
    const say = (text: string) => said.push(text);
    await run(file({}), { say, dryRun: true });
    expect(said).toEqual(['Dry run: nothing was stored']);
    await run(file({}), { say });
    expect(said.slice(1)).toEqual([
      expect.stringMatching(/^Removed the \d+ demonstration tenders of Himachal Pradesh: this was its first import$/),
    ]);
    await run(file({ id: '2026_PWD_100002_1' }), { say });
    expect(said).toHaveLength(2);
    expect(await query(`SELECT DISTINCT origin FROM tender WHERE state = 'Himachal Pradesh'`)).toEqual([
      { origin: 'portal' },
    ]);
    const [{ others }] = await query(
      `SELECT count(DISTINCT state)::int AS others FROM tender WHERE origin = 'generated'`,
    );
    expect(others).toBe(35);
    const [{ gone }] = await query(`SELECT count(*)::int AS gone FROM tender_history WHERE kind = 'removed'`);
    expect(gone).toBeGreaterThan(30);
  });
});

describe('a file that cannot be read is refused with one line and changes nothing', () => {
  const whole = Buffer.from(file({ id: '2026_PWD_1_1' }, { id: '2026_PWD_2_1' }));
  const gzipped = gzipSync(whole);
  test.each<[string, string | Buffer, RegExp]>([
    ['empty', '', /^is empty$/],
    ['header only', `${HEADER}\n`, /^holds no tender$/],
    ['binary', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 1, 2]), /^is binary, not text$/],
    ['not UTF-8', Buffer.concat([whole, Buffer.from([0xff, 0xfe, 0x41])]), /^is not UTF-8 text$/],
    ['cut in a row', whole.subarray(0, whole.length - 60), /^is truncated/],
    [
      'cut inside the gzip data',
      gzipped.subarray(0, gzipped.length - 12),
      /^is truncated: the gzip data end too early$/,
    ],
    ['damaged gzip', Buffer.concat([gzipped.subarray(0, 60), Buffer.alloc(40, 7)]), /^is (?:damaged|truncated)/],
    ['another CSV', 'a,b\n1,2\n', /^is neither a GePNIC notice CSV/],
  ])('%s', async (_name, content, message) => {
    const error = await run(content).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UnreadableFile);
    expect(error.message).toMatch(message);
    expect(await query('SELECT id FROM tender')).toEqual([]);
  });

  test.each<[string, Partial<ImportRequest>, RegExp]>([
    ['no portal', { portal: undefined }, /^--portal is needed/],
    ['no state', { state: undefined }, /^--state is needed/],
    ['an unknown state', { state: 'Atlantis' }, /^--state: there is no state "Atlantis" in India$/],
    ['a bad rebase day', { rebase: '15-12-2025' }, /^--rebase must be a day like 2025-12-15/],
    ['a day that does not exist', { rebase: '2025-02-30' }, /^--rebase must be a day/],
  ])('%s', async (_name, options, message) => {
    const error = await run(file({}), options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(BadRequest);
    expect(error.message).toMatch(message);
  });
});

test('rows of the PIN table that name nothing stand with their reasons beside those that count', async () => {
  const table = [
    'pincode,state,district,offices,other_matches',
    '176315,Himachal Pradesh,Chamba,9,HIMACHAL PRADESH/KANGRA:1',
    '17631,Himachal Pradesh,Chamba,9,',
    '176316,Atlantis,Chamba,9,',
    '176317,Himachal Pradesh,Atlantis,9,',
  ].join('\n');
  const rejects = join(folder, 'pins.csv');
  const counts = await run(table, { format: 'pincodes', rejects });
  expect(counts).toMatchObject({ read: 4, new: 2, rejected: 3 });
  expect((await readFile(rejects, 'utf8')).trim().split('\n')).toEqual([
    'line,column,value,reason',
    '3,pincode,17631,is no PIN code',
    '4,state,Atlantis,is no state of India',
    '5,district,Atlantis,is no district of Himachal Pradesh that is listed',
  ]);
});

test('a PIN table without any PIN code is given up, and its rows say why', async () => {
  const table = 'pincode,state,district,offices,other_matches\n17631,Himachal Pradesh,Solan,1,\n';
  const rejects = join(folder, 'no-pins-rejects.csv');
  await expect(run(table, { format: 'pincodes', rejects })).rejects.toThrow('holds no PIN code of a known district');
  expect(await readFile(rejects, 'utf8')).toContain('17631');
});
