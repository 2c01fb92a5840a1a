import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { InvalidOptionsError } from '../../src/base/config.ts';
import { importDemoTenders } from '../../src/ingest/demo/fill-demo.ts';
import { importFile } from '../../src/ingest/import.ts';
import type { ImportContext, ImportRequest } from '../../src/ingest/import-request.ts';
import { HeldBackFileError, UnreadableFileError } from '../../src/ingest/source-tender.ts';
import type { Database } from '../../src/schema/database.ts';
import { publishDueDrafts } from '../../src/tenders/publish-drafts.job.ts';
import { tenderStatement } from '../../src/tenders/tenders.sql.ts';
import { gepnicFile, thirdPortalFile } from '../support/gepnic-files.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase } from '../support/start-app.ts';

const HEADER = [
  'Tender ID,Tender Reference Number,Title,Work Description,Organisation Chain,Name,Location,Pincode,Tender Category',
  'Tender Value in ₹,EMD Amount in ₹,Publish Date,Bid Submission Start Date,Bid Submission End Date,Bid Opening Date',
  'Tender Stage,Corrigendum Title,Corrigendum Type,Revocation Title,Cover Documents,Address,Product Category,Tender Type',
  'Form of contract,EMD Percentage,EMD Exemption Allowed,Tender Fee in ₹,No. of Covers,Period Of Work(Days)',
  'Bid Validity(Days),Bid Opening Place,Pre Bid Meeting Date,Pre Bid Meeting Place',
].join(',');
/** The last columns of the header, which these tests leave empty. */
const UNUSED = ','.repeat(13);

interface Row {
  id?: string;
  title?: string;
  value?: string;
  emd?: string;
  published?: string;
  closes?: string;
  opens?: string;
  corrigendum?: [title: string, type: string];
  revocation?: string;
  documents?: string[];
}

function line({
  id = '2026_PWD_100001_1',
  title = 'Construction of footbridge at Bharmour',
  value = '5,00,000',
  emd = '10,000',
  published = '02-Nov-2026 09:00 AM',
  closes = '20-Nov-2026 11:00 AM',
  opens = '21-Nov-2026 11:00 AM',
  corrigendum = ['', ''],
  revocation = '',
  documents = ['BOQ'],
}: Row = {}): string {
  const covers = JSON.stringify(documents.map((name) => ['Finance', '.xls', name])).replaceAll('"', '""');
  return `${id},NIT-7,${title},${title},PWD||Chamba Circle,Executive Engineer,Bharmour,176315.0,Works,"${value}","${emd}",${published},${published},${closes},${opens},,${corrigendum[0]},${corrigendum[1]},${revocation},"${covers}"${UNUSED}`;
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
  const { now = NOW, log = () => {}, ...asked } = options;
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
  const context = { dataSource: database.dataSource, dataDir: folder, now, log };
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
    expect(await query('SELECT kind, state, version, changes, at FROM tender_history')).toEqual(
      Array(3).fill({ kind: 'published', state: 'Himachal Pradesh', version: 1, changes: [], at: NOW }),
    );
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);
  });

  test('the portal and the state may be written in any way', async () => {
    await run(file({}), { portal: ' HPTenders ', state: 'hp' });
    expect(await query('SELECT portal, state FROM tender')).toEqual([
      { portal: 'hptenders', state: 'Himachal Pradesh' },
    ]);
    expect(await run(file({ value: '' }), { portal: 'hptenders', state: 'himachal-pradesh' })).toMatchObject({
      changed: 1,
    });
  });

  test('a file of two portals is recorded for both, without the counts, which belong to none of them', async () => {
    const release = (prefix: string) =>
      JSON.stringify({
        ...{ ocid: `ocds-${prefix}-1`, id: '1', date: '2026-11-02T09:00:00+05:30', tag: ['tender'] },
        ...{ initiationType: 'tender', buyer: { id: 'pwd', name: 'PWD' } },
        tender: { id: 't1', title: 'Link road', tenderPeriod: { endDate: '2026-11-20T11:00:00+05:30' } },
      });
    const both = `\ufeff\n ${release('aaaaaa')}\n${release('bbbbbb')}\n`;
    const options = { portal: undefined };
    const recorded = () => query('SELECT portal, imported_at, counts FROM import_run ORDER BY portal');
    const runs = (imported_at: Date) =>
      ['ocds-aaaaaa', 'ocds-bbbbbb'].map((portal) => ({ portal, imported_at, counts: null }));
    expect(await run(both, options)).toMatchObject({ read: 2, new: 2 });
    expect(await recorded()).toEqual(runs(NOW));
    // Also when every tender is unchanged.
    const now = new Date(NOW.getTime() + 3_600_000);
    expect(await run(both, { ...options, now })).toMatchObject({ read: 2, unchanged: 2 });
    expect(await recorded()).toEqual(runs(now));
  });

  test('a file with more new rows than fit in memory stores the last row of each tender, and counts every row', async () => {
    await run(file({}, { id: '2026_PWD_2_1' }));
    const published = '12-Nov-2026 05:00 PM';
    const many: Row[] = Array.from({ length: 2_100 }, (_, n) => ({ id: `2026_PWD_${n + 10}_2`, published }));
    const content = file({ value: '7,00,000' }, { id: '2026_PWD_2_1' }, ...many, {}, { value: '6,00,000' });
    expect(await run(content)).toEqual({ read: 2_104, new: 2_100, changed: 1, unchanged: 3, rejected: 0 });
    expect(await query("SELECT price, version FROM tender WHERE source_id = '2026_PWD_100001_1'")).toEqual([
      { price: '600000.00', version: 2 },
    ]);
    expect(await query('SELECT tender_id FROM tender_seen')).toHaveLength(1);
    const drafts = { dataSource: database.dataSource, now: new Date('2026-11-12T17:00:00+05:30') };
    expect(await publishDueDrafts(drafts)).toBe(2_100);
    expect(await publishDueDrafts(drafts)).toBe(0);
  });

  test('an import is recorded with its counts, also when nothing has changed; a dry run and a rebased archive are not', async () => {
    const recorded = () =>
      query('SELECT portal, imported_at, counts, seconds > 0 AND seconds < 600 AS timed FROM import_run');
    await run(file({}), { dryRun: true });
    expect(await recorded()).toEqual([]);
    await run(file({}, {}));
    const first = {
      portal: 'hptenders',
      timed: true,
      counts: { read: 2, new: 1, changed: 0, unchanged: 1, rejected: 0 },
    };
    expect(await recorded()).toEqual([{ ...first, imported_at: NOW }]);
    const now = new Date(NOW.getTime() + 3_600_000);
    await run(file({}), { now });
    await run(file({}), { portal: 'demotenders', rebase: '2026-11-02' });
    const counts = { read: 1, new: 0, changed: 0, unchanged: 1, rejected: 0 };
    expect(await recorded()).toEqual([{ ...first, imported_at: now, counts }]);
  });

  test('a tender that an earlier version of the reader stored with the same values is not changed', async () => {
    await run(file({}));
    const stored = () => query('SELECT version, change_no, updated_at FROM tender');
    const before = await stored();
    await query("UPDATE tender SET content_hash = 'earlier'");
    const counts = await run(file({}), { now: new Date(NOW.getTime() + 3_600_000) });
    expect(counts).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await stored()).toEqual(before);
    expect(await query('SELECT kind FROM tender_history')).toEqual([{ kind: 'published' }]);
  });

  test('the publishing date that the announcement gave stays when a later release only implies one', async () => {
    const release = (day: number, tag: string, more: object = {}) =>
      JSON.stringify({
        ...{ ocid: 'ocds-213czf-1', id: `${day}`, date: `2026-11-0${day}T09:00:00+05:30`, tag: [tag], ...more },
        ...{ initiationType: 'tender', buyer: { id: 'pwd', name: 'PWD' } },
        tender: { id: 't1', title: 'Link road', tenderPeriod: { endDate: '2026-11-20T11:00:00+05:30' } },
      });
    const published = () => query('SELECT published_at AS at, version FROM tender');
    await run(release(2, 'tender'));
    await run(release(5, 'tenderUpdate'));
    expect(await published()).toEqual([{ at: new Date('2026-11-02T09:00:00+05:30'), version: 1 }]);
    await run(release(4, 'tender'));
    expect(await published()).toEqual([{ at: new Date('2026-11-04T09:00:00+05:30'), version: 2 }]);
    await query('TRUNCATE tender CASCADE');
    const awards = [{ id: 'a1', status: 'active', suppliers: [{ id: 's1', name: 'Verma Builders' }] }];
    await run(release(2, 'award', { awards }), { rebase: '2026-11-02' });
    expect(await query('SELECT id FROM award')).toEqual([]);
  });

  test('the same file again writes to no tender and no index, and each tender says when it was last compared', async () => {
    const rows: Row[] = Array.from({ length: 300 }, (_, i) => ({ id: `2026_PWD_${100_000 + i}_1` }));
    await run(file(...rows));
    const versions = () => query('SELECT id, ctid::text, xmin::text, fetched_at FROM tender ORDER BY id');
    const before = await versions();
    const later = [1, 2, 3].map((hours) => new Date(NOW.getTime() + hours * 3_600_000));
    for (const now of later) {
      expect(await run(file(...rows), { now })).toMatchObject({ new: 0, changed: 0, unchanged: 300 });
      expect(await query('SELECT DISTINCT seen_at AS at FROM tender_seen')).toEqual([{ at: now }]);
    }
    expect(await versions()).toEqual(before);
    const [{ id }] = before;
    const comparedAt = async (now: Date) => {
      const [{ tender }] = await database.dataSource.query(tenderStatement(id, now).text, [now, id]);
      return new Date(JSON.parse(tender).fetched_at);
    };
    expect(await comparedAt(NOW)).toEqual(later[2]);
    // A changed tender is as new as its change.
    const [first, ...others] = rows as [Row, ...Row[]];
    const changedAt = new Date(NOW.getTime() + 4 * 3_600_000);
    await run(file({ ...first, value: '7,00,000' }, ...others), { now: changedAt });
    expect(await query(`SELECT fetched_at AS at FROM tender WHERE id = ${id}`)).toEqual([{ at: changedAt }]);
    expect(await comparedAt(changedAt)).toEqual(changedAt);
  });

  test('backslashes of a portal are stored as they are', async () => {
    const title = String.raw`Repair at C:\new\table \N \. R\Wall`;
    const documents = [String.raw`BOQ\rev\2`, String.raw`\N`];
    await run(file({ title, documents }, { id: '2026_PWD_100001_2', title: String.raw`\N` }));
    expect(await query('SELECT title, documents FROM tender ORDER BY id')).toMatchObject([
      { title, documents: documents.map((name) => ({ name })) },
      { title: String.raw`\N` },
    ]);
  });

  test('two imports of one file at the same time store each tender once', async () => {
    const rows: Row[] = Array.from({ length: 1_500 }, (_, i) => ({ id: `2026_PWD_${100_000 + i}_1` }));
    const counts = await Promise.all([run(file(...rows)), run(file(...rows))]);
    expect(counts.map(({ new: added, unchanged }) => added + unchanged)).toEqual([1_500, 1_500]);
    expect(counts.reduce((sum, { new: added }) => sum + added, 0)).toBe(1_500);
    expect(
      await query(`SELECT count(*)::int AS tenders, count(DISTINCT change_no)::int AS numbers,
      (SELECT count(*)::int FROM tender_history h JOIN tender t ON t.id = h.tender_id AND t.change_no = h.change_no
        AND t.state = h.state AND t.version = h.version) AS published FROM tender`),
    ).toEqual([{ tenders: 1_500, numbers: 1_500, published: 1_500 }]);
    // More unchanged ones than one transaction notes.
    const now = new Date(NOW.getTime() + 3_600_000);
    expect(await run(file(...rows), { now })).toMatchObject({ read: 1_500, unchanged: 1_500 });
    expect(await query('SELECT seen_at, count(*)::int AS tenders FROM tender_seen GROUP BY 1')).toEqual([
      { seen_at: now, tenders: 1_500 },
    ]);
  });

  test('an older archive takes back neither a closing nor a cancellation, and the report says so', async () => {
    const said: string[] = [];
    const log = (text: string) => void said.push(text);
    const state = async () => (await query('SELECT closes_at, stage, version FROM tender'))[0];
    const older = file({ title: 'Old title' });
    await run(file({ closes: '25-Nov-2026 11:00 AM', corrigendum: ['Extended', 'Date'] }));
    const newest = { closes_at: new Date('2026-11-25T05:30:00Z'), stage: 'published', version: 1 };
    expect(await run(older, { log })).toMatchObject({ read: 1, changed: 0, unchanged: 1, rejected: 0 });
    expect(await state()).toEqual(newest);
    expect(said.join()).toMatch(
      /: 1 row is older than what is stored, like 2026_PWD_100001_1, and counted as unchanged: /,
    );
    // A closing that a new corrigendum moves back is news.
    expect(await run(file({ closes: '18-Nov-2026 11:00 AM', corrigendum: ['Brought forward', 'Date'] }))).toMatchObject(
      {
        changed: 1,
      },
    );
    expect(await state()).toMatchObject({ closes_at: new Date('2026-11-18T05:30:00Z'), version: 2 });
    await run(file({ closes: '18-Nov-2026 11:00 AM', corrigendum: ['Cancelled', 'Cancellation'] }));
    expect(await run(older)).toMatchObject({ changed: 0 });
    expect(await state()).toMatchObject({ stage: 'cancelled', version: 3 });
  });

  test('the same file with another day of --rebase says how many dates moved, and which publishing dates stay', async () => {
    const said: string[] = [];
    const log = (text: string) => void said.push(text);
    const rows: Row[] = [
      { id: '2026_PWD_1_1', published: '01-Nov-2026 09:00 AM' },
      { id: '2026_PWD_1_2', opens: 'NA' },
    ];
    await run(file(...rows), { rebase: '2026-11-10' });
    expect(await run(file(...rows), { rebase: '2026-11-12', log })).toMatchObject({ changed: 0, unchanged: 2 });
    expect(said.join('\n')).toMatch(
      /: 7 dates of 2 unchanged tenders moved: 2 publishing, 2 bid start, 2 closing, 1 opening$/m,
    );
    said.length = 0;
    await run(file(...rows), { rebase: '2026-11-01', log });
    expect(said.join('\n')).toMatch(
      /: 1 publishing, 2 bid start, 2 closing, 1 opening; 1 public already: published as before$/m,
    );
    said.length = 0;
    await run(file(...rows), { rebase: '2026-11-01', log });
    expect(said.join('\n')).not.toContain('moved');
  });

  test('a moved closing date becomes a numbered history row and a corrigendum from old to new', async () => {
    await run(file({}));
    const later = new Date(NOW.getTime() + 3_600_000);
    const extended = file({ closes: '25-Nov-2026 05:00 PM', corrigendum: ['Extension', 'Date'] });
    expect(await run(extended, { now: later })).toMatchObject({ changed: 1, unchanged: 0 });
    const [published, changed] = await query('SELECT * FROM tender_history ORDER BY change_no');
    expect(Number(changed.change_no)).toBeGreaterThan(Number(published.change_no));
    expect(changed).toMatchObject({
      kind: 'changed',
      version: 2,
      state: 'Himachal Pradesh',
      at: later,
      changes: [{ field: 'closing_date', old: '2026-11-20T05:30:00.000Z', new: '2026-11-25T11:30:00.000Z' }],
    });
    expect(await query('SELECT title, type, noticed_at, changes FROM corrigendum')).toEqual([
      {
        title: 'Extension',
        type: 'Date',
        noticed_at: later,
        changes: [{ field: 'closing_date', old: '2026-11-20T05:30:00.000Z', new: '2026-11-25T11:30:00.000Z' }],
      },
    ]);
    expect(await query('SELECT last_corrigendum, version, updated_at, fetched_at FROM tender')).toEqual([
      { last_corrigendum: 'date', version: 2, updated_at: later, fetched_at: later },
    ]);
  });

  test('a change without a corrigendum leaves the mark of the last corrigendum on the card', async () => {
    await run(file({}));
    await run(file({ closes: '25-Nov-2026 05:00 PM' }));
    await run(file({ closes: '25-Nov-2026 05:00 PM', title: 'Footbridge at Bharmour' }));
    expect(await query('SELECT title, last_corrigendum, version FROM tender')).toEqual([
      { title: 'Footbridge at Bharmour', last_corrigendum: 'date', version: 3 },
    ]);
  });

  test('a corrigendum that the portal names without its values is stored once, without values', async () => {
    const row: Row = { corrigendum: ['Corrigendum-I', 'Technical Bid'] };
    await run(file(row, { id: '2026_PWD_2_1', corrigendum: ['Extension', 'Closing DATE'] }));
    const marks = await query('SELECT last_corrigendum AS mark FROM tender ORDER BY source_id');
    expect(marks.map(({ mark }: { mark: string }) => mark)).toEqual(['other', 'date']);
    await query("DELETE FROM tender WHERE source_id = '2026_PWD_2_1'");
    await run(file(row));
    expect(await query('SELECT title, type, changes FROM corrigendum')).toEqual([
      { title: 'Corrigendum-I', type: 'Technical Bid', changes: [] },
    ]);
    await run(file({ corrigendum: ['Corrigendum-I', 'Other'] }));
    expect(await query('SELECT type FROM corrigendum ORDER BY id')).toEqual([
      { type: 'Technical Bid' },
      { type: 'Other' },
    ]);
    expect(await query('SELECT last_corrigendum FROM tender')).toEqual([{ last_corrigendum: 'other' }]);
  });

  test('changed value, EMD and documents become corrigenda; a changed title is only stored', async () => {
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
    const said: string[] = [];
    const log = (text: string) => void said.push(text);
    const rejects = join(folder, 'new folder', 'rejects.csv');
    await run(file({ id: '2026_PWD_9_1' }), { rejects, log });
    await expect(readFile(rejects)).rejects.toThrow('ENOENT');
    expect(said).toEqual([]);
    await run(file({ id: '2026_PWD_9_1', title: 'NA' }), { rejects, log });
    expect(await readFile(rejects, 'utf8')).toBe(
      'line,column,value,reason\n2,Title,,the tender has neither title nor description\n',
    );
    expect(said).toEqual([`Rejected rows with their reasons: ${rejects}`]);
    const counts = await run(
      file(
        { id: '2026_PWD_1_1' },
        { id: ' - ' },
        { id: '2026_PWD_2_1', published: '31-Feb-2026 09:00 AM' },
        { id: '2026_PWD_3_1', closes: '20-Nov-26' },
        { id: '2026_PWD_4_1', closes: '01-Nov-2026 09:00 AM' },
      ),
    );
    expect(counts).toEqual({ read: 5, new: 1, changed: 0, unchanged: 0, rejected: 4 });
    expect((await readFile(join(folder, 'rejects.csv'), 'utf8')).trim().split('\n')).toEqual([
      'line,column,value,reason',
      '3,Tender ID,,the tender has no id',
      `4,Publish Date,31-Feb-2026 09:00 AM,is not a date like '17-Sep-2025 09:00 AM'`,
      '5,Bid Submission End Date,20-Nov-26,"has a year of two digits, which could also be the day"',
      '6,Bid Submission End Date,01-Nov-2026 09:00 AM,closes before it is published (02-Nov-2026 09:00 AM)',
    ]);
    // A NUL byte beyond the first block of the file, and a value that a spreadsheet would compute.
    const title = `${'a'.repeat(70_000)}\0`;
    expect(await run(file({ id: '2026_PWD_5_1', title }, { id: '2026_PWD_6_1', closes: '=1+1' }))).toMatchObject({
      read: 2,
      rejected: 2,
    });
    expect(await readFile(join(folder, 'rejects.csv'), 'utf8')).toContain(`3,Bid Submission End Date,'=1+1,`);
  });

  test('cells that cannot be read and do not decide become empty; the import counts, lists and sums them up', async () => {
    const said: string[] = [];
    const options = { rejects: join(folder, 'odd.csv'), log: (text: string) => void said.push(text) };
    const rows = [
      { id: '2026_PWD_9_1', emd: 'Refer NIT', opens: 'NaT' },
      { id: '2026_PWD_9_2', emd: 'As per NIT' },
      { id: '2026_PWD_9_3' },
    ];
    const counts = { read: 3, rejected: 0, warnings: 3 };
    expect(await run(file(...rows), options)).toEqual({ ...counts, new: 3, changed: 0, unchanged: 0 });
    // Also the file of the next day, whose rows have not changed.
    expect(await run(file(...rows), options)).toEqual({ ...counts, new: 0, changed: 0, unchanged: 3 });
    expect(said.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^file-\d+: 3 cells were not usable and stay empty: "EMD Amount in ₹" 2 \(like "Refer NIT"\), "Bid Opening Date" 1 \(like "NaT"\)$/,
      ),
      `Cells that were left empty: ${join(folder, 'odd.warnings.csv')}`,
    ]);
    expect((await readFile(join(folder, 'odd.warnings.csv'), 'utf8')).split('\n')).toEqual(
      expect.arrayContaining([
        'line,column,value,reason',
        '2,EMD Amount in ₹,Refer NIT,is not an amount in rupees',
        '3,EMD Amount in ₹,As per NIT,is not an amount in rupees',
      ]),
    );
    expect(await query('SELECT emd, opens_at IS NULL AS "isOpen" FROM tender ORDER BY source_id')).toEqual([
      { emd: null, isOpen: true },
      { emd: null, isOpen: false },
      { emd: '10000.00', isOpen: false },
    ]);
  });

  test('a dry run counts and stores nothing', async () => {
    const said: string[] = [];
    const log = (text: string) => void said.push(text);
    expect(await run(file({}), { dryRun: true, log })).toMatchObject({ read: 1, new: 1 });
    expect(said).toEqual(['Dry run: nothing was stored']);
    expect(await query('SELECT id FROM tender')).toEqual([]);
    await run(file({}, { id: '2026_PWD_2_1' }));
    const tables = ['tender', 'tender_history', 'corrigendum', 'tender_seen', 'import_run'];
    const read = () => Promise.all(tables.map((table) => query(`SELECT * FROM ${table} ORDER BY 1`)));
    const before = await read();
    const later = new Date(NOW.getTime() + 3_600_000);
    const changed = file({ closes: '29-Nov-2026 11:00 AM' }, { id: '2026_PWD_2_1' }, { id: '2026_PWD_3_1' });
    expect(await run(changed, { dryRun: true, now: later })).toMatchObject({ new: 1, changed: 1, unchanged: 1 });
    expect(await read()).toEqual(before);
  });

  test('a part that the database refuses ends the import with its error, and is not recorded as one', async () => {
    await query(`ALTER TABLE tender ADD CHECK (title <> 'Refused')`);
    const rows: Row[] = Array.from({ length: 1_001 }, (_, n) => ({ id: `2026_PWD_${n + 1}_1` }));
    await expect(run(file({ id: '2026_PWD_9999_1', title: 'Refused' }, ...rows))).rejects.toThrow(
      'violates check constraint',
    );
    expect(await query('SELECT id FROM tender')).toEqual([]);
    expect(await query('SELECT portal FROM import_run')).toEqual([]);
    // Those of an earlier part stay, and the next import continues with the others.
    await expect(run(file(...rows, { id: '2026_PWD_9999_1', title: 'Refused' }))).rejects.toThrow(
      'violates check constraint',
    );
    expect(await query('SELECT id FROM tender')).toHaveLength(1_000);
    expect(await run(file(...rows))).toMatchObject({ new: 1, unchanged: 1_000 });
  });

  test('a tender with a future publishing date is a draft without a history row', async () => {
    await run(file({ published: '12-Nov-2026 05:00 PM' }));
    expect(await query('SELECT change_no FROM tender')).toEqual([{ change_no: null }]);
    expect(await query('SELECT * FROM tender_history')).toEqual([]);
    await run(
      file(
        { id: '2026_PWD_2_1', published: '10-Nov-2026 11:31 AM' },
        { id: '2026_PWD_2_2', published: '10-Nov-2026 11:30 AM' },
      ),
    );
    const rows = 'SELECT source_id AS id FROM tender_history h JOIN tender t ON t.id = h.tender_id';
    expect(await query(rows)).toEqual([{ id: '2026_PWD_2_2' }]);
  });

  test('a changed draft stays a draft and is published at its hour with its latest values', async () => {
    await run(file({ published: '12-Nov-2026 05:00 PM' }));
    expect(await run(file({ published: '12-Nov-2026 05:00 PM', closes: '25-Nov-2026 05:00 PM' }))).toMatchObject({
      changed: 1,
    });
    expect(await query('SELECT change_no, version FROM tender')).toEqual([{ change_no: null, version: 2 }]);
    expect(await query('SELECT * FROM tender_history')).toEqual([]);
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);

    const at = new Date('2026-11-12T17:00:00+05:30');
    expect(await publishDueDrafts({ dataSource: database.dataSource, now: new Date(at.getTime() - 1) })).toBe(0);
    expect(await publishDueDrafts({ dataSource: database.dataSource, now: at })).toBe(1);
    const [tender] = await query('SELECT id, change_no, closes_at FROM tender');
    expect(tender.closes_at).toEqual(new Date('2026-11-25T17:00:00+05:30'));
    expect(await query('SELECT tender_id, kind, change_no, version, state, changes, at FROM tender_history')).toEqual([
      {
        ...{ tender_id: tender.id, kind: 'published', change_no: tender.change_no, version: 2 },
        ...{ state: 'Himachal Pradesh', changes: [], at },
      },
    ]);
    expect(await publishDueDrafts({ dataSource: database.dataSource, now: at })).toBe(0);
  });

  test('a tender that was stored as cancelled because of a revocation is corrected by the next import of the same file', async () => {
    const content = file({ revocation: 'Tender Revocation', corrigendum: ['Extension', 'Date'] });
    await run(content);
    // As an earlier version of the reader stored it.
    await query(`UPDATE tender SET stage = 'cancelled', content_hash = 'earlier', last_corrigendum = 'other'`);
    await query(`DELETE FROM corrigendum WHERE type = 'Evaluation revoked'`);
    expect(await run(content)).toMatchObject({ changed: 1 });
    expect(await query('SELECT stage FROM tender')).toEqual([{ stage: 'under_evaluation' }]);
    expect(await query('SELECT title, type, changes FROM corrigendum ORDER BY id')).toEqual([
      { title: 'Extension', type: 'Date', changes: [] },
      { title: 'Tender Revocation', type: 'Evaluation revoked', changes: [] },
    ]);
    const [{ changes }] = await query(`SELECT changes FROM tender_history WHERE kind = 'changed'`);
    expect(changes).toEqual([{ field: 'stage', old: 'cancelled', new: 'under_evaluation' }]);
    expect(await run(content)).toMatchObject({ unchanged: 1 });
  });

  test('a revocation sets no mark on the card, and a date that changes with it has its own entry', async () => {
    await run(file({ revocation: 'Minutes' }));
    expect(await query('SELECT last_corrigendum FROM tender')).toEqual([{ last_corrigendum: null }]);
    await run(file({ revocation: 'Technical Evaluation Revocation', closes: '25-Nov-2026 05:00 PM' }));
    expect(await query('SELECT title, changes FROM corrigendum ORDER BY id OFFSET 1')).toEqual([
      { title: 'Technical Evaluation Revocation', changes: [] },
      {
        title: 'Closing date changed',
        changes: [{ field: 'closing_date', old: '2026-11-20T05:30:00.000Z', new: '2026-11-25T11:30:00.000Z' }],
      },
    ]);
    expect(await query('SELECT last_corrigendum FROM tender')).toEqual([{ last_corrigendum: 'date' }]);
  });

  test('a public tender with a later publishing date stays public, and the change is recorded once', async () => {
    await run(file({}));
    const moved = { published: '15-Nov-2026 05:00 PM', closes: '25-Nov-2026 11:00 AM' };
    expect(await run(file(moved))).toMatchObject({ changed: 1 });
    await run(file({ ...moved, emd: '12,000' }));
    expect(await query('SELECT published_at, closes_at, change_no IS NOT NULL AS numbered FROM tender')).toEqual([
      {
        published_at: new Date('2026-11-02T09:00:00+05:30'),
        closes_at: new Date('2026-11-25T11:00:00+05:30'),
        numbered: true,
      },
    ]);
    expect(await query(`SELECT title FROM corrigendum WHERE type = 'Noticed by Nivida'`)).toEqual([
      { title: 'Publishing date changed: 2 Nov 2026, 9:00 AM → 15 Nov 2026, 5:00 PM' },
    ]);
    const kinds = await query('SELECT kind FROM tender_history ORDER BY change_no');
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['published', 'changed', 'changed']);

    const later = new Date('2026-11-16T06:00:00Z');
    await run(file({ ...moved, emd: '13,000' }), { now: later });
    expect(await query('SELECT published_at FROM tender')).toEqual([
      { published_at: new Date('2026-11-15T17:00:00+05:30') },
    ]);
  });

  test('the last row of a tender counts, the others are reported, and the same file again changes nothing', async () => {
    const twice = file({}, { id: '2026_PWD_100002_1' }, { closes: '22-Nov-2026 11:00 AM' });
    const said: string[] = [];
    const log = (text: string) => void said.push(text.replace(/^file-\d+/, 'file'));
    expect(await run(twice, { log })).toEqual({ read: 3, new: 2, changed: 0, unchanged: 1, rejected: 0 });
    const unchanged = { read: 3, new: 0, changed: 0, unchanged: 3, rejected: 0 };
    expect(await run(twice, { log })).toEqual(unchanged);
    expect(await run(twice, { log, acceptMassChange: true })).toEqual(unchanged);
    const report =
      'file: 1 row was skipped and counted as unchanged: a later row names the same tender, like 2026_PWD_100001_1, and the last row counts';
    expect(said).toEqual([report, report, report]);
    expect(await query('SELECT closes_at FROM tender ORDER BY source_id LIMIT 1')).toEqual([
      { closes_at: new Date('2026-11-22T11:00:00+05:30') },
    ]);
    expect(await query('SELECT kind FROM tender_history')).toEqual([{ kind: 'published' }, { kind: 'published' }]);
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);
    const extended = file(
      { id: '2026_PWD_100002_1' },
      {},
      { closes: '22-Nov-2026 11:00 AM' },
      { closes: '24-Nov-2026 11:00 AM' },
    );
    expect(await run(extended)).toEqual({ read: 4, new: 0, changed: 1, unchanged: 3, rejected: 0 });
  });

  test('of three rows of one tender the last counts, and the others leave no corrigendum', async () => {
    await run(file({}));
    const rows = ['22', '23', '24'].map((day) => ({ closes: `${day}-Nov-2026 11:00 AM` }));
    const said: string[] = [];
    const counts = await run(file(...rows), { log: (text) => void said.push(text) });
    expect(counts).toEqual({ read: 3, new: 0, changed: 1, unchanged: 2, rejected: 0 });
    expect(said).toEqual([
      expect.stringMatching(/^file-\d+: 2 rows were skipped .*, like 2026_PWD_100001_1, and the last row counts$/),
    ]);
    expect(await query('SELECT changes FROM corrigendum')).toEqual([
      { changes: [{ field: 'closing_date', old: '2026-11-20T05:30:00.000Z', new: '2026-11-24T05:30:00.000Z' }] },
    ]);
  });

  test('the last row of a tender counts also after rejected rows', async () => {
    const rejected = { id: '2026_PWD_100003_1', closes: 'soon' };
    const twice = file(rejected, {}, rejected, { closes: '22-Nov-2026 11:00 AM' }, rejected);
    expect(await run(twice)).toEqual({ read: 5, new: 1, changed: 0, unchanged: 1, rejected: 3 });
    expect(await query('SELECT closes_at FROM tender')).toEqual([{ closes_at: new Date('2026-11-22T11:00:00+05:30') }]);
  });

  test('reports its progress by the rows that it has read', async () => {
    let seconds = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => 1_000 * seconds++);
    onTestFinished(() => clock.mockRestore());
    const said: string[] = [];
    const log = (text: string) => void said.push(text.replace(/^file-\d+/, 'file'));
    await run(file({}, { id: '2026_PWD_2_1', closes: 'soon' }, { id: '2026_PWD_3_1' }), { log });
    expect(said.slice(0, 3)).toEqual(['file: 1 of 3 rows, 33%', 'file: 2 of 3 rows, 66%', 'file: 3 of 3 rows, 100%']);
  });

  test('the earlier row of a tender counts when its later row is rejected', async () => {
    const counts = { read: 2, changed: 0, rejected: 1 };
    expect(await run(file({}, { closes: 'soon' }))).toEqual({ ...counts, new: 1, unchanged: 0 });
    expect(await run(file({}, { closes: 'soon' }))).toEqual({ ...counts, new: 0, unchanged: 1 });
  });
});

describe('a file that would change most stored tenders', () => {
  const many = (change: (n: number) => Row = () => ({}), tenders = 25) =>
    file(...Array.from({ length: tenders }, (_, n) => ({ id: `2026_PWD_${n + 1}_1`, ...change(n) })));
  const refused = async (content: string, options?: Parameters<typeof run>[1]) => {
    const before = await query('SELECT * FROM tender ORDER BY id');
    const error = await run(content, options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(HeldBackFileError);
    expect(await query('SELECT * FROM tender ORDER BY id')).toEqual(before);
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);
    return error.message as string;
  };

  test('by emptying a field of more than a fifth of them is held back until the operator accepts it', async () => {
    await run(many());
    expect(await run(many((n) => ({ emd: n < 5 ? '' : '10,000' })))).toMatchObject({ changed: 5 });
    await run(many());
    await query('DELETE FROM corrigendum');
    const emptied = many((n) => ({ emd: n < 6 ? '' : '10,000' }));
    expect(await refused(emptied)).toBe(
      'would empty "EMD Amount" in 6 of 25 tenders that are stored. Nothing was stored; if the file is right, import it with --accept-mass-change',
    );
    expect(await refused(emptied, { dryRun: true })).toContain('would empty "EMD Amount" in 6 of 25 tenders');
    expect(await run(emptied, { acceptMassChange: true })).toMatchObject({ changed: 6 });
  });

  test('by emptying most facts of a few rows at once loses those rows only: their stored facts stay', async () => {
    await run(many());
    const stored = await query('SELECT * FROM tender ORDER BY id');
    const lost = { value: '', emd: '', opens: '', documents: [] };
    const rejects = join(folder, 'lost.csv');
    const half = many((n) => (n < 4 ? lost : n === 4 ? { emd: '12,000' } : {}));
    const emptied = half.replaceAll(/,Executive Engineer,Bharmour,176315.0,Works,"",/g, ',Executive Engineer,,,,"",');
    expect(await run(emptied, { rejects })).toMatchObject({ read: 25, changed: 1, unchanged: 20, rejected: 4 });
    expect((await readFile(rejects, 'utf8')).split('\n')[1]).toMatch(
      /^2,"Tender Value, EMD Amount, .*would empty \d+ of \d+ stored facts at once, so the stored ones stay/,
    );
    const now = await query('SELECT * FROM tender ORDER BY id');
    const facts = (rows: Record<string, unknown>[]) =>
      rows.slice(0, 4).map(({ price, emd, documents }) => ({ price, emd, documents }));
    expect(facts(now)).toEqual(facts(stored));
    expect(await run(emptied, { acceptMassChange: true })).toMatchObject({ changed: 4, rejected: 0 });
  });

  test('by an emptied row after the full row of a new tender loses the emptied row only', async () => {
    const rejects = join(folder, 'lost-in-file.csv');
    const emptied = line({ value: '', emd: '', opens: '', documents: [] }).replace(
      ',Executive Engineer,Bharmour,176315.0,Works,',
      ',,,,,',
    );
    const full = `${file({}, { id: '2026_PWD_2_1' })}${emptied}\n`;
    expect(await run(full, { rejects })).toMatchObject({ read: 3, new: 2, unchanged: 0, rejected: 1 });
    expect((await readFile(rejects, 'utf8')).split('\n')[1]).toMatch(
      /^4,"Tender Value, EMD Amount, .*would empty \d+ of \d+ earlier facts at once, so the earlier ones stay/,
    );
    const facts = 'SELECT price, emd, pincode FROM tender ORDER BY id LIMIT 1';
    expect(await query(facts)).toEqual([{ price: '500000.00', emd: '10000.00', pincode: '176315' }]);
    // the full row may be a change of a stored tender, and the emptied one what is stored
    await query('DELETE FROM tender');
    await run(`${file({ id: '2026_PWD_2_1' })}${emptied}\n`);
    expect(await run(full)).toMatchObject({ read: 3, changed: 1, unchanged: 1, rejected: 1 });
    expect(await query(facts)).toEqual([{ price: '500000.00', emd: '10000.00', pincode: '176315' }]);
  });

  test('by saying nothing of the documents and the stage of a tender does not take them back, and says so', async () => {
    const row = { id: '2026_PWD_1_1', revocation: 'Opening revoked' };
    await run(file(row));
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const lost = file({ ...row, revocation: '', documents: [] });
    expect(await run(lost, { log })).toMatchObject({ rejected: 0, warnings: 2 });
    expect(lines.join('\n')).toContain(
      '1 row without "Cover Documents" and 1 row without "Tender Stage", like 2026_PWD_1_1: the stored ones stay',
    );
    expect(await run(lost)).toMatchObject({ unchanged: 1 });
    const kept = await query('SELECT stage, jsonb_array_length(documents) AS documents FROM tender');
    expect(kept).toEqual([{ stage: 'under_evaluation', documents: 1 }]);
    await run(file({ ...row, revocation: '', documents: [] }), { acceptMassChange: true });
  });

  test('is compared with those of its portal, however the name of the portal is written', async () => {
    await run(many());
    expect(
      await refused(
        many(() => ({ emd: '' })),
        { portal: ' HPTenders ' },
      ),
    ).toContain('would empty "EMD Amount" in 25 of 25 tenders');
  });

  test('by emptying a field that few of them have is held back', async () => {
    const withEmd = (count: number) => many((n) => ({ emd: n < count ? '10,000' : '' }), 150);
    await run(withEmd(25));
    expect(await refused(withEmd(19))).toContain('would empty "EMD Amount" in 6 of 150 tenders that are stored.');
    expect(await run(withEmd(20))).toMatchObject({ changed: 5 });
    await query('DELETE FROM corrigendum');
    expect(await refused(withEmd(15))).toContain('would empty "EMD Amount" in 5 of 150 tenders that are stored.');
    expect(await run(withEmd(16))).toMatchObject({ changed: 4 });
    // of fewer than 20 the share says nothing
    expect(await run(withEmd(0))).toMatchObject({ changed: 16 });
  });

  test('is accepted when notices say "published" of tenders that awards have closed', async () => {
    await run(many());
    await query("UPDATE tender SET stage = 'awarded'");
    const changed = many(() => ({ emd: '20,000' }));
    expect(await refused(changed)).toContain('would empty "Tender Stage" in 25 of 25 tenders');
    await query(`
      INSERT INTO award (portal, source_id, state, title, bidders, accepted, refused_technical, not_admitted, submitted,
        origin, content_hash, imported_at)
      SELECT portal, source_id, state, title, 2, 1, 0, 0, '{}', 'portal', '', fetched_at FROM tender`);
    expect(await run(changed)).toMatchObject({ changed: 25 });
    await query('DELETE FROM award');
  });

  test('is accepted when only another portal has tenders of the same ids', async () => {
    const other = { portal: 'assamtenders', state: 'Assam', acceptState: true };
    await run(many());
    await run(file({ id: '2026_OTHER_1_1' }), other);
    expect(
      await run(
        many(() => ({ emd: '' })),
        other,
      ),
    ).toMatchObject({ new: 25, unchanged: 0 });
    expect(
      await query('SELECT portal, count(*)::int AS tenders, count(emd)::int AS emds FROM tender GROUP BY 1 ORDER BY 1'),
    ).toEqual([
      { portal: 'assamtenders', tenders: 26, emds: 1 },
      { portal: 'hptenders', tenders: 25, emds: 25 },
    ]);
  });

  test('names every field that would be emptied', async () => {
    await run(many());
    expect(await refused(many(() => ({ value: '', emd: 'NA', documents: [] })))).toContain(
      'would empty "Tender Value" in 25 of 25 tenders that are stored (also "EMD Amount", "Cover Documents")',
    );
  });

  test('is accepted with fewer than 20 tenders, and with new ones', async () => {
    await run(many(undefined, 19));
    expect(await run(many(() => ({ emd: '' }), 19))).toMatchObject({ changed: 19 });
    expect(await run(many((n) => (n < 19 ? { emd: '' } : { id: `2026_PWD_9${n}_1`, emd: '' }), 60))).toMatchObject({
      new: 41,
    });
  });

  test('by moving all dates by the same time is held back; a closing date that changes alone is not', async () => {
    const dates = (published: number, closes: number) =>
      many(() => ({
        published: `${published}-Nov-2026 09:00 AM`,
        closes: `${closes}-Nov-2026 11:00 AM`,
        opens: `${closes + 1}-Nov-2026 11:00 AM`,
      }));
    await run(dates(2, 20));
    expect(await refused(dates(3, 21))).toContain('would move all dates of 25 of 25 tenders by 1 day ahead.');
    expect(await refused(dates(1, 19))).toContain('would move all dates of 25 of 25 tenders by 1 day back.');
    expect(await refused(dates(3, 21).replaceAll(/2[12]-Nov-2026 11:00 AM,,/g, ',,'))).toContain(
      'would move all dates of 25 of 25 tenders by 1 day ahead.',
    );
    expect(await refused(dates(2, 20).replaceAll(':00 AM', ':30 AM'))).toContain(
      'would move all dates of 25 of 25 tenders by 30 minutes ahead.',
    );
    expect(await refused(dates(2, 20).replaceAll('09:00 AM', '07:30 AM').replaceAll('11:00 AM', '09:30 AM'))).toContain(
      'would move all dates of 25 of 25 tenders by 90 minutes back.',
    );
    expect(await run(dates(2, 22))).toMatchObject({ changed: 25 });
  });

  test('by moving the dates of more than four fifths of them is held back', async () => {
    const day = (n: number) => String(n).padStart(2, '0');
    const moved = (tenders: number) =>
      many((n) => {
        const days = n < tenders ? 2 : 0;
        return {
          published: `${day(2 + days)}-Nov-2026 09:00 AM`,
          closes: `${20 + days}-Nov-2026 11:00 AM`,
          opens: `${21 + days}-Nov-2026 11:00 AM`,
        };
      });
    await run(moved(0));
    expect(await refused(moved(21))).toContain('would move all dates of 21 of 25 tenders by 2 days ahead.');
    expect(await run(moved(20))).toMatchObject({ changed: 20 });
  });

  test('by emptying any column is held back with the name of that column', async () => {
    const whole: Record<string, string> = {
      'Tender Reference Number': 'NIT-7',
      Title: 'Footbridge',
      'Work Description': 'Footbridge over the khad',
      'Organisation Chain': 'PWD||Chamba Circle',
      Name: 'Executive Engineer',
      Address: 'The Mall',
      Location: 'Bharmour',
      Pincode: '176315',
      'Tender Category': 'Works',
      'Product Category': 'Civil Works',
      'Tender Type': 'Open Tender',
      'Form of contract': 'Item Rate',
      'Tender Value in ₹': '500000',
      'EMD Amount in ₹': '10000',
      'EMD Percentage': '2',
      'EMD Exemption Allowed': 'No',
      'Tender Fee in ₹': '500',
      'Publish Date': '02-Nov-2026 09:00 AM',
      'Bid Submission Start Date': '03-Nov-2026 10:00 AM',
      'Bid Submission End Date': '20-Nov-2026 11:00 AM',
      'Bid Opening Date': '21-Nov-2026 11:00 AM',
      'Bid Opening Place': 'Chamba',
      'Pre Bid Meeting Place': 'Shimla',
      'Pre Bid Meeting Date': '09-Nov-2026 11:00 AM',
      'Bid Validity(Days)': '120',
      'Period Of Work(Days)': '180',
      'No. of Covers': '2',
      'Tender Stage': 'Technical Evaluation',
      'Cover Documents': '[["Finance",".xls","BOQ"]]',
    };
    const twenty = (changes: Record<string, string> = {}) =>
      gepnicFile(Array.from({ length: 20 }, (_, n) => ({ ...whole, 'Tender ID': `2026_PWD_${n}_1`, ...changes })));
    await run(twenty());
    const shortNames: Record<string, string> = {
      'Tender Value in ₹': 'Tender Value',
      'EMD Amount in ₹': 'EMD Amount',
      'Tender Fee in ₹': 'Tender Fee',
      'Bid Validity(Days)': 'Bid Validity',
      'Period Of Work(Days)': 'Period Of Work',
      'Bid Submission End Date': 'the hour of Bid Submission End Date',
    };
    const needed = ['Title', 'Organisation Chain', 'Publish Date'];
    for (const column of Object.keys(whole).filter((name) => !needed.includes(name)))
      expect(await refused(twenty({ [column]: column === 'Bid Submission End Date' ? '20-Nov-2026' : '' }))).toContain(
        `would empty "${shortNames[column] ?? column}" in 20 of 20 tenders that are stored. Nothing was stored`,
      );
  });

  test('is accepted as a rebased archive whose own dates are the same', async () => {
    const options = { rebase: '2026-11-02' };
    await run(many(), options);
    expect(await query('SELECT DISTINCT shift_days FROM tender')).toEqual([{ shift_days: 8 }]);
    const retitled = many(() => ({ title: 'Kuhl repair' }));
    expect(await run(retitled, options)).toMatchObject({ changed: 25 });
  });

  test('a rebased archive imported again without --rebase is held back, and the reverse', async () => {
    await run(file({}), { rebase: '2026-11-02' });
    expect(await refused(file({}))).toBe(
      'holds 1 tender that is stored as a demonstration with moved dates; import it with --rebase as before. Nothing was stored; if the file is right, import it with --accept-mass-change',
    );
    expect(await run(file({}), { acceptMassChange: true })).toMatchObject({ unchanged: 1 });
    expect(await query('SELECT origin, closes_at FROM tender')).toEqual([
      { origin: 'portal', closes_at: new Date('2026-11-20T05:30:00Z') },
    ]);
    expect(await refused(file({}), { rebase: '2026-11-02' })).toContain(
      `holds 1 tender that is stored with the portal's own dates; --rebase would turn it into a demonstration`,
    );
    const two = file({}, { id: '2026_PWD_2_1' });
    await run(two);
    expect(await refused(two, { rebase: '2026-11-02' })).toContain(
      `holds 2 tenders that are stored with the portal's own dates; --rebase would turn them into a demonstration`,
    );
    await run(two, { rebase: '2026-11-02', acceptMassChange: true });
    expect(await refused(two)).toContain('holds 2 tenders that are stored as a demonstration with moved dates;');
  });

  test('is refused before anything is stored when a column is missing or a name is unknown', async () => {
    const missing = file({}).replace('EMD Amount in ₹', 'Something');
    await expect(run(missing)).rejects.toThrow('has no column "EMD Amount in ₹"');
    expect(await run(missing, { allowMissing: ['emd-amount'] })).toMatchObject({ new: 1 });
    await expect(run(missing, { allowMissing: ['EMD colour'] })).rejects.toThrow(
      '--allow-missing: unknown column "EMD colour"',
    );
    await expect(run(missing, { allowMissing: ['tender id'] })).rejects.toThrow(
      '--allow-missing: column "Tender ID" is required',
    );
  });
});

describe('the portal of a third state, with other headers, mistyped years, revoked evaluations and odd rows', () => {
  const place = { portal: 'odishatenders', state: 'Odisha' };

  test('is stored row by row with money, dates and stage; only odd rows are rejected', async () => {
    const content = thirdPortalFile(40);
    expect(await run(content, place)).toEqual({ read: 43, new: 40, changed: 0, unchanged: 0, rejected: 3 });
    const [{ stored }] = await query(
      `SELECT count(*)::int AS stored FROM tender WHERE price >= 400000 AND emd = 8000 AND tender_fee = 500
         AND published_at < '2026-11-03' AND stage <> 'cancelled' AND title ~ '^Construction of drain no. \\d+$'`,
    );
    expect(stored).toBe(40);
    expect(await query('SELECT stage, count(*)::int AS tenders FROM tender GROUP BY stage ORDER BY stage')).toEqual([
      { stage: 'awarded', tenders: 20 },
      { stage: 'published', tenders: 20 },
    ]);
    expect(await query('SELECT type, count(*)::int AS entries FROM corrigendum GROUP BY type ORDER BY type')).toEqual([
      { type: 'Evaluation revoked', entries: 10 },
      { type: 'Noticed by Nivida', entries: 4 },
    ]);
    const reasons = (await readFile(join(folder, 'rejects.csv'), 'utf8')).trim().split('\n').slice(1);
    expect(reasons).toEqual([
      expect.stringMatching(/^3,Tender Title,.*holds a NUL byte$/),
      expect.stringMatching(/^4,Description of Work,.*holds 1120000 characters: /),
      expect.stringMatching(/^5,Cover Documents,.*is a list nested 5000 deep$/),
    ]);
    expect(await run(content, place)).toMatchObject({ unchanged: 40 });
  });

  test('is held back when its next file empties the estimates or moves every date', async () => {
    await run(thirdPortalFile(40), place);
    await expect(run(thirdPortalFile(40, { 'Tender Value in ₹': '' }), place)).rejects.toThrow(
      'would empty "Tender Value" in 40 of 40 tenders that are stored',
    );
    await expect(
      run(
        thirdPortalFile(40)
          .replaceAll(/0(\d)-Nov/g, '1$1-Nov')
          .replaceAll(/2([01])-Nov/g, '3$1-Nov')
          .replaceAll('31-Nov', '01-Dec'),
        place,
      ),
    ).rejects.toThrow('would move all dates of 40 of 40 tenders by 10 days ahead');
    await expect(run(thirdPortalFile(40).replace('Estimated Cost (INR)', 'Cost in Lakh'), place)).rejects.toThrow(
      'has no column "Tender Value in ₹"',
    );
    expect(await query('SELECT DISTINCT updated_at FROM tender')).toEqual([{ updated_at: NOW }]);
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

  test.each(['00:00:00', '23:59:59'])('moves the dates by the same days at %s in India', async (hour) => {
    await run(file({}), { rebase: '2026-11-02', now: new Date(`2026-11-10T${hour}+05:30`) });
    expect(await query('SELECT shift_days FROM tender')).toEqual([{ shift_days: 8 }]);
  });

  test('a public tender stays public under a shift that would publish it later', async () => {
    await run(file({}), { rebase: '2026-11-02' });
    await run(file({}), { rebase: '2026-10-30' });
    expect(await query('SELECT published_at, closes_at FROM tender')).toEqual([
      { published_at: new Date('2026-11-10T03:30:00Z'), closes_at: new Date('2026-12-01T05:30:00Z') },
    ]);
  });

  test('moves the dates of a draft, which stays a draft', async () => {
    const draft = file({ published: '12-Nov-2026 05:00 PM' });
    await run(draft, { rebase: '2026-11-10' });
    await run(draft, { rebase: '2026-11-09' });
    expect(await query('SELECT published_at, change_no FROM tender')).toEqual([
      { published_at: new Date('2026-11-13T17:00:00+05:30'), change_no: null },
    ]);
  });

  test('to the day of the import moves no date, and the accepted real file removes the mark', async () => {
    await run(file({}), { rebase: '2026-11-10' });
    const stored = () => query('SELECT closes_at, origin, shift_days FROM tender');
    const closing = { closes_at: new Date('2026-11-20T05:30:00Z'), shift_days: 0 };
    expect(await stored()).toEqual([{ ...closing, origin: 'rebased' }]);
    await run(file({}), { acceptMassChange: true });
    expect(await stored()).toEqual([{ ...closing, origin: 'portal' }]);
  });

  test('of a file that has changed since is undone by the accepted real file, too', async () => {
    await run(file({}), { rebase: '2026-11-02' });
    await run(file({ title: 'Kuhl repair' }), { acceptMassChange: true });
    expect(await query('SELECT title, closes_at, origin, shift_days, version FROM tender')).toEqual([
      {
        ...{ title: 'Kuhl repair', origin: 'portal', shift_days: 0, version: 2 },
        closes_at: new Date('2026-11-20T05:30:00Z'),
      },
    ]);
  });

  test('a day later the same file only moves dates, without history or corrigenda, and devices receive them', async () => {
    await run(file({}), { rebase: '2026-11-02' });
    const history = await query('SELECT * FROM tender_history');
    const [before] = await query('SELECT change_no::int AS number, version, updated_at FROM tender');
    const later = new Date(NOW.getTime() + 86_400_000);
    expect(await run(file({}), { rebase: '2026-11-02', now: later })).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await query('SELECT published_at, bid_start_at, closes_at, opens_at FROM tender')).toEqual([
      {
        published_at: new Date('2026-11-11T03:30:00Z'),
        bid_start_at: new Date('2026-11-11T03:30:00Z'),
        closes_at: new Date('2026-11-29T05:30:00Z'),
        opens_at: new Date('2026-11-30T05:30:00Z'),
      },
    ]);
    const [moved] = await query('SELECT change_no::int AS number, version, updated_at, fetched_at FROM tender');
    expect(moved).toEqual({ ...before, number: before.number + 1, fetched_at: later });
    expect(await query('SELECT * FROM tender_history')).toEqual(history);
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);
  });
});

describe('demonstration tenders', () => {
  test('are stored once, and again only after an attempt that failed', async () => {
    const { dataSource } = database;
    await query('ALTER TABLE tender RENAME TO unavailable');
    await expect(importDemoTenders(dataSource, NOW)).rejects.toThrow('relation "tender" does not exist');
    await query('ALTER TABLE unavailable RENAME TO tender');
    const noted = () => query("SELECT key FROM setting WHERE key = 'demonstration'");
    expect(await noted()).toEqual([]);
    await query("INSERT INTO setting (key, value) VALUES ('demonstration', '{}')");
    expect(await importDemoTenders(dataSource, NOW)).toBe(0);
    expect(await query('SELECT id FROM tender')).toEqual([]);
    expect(await noted()).toHaveLength(1);
  });

  test('of a state are removed by its first real import, with those that devices have stored', async () => {
    const { dataSource } = database;
    const demo = (sourceId: string, changes = {}) => createSourceTender({ portal: 'demo', sourceId, ...changes });
    const generated = [
      demo('1'),
      demo('2'),
      demo('3', { publishedAt: new Date('2026-11-12T09:00:00+05:30') }),
      demo('4', { state: 'Assam' }),
    ];
    await importTenders(dataSource, generated, { now: NOW, origin: 'generated' });
    await importTenders(dataSource, [demo('2', { title: 'Kuhl repair' })], { now: NOW, origin: 'generated' });
    await importTenders(dataSource, generated.slice(0, 1), { now: NOW, origin: 'generated' });
    expect(await query('SELECT portal FROM import_run')).toEqual([]);
    const said: string[] = [];
    const log = (text: string) => void said.push(text);
    const later = new Date(NOW.getTime() + 3_600_000);
    await run(file({}), { now: later, dryRun: true, log });
    expect(await query('SELECT 1 FROM tender')).toHaveLength(4);
    await run(file({}), { now: later, log });
    await run(file({ id: '2026_PWD_2_1' }), { now: later, log });
    expect(said).toEqual([
      'Dry run: nothing was stored',
      'Removed the 3 demonstration tenders of Himachal Pradesh: this was its first import',
    ]);
    expect(await query('SELECT state, origin FROM tender ORDER BY source_id')).toEqual([
      { state: 'Himachal Pradesh', origin: 'portal' },
      { state: 'Himachal Pradesh', origin: 'portal' },
      { state: 'Assam', origin: 'generated' },
    ]);
    // A draft was never on a device.
    const removed = await query(
      "SELECT state, version, changes, at FROM tender_history WHERE kind = 'removed' ORDER BY version",
    );
    const gone = { state: 'Himachal Pradesh', changes: [], at: later };
    expect(removed).toEqual([
      { ...gone, version: 2 },
      { ...gone, version: 3 },
    ]);
    expect(await query('SELECT 1 FROM tender_seen')).toEqual([]);
  });

  test('fill every state once, and are removed from a state by its first real import', {
    tags: 'release',
  }, async () => {
    const stored = await importDemoTenders(database.dataSource, NOW);
    expect(stored).toBeGreaterThan(5_000);
    expect(await importDemoTenders(database.dataSource, NOW)).toBe(0);
    expect(await query('SELECT DISTINCT origin FROM tender')).toEqual([{ origin: 'generated' }]);
    const [{ states }] = await query('SELECT count(DISTINCT state)::int AS states FROM tender');
    expect(states).toBe(36);
    const [{ moved }] = await query(`SELECT count(*)::int AS moved FROM corrigendum WHERE changes <> '[]'`);
    expect(moved).toBeGreaterThan(500);

    const said: string[] = [];
    const log = (text: string) => said.push(text);
    await run(file({}), { log, dryRun: true });
    expect(said).toEqual(['Dry run: nothing was stored']);
    await run(file({}), { log });
    expect(said.slice(1)).toEqual([
      expect.stringMatching(/^Removed the \d+ demonstration tenders of Himachal Pradesh: this was its first import$/),
    ]);
    await run(file({ id: '2026_PWD_100002_1' }), { log });
    expect(said).toHaveLength(2);
    expect(await query(`SELECT DISTINCT origin FROM tender WHERE state = 'Himachal Pradesh'`)).toEqual([
      { origin: 'portal' },
    ]);
    const [{ others }] = await query(
      `SELECT count(DISTINCT state)::int AS others FROM tender WHERE origin = 'generated'`,
    );
    expect(others).toBe(35);
    const [{ gone, other }] = await query(
      `SELECT count(*)::int AS gone, (count(*) FILTER (WHERE h.version <> before.version + 1))::int AS other
       FROM tender_history h JOIN (SELECT tender_id, max(version) AS version FROM tender_history WHERE kind <> 'removed' GROUP BY 1)
         before USING (tender_id) WHERE h.kind = 'removed'`,
    );
    expect(gone).toBeGreaterThan(30);
    expect(other).toBe(0);
  });
});

describe('a file that cannot be read is refused with one line and changes nothing', () => {
  const completeFile = Buffer.from(file({ id: '2026_PWD_1_1' }, { id: '2026_PWD_2_1' }));
  const gzipped = gzipSync(completeFile);
  test.each<[string, string | Buffer, RegExp]>([
    ['empty', '', /^is empty$/],
    ['header only', `${HEADER}\n`, /^holds no tender$/],
    ['binary', Buffer.from([0x50, 0x4b, 5, 4, 0, 0, 1, 2]), /^is binary, not text$/],
    [
      'not UTF-8',
      Buffer.concat([completeFile, Buffer.from([0xff, 0xfe, 0x41])]),
      /^is not UTF-8 text: save it as CSV UTF-8$/,
    ],
    [
      'cut within a character',
      Buffer.concat([completeFile.subarray(0, -1), Buffer.from('₹').subarray(0, 2)]),
      /^is not UTF-8 text: save it as CSV UTF-8$/,
    ],
    ['cut in a row', completeFile.subarray(0, completeFile.length - 80), /^is truncated/],
    [
      'cut inside the gzip data',
      gzipped.subarray(0, gzipped.length - 12),
      /^is truncated: the gzip data end too early$/,
    ],
    ['damaged gzip', Buffer.concat([gzipped.subarray(0, 60), Buffer.alloc(40, 7)]), /^is (?:damaged|truncated)/],
    ['another CSV', 'a,b\n1,2\n', /^is neither a GePNIC notice CSV/],
    ['an empty list', ' []', /^is empty: it holds no package, record or release$/],
  ])('%s', async (_name, content, message) => {
    const error = await run(content).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UnreadableFileError);
    expect(error.message).toMatch(message);
    expect(await query('SELECT id FROM tender')).toEqual([]);
  });

  test('a folder, and a name without a file', async () => {
    await expect(run('', { file: folder })).rejects.toThrow(/^is a folder, not a file$/);
    await expect(run('', { file: join(folder, 'missing.csv') })).rejects.toThrow(/^there is no such file$/);
  });

  test.each<[string, Partial<ImportRequest>, RegExp]>([
    ['no portal', { portal: undefined }, /^--portal is needed/],
    ['no state', { state: undefined }, /^--state is needed/],
    ['an unknown state', { state: 'Atlantis' }, /^--state: there is no state "Atlantis" in India$/],
    ['a bad rebase day', { rebase: '15-12-2025' }, /^--rebase must be a day like 2025-12-15/],
    ['a day that does not exist', { rebase: '2025-02-30' }, /^--rebase must be a day/],
    ['a portal with a space', { portal: 'hp tenders' }, /^--portal must be a short name of letters, digits, dots/],
    ['a portal that begins with a dot', { portal: '.hptenders' }, /^--portal must be a short name/],
    ['a rebase of awards', { format: 'awards', rebase: '2025-12-15' }, /^--rebase: awards keep their dates$/],
  ])('%s', async (_name, options, message) => {
    const error = await run(file({}), options).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(InvalidOptionsError);
    expect(error.message).toMatch(message);
  });
});

test('rows of the PIN table without a district are rejected with their reasons, and the others are stored', async () => {
  const table = [
    'pincode,state,district,offices,other_matches',
    '176315,Himachal Pradesh,Chamba,9,HIMACHAL PRADESH/KANGRA:1',
    '17631,Himachal Pradesh,Chamba,9,',
    '176316,Atlantis,Chamba,9,',
    '176317,Himachal Pradesh,Atlantis,9,',
    '176318,Himachal Pradesh',
    '176 319,Orissa,Kendujhar,4,;HIMACHAL PRADESH/KANGRA:x',
    '176320,Himachal Pradesh,Chamba,0,',
    '176321,Himachal Pradesh,Chamba,nine,',
    '176322,Himachal Pradesh,Chamba,,HIMACHAL PRADESH/KANGRA:1',
    '176323,Himachal Pradesh,Atlantis,nine,',
    '176324,Himachal Pradesh,Chamba,9.0,',
  ].join('\n');
  const rejects = join(folder, 'pins.csv');
  const counts = await run(table, { format: 'pincodes', rejects });
  expect(counts).toEqual({ read: 11, new: 4, changed: 0, unchanged: 0, rejected: 7 });
  expect(await query("SELECT * FROM pincode WHERE pincode IN ('176319', '176320') ORDER BY pincode")).toEqual([
    { pincode: '176319', state: 'Odisha', district: 'Keonjhar', share: 1 },
    { pincode: '176320', state: 'Himachal Pradesh', district: 'Chamba', share: 0 },
  ]);
  expect((await readFile(rejects, 'utf8')).trim().split('\n')).toEqual([
    'line,column,value,reason',
    '3,pincode,17631,is no PIN code',
    '4,state,Atlantis,unknown state',
    '5,district,Atlantis,is no district of Himachal Pradesh that is listed',
    '6,district,,is no district of Himachal Pradesh that is listed',
    '9,offices,nine,is no number of post offices',
    '10,offices,,is no number of post offices',
    '11,district,Atlantis,is no district of Himachal Pradesh that is listed',
  ]);
});

describe('a file whose dates have the month before the day is held back', () => {
  const dates = (...days: string[]) =>
    file(...days.map((day, n) => ({ id: `2026_PWD_${n + 1}_1`, published: '01/11/2026', closes: day, opens: '' })));
  const failure = async (content: string) => {
    const error = await run(content).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(HeldBackFileError);
    expect(await query('SELECT FROM tender')).toEqual([]);
    return error.message as string;
  };

  test('in a column of its own, and where both orders are mixed', async () => {
    expect(await failure(dates('11/12/2026 03:00 PM', '12/15/2026 03:00 PM'))).toBe(
      'has the month before the day in column "Bid Submission End Date" (12/15/2026 03:00 PM in line 3), so other dates could be stored with day and month exchanged. Nothing was stored; write the day before the month (17/09/2025), or the name of the month (17-Sep-2025)',
    );
    expect(await failure(dates('2026-15-12 15:00', '2026-11-12 15:00'))).toContain('has the month before the day');
    expect(await failure(dates('15/12/2026', '12/15/2026', '11/12/2026'))).toContain('has dates of two orders');
  });

  test('while dates that could be both have the day first, and one slip among many rejects its row', async () => {
    expect(await run(dates('11/12/2026 03:00 PM', '12/12/2026'))).toMatchObject({ new: 2 });
    expect(await query('SELECT closes_at FROM tender ORDER BY id LIMIT 1')).toEqual([
      { closes_at: new Date('2026-12-11T15:00:00+05:30') },
    ]);
    const slip = [...Array.from({ length: 120 }, () => '15/12/2026'), '12/15/2026'];
    expect(await run(dates(...slip))).toMatchObject({ read: 121, rejected: 1 });
  });
});

test('a row of the PIN table whose doubled columns contradict each other is rejected', async () => {
  const table = [
    'pincode,pincode,state,district,offices,other_matches',
    '176310,176310,Himachal Pradesh,Chamba,1,',
    '176311,176319,Himachal Pradesh,Chamba,1,',
  ].join('\n');
  expect(await run(table, { format: 'pincodes' })).toMatchObject({ read: 2, new: 1, rejected: 1 });
});

test('a row of the PIN table that was read in a wrong encoding is repaired', async () => {
  const table = [
    'pincode,state,district,offices,other_matches',
    '176310,HimachalÂ\u00a0Pradesh,ChambaÂ\u00a0,3,HIMACHALÂ\u00a0PRADESH/KANGRA:1',
  ].join('\n');
  expect(await run(table, { format: 'pincodes' })).toMatchObject({ read: 1, new: 1, rejected: 0 });
  expect(await query('SELECT district, share FROM pincode ORDER BY district')).toEqual([
    { district: 'Chamba', share: 0.75 },
    { district: 'Kangra', share: 0.25 },
  ]);
});

test('the PIN table counts its rows, not the districts that they name', async () => {
  const table = (...offices: number[]) =>
    [
      'pincode,state,district,offices,other_matches',
      ...offices.map((count, n) => `17631${n},Himachal Pradesh,Chamba,${count},HIMACHAL PRADESH/KANGRA:1`),
    ].join('\n');
  const pins = { format: 'pincodes' as const };
  expect(await run(table(9, 9), pins)).toEqual({ read: 2, new: 2, changed: 0, unchanged: 0, rejected: 0 });
  expect(await run(table(9, 4, 3), pins)).toEqual({ read: 3, new: 1, changed: 1, unchanged: 1, rejected: 0 });
});

test('a new PIN table finds the districts of stored tenders again, and the log has their number', async () => {
  const table = (district: string) =>
    `pincode,state,district,offices,other_matches\n176315,Himachal Pradesh,${district},9,HIMACHAL PRADESH/KANGRA:3\n`;
  const tenders = [1, 2].map((n) =>
    createSourceTender({ sourceId: `2026_PWD_${n}_1`, pincode: '176315', organisationChain: ['HPPWD', 'Zone 1'] }),
  );
  await importTenders(database.dataSource, tenders, { now: NOW });
  await query("UPDATE tender SET department = 'Old name' WHERE source_id = '2026_PWD_2_1'");
  const said: string[] = [];
  const log = (text: string) => void said.push(text);
  const now = new Date(NOW.getTime() + 3_600_000);
  // The table is recognised by its header.
  await run(table('Chamba'), { log, now });
  await run(table('Chamba'), { log, now });
  expect(said).toEqual(['Districts found again for 2 tenders']);
  const placed = { district: 'Chamba', confidence: 0.51, department: 'PWD', version: 2, updated_at: now };
  expect(
    await query(
      `SELECT district, round(district_confidence::numeric, 2)::float AS confidence, department, version, updated_at
       FROM tender ORDER BY source_id`,
    ),
  ).toEqual([placed, placed]);
  const changes = await query("SELECT changes FROM tender_history WHERE kind = 'changed' ORDER BY tender_id");
  const district = { field: 'district', old: null, new: 'Chamba' };
  expect(changes.map((row: { changes: unknown }) => row.changes)).toEqual([
    [district],
    [district, { field: 'department', old: 'Old name', new: 'PWD' }],
  ]);
});

test('the share of a district counts all post offices of its PIN code, also those of unlisted districts', async () => {
  const table = [
    'pincode,state,district,offices,other_matches',
    '176315,Himachal Pradesh,Chamba,6,HIMACHAL PRADESH/KANGRA:2;HIMACHAL PRADESH/ATLANTIS:2',
  ].join('\n');
  await run(table, { format: 'pincodes' });
  expect(
    await query(
      "SELECT district, round(share::numeric, 2)::float AS share FROM pincode WHERE pincode = '176315' ORDER BY district",
    ),
  ).toEqual([
    { district: 'Chamba', share: 0.6 },
    { district: 'Kangra', share: 0.2 },
  ]);
});

test('a dry run of the PIN table counts and stores nothing', async () => {
  const table = 'pincode,state,district,offices,other_matches\n176315,Himachal Pradesh,Chamba,9,\n';
  const pins = { format: 'pincodes' as const };
  expect(await run(table, { ...pins, dryRun: true })).toMatchObject({ read: 1, new: 1 });
  expect(await run(table, pins)).toMatchObject({ read: 1, new: 1 });
});

test('a PIN table that cannot be stored leaves the earlier one', async () => {
  const table = (district: string) =>
    `pincode,state,district,offices,other_matches\n176315,Himachal Pradesh,${district},9,\n`;
  await run(table('Chamba'), { format: 'pincodes' });
  await query(`ALTER TABLE pincode ADD CHECK (district <> 'Kangra')`);
  await expect(run(table('Kangra'), { format: 'pincodes' })).rejects.toThrow('violates check constraint');
  expect(await query('SELECT district FROM pincode')).toEqual([{ district: 'Chamba' }]);
});

test('a PIN table without any PIN code is refused, and its rows have their reasons', async () => {
  const table = 'pincode,state,district,offices,other_matches\n17631,Himachal Pradesh,Solan,1,\n';
  const rejects = join(folder, 'no-pins-rejects.csv');
  await expect(run(table, { format: 'pincodes', rejects })).rejects.toThrow('holds no PIN code of a known district');
  expect(await readFile(rejects, 'utf8')).toContain('17631');
});
