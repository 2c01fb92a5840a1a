/** Lists of portals that are no GePNIC portals, as their own columns name them: railways, GeM, results of tenders. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImportRequest } from '../../src/ingest/import-request.ts';
import { GEPNIC_COLUMNS, gepnicFile } from '../support/gepnic-files.ts';
import { importContent } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-28T11:30:00+05:30');

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-lists-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  for (const table of ['tender', 'tender_seen', 'tender_statement', 'award', 'award_state', 'import_run'])
    await query(`DELETE FROM ${table}`);
});

const query = (sql: string) => app.database.dataSource.query(sql);

async function run(content: string, request: Partial<ImportRequest> = {}) {
  const { said: _, ...counts } = await importContent(
    { app, content },
    { portal: 'ireps', state: 'Himachal Pradesh', ...request },
  );
  return counts;
}

const all = { read: 1, new: 1, changed: 0, unchanged: 0, rejected: 0 };

const RAILWAY = {
  'Deptt./Rly. Unit': 'TRIAL-ENGG/NR',
  'Tender No.': '35-TRL-26-27',
  'Tender Title': 'Repair of platform shelter at Trialpur',
  Status: 'Published',
  'Work Area': 'Works',
  'Due Date/Time': '15/12/2026 15:00',
  'Due Days': '17',
  Actions: '',
};
const railways = (...rows: Partial<typeof RAILWAY>[]) =>
  stringify(
    rows.map((row) => ({ ...RAILWAY, ...row })),
    { header: true },
  );

const GEM = {
  'Bid No': 'GEM/2026/B/7654321',
  Items: 'Steel almirah for offices',
  Quantity: '40',
  'Department Name And Address': 'Trial State Government\nDepartment of Trials',
  'Start Date': '27-11-2026 1:26 PM',
  'End Date': '18-12-2026 9:00 AM',
};
const bids = (...rows: Partial<typeof GEM & { State: string }>[]) =>
  stringify(
    rows.map((row) => ({ ...GEM, ...row })),
    { header: true },
  );

const list = async (search: string) => (await app.get(`/api/tenders?${search}`)).json.tenders;
const only = async () => {
  const [{ id }, ...more] = await query('SELECT id FROM tender');
  expect(more).toEqual([]);
  return (await app.get(`/api/tenders/${id}`)).json.tender;
};

describe('a list of railway tenders', () => {
  test('is read by its own columns; what is public today counts as published today', async () => {
    expect(await run(railways({}))).toEqual(all);
    expect(await only()).toMatchObject({
      source_tender_id: '35-TRL-26-27',
      source_portal: 'ireps',
      title: 'Repair of platform shelter at Trialpur',
      org_name: 'TRIAL-ENGG/NR',
      category: 'Works',
      nit_works: 1,
    });
    const [{ published_at, closes_at }] = await query('SELECT published_at, closes_at FROM tender');
    expect([published_at, closes_at]).toEqual([
      new Date('2026-11-28T00:00:00+05:30'),
      new Date('2026-12-15T15:00:00+05:30'),
    ]);
  });

  test('of the next day changes nothing, but for a new due date', async () => {
    await run(railways({}, { 'Tender No.': '36-TRL-26-27' }));
    app.clock.now = new Date('2026-11-29T09:00:00+05:30');
    const later = railways({}, { 'Tender No.': '36-TRL-26-27', 'Due Date/Time': '20/12/2026 15:00' });
    expect(await run(later)).toMatchObject({ new: 0, changed: 1, unchanged: 1, rejected: 0 });
    app.clock.now = NOW;
  });

  test('keeps the tenders of two units apart that have one number, also in later files', async () => {
    const other = { 'Deptt./Rly. Unit': 'SAMPLE-ELECT/SR', 'Tender Title': 'Supply of cable' };
    expect(await run(railways({}, other))).toMatchObject({ new: 2, rejected: 0 });
    expect(await run(railways(other))).toMatchObject({ new: 0, changed: 0, unchanged: 1 });
    const rows = await query('SELECT source_id, title FROM tender ORDER BY source_id');
    expect(rows).toEqual([
      { source_id: '35-TRL-26-27', title: RAILWAY['Tender Title'] },
      { source_id: '35-TRL-26-27 (SAMPLE-ELECT/SR)', title: 'Supply of cable' },
    ]);
  });

  test('does not guess which of goods and services is meant', async () => {
    expect(await run(railways({ 'Work Area': 'Goods & Services' }))).toEqual({ ...all, warnings: 1 });
    expect((await only()).category).toBeNull();
  });

  test('rejects a row without a number or a due date alone', async () => {
    const odd = [{ 'Tender No.': '' }, { 'Tender No.': '37', 'Due Date/Time': 'soon' }];
    expect(await run(railways({}, ...odd))).toMatchObject({ read: 3, new: 1, rejected: 2 });
  });
});

describe('a list of bids at GeM', () => {
  test('is read by its own columns, with the quantity and each level of the department', async () => {
    expect(await run(bids({}), { portal: 'gem' })).toEqual(all);
    expect(await only()).toMatchObject({
      source_tender_id: 'GEM/2026/B/7654321',
      title: 'Steel almirah for offices',
      description: 'Steel almirah for offices · Quantity: 40',
      organisation_chain: ['Trial State Government', 'Department of Trials'],
      place: null,
      address: null,
      nit_works: 1,
    });
  });

  test('has the state of each row when the list names it', async () => {
    const rows = [{ State: 'Assam' }, { 'Bid No': 'GEM/2026/B/7654322', State: 'Orissa' }];
    const strange = { 'Bid No': 'GEM/2026/B/7654323', State: 'Atlantis' };
    const counts = await run(bids(...rows, strange), { portal: 'gem', state: undefined });
    expect(counts).toMatchObject({ new: 2, rejected: 1 });
    expect(await query('SELECT state FROM tender ORDER BY source_id')).toEqual([
      { state: 'Assam' },
      { state: 'Odisha' },
    ]);
    await expect(run(bids({}), { portal: 'gem', state: undefined })).rejects.toThrow(/^--state is needed/);
  });
});

const IDS = [
  'GEM/2026/B/7654321',
  '35-TRL-26-27',
  'CE/171001/UP-26',
  '30255012A',
  'NIT No. 7 of Delhi 2026?#&%',
  'निविदा/२०२६/७८५४',
];

describe('an id is the portal’s own text', () => {
  const row = (id: string) => ({
    'Tender ID': id,
    Title: `Works of lot ${IDS.indexOf(id)}`,
    'Organisation Chain': 'PWD||Trial Division',
    'Publish Date': '20-Nov-2026 10:00 AM',
    'Bid Submission End Date': '15-Dec-2026 03:00 PM',
  });

  test.each(IDS)('%s finds its tender, in all states and in its own', async (id) => {
    await run(gepnicFile(IDS.map(row), GEPNIC_COLUMNS), { portal: 'hptenders' });
    for (const state of ['', 'Himachal Pradesh']) {
      const [first] = await list(String(new URLSearchParams({ q: id, state })));
      expect(first).toMatchObject({ source_tender_id: id });
    }
  });

  test('two portals may use the same', async () => {
    for (const portal of ['hptenders', 'ireps'])
      await run(gepnicFile([{ ...row(IDS[0] as string), Title: `Work at ${portal}` }], GEPNIC_COLUMNS), { portal });
    expect(await query('SELECT portal FROM tender ORDER BY portal')).toEqual([
      { portal: 'hptenders' },
      { portal: 'ireps' },
    ]);
  });
});

describe('an award list of a portal', () => {
  const AWARD = {
    'S.No': '1',
    'Tender ID': '2026_PWD_400_1',
    'Tender Title': 'Widening of Trialpur bypass road',
    'Organisation Chain': 'PWD||Trial Division',
    'Tender Value in ₹': '10,00,000',
    'e-Published Date': '01-Sep-2026 10:00 AM',
    'Bid Submission End Date': '20-Sep-2026 03:00 PM',
    'Contract Date': '05-Oct-2026',
    'No. of Bids Received': '3',
    'Awarded Bidder': 'Trial Builders',
    'Awarded Value': '9,20,000.00',
  };
  const awards = (...rows: Partial<typeof AWARD>[]) =>
    stringify(
      rows.map((each) => ({ ...AWARD, ...each })),
      { header: true },
    );
  const stored = () => query('SELECT source_id, awarded_value::float8, bidders, accepted, price, exclusion FROM award');

  test('is recognised and stored with the winner and the number of bids', async () => {
    expect(await run(awards({}), { portal: 'hptenders' })).toEqual(all);
    expect(await stored()).toEqual([
      {
        source_id: '2026_PWD_400_1',
        ...{ awarded_value: 920_000, bidders: 3, accepted: 1, price: -800, exclusion: null },
      },
    ]);
  });

  test('without a number of bids counts in no statistic of bidders', async () => {
    const content = awards({ 'No. of Bids Received': 'NA', 'Awarded Value': 'see order' });
    expect(await run(content, { portal: 'hptenders' })).toEqual({ ...all, warnings: 1 });
    expect(await stored()).toMatchObject([{ awarded_value: null, accepted: 1, exclusion: 'bids-unknown' }]);
  });

  test('names several winners in one cell; a row without an id is rejected alone', async () => {
    const content = awards({ 'Awarded Bidder': 'Trial Builders\nSample Works' }, { 'Tender ID': '' });
    expect(await run(content, { portal: 'hptenders' })).toMatchObject({ new: 1, rejected: 1 });
    expect(await stored()).toMatchObject([{ accepted: 2, exclusion: 'several-winners' }]);
  });

  test('of the central portal has other names', async () => {
    const content = stringify(
      [
        {
          'Tender Ref. No.': 'CE/26/7',
          'Tender Description': 'Painting of offices',
          'Organisation Name': 'Central Trial Department',
          'AOC Date': '05-Oct-2026',
          'Contract Value': '4,00,000',
          'Number of bids received': '2',
          'Name of the selected bidder(s)': 'Trial Builders',
        },
      ],
      { header: true },
    );
    expect(await run(content, { portal: 'eprocure' })).toEqual(all);
    expect(await stored()).toMatchObject([{ source_id: 'CE/26/7', awarded_value: 400_000, bidders: 2 }]);
  });

  test('of another state is held back, unless the operator accepts it', async () => {
    const rows = [...Array(12).keys()].map((n) => ({ ...AWARD, 'Tender ID': `2026_PWD_${n}_1`, Pincode: '751001' }));
    const content = stringify(rows, { header: true });
    await expect(run(content, { portal: 'hptenders' })).rejects.toThrow('most in Odisha');
    expect(await run(content, { portal: 'hptenders', acceptState: true })).toMatchObject({ new: 12 });
  });

  test('is no notice file with award columns', async () => {
    const row = { ...AWARD, 'Tender ID': '2026_PWD_401_1', Title: 'Drain', 'Publish Date': '20-Sep-2026' };
    const columns = [...GEPNIC_COLUMNS, 'Contract Date', 'Awarded Bidder', 'Awarded Value'];
    expect(await run(gepnicFile([row], columns), { portal: 'hptenders' })).toMatchObject({ new: 1 });
    expect(await query('SELECT count(*)::int AS tenders FROM tender')).toEqual([{ tenders: 1 }]);
  });
});
