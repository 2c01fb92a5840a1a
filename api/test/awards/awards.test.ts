/** Awards from a file to the answers: import, statistics, the block of a tender, the explorer. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { packedKeys, unpackOffice } from '@nivida/contract/awards/award-pack';
import { inLanguage } from '@nivida/contract/i18n';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { addRegime, computeAwardStatistics } from '../../src/awards/award-statistics.job.ts';
import { AwardsService } from '../../src/awards/awards.service.ts';
import { runAwards } from '../../src/cli/commands/awards.command.ts';
import { AwardRun } from '../../src/ingest/award-files/import-awards.ts';
import { demonstrationAwards } from '../../src/ingest/demo/demo-awards.ts';
import { demonstrationTenders } from '../../src/ingest/demo/demo-tenders.ts';
import { importFile } from '../../src/ingest/import.ts';
import type { ImportContext, ImportRequest } from '../../src/ingest/import-request.ts';
import { awardPageAnswer, awardPageMetadata } from '../../src/pages/award-pages.ts';
import { createChangeNotices } from '../../src/push/alerts/change-notices.ts';
import { messageText } from '../../src/push/messages/message-texts.ts';
import { createPushMessages, type PushMessage } from '../../src/push/messages/push-messages.ts';
import type { NoticeDelivery, PushDevice } from '../../src/push/sending/delivery.ts';
import { createSession } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY_MS = 86_400_000;
const FIRST_CLOSING = Date.parse('2026-01-05');
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

let folder: string;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-awards-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder, AWARD_NAMES: 'on' } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = NOW;
  for (const table of ['award', 'award_state', 'office_statistics', 'award_coverage', 'price_regime', 'hidden_name'])
    await query(`DELETE FROM ${table}`);
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const compute = (now = NOW) => computeAwardStatistics({ dataSource: app.database.dataSource, now });

type Row = Record<string, string>;

/** The n-th work of the division: closes n days after 5 January 2026, two bids, awarded 60 days later at 5 % below. */
function awardRow(n: number, changes: Row = {}): Row {
  const closing = FIRST_CLOSING + n * DAY_MS;
  const contract = dayOf(closing + 60 * DAY_MS);
  return {
    tender_id: `2026_PWD_${n}_1`,
    portal: 'hptenders',
    state: 'Himachal Pradesh',
    org_chain: 'PWD || Central Zone',
    title: `Construction of retaining wall near school of village number ${n}`,
    category: 'Works',
    pincode: '171001',
    estimate: '1000000.0',
    publish_date: dayOf(closing - 14 * DAY_MS),
    closing_date: dayOf(closing),
    contract_date: contract,
    awarded_value: '950000.0',
    bids: JSON.stringify([
      bid('Asha Builders Pvt Ltd', 'Accepted-AOC', contract),
      bid('Verma and Sons', 'Rejected-Finance', contract),
    ]),
    ...changes,
  };
}

const bid = (bidder: string, status: string, updated: string, submitted = '') => ({
  bid: '1',
  bidder,
  submitted,
  status,
  remarks: '',
  updated,
  rank: '',
  value: null,
  awarded: status.startsWith('Accepted'),
});

const works = (count: number, changes: (n: number) => Row = () => ({})) =>
  Array.from({ length: count }, (_, n) => awardRow(n + 1, changes(n + 1)));

async function importRows(
  rows: Row[],
  { withAwardNames = true, log = () => {}, ...options }: Partial<ImportRequest & ImportContext> = {},
) {
  const file = join(folder, 'awards.csv');
  await writeFile(file, stringify(rows, { header: true }));
  const request: ImportRequest = {
    file,
    format: 'auto',
    portal: undefined,
    state: undefined,
    rebase: undefined,
    dryRun: false,
    rejects: undefined,
    ...options,
  };
  const { dataSource } = app.database;
  return importFile(request, { dataSource, dataDir: folder, now: NOW, withAwardNames, log });
}

const officeOf = async (key: string) =>
  (await query('SELECT statistics FROM office_statistics WHERE office_key = $1', [key]))[0]?.statistics;

const DIVISION = 'PWD||Central Zone';

test('a file is stored once, changed awards and empty cells are counted, and a bad row is rejected with its reason', async () => {
  const rows = works(3);
  expect(await importRows(rows)).toEqual({ read: 3, new: 3, changed: 0, unchanged: 0, rejected: 0 });
  expect(await importRows(rows)).toEqual({ read: 3, new: 0, changed: 0, unchanged: 3, rejected: 0 });
  const bad = [
    ...rows.slice(0, 2),
    awardRow(3, { awarded_value: '940000' }),
    awardRow(4, { bids: 'none' }),
    awardRow(5, { contract_date: 'soon' }),
    awardRow(6, { state: 'Atlantis' }),
    awardRow(7, { tender_id: '' }),
  ];
  const counts = { read: 7, new: 1, changed: 1, unchanged: 2, rejected: 3, warnings: 1 };
  expect(await importRows(bad)).toEqual(counts);
  const rejected = await readFile(join(folder, 'rejects/awards.csv.csv'), 'utf8');
  expect(rejected.trimEnd().split('\n')).toEqual([
    'line,column,value,reason',
    '5,bids,none,is no JSON',
    '7,state,Atlantis,is no state of India; name it with --state',
    '8,tender_id,,is empty',
  ]);
  const twice = [awardRow(8), awardRow(8, { awarded_value: '940000' })];
  expect(await importRows(twice)).toEqual({ read: 2, new: 1, changed: 0, unchanged: 1, rejected: 0 });
  expect(await query("SELECT awarded_value FROM award WHERE source_id = '2026_PWD_8_1'")).toEqual([
    { awarded_value: '940000.00' },
  ]);
});

test('an award that loses its bids or most of its facts is not believed, in a later file and after its full row', async () => {
  await importRows([...works(2), awardRow(3, { bids: '[]' })]);
  const stored = await query('SELECT * FROM award ORDER BY source_id');
  const emptied = { estimate: '', publish_date: '', closing_date: '', contract_date: '', awarded_value: '' };
  const lost = [awardRow(1, { bids: '[]' }), awardRow(2, emptied), awardRow(3, { bids: '', contract_date: '' })];
  const rejected = async () => (await readFile(join(folder, 'rejects/awards.csv.csv'), 'utf8')).trimEnd().split('\n');
  expect(await importRows(lost)).toEqual({ read: 3, new: 0, changed: 1, unchanged: 0, rejected: 2 });
  expect((await rejected()).slice(1)).toEqual([
    '2,bids,2026_PWD_1_1,"would empty the stored bids, so the stored ones stay"',
    '3,"estimate, awarded_value, contract_date",2026_PWD_2_1,"would empty 5 of 8 stored facts at once, so the stored ones stay"',
  ]);
  expect((await query('SELECT * FROM award ORDER BY source_id')).slice(0, 2)).toEqual(stored.slice(0, 2));
  // in one file, before anything is stored
  const inOneFile = [awardRow(5), awardRow(5, { bids: '' }), awardRow(6, { bids: '' }), awardRow(6)];
  expect(await importRows(inOneFile)).toEqual({ read: 4, new: 2, changed: 0, unchanged: 1, rejected: 1 });
  expect((await rejected()).slice(1)).toEqual([
    '3,bids,2026_PWD_5_1,"would empty the earlier bids, so the earlier ones stay"',
  ]);
  expect(await query("SELECT bidders FROM award WHERE source_id ~ '_[56]_1$'")).toEqual([
    { bidders: 2 },
    { bidders: 2 },
  ]);
  expect(await importRows(lost, { acceptMassChange: true })).toMatchObject({ changed: 2, rejected: 0 });
});

test('a dry run of awards counts them and stores nothing; a file without any is refused', async () => {
  const said: string[] = [];
  const log = (text: string) => void said.push(text);
  expect(await importRows(works(2), { dryRun: true, log })).toMatchObject({ read: 2, new: 2 });
  expect(said).toEqual(['Dry run: nothing was stored']);
  expect(await query('SELECT 1 FROM award UNION ALL SELECT 1 FROM award_state')).toEqual([]);
  await importRows(works(1));
  const before = await query('SELECT * FROM award_state');
  const changed = [awardRow(1, { awarded_value: '940000' }), awardRow(2)];
  expect(await importRows(changed, { dryRun: true })).toMatchObject({ new: 1, changed: 1 });
  expect(await query('SELECT awarded_value FROM award')).toEqual([{ awarded_value: '950000.00' }]);
  expect(await query('SELECT * FROM award_state')).toEqual(before);
  const file = join(folder, 'header.csv');
  await writeFile(file, `${Object.keys(awardRow(1)).join(',')}\n`);
  await expect(importRows([], { file, format: 'awards' })).rejects.toThrow(/^holds no award$/);
});

test('an OCDS file reports its awards after its tenders, and one without awards reports none', async () => {
  const release = (n: number, amount: number | undefined) => ({
    ...{
      ocid: `ocds-a1b2c3-${n}`,
      id: '1',
      date: '2026-03-10T10:00:00+05:30',
      tag: ['award'],
      initiationType: 'tender',
    },
    buyer: { name: 'PWD' },
    tender: {
      ...{ id: '1', title: 'Culvert near the school' },
      tenderPeriod: { startDate: '2026-01-01T10:00:00+05:30', endDate: '2026-01-15T10:00:00+05:30' },
    },
    awards: amount ? [{ id: '1', status: 'active', value: { amount, currency: 'INR' } }] : [],
  });
  const reportOf = async (...releases: object[]) => {
    const file = join(folder, 'releases.json');
    await writeFile(file, JSON.stringify({ version: '1.1', releases }));
    const said: string[] = [];
    await importRows([], { file, format: 'ocds', state: 'Himachal Pradesh', log: (text) => void said.push(text) });
    return said.filter((text) => text.includes('awards'));
  };
  onTestFinished(() => query("DELETE FROM tender WHERE portal = 'ocds-a1b2c3'"));
  expect(await reportOf(release(1, 930_000), release(2, 940_000))).toEqual([
    'releases.json: 2 awards: 2 new, 0 changed',
  ]);
  const more = [release(1, 935_000), release(2, 945_000), release(3, 940_000), release(4, undefined)];
  expect(await reportOf(...more)).toEqual(['releases.json: 3 awards: 1 new, 2 changed']);
  expect(await reportOf(release(5, undefined))).toEqual([]);
});

test('no winner is stored while names are off, and a later import with names adds them', async () => {
  const winners = () => query('SELECT winner, winner_hash IS NOT NULL AS hashed FROM award');
  await importRows(works(1), { withAwardNames: false });
  expect(await winners()).toEqual([{ winner: null, hashed: false }]);
  expect(await importRows(works(1))).toMatchObject({ changed: 1 });
  expect(await winners()).toEqual([{ winner: 'Asha Builders Pvt Ltd', hashed: true }]);
  expect(await importRows(works(1), { withAwardNames: false })).toMatchObject({ changed: 1 });
  expect(await winners()).toEqual([{ winner: null, hashed: false }]);
});

test('states, departments and offices with the most awards come first', async () => {
  const worksAt = (from: number, to: number, portal: string, state: string, org_chain: string) =>
    Array.from({ length: to - from + 1 }, (_, at) =>
      awardRow(from + at, { portal, state, org_chain, tender_id: `2026_${org_chain.replace(/\W+/g, '')}_${at}_1` }),
    );
  await importRows([
    ...worksAt(1, 21, 'hptenders', 'Himachal Pradesh', 'HPSEBL || Solan'),
    ...worksAt(1, 24, 'assamtenders', 'Assam', 'PWD || Alpha Zone'),
    ...worksAt(1, 26, 'assamtenders', 'Assam', 'PWD || Beta Zone'),
    ...worksAt(40, 61, 'assamtenders', 'Assam', 'APDCL || Gauhati'),
    ...worksAt(62, 62, 'demotenders', 'Assam', 'APDCL || Jorhat'),
  ]);
  await compute();
  const { states } = (await app.get('/api/awards')).json;
  expect(states).toMatchObject([
    { state: 'Assam', awards: 73, offices: 4, lastKnownOn: '2026-05-07' },
    { state: 'Himachal Pradesh', awards: 21, offices: 1, lastKnownOn: '2026-03-27' },
  ]);
  const assam = (await app.get('/api/awards/states/assam?department=PWD')).json;
  expect(assam).toMatchObject({
    state: 'Assam',
    group: { awards: 50 },
    departments: [
      { name: 'PWD', awards: 50 },
      { name: 'APDCL', awards: 23 },
    ],
    categories: [{ name: 'Works', awards: 50 }],
    offices: [
      { name: 'Beta Zone', awards: 26, lastKnownOn: '2026-04-01' },
      { name: 'Alpha Zone', awards: 24, lastKnownOn: '2026-03-30' },
    ],
    portals: ['assamtenders.gov.in', 'demotenders'],
  });
  expect((await app.get('/api/awards/states/assam')).json).toMatchObject({ group: { awards: 73 }, offices: [] });
  for (const spelled of ['Assam Power Distribution Company Limited', 'apdcl', 'A.P.D.C.L. Ltd']) {
    const { json } = await app.get(`/api/awards/states/assam?${new URLSearchParams({ department: spelled })}`);
    expect(json).toMatchObject({ filter: { department: 'APDCL' }, group: { awards: 23 }, offices: [{}, {}] });
  }
});

test('the bids of the last 24 hours before closing are counted where the notice has the hour', async () => {
  const rows = works(21, (n) => {
    const day = (days: number) => dayOf(FIRST_CLOSING + (n + days) * DAY_MS);
    // Two minutes too early, just in time, at closing, and after closing.
    const times = [`${day(-1)}T10:58`, `${day(-1)}T11:00`, `${day(0)}T11:00`, `${day(0)}T11:01`];
    return { bids: JSON.stringify(times.map((at) => bid('Verma and Sons', 'Accepted-AOC', day(60), at))) };
  });
  await importRows(rows);
  const notices = rows.map(({ tender_id: sourceId = '', closing_date: day }, at) =>
    createSourceTender({ sourceId, closesAt: new Date(`${day}T11:00:00+05:30`), closingTimeKnown: at > 0 }),
  );
  await importTenders(app.database.dataSource, notices, { now: NOW });
  await compute();
  const [{ id }] = await query("SELECT id FROM tender WHERE source_id = '2026_PWD_2_1'");
  expect((await app.get(`/api/tenders/${id}/office`)).json.office.lateBids).toEqual({ count: 40, of: 60 });
  await query('DELETE FROM tender');
});

test('the times of bids are Indian; an unreadable time is unknown', async () => {
  const submitted = ['2026-01-05T23:45', '2026-01-06T00:15', '06-01-2026 09:00', ''];
  const bids = submitted.map((at) => bid('Asha Builders Pvt Ltd', 'Accepted-AOC', '2026-03-01', at));
  await importRows([awardRow(1, { bids: JSON.stringify(bids) })]);
  expect(await query('SELECT bidders, submitted FROM award')).toEqual([
    { bidders: 4, submitted: [new Date('2026-01-05T18:15:00Z'), new Date('2026-01-05T18:45:00Z')] },
  ]);
});

test('a truncated file and a file without its columns change nothing', async () => {
  const file = join(folder, 'broken.csv');
  await writeFile(file, `${stringify(works(3), { header: true })}2026_PWD_9_1,hptenders`);
  const broken = importRows([], { file, format: 'awards' });
  await expect(broken).rejects.toThrow('is truncated: line 5 ends after 2 of 13 columns');
  await writeFile(file, 'tender_id,title\n1,Work\n');
  await expect(importRows([], { file, format: 'awards' })).rejects.toThrow(
    'is no award file: it has no column "org_chain", "awarded_value", "bids"',
  );
  expect(await query('SELECT count(*)::int AS count FROM award')).toEqual([{ count: 0 }]);
});

test('wrong rows are stored and do not count, with their reason', async () => {
  const contract = dayOf(FIRST_CLOSING + 90 * DAY_MS);
  await importRows([
    awardRow(1, { awarded_value: '4.5' }),
    awardRow(2, {
      bids: JSON.stringify([bid('One', 'Accepted-AOC', contract), bid('Two', 'Accepted-AOC', contract)]),
    }),
    awardRow(3, { publish_date: '2016-01-01' }),
    awardRow(4, { contract_date: '2025-01-01', bids: '[]' }),
    awardRow(5, { bids: '[]', contract_date: '' }),
    awardRow(6, { awarded_value: '' }),
    awardRow(7, { awarded_value: '0' }),
    awardRow(8, { estimate: '0.00' }),
  ]);
  expect(
    await query('SELECT source_id, exclusion, known_on IS NOT NULL AS counts FROM award ORDER BY source_id'),
  ).toEqual([
    { source_id: '2026_PWD_1_1', exclusion: 'value-too-small', counts: true },
    { source_id: '2026_PWD_2_1', exclusion: 'several-winners', counts: true },
    { source_id: '2026_PWD_3_1', exclusion: 'open-too-long', counts: false },
    { source_id: '2026_PWD_4_1', exclusion: 'awarded-before-closing', counts: false },
    { source_id: '2026_PWD_5_1', exclusion: 'not-awarded', counts: false },
    { source_id: '2026_PWD_6_1', exclusion: 'no-value', counts: true },
    { source_id: '2026_PWD_7_1', exclusion: 'no-value', counts: true },
    { source_id: '2026_PWD_8_1', exclusion: 'no-estimate', counts: true },
  ]);
});

test('the office of a tender has the figures of its past awards, and none below 10 and 20 awards', async () => {
  await importTenders(app.database.dataSource, [createSourceTender({ sourceId: '2026_PWD_900_1' })], { now: NOW });
  const [{ id }] = await query("SELECT id FROM tender WHERE source_id = '2026_PWD_900_1'");
  const read = async () => (await app.get(`/api/tenders/${id}/office`)).json;
  expect(await read()).toEqual({ office: null, award: null, stateHasAwards: false });

  await importRows(works(9));
  await compute();
  const few = await read();
  expect(few.stateHasAwards).toBe(true);
  expect(few.office).toMatchObject({
    awards: 9,
    bidders: { isShown: false, reason: 'too-few', officeAwards: 9, changedOn: null },
    price: { isShown: false, reason: 'too-few', officeAwards: 9, changedOn: null },
    masses: [],
    refused: null,
    singleBid: null,
    lateBids: null,
  });

  await importRows(works(30));
  await compute();
  expect((await read()).office).toEqual({
    office: {
      id: few.office.office.id,
      key: DIVISION,
      name: 'Central Zone',
      kind: 'chain',
      department: 'PWD',
      state: 'Himachal Pradesh',
    },
    awards: 30,
    firstKnownOn: '2026-03-07',
    lastKnownOn: '2026-04-05',
    isOld: false,
    bidders: { isShown: true, basis: 'office', awards: 30, officeAwards: 30, low: 2, high: 2, coverage: null },
    price: { isShown: true, basis: 'office', awards: 30, officeAwards: 30, low: -500, high: -500, coverage: null },
    daysToContract: { isShown: true, basis: 'office', awards: 30, officeAwards: 30, low: 60, high: 60, coverage: null },
    masses: [{ price: -500, count: 30, of: 30 }],
    // No bid of the state is refused: the source may not publish refusals.
    refused: null,
    singleBid: { count: 0, of: 30 },
    lateBids: null,
    computedOn: '2026-04-05',
    isDemonstration: false,
  });
  const refusal = JSON.stringify([
    bid('Asha Builders Pvt Ltd', 'Accepted-AOC', '2026-04-05'),
    bid('Verma and Sons', 'Rejected-Technical', '2026-03-20'),
  ]);
  await importRows([...works(30), awardRow(31, { org_chain: 'HPSEBL || Shimla', bids: refusal })]);
  await compute();
  const none = { count: 0, of: 60, technical: 0, notAdmitted: 0, isMoreThanUsual: false };
  expect((await read()).office.refused).toEqual(none);
  app.clock.now = new Date('2027-04-10T11:30:00+05:30');
  expect((await read()).office.isOld).toBe(true);
  expect((await app.get('/api/tenders/999999999/office')).status).toBe(404);
});

test('a state with few dated awards has its statistics, however many others have no date', async () => {
  const undated = works(20, (n) => ({ tender_id: `2026_UNDATED_${n}_1`, bids: '[]', contract_date: '' }));
  await importRows([...works(10), ...undated]);
  await compute();
  expect(await officeOf(DIVISION)).toMatchObject({ awards: 10, bidders: { isShown: true, low: 2, high: 2 } });
});

test('an office without awards has the ranges of its department', async () => {
  const chain = ['PWD', 'Kangra Zone'];
  const tender = createSourceTender({ sourceId: '2026_PWD_901_1', organisationChain: chain });
  await importTenders(app.database.dataSource, [tender], { now: NOW });
  const [{ id }] = await query("SELECT id FROM tender WHERE source_id = '2026_PWD_901_1'");
  await importRows(works(30));
  await compute();
  const { office } = (await app.get(`/api/tenders/${id}/office`)).json;
  expect(office).toMatchObject({
    office: { kind: 'department', key: 'PWD||', name: 'PWD' },
    awards: 0,
    lastKnownOn: '2026-04-05',
    isOld: false,
    bidders: { isShown: true, basis: 'department', awards: 30, officeAwards: 0, low: 2, high: 2 },
    masses: [],
    singleBid: null,
  });
});

test('a department and a group show their age a year after their newest award', async () => {
  const tender = createSourceTender({ sourceId: '2026_PWD_903_1', organisationChain: ['PWD', 'Kangra Zone'] });
  await importTenders(app.database.dataSource, [tender], { now: NOW });
  const [{ id }] = await query("SELECT id FROM tender WHERE source_id = '2026_PWD_903_1'");
  await importRows(works(30));
  await compute();
  const group = async () => (await app.get('/api/awards/states/himachal-pradesh?district=')).json.group;
  expect(await group()).toMatchObject({ lastKnownOn: '2026-04-05', isOld: false });
  app.clock.now = new Date('2027-04-05T23:59:59+05:30');
  expect(await group()).toMatchObject({ isOld: false });
  app.clock.now = new Date('2027-04-06T00:01:00+05:30');
  expect(await group()).toMatchObject({ isOld: true });
  app.clock.now = new Date('2027-04-10T11:30:00+05:30');
  expect((await app.get(`/api/tenders/${id}/office`)).json.office).toMatchObject({ awards: 0, isOld: true });
  expect(await group()).toMatchObject({ lastKnownOn: '2026-04-05', isOld: true });
});

test('a range has the measured share of past tenders inside such ranges, from 40 tested ones on', async () => {
  await importRows(works(30));
  await compute();
  await query("UPDATE award_coverage SET covered = 37, ranges = 40 WHERE statistic = 'bidders'");
  await query("UPDATE award_coverage SET covered = 37, ranges = 39 WHERE statistic = 'price'");
  await query('UPDATE award_state SET change_no = change_no + 1');
  await compute();
  expect(await officeOf(DIVISION)).toMatchObject({
    bidders: { isShown: true, coverage: { count: 37, of: 40 } },
    price: { isShown: true, coverage: null },
  });
});

test('statistics are computed when awards change, and only offices with other figures are stored', async () => {
  await importRows(works(30));
  const version = async () => (await app.get('/api/awards')).json.states[0].version;
  expect(await compute()).toBe(2);
  const first = await version();
  expect(await compute()).toBe(0);
  // A device fetches no statistics that are the same.
  expect(await compute(new Date(NOW.getTime() + DAY_MS))).toBe(0);
  expect(await version()).toBe(first);
  await importRows([awardRow(31, { org_chain: 'HPSEBL || Solan' })]);
  expect(await compute()).toBeGreaterThan(0);
  expect(await version()).not.toBe(first);
  expect(await query('SELECT office_key FROM office_statistics ORDER BY office_key')).toEqual([
    { office_key: 'HPSEBL||' },
    { office_key: 'HPSEBL||Solan' },
    { office_key: 'PWD||' },
    { office_key: DIVISION },
  ]);
});

test('an award counts from the Indian day on which it is known, without another import', async () => {
  const bids = JSON.stringify([bid('Asha Builders Pvt Ltd', 'Accepted-AOC', '2026-11-11')]);
  await importRows([...works(3), awardRow(4, { contract_date: '2026-11-11', bids })]);
  await compute();
  expect(await officeOf(DIVISION)).toMatchObject({ awards: 3, lastKnownOn: '2026-03-09' });
  await compute(new Date('2026-11-10T23:59:59+05:30'));
  expect(await officeOf(DIVISION)).toMatchObject({ awards: 3 });
  await compute(new Date('2026-11-11T00:00:00+05:30'));
  expect(await officeOf(DIVISION)).toMatchObject({ awards: 4, lastKnownOn: '2026-11-11' });
});

test('a change of price rules hides prices at once, and no other range', async () => {
  await importRows(works(30));
  await compute();
  expect((await officeOf(DIVISION)).price.isShown).toBe(true);
  await addRegime(
    app.database.dataSource,
    { state: 'Himachal Pradesh', department: 'PWD', from: '2026-03-01', rule: 'No ceiling', source: 'Order 7' },
    NOW,
  );
  await compute();
  expect(await officeOf(DIVISION)).toMatchObject({
    price: { isShown: false, reason: 'rates-changed', changedOn: '2026-03-01' },
    bidders: { isShown: true },
    masses: [],
  });
  const { regimes, group } = (await app.get('/api/awards/states/himachal-pradesh')).json;
  expect(regimes).toEqual([{ department: 'PWD', from: '2026-03-01', rule: 'No ceiling', source: 'Order 7' }]);
  expect(group.price).toMatchObject({ isShown: false, reason: 'rates-changed', changedOn: '2026-03-01' });
  const corrected = { department: 'PWD', from: '2026-03-01', rule: 'No lottery', source: 'Order 8' };
  await addRegime(app.database.dataSource, { state: 'Himachal Pradesh', ...corrected }, NOW);
  await addRegime(
    app.database.dataSource,
    { state: 'Himachal Pradesh', department: null, from: '2026-02-01', rule: 'Deposit', source: 'Order 6' },
    NOW,
  );
  await compute();
  app.clock.now = new Date(NOW.getTime() + 120_000);
  const explorer = async (query: string) => (await app.get(`/api/awards/states/himachal-pradesh${query}`)).json.regimes;
  const ofState = { department: null, from: '2026-02-01', rule: 'Deposit', source: 'Order 6' };
  expect(await explorer('')).toEqual([ofState, corrected]);
  expect(await explorer('?department=PWD')).toEqual([ofState, corrected]);
});

test('a change of rules that two weeks of awards show hides older prices, and is noticed once', async () => {
  // A day with which a week of the detector begins. Each work is known 60 days after it was published.
  const first = Date.parse('2025-07-03');
  const rows = works(400, (nth) => {
    const n = nth - 1;
    const published = first + n * DAY_MS;
    const known = dayOf(published + 60 * DAY_MS);
    return {
      org_chain: `PWD || Division ${n % 5}`,
      publish_date: dayOf(published),
      closing_date: dayOf(published + 14 * DAY_MS),
      contract_date: known,
      awarded_value: `${n >= 300 ? 850_100 : 1_000_000 - 15_000 * (n % 20)}`,
      bids: JSON.stringify([
        bid('Asha Builders Pvt Ltd', 'Accepted-AOC', known),
        ...(n >= 187 && n % 10 === 3 ? [bid('Verma and Sons', 'Rejected-Finance', known)] : []),
      ]),
    };
  });
  // More awards than one transaction stores; the last row corrects one of the first.
  const others = works(101, (n) => ({ state: 'Assam', portal: 'assamtenders', tender_id: `2026_AS_${n}_1` }));
  const all = [...rows, ...others, { ...others[0], awarded_value: '930000' }];
  expect(await importRows(all)).toEqual({ read: 502, new: 501, changed: 1, unchanged: 0, rejected: 0 });
  await compute();
  const changes = () =>
    query(
      `SELECT state, department, from_on::text AS "from", price, round(share_before::numeric, 3)::float AS before,
         share_after AS after, rule, source, noticed_at FROM price_regime`,
    );
  const found = {
    ...{ state: 'Himachal Pradesh', department: 'PWD', from: '2026-05-02', price: -1_499, before: 0.059, after: 1 },
    ...{ rule: null, source: null, noticed_at: NOW },
  };
  expect(await changes()).toEqual([found]);
  const { regimes, group } = (await app.get('/api/awards/states/himachal-pradesh')).json;
  expect(regimes).toEqual([{ department: 'PWD', from: '2026-05-02', rule: null, source: null }]);
  expect(group.price).toMatchObject({ isShown: true, awards: 97, low: -1_499, high: -1_499 });
  // The ranges that were known before are tested with the tenders of half a year, which ended three months ago.
  expect(
    await query(
      `SELECT statistic, covered, ranges, checked_on::text AS "on" FROM award_coverage
       WHERE state = 'Himachal Pradesh' ORDER BY statistic`,
    ),
  ).toEqual([
    { statistic: 'bidders', covered: 164, ranges: 182, on: '2026-10-05' },
    { statistic: 'daysToContract', covered: 182, ranges: 182, on: '2026-10-05' },
    { statistic: 'price', covered: 182, ranges: 182, on: '2026-10-05' },
  ]);
  await query('UPDATE award_state SET change_no = change_no + 1, checked_on = NULL');
  await compute();
  expect(await changes()).toEqual([found]);
});

test('a curated change of rules hides older prices in groups too, with its rule and source; a later one changes nothing', async () => {
  const odisha = (n: number) => ({ state: 'Odisha', portal: 'tendersodisha', tender_id: `2026_OD_${n}_1` });
  const published = (n: number, day: string) => ({ ...odisha(n), publish_date: day });
  await importRows(works(30, (n) => published(n, '2025-12-23')));
  await compute();
  const read = async () => (await app.get('/api/awards/states/odisha')).json;
  const { regimes, group } = await read();
  expect(regimes).toMatchObject([{ department: null, from: '2026-01-03', source: expect.stringContaining('Odisha') }]);
  expect(group.price).toMatchObject({ isShown: false, reason: 'rates-changed', changedOn: '2026-01-03' });
  const { price, office } = await officeOf(DIVISION);
  expect(price).toMatchObject({ isShown: false, reason: 'rates-changed', changedOn: '2026-01-03' });
  expect((await app.get(`/api/awards/offices/${office.id}`)).json.regimes).toEqual(regimes);

  await importRows(
    works(30, (n) => ({
      ...published(n, '2025-10-01'),
      closing_date: '2025-10-20',
      contract_date: '2025-12-20',
      bids: JSON.stringify([bid('Asha Builders Pvt Ltd', 'Accepted-AOC', '2025-12-20')]),
    })),
  );
  await compute();
  app.clock.now = new Date(NOW.getTime() + 120_000);
  expect(await read()).toMatchObject({ computedOn: '2025-12-20', regimes: [], group: { price: { isShown: true } } });
});

test('a change of rules of one department leaves the prices of others in the group of the state', async () => {
  await importRows([
    ...works(30),
    ...works(30, (n) => ({ tender_id: `2026_HPSEBL_${n}_1`, org_chain: 'HPSEBL || Solan' })),
  ]);
  const rule = { rule: 'No ceiling', source: 'Order 7', from: '2026-03-01' };
  await addRegime(app.database.dataSource, { state: 'Himachal Pradesh', department: 'PWD', ...rule }, NOW);
  await compute();
  app.clock.now = new Date(NOW.getTime() + 120_000);
  const { group } = (await app.get('/api/awards/states/himachal-pradesh?category=Works')).json;
  expect(group).toMatchObject({ awards: 60, price: { isShown: true, awards: 30 } });
});

test('ranges that were wrong too often are withheld', async () => {
  await importRows(works(30));
  await compute();
  await query("UPDATE award_coverage SET covered = 29, ranges = 40 WHERE statistic = 'daysToContract'");
  await query('UPDATE award_state SET change_no = change_no + 1');
  await compute();
  const office = await officeOf(DIVISION);
  expect(office.daysToContract).toMatchObject({ isShown: false, reason: 'past-ranges-wrong' });
  expect(office.bidders.isShown).toBe(true);
  // They are measured again a week later.
  await importRows(works(36));
  await compute();
  expect((await officeOf(DIVISION)).daysToContract.isShown).toBe(false);
  await importRows(works(37));
  await compute();
  expect((await officeOf(DIVISION)).daysToContract).toMatchObject({ isShown: true, coverage: null });
});

test('an office refuses more bids than usual only in a state where past rates predicted later ones', async () => {
  const statuses = ['Accepted-AOC', 'Rejected-Technical', 'Rejected-Technical', 'Not Admitted-Technical'];
  const refusing = works(20, (n) => ({
    bids: JSON.stringify(
      statuses.map((status) => bid('Asha Builders Pvt Ltd', status, dayOf(FIRST_CLOSING + (n + 60) * DAY_MS))),
    ),
  }));
  const others = works(60, (n) => ({ tender_id: `2026_HPSEBL_${n}_1`, org_chain: 'HPSEBL || Solan' }));
  await importRows([...refusing, ...others]);
  await compute();
  const refused = async () => (await officeOf(DIVISION)).refused;
  const counts = { count: 60, of: 80, technical: 40, notAdmitted: 20 };
  expect(await refused()).toEqual({ ...counts, isMoreThanUsual: false });
  await query('UPDATE award_state SET refusals_predict = true, change_no = change_no + 1');
  await compute();
  expect(await refused()).toEqual({ ...counts, isMoreThanUsual: true });
  expect((await officeOf('HPSEBL||Solan')).refused).toEqual({
    ...{ count: 0, of: 120, technical: 0, notAdmitted: 0 },
    isMoreThanUsual: false,
  });
});

test('an award closes its tender as awarded, with the award in the answer, and devices receive the change', async () => {
  const tender = createSourceTender({
    sourceId: '2026_PWD_1_1',
    publishedAt: new Date('2025-12-23T09:00:00+05:30'),
    closesAt: new Date('2026-01-06T11:00:00+05:30'),
  });
  await importTenders(app.database.dataSource, [tender], { now: new Date('2025-12-24T09:00:00+05:30') });
  await importRows(works(1));
  const [{ id, stage }] = await query("SELECT id, stage FROM tender WHERE source_id = '2026_PWD_1_1'");
  expect(stage).toBe('awarded');
  expect(
    await query('SELECT changes FROM tender_history WHERE tender_id = $1 ORDER BY change_no DESC LIMIT 1', [id]),
  ).toEqual([{ changes: [{ field: 'stage', old: 'published', new: 'awarded' }] }]);
  await compute();
  const { award } = (await app.get(`/api/tenders/${id}/office`)).json;
  expect(award).toMatchObject({ awardedValue: 950_000, price: -500, contractOn: '2026-03-07', tenderId: String(id) });
});

test('an award is that of the tender of its own portal, also when another portal uses the same id', async () => {
  const dates = {
    publishedAt: new Date('2025-12-23T09:00:00+05:30'),
    closesAt: new Date('2026-01-06T11:00:00+05:30'),
  };
  onTestFinished(() => query("DELETE FROM tender WHERE source_id = '2026_PWD_1_1'"));
  await query("DELETE FROM tender WHERE source_id = '2026_PWD_1_1'");
  const own = createSourceTender({ sourceId: '2026_PWD_1_1', place: 'Una', ...dates });
  const other = { ...own, portal: 'assamtenders', state: 'Assam', place: 'Guwahati' };
  const { dataSource } = app.database;
  await importTenders(dataSource, [other], { now: NOW });
  await importRows(works(1));
  await importTenders(dataSource, [own], { now: NOW });
  await importTenders(dataSource, [{ ...other, stage: 'under_evaluation' }], { now: NOW });
  const stored = await query(
    "SELECT id::text, portal, stage FROM tender WHERE source_id = '2026_PWD_1_1' ORDER BY portal",
  );
  expect(stored).toMatchObject([
    { portal: 'assamtenders', stage: 'under_evaluation' },
    { portal: 'hptenders', stage: 'awarded' },
  ]);
  const [otherId, ownId] = stored.map(({ id }: { id: string }) => id);
  await compute();
  const block = async (id: string) => (await app.get(`/api/tenders/${id}/office`)).json.award;
  expect([await block(otherId), (await block(ownId)).tenderId]).toEqual([null, ownId]);
  const [{ id, district }] = await query('SELECT id, district FROM award');
  expect(district).toBeNull();
  expect((await app.get(`/api/awards/${id}`)).json.award).toMatchObject({
    tenderId: ownId,
    portal: 'hptenders.gov.in',
  });
});

test('a tender whose award was imported before it closes as awarded, and a later notice does not reopen it', async () => {
  const tender = (changes = {}) =>
    createSourceTender({
      sourceId: '2026_PWD_2_1',
      publishedAt: new Date('2025-12-24T09:00:00+05:30'),
      closesAt: new Date('2026-01-07T11:00:00+05:30'),
      ...changes,
    });
  const { dataSource } = app.database;
  await importRows(works(2));
  await importTenders(dataSource, [tender()], { now: NOW });
  const stage = async () => (await query("SELECT id, stage FROM tender WHERE source_id = '2026_PWD_2_1'"))[0];
  const { id, stage: imported } = await stage();
  expect(imported).toBe('awarded');
  await importTenders(dataSource, [tender({ title: 'Retaining wall, second call' })], { now: NOW });
  expect((await stage()).stage).toBe('awarded');
  expect(
    await query('SELECT changes FROM tender_history WHERE tender_id = $1 ORDER BY change_no DESC LIMIT 1', [id]),
  ).toMatchObject([{ changes: [{ field: 'title' }, { field: 'description' }] }]);
  await importTenders(dataSource, [tender({ stage: 'under_evaluation' })], { now: NOW });
  expect((await stage()).stage).toBe('awarded');
  await importTenders(dataSource, [tender({ closesAt: new Date('2026-12-07T11:00:00+05:30') })], { now: NOW });
  expect((await stage()).stage).toBe('published');
});

test('a draft is not named by its award, not marked by it, and has no block of its office', async () => {
  const { dataSource } = app.database;
  onTestFinished(() => query("DELETE FROM tender WHERE source_id = '2026_PWD_1_1'"));
  await query("DELETE FROM tender WHERE source_id = '2026_PWD_1_1'");
  const dates = {
    publishedAt: new Date('2026-11-11T09:00:00+05:30'),
    closesAt: new Date('2026-11-20T11:00:00+05:30'),
  };
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_1_1', ...dates })], { now: NOW });
  await importRows(works(1));
  const [{ id, stage }] = await query("SELECT id, stage FROM tender WHERE source_id = '2026_PWD_1_1'");
  expect(stage).toBe('published');
  for (const path of ['office', 'similar-works']) {
    const { status, json } = await app.get(`/api/tenders/${id}/${path}`);
    expect([status, json.message]).toEqual([404, 'This tender was not found']);
  }
  const [award] = await query('SELECT id FROM award');
  expect((await app.get(`/api/awards/${award.id}`)).json.award.tenderId).toBeNull();
});

test('the block of a tender has no result of a row without winner, of a rebased tender and of an open one', async () => {
  const { dataSource } = app.database;
  const closed = {
    publishedAt: new Date('2025-12-24T09:00:00+05:30'),
    closesAt: new Date('2026-01-07T11:00:00+05:30'),
  };
  const open = { ...closed, closesAt: new Date('2026-12-07T11:00:00+05:30') };
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_910_1', ...closed })], { now: NOW });
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_911_1', ...open })], { now: NOW });
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_912_1', ...closed })], {
    now: NOW,
    origin: 'rebased',
  });
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_913_1', ...closed })], { now: NOW });
  const cancelled = createSourceTender({ sourceId: '2026_PWD_914_1', ...closed, stage: 'cancelled' });
  await importTenders(dataSource, [cancelled], { now: NOW });
  const rejected = JSON.stringify([bid('Verma and Sons', 'Rejected-Technical', '2026-03-01')]);
  await importRows([
    awardRow(1, { tender_id: '2026_PWD_910_1', bids: rejected, contract_date: '' }),
    awardRow(2, { tender_id: '2026_PWD_911_1' }),
    awardRow(3, { tender_id: '2026_PWD_912_1' }),
    awardRow(4, { tender_id: '2026_PWD_913_1' }),
    awardRow(5, { tender_id: '2026_PWD_914_1' }),
  ]);
  await compute();
  // Only the tender that closed without being cancelled is marked.
  expect(await query("SELECT stage FROM tender WHERE source_id LIKE '2026_PWD_91_\\_1' ORDER BY source_id")).toEqual(
    ['published', 'published', 'published', 'awarded', 'cancelled'].map((stage) => ({ stage })),
  );
  const award = async (sourceId: string) => {
    const [{ id }] = await query('SELECT id FROM tender WHERE source_id = $1', [sourceId]);
    return (await app.get(`/api/tenders/${id}/office`)).json.award;
  };
  expect(await award('2026_PWD_910_1')).toBeNull();
  expect(await award('2026_PWD_911_1')).toBeNull();
  expect(await award('2026_PWD_912_1')).toBeNull();
  expect(await award('2026_PWD_913_1')).toMatchObject({ awardedValue: 950_000 });
});

test('the result of a tender is known from midnight in India on', async () => {
  const dates = {
    publishedAt: new Date('2025-12-23T09:00:00+05:30'),
    closesAt: new Date('2026-01-06T11:00:00+05:30'),
  };
  const tender = createSourceTender({ sourceId: '2026_PWD_1_1', ...dates });
  await importTenders(app.database.dataSource, [tender], { now: NOW });
  await importRows(works(1));
  const [{ id, day }] = await query(
    'SELECT t.id, a.known_on::text AS day FROM award a JOIN tender t USING (source_id)',
  );
  const midnight = new Date(`${day}T00:00:00+05:30`);
  const award = async (now: Date) => {
    app.clock.now = now;
    return (await app.get(`/api/tenders/${id}/office`)).json.award;
  };
  expect(await award(new Date(midnight.getTime() - 1))).toBeNull();
  expect(await award(midnight)).toMatchObject({ awardedValue: 950_000 });
});

test('the page of an award names the winner and the portal, never the bidders who lost', async () => {
  const bids = ['Accepted-AOC', ...Array(2).fill('Rejected-Technical'), ...Array(3).fill('Not Admitted-Technical')];
  await importRows([
    awardRow(1),
    awardRow(2, {
      org_chain: 'Fisheries',
      bids: JSON.stringify(
        [...bids, 'Rejected-Finance', 'Not Admitted-Finance', 'Rejected-Finance', 'Rejected-Finance'].map((status, n) =>
          bid(n === 0 ? 'Ram Lal' : 'Verma and Sons', status, '2026-03-20'),
        ),
      ),
    }),
    awardRow(3, { bids: JSON.stringify(['One', 'Two'].map((name) => bid(name, 'Accepted-AOC', '2026-03-20'))) }),
  ]);
  const [{ id }, { id: secondId }, { id: thirdId }] = await query('SELECT id FROM award ORDER BY source_id');
  const { text, json, headers } = await app.get(`/api/awards/${id}`);
  expect(headers['cache-control']).toBe('public, max-age=600');
  expect(json.award).toEqual({
    id: String(id),
    title: 'Construction of retaining wall near school of village number 1',
    state: 'Himachal Pradesh',
    department: 'PWD',
    officeId: json.award.office.id,
    office: {
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      key: DIVISION,
      name: 'Central Zone',
      kind: 'chain',
      department: 'PWD',
      state: 'Himachal Pradesh',
    },
    category: 'Works',
    estimate: 1_000_000,
    awardedValue: 950_000,
    price: -500,
    bidders: 2,
    publishedOn: '2025-12-23',
    closesOn: '2026-01-06',
    contractOn: '2026-03-07',
    knownOn: '2026-03-07',
    tenderId: json.award.tenderId,
    isDemonstration: false,
    sourceTenderId: '2026_PWD_1_1',
    portal: 'hptenders.gov.in',
    winner: { name: 'Asha Builders Pvt Ltd', isCompany: true },
    bids: { accepted: 1, refusedTechnical: 0, notAdmitted: 0, other: 1 },
    exclusion: null,
    importedAt: NOW.toISOString(),
  });
  expect((await app.get(`/api/awards/${secondId}`)).json.award).toMatchObject({
    office: { key: 'Fisheries||pin:171001', name: 'PIN 171001', kind: 'pin', department: 'Fisheries' },
    winner: { name: 'Ram Lal', isCompany: false },
    bidders: 10,
    bids: { accepted: 1, refusedTechnical: 2, notAdmitted: 3, other: 4 },
  });
  expect((await app.get(`/api/awards/${thirdId}`)).json.award).toMatchObject({
    winner: null,
    price: null,
    exclusion: 'several-winners',
  });
  expect(text).not.toContain('Verma');
  expect(JSON.stringify(await query('SELECT * FROM award'))).not.toContain('Verma');
  for (const unknown of ['0', '2147483647', '2147483648', '1x', '-1'])
    expect((await app.get(`/api/awards/${unknown}`)).json.message).toBe('This award was not found');
  const path = `/awards/${id}`;
  const awards = app.app.get(AwardsService);
  // It may name a person, so search engines must not list it.
  expect(await awardPageMetadata(awards, path, new URLSearchParams(), 'https://nivida.example', 'en')).toEqual({
    status: 200,
    title: 'Award: Construction of retaining wall near school of village number 1',
    description: 'The published result of a government tender: value, bidders and dates.',
    canonical: `https://nivida.example${path}`,
    isNoIndex: true,
  });
});

test('the explorer lists states, groups and offices, and no group below 20 awards', async () => {
  expect((await app.get('/api/awards')).json).toEqual({ states: [] });
  expect((await app.get('/api/awards/states/himachal-pradesh')).status).toBe(404);
  await importRows([
    ...works(30),
    ...works(5, (n) => ({ tender_id: `2026_HPSEBL_${n}_1`, org_chain: 'HPSEBL || Solan' })),
  ]);
  await compute();
  expect((await app.get('/api/awards')).json.states).toMatchObject([
    { state: 'Himachal Pradesh', awards: 35, offices: 2, isDemonstration: false },
  ]);
  const { json } = await app.get('/api/awards/states/Himachal%20Pradesh?department=PWD&band=5-to-25-lakh');
  expect(json).toMatchObject({
    departments: [{ name: 'PWD', awards: 30 }],
    categories: [{ name: 'Works', awards: 30 }],
    offices: [{ key: DIVISION, awards: 30 }],
    portals: ['hptenders.gov.in'],
    group: { awards: 30, bidders: { isShown: true, low: 2, high: 2 }, singleBid: { count: 0, of: 30 } },
    quarters: [
      { quarter: '2026-Q1', awards: 25, bidders: 2, price: -500, daysToContract: 60 },
      { quarter: '2026-Q2', awards: 5, bidders: null, price: null, daysToContract: null },
    ],
  });
  const small = (await app.get('/api/awards/states/himachal-pradesh?department=HPSEBL')).json;
  expect(small.group).toMatchObject({
    awards: 5,
    bidders: { isShown: false, reason: 'too-few' },
    refused: null,
    singleBid: null,
  });
  const page = (await app.get(`/api/awards/offices/${json.offices[0].id}`)).json;
  expect(page).toMatchObject({
    statistics: { awards: 30 },
    companies: [{ name: 'Asha Builders Pvt Ltd', awards: 30 }],
    portals: ['hptenders.gov.in'],
  });
  expect(page.newest.map(({ knownOn }: { knownOn: string }) => knownOn)).toEqual(
    Array.from({ length: 20 }, (_, n) => dayOf(FIRST_CLOSING + (90 - n) * DAY_MS)),
  );
  const { office: solan } = await officeOf('HPSEBL||Solan');
  expect((await app.get(`/api/awards/offices/${solan.id}`)).json).toMatchObject({
    statistics: { awards: 5 },
    newest: [5, 4, 3, 2, 1].map((n) => ({ officeId: solan.id, knownOn: dayOf(FIRST_CLOSING + (n + 60) * DAY_MS) })),
    companies: [],
  });
  expect((await app.get(`/api/awards/offices/${solan.id}.csv`)).text.match(/2026_\w+?_\d+_1/g)).toEqual(
    [5, 4, 3, 2, 1].map((n) => `2026_HPSEBL_${n}_1`),
  );
  const csv = await app.get(`/api/awards/offices/${json.offices[0].id}.csv`);
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="awards.csv"',
    'cache-control': 'public, max-age=600',
  });
  const lines = csv.text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(31);
  expect(lines[1]).toBe(
    'hptenders,2026_PWD_30_1,Construction of retaining wall near school of village number 30,PWD,PWD||Central Zone,Works,1000000.00,950000.00,-5.00,2,0,0,2026-01-21,2026-02-04,2026-04-05,2026-04-05,yes,',
  );
  for (const unknown of ['states/himachal-pradesh?department=Buy%20here', 'offices/000000000000.csv'])
    expect((await app.get(`/api/awards/${unknown}`)).status).toBe(404);
  const state = await app.get('/api/awards/states/himachal-pradesh.csv?department=HPSEBL');
  expect(state.text.trimEnd().split('\r\n')).toHaveLength(6);
  expect((await app.get('/api/awards/offices/000000000000')).status).toBe(404);
});

test.each([
  [`department=${'x'.repeat(301)}`, { department: 'At most 300 characters' }],
  ['district=a%0Ab', { district: 'Line breaks and control characters are not allowed' }],
  ['category=%ED%A0%80', undefined],
  ['band=all', { band: expect.any(String) }],
])('the explorer refuses ?%s', async (search, fields) => {
  await importRows(works(1));
  await compute();
  const { status, json } = await app.get(`/api/awards/states/himachal-pradesh?${search}`);
  expect([status, json.fields]).toEqual(fields ? [400, fields] : [200, undefined]);
});

test('the filter of the explorer may have spaces around it', async () => {
  await importRows(works(1));
  await compute();
  const { json } = await app.get('/api/awards/states/himachal-pradesh?department=%20PWD%20&category=%20Works');
  expect(json).toMatchObject({ filter: { department: 'PWD', category: 'Works' }, group: { awards: 1 } });
});

test('a band of values has the estimates above its lower border, up to its upper border', async () => {
  const estimates = ['500000', '500000.01', '2500000', '2500000.01'];
  await importRows(works(4, (n) => ({ estimate: estimates[n - 1] as string })));
  await compute();
  const { json } = await app.get('/api/awards/states/himachal-pradesh?band=5-to-25-lakh');
  expect(json.group.awards).toBe(2);
  const csv = await app.get('/api/awards/states/himachal-pradesh.csv?band=5-to-25-lakh');
  expect(csv.text.match(/2026_PWD_\d_1/g)?.toSorted()).toEqual(['2026_PWD_2_1', '2026_PWD_3_1']);
  const borders = ['0.01', '500000', '500000.01', '2500000', '2500000.01', '10000000', '10000000.01', ''];
  await importRows(works(8, (n) => ({ estimate: borders[n - 1] as string })));
  const inBand = async (band: string) => {
    const { text } = await app.get(`/api/awards/states/himachal-pradesh.csv?band=${band}`);
    return text.match(/2026_PWD_\d_1/g)?.map((id) => borders[Number(id[9]) - 1]);
  };
  expect(await Promise.all(['up-to-5-lakh', '25-lakh-to-1-crore', 'over-1-crore'].map(inBand))).toEqual([
    ['500000', '0.01'],
    ['10000000', '2500000.01'],
    ['10000000.01'],
  ]);
  expect((await app.get('/api/awards/states/himachal-pradesh?band=over')).json).toMatchObject({ code: 'INVALID' });
});

test('the district of an award is that of its tender, else the most probable one of its PIN code, and filters', async () => {
  const { dataSource } = app.database;
  onTestFinished(() => query('DELETE FROM pincode'));
  await query(
    `INSERT INTO pincode (pincode, state, district, share) VALUES
       ('171001', 'Himachal Pradesh', 'Solan', 0.3), ('171001', 'Himachal Pradesh', 'Shimla', 0.7),
       ('171001', 'Assam', 'Nagaon', 0.9), ('176310', 'Himachal Pradesh', 'Chamba', 1)`,
  );
  const tender = createSourceTender({ sourceId: '2026_PWD_1_1', place: 'Una' });
  await importTenders(dataSource, [tender], { now: NOW });
  await importRows(works(25, (n): Row => (n > 22 ? { pincode: ['176310', '110001', ''][n - 23] as string } : {})));
  await compute();
  expect(
    await query('SELECT district, count(*)::int AS awards FROM award GROUP BY 1 ORDER BY awards DESC, district'),
  ).toEqual([
    { district: 'Shimla', awards: 21 },
    { district: null, awards: 2 },
    { district: 'Chamba', awards: 1 },
    { district: 'Una', awards: 1 },
  ]);
  const { json } = await app.get('/api/awards/states/himachal-pradesh?district=Shimla');
  expect([json.group.awards, json.districts]).toEqual([21, [{ name: 'Shimla', awards: 21 }]]);
  await query('DELETE FROM tender');
});

test('the awards of a selection add up: those that count, older, newer and excluded ones; of each list, the named and the unnamed', async () => {
  onTestFinished(() => query('DELETE FROM pincode'));
  await query(`INSERT INTO pincode VALUES ('171001', 'Himachal Pradesh', 'Shimla', 1)`);
  const some = (count: number, name: string, n: number, changes: Row = {}) =>
    Array.from({ length: count }, (_, at) => awardRow(n, { tender_id: `2026_${name}_${at}_1`, ...changes }));
  const other = { org_chain: 'HPSEBL || Solan', pincode: '' };
  await importRows([
    ...some(30, 'PWD', 1),
    ...some(3, 'GOODS', 1, { category: 'Goods' }),
    ...some(4, 'UNKNOWN', 1, { category: '' }),
    ...some(22, 'HPSEBL', 1, other),
    ...some(5, 'FEW', 1, { org_chain: 'HIMUDA || Solan' }),
    ...some(6, 'OLD', -800),
    ...some(1, 'OLDBOARD', -800, other),
    ...some(2, 'STRAGGLER', 40),
    ...some(7, 'EXCLUDED', 1, { publish_date: '2016-01-01' }),
  ]);
  await compute();
  const read = async (search: string) => (await app.get(`/api/awards/states/himachal-pradesh${search}`)).json;
  const all = await read('');
  expect((await app.get('/api/awards')).json.states).toMatchObject([{ awards: 80 }]);
  expect(all).toMatchObject({
    counts: {
      ...{ stored: 80, excluded: 7, older: 7, newer: 2, recent: 64 },
      lists: {
        departments: { of: 64, unnamed: 0 },
        districts: { of: 64, unnamed: 22 },
        categories: { of: 64, unnamed: 4 },
      },
    },
    computedOn: '2026-03-07',
    departments: [
      { name: 'PWD', awards: 37 },
      { name: 'HPSEBL', awards: 22 },
    ],
    districts: [{ name: 'Shimla', awards: 42 }],
    categories: [{ name: 'Works', awards: 57 }],
  });
  // Lists keep the width of their own: departments that of the state, the others that of the department.
  const chosen = await read('?department=PWD&category=Goods');
  expect(chosen.counts).toEqual({
    ...{ stored: 3, excluded: 0, older: 0, newer: 0, recent: 3 },
    lists: {
      departments: { of: 64, unnamed: 0 },
      districts: { of: 37, unnamed: 0 },
      categories: { of: 37, unnamed: 4 },
    },
  });
  for (const search of ['', '?department=HPSEBL', '?district=Shimla', '?category=Works', '?band=5-to-25-lakh']) {
    const { counts, group } = await read(search);
    expect(counts.excluded + counts.older + counts.newer + counts.recent, search).toBe(counts.stored);
    expect(counts.recent, search).toBe(group.awards);
  }
  expect((await read('?department=HPSEBL')).counts).toMatchObject({
    ...{ stored: 23, older: 1, recent: 22 },
    lists: { districts: { of: 22, unnamed: 22 } },
  });
});

test('a file of awards has those that do not count too, with the reason', async () => {
  await importRows([awardRow(1), awardRow(2, { publish_date: '2016-01-01' }), awardRow(3, { awarded_value: '' })]);
  await compute();
  const { text } = await app.get('/api/awards/states/himachal-pradesh.csv');
  expect(
    text
      .trimEnd()
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(',')[1], ...line.split(',').slice(-3)]),
  ).toEqual([
    ['2026_PWD_3_1', '2026-03-09', 'yes', 'no-value'],
    ['2026_PWD_1_1', '2026-03-07', 'yes', ''],
    ['2026_PWD_2_1', '', 'no', 'open-too-long'],
  ]);
});

test('an office whose awards were corrected to another one has no page any more', async () => {
  await importRows(works(3));
  await compute();
  const { office } = await officeOf(DIVISION);
  await importRows(works(3, () => ({ org_chain: 'PWD || Kangra Zone' })));
  await compute();
  expect((await app.get(`/api/awards/offices/${office.id}`)).status).toBe(404);
  expect(await officeOf('PWD||Kangra Zone')).toMatchObject({ awards: 3 });
});

test('an answer of the explorer is read once a minute', async () => {
  await importRows(works(30));
  await compute();
  const read = async () => (await app.get('/api/awards/states/himachal-pradesh?band=5-to-25-lakh')).json.group.awards;
  expect(await read()).toBe(30);
  await query("DELETE FROM award WHERE source_id = '2026_PWD_30_1'");
  expect(await read()).toBe(30);
  app.clock.now = new Date(NOW.getTime() + 61_000);
  expect(await read()).toBe(29);
  await importRows([awardRow(31)]);
  await compute();
  expect(await read()).toBe(30);
});

test('an office names the companies with two awards of the last 24 months, and no persons', async () => {
  const winner = (name: string, n: number) => ({
    bids: JSON.stringify([bid(name, 'Accepted-AOC', dayOf(FIRST_CLOSING + (n + 60) * DAY_MS))]),
  });
  const names = ['Asha Builders Pvt Ltd', 'Asha Builders Pvt Ltd', 'Solo Works Pvt Ltd', 'Ram Lal', 'Ram Lal'];
  await importRows(works(19, (n) => winner(names[n - 1] ?? 'Verma Infra Limited', n)));
  await compute();
  const { office } = await officeOf(DIVISION);
  const companies = async () => (await app.get(`/api/awards/offices/${office.id}`)).json.companies;
  expect(await companies()).toEqual([]);
  await importRows([awardRow(20, winner('Verma Infra Limited', 20))]);
  await compute();
  const shown = [
    { name: 'Verma Infra Limited', awards: 15 },
    { name: 'Asha Builders Pvt Ltd', awards: 2 },
  ];
  expect(await companies()).toEqual(shown);
  // Older awards are neither counted nor named, and those of more than four years have no quarter.
  const old = (n: number, name: string, year: number): Row => ({
    tender_id: `${year}_PWD_${n}_1`,
    publish_date: `${year}-01-01`,
    closing_date: `${year}-01-15`,
    contract_date: `${year}-02-15`,
    bids: JSON.stringify([bid(name, 'Accepted-AOC', `${year}-02-15`)]),
  });
  await importRows([
    awardRow(31, old(1, 'Verma Infra Limited', 2024)),
    awardRow(32, old(2, 'Old Works Limited', 2024)),
    awardRow(33, old(3, 'Old Works Limited', 2024)),
    awardRow(34, old(4, 'Old Works Limited', 2021)),
  ]);
  await compute();
  expect(await companies()).toEqual(shown);
  const page = (await app.get(`/api/awards/offices/${office.id}`)).json;
  expect(page.quarters.map(({ quarter, awards }: { quarter: string; awards: number }) => [quarter, awards])).toEqual([
    ['2024-Q1', 3],
    ['2026-Q1', 20],
  ]);
  expect(page.newest.at(0)).toMatchObject({ knownOn: '2026-03-26' });
  expect(page.statistics).toMatchObject({ awards: 20, firstKnownOn: '2026-03-07' });
});

test('stored names are not shown after the operator has switched names off', async () => {
  await importRows(works(30));
  await compute();
  const [{ id }] = await query('SELECT id FROM award LIMIT 1');
  const { office } = await officeOf(DIVISION);
  onTestFinished(() => {
    app.config.awardNames = true;
  });
  app.config.awardNames = false;
  expect((await app.get(`/api/awards/${id}`)).json.award.winner).toBeNull();
  expect((await app.get(`/api/awards/offices/${office.id}`)).json.companies).toEqual([]);
});

test('a page of a department without awards is not found, and its name is not repeated', async () => {
  await importRows(works(30));
  await compute();
  const awards = app.app.get(AwardsService);
  const head = (query: string, path = '/analysis/himachal-pradesh') =>
    awardPageMetadata(awards, path, new URLSearchParams(query), 'https://nivida.example', 'en');
  expect(await head('department=PWD')).toEqual({
    status: 200,
    title: 'Awarded tenders: PWD, Himachal Pradesh',
    description: 'Bidders, refused bids and award prices of past tenders in PWD, Himachal Pradesh, by office.',
    canonical: 'https://nivida.example/analysis/Himachal%20Pradesh?department=PWD',
  });
  expect(await head('department=Cheap+loans')).toEqual({
    status: 404,
    title: 'No awards known here',
    description: 'Bidders, refused bids and award prices of past government tenders.',
    canonical: 'https://nivida.example/analysis/himachal-pradesh',
    isNoIndex: true,
  });
  // The page holds the answer of the call that its screen makes.
  const answer = await awardPageAnswer(awards, '/analysis/Himachal%20Pradesh', new URLSearchParams('department=PWD'));
  expect(answer?.call).toBe('api/awards/states/Himachal%20Pradesh?department=PWD');
  const { office } = await officeOf(DIVISION);
  expect(await head('', `/analysis/offices/${office.id}`)).toEqual({
    status: 200,
    title: 'Awarded tenders: Central Zone',
    description: 'Bidders, refused bids and award prices of past tenders of Central Zone, PWD, Himachal Pradesh.',
    canonical: `https://nivida.example/analysis/offices/${office.id}`,
  });
  expect(await head('')).toMatchObject({
    title: 'Awarded tenders: Himachal Pradesh',
    canonical: 'https://nivida.example/analysis/Himachal%20Pradesh',
  });
  for (const path of ['/analysis/offices/000000000000', '/analysis/%zz', '/awards/0', '/analysis/atlantis'])
    expect(await head('', path)).toMatchObject({ status: 404, isNoIndex: true });
  for (const path of ['/analysis', '/pricing', '/awards', '/analysis/offices/a/b'])
    expect(await head('', path)).toBeUndefined();
});

test('the pages of awards hold the answers of the calls that their screens make', async () => {
  await importRows(works(30));
  await compute();
  const awards = app.app.get(AwardsService);
  const answerOf = async (path: string, query = '') => {
    const answer = await awardPageAnswer(awards, path, new URLSearchParams(query));
    return answer && { call: answer.call, answer: JSON.parse(answer.json) };
  };
  const { office } = await officeOf(DIVISION);
  const [{ id }] = await query('SELECT min(id) AS id FROM award');
  for (const [path, given, call] of [
    ['/analysis', '', 'api/awards'],
    [`/analysis/offices/${office.id}`, '', `api/awards/offices/${office.id}`],
    [`/awards/${id}`, '', `api/awards/${id}`],
    ['/analysis/Himachal%20Pradesh', '', 'api/awards/states/Himachal%20Pradesh'],
    [
      '/analysis/Himachal%20Pradesh',
      'band=5-to-25-lakh&page=2&department=PWD&category=',
      'api/awards/states/Himachal%20Pradesh?department=PWD&band=5-to-25-lakh',
    ],
  ] as const)
    expect(await answerOf(path, given)).toEqual({ call, answer: (await app.get(`/${call}`)).json });
  expect(await answerOf('/pricing')).toBeUndefined();
});

test('a page of awards is not for search engines while the database does not answer', async () => {
  await query('ALTER TABLE award_state RENAME TO unavailable');
  try {
    const given = new URLSearchParams('department=PWD');
    const path = '/analysis/himachal-pradesh';
    expect(await awardPageMetadata(app.app.get(AwardsService), path, given, 'https://nivida.example', 'en')).toEqual({
      status: 200,
      title: 'Awarded tenders',
      description: 'Bidders, refused bids and award prices of past government tenders.',
      canonical: 'https://nivida.example/analysis/himachal-pradesh',
      isNoIndex: true,
    });
  } finally {
    await query('ALTER TABLE unavailable RENAME TO award_state');
  }
});

test('the file of a state for devices holds the statistics of its offices with ten awards and of its departments', async () => {
  await importRows([
    ...works(30),
    ...works(9, () => ({ org_chain: 'PWD || North Zone' })).map((row) => ({ ...row, tender_id: `${row.tender_id}_9` })),
  ]);
  await compute();
  const url = '/api/awards/packs/himachal-pradesh';
  const { json, headers } = await app.get(url);
  const rows = packedKeys(json.columns).map((_, at) => unpackOffice(json.columns, at, json.state));
  const stored = await query(
    `SELECT statistics FROM office_statistics WHERE office_key <> 'PWD||North Zone' ORDER BY office_key COLLATE "C"`,
  );
  // The device derives the id from state and key, and shows the month of the first award.
  const onPhone = ({ statistics }: { statistics: { office: { id: string }; firstKnownOn: string | null } }) => {
    const { office, firstKnownOn, ...rest } = statistics;
    const { id: _id, ...named } = office;
    return { ...rest, office: named, firstKnownOn: firstKnownOn && `${firstKnownOn.slice(0, 7)}-01` };
  };
  expect(rows).toEqual(stored.map(onPhone));
  expect(rows.map(({ office }) => (office as { key: string }).key)).toEqual(['PWD||', DIVISION]);
  const small = await app.app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
  expect(small.headers).toMatchObject({ 'content-encoding': 'br', 'content-type': 'application/json; charset=utf-8' });
  expect(JSON.parse(brotliDecompressSync(small.rawPayload).toString())).toEqual(json);
  expect((await app.get(url, { 'if-none-match': headers.etag as string })).status).toBe(304);
  expect(small.headers.etag).not.toBe(headers.etag);
  expect((await app.get('/api/awards')).json.states[0].version).toBe(json.version);
  expect((await app.get('/api/awards/packs/assam')).status).toBe(404);
});

test('the past works of a state for devices are those that have an office, an estimate and a title to compare', async () => {
  onTestFinished(() => query("DELETE FROM tender WHERE source_id = '2026_PWD_14_1'"));
  await importTenders(app.database.dataSource, [createSourceTender({ sourceId: '2026_PWD_14_1' })], { now: NOW });
  const [tender] = await query("SELECT id::text FROM tender WHERE source_id = '2026_PWD_14_1'");
  await importRows([
    awardRow(11, { title: 'Road' }),
    awardRow(12, { estimate: '' }),
    awardRow(13),
    awardRow(16, { bids: '[]', contract_date: '' }),
    awardRow(15, { org_chain: 'HPSEBL || Solan', estimate: '2000000', awarded_value: '1800000' }),
    awardRow(14, { awarded_value: '' }),
    awardRow(17, { org_chain: '' }),
    awardRow(18, { state: 'Assam' }),
  ]);
  await compute();
  const { json } = await app.get('/api/awards/packs/himachal-pradesh/works');
  const stored = await query('SELECT id::text, office_id, source_id FROM award');
  const [solan, zone, other, undated] = [15, 14, 13, 16].map((n) =>
    stored.find(({ source_id }: Row) => source_id === `2026_PWD_${n}_1`),
  );
  expect(json.offices).toEqual([solan.office_id, zone.office_id]);
  const title = (n: number) => `Construction of retaining wall near school of village number ${n}`;
  expect(json.works).toEqual({
    office: [0, 1, 1, 1],
    id: [solan.id, zone.id, other.id, undated.id],
    tenderId: [null, tender.id, null, null],
    title: [15, 14, 13, 16].map(title),
    estimate: [2_000_000, 1_000_000, 1_000_000, 1_000_000],
    price: [-1_000, null, -500, null],
    knownOn: ['2026-03-21', '2026-03-20', '2026-03-19', null],
  });
});

test('the past works of a state are read once for each version of its statistics', async () => {
  await importRows(works(3));
  // Another minute than in other tests: the version has it.
  await compute(new Date(NOW.getTime() + DAY_MS));
  const url = '/api/awards/packs/himachal-pradesh/works';
  const titles = async () => (await app.get(url)).json.works.title.length;
  const { headers } = await app.get(url);
  await query("DELETE FROM award WHERE source_id = '2026_PWD_3_1'");
  expect(await titles()).toBe(3);
  const zipped = await app.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
  expect(JSON.parse(gunzipSync(zipped.rawPayload).toString()).works.title).toHaveLength(3);
  expect((await app.get(url, { 'if-none-match': headers.etag as string })).status).toBe(304);
  await importRows(works(2, () => ({ awarded_value: '900000' })));
  await compute(new Date(NOW.getTime() + 2 * DAY_MS));
  expect(await titles()).toBe(2);
  expect((await app.get(url, { 'if-none-match': headers.etag as string })).status).toBe(200);
});

test('similar past works of the office have nearly the same title and a similar estimate', async () => {
  const title = 'Metalling and tarring of Kasauli Garkhal road';
  const tender = createSourceTender({ sourceId: '2026_PWD_902_1', title, price: '1200000.00' });
  await importTenders(app.database.dataSource, [tender], { now: NOW });
  const [{ id }] = await query("SELECT id FROM tender WHERE source_id = '2026_PWD_902_1'");
  await importRows([
    ...works(20),
    awardRow(21, { title: 'Metalling and tarring of Kasauli Garkhal road' }),
    awardRow(22, { title: 'Metalling and tarring of Kasauli Dharampur road' }),
    awardRow(23, { title, estimate: '9000000', awarded_value: '8900000' }),
    awardRow(24, { title, org_chain: 'PWD || Kangra Zone' }),
    // Its own award.
    awardRow(25, { tender_id: '2026_PWD_902_1', title }),
    // The work of another portal with the same id.
    awardRow(26, { tender_id: '2026_PWD_902_1', title, portal: 'otherportal', awarded_value: '900000' }),
  ]);
  await compute();
  const { works: found } = (await app.get(`/api/tenders/${id}/similar-works`)).json;
  expect(found).toMatchObject([
    { title, likeness: 'let-before', price: -1_000, tenderId: null, knownOn: '2026-04-01' },
    { title, likeness: 'let-before', price: -500, tenderId: null, knownOn: '2026-03-27' },
  ]);
});

test('a hidden name leaves all awards and does not come back with the next import', async () => {
  const { dataSource } = app.database;
  const other = awardRow(4, { bids: JSON.stringify([bid('Verma Infra Limited', 'Accepted-AOC', '2026-03-10')]) });
  await importRows([...works(2), other]);
  const hide = await runAwards(['hide-name', 'M/s ASHA BUILDERS Private Limited'], { dataSource, now: NOW });
  expect(hide).toBe('The name is hidden. It was removed from 2 awards\n');
  const command = (...args: string[]) => runAwards(args, { dataSource, now: NOW });
  expect(await command('hide-name', 'Asha', 'Builders', 'Pvt', 'Ltd')).toContain('It was removed from 0 awards');
  expect(await command('show-name', 'Verma Infra Limited')).toBe('The name was not hidden\n');
  for (const action of ['hide-name', 'show-name'])
    await expect(command(action, 'M/s', 'AB')).rejects.toThrow('awards: name the firm as the portal writes it');
  await expect(command('Asha Builders')).rejects.toThrow('awards: name hide-name, show-name or new-rule');
  const winners = () => query('SELECT source_id AS id, winner FROM award ORDER BY source_id');
  const hidden = (n: number) => ({ id: `2026_PWD_${n}_1`, winner: null });
  const shown = { id: '2026_PWD_4_1', winner: 'Verma Infra Limited' };
  expect(await winners()).toEqual([hidden(1), hidden(2), shown]);
  await importRows([...works(2, () => ({ awarded_value: '960000' })), awardRow(3)]);
  const [{ id }] = await query('SELECT min(id) AS id FROM award');
  expect((await app.get(`/api/awards/${id}`)).json.award.winner).toBeNull();
  expect(await winners()).toEqual([hidden(1), hidden(2), hidden(3), shown]);
  expect(await query('SELECT 1 FROM award WHERE winner_hash IS NOT NULL')).toHaveLength(1);
  expect(await runAwards(['show-name', 'Asha Builders Pvt Ltd'], { dataSource, now: NOW })).toBe(
    'The next import of its awards stores the name again\n',
  );
  await importRows([...works(2, () => ({ awarded_value: '960000' })), awardRow(3)]);
  expect((await app.get(`/api/awards/${id}`)).json.award.winner).toEqual({
    name: 'Asha Builders Pvt Ltd',
    isCompany: true,
  });
});

test('a rule that the operator names hides prices with the same command', async () => {
  const { dataSource } = app.database;
  await importRows(works(30));
  await compute();
  const rule = ['--state', 'himachal-pradesh', '--from', '2026-03-01', '--rule', 'No ceiling', '--source', 'Order 7'];
  expect(await runAwards(['new-rule', ...rule], { dataSource, now: NOW })).toBe(
    'The rule is stored; 2 offices have new statistics\n',
  );
  expect((await officeOf(DIVISION)).price).toMatchObject({ isShown: false, reason: 'rates-changed' });
  expect(await query('SELECT state, department, from_on::text AS day, rule, source FROM price_regime')).toEqual([
    { state: 'Himachal Pradesh', department: null, day: '2026-03-01', rule: 'No ceiling', source: 'Order 7' },
  ]);
  await expect(runAwards(['new-rule', '--state', 'Atlantis'], { dataSource, now: NOW })).rejects.toThrow(
    'awards: --state must be a state of India',
  );
  await expect(runAwards(['new-rule', '--department', 'Fisheries', ...rule], { dataSource, now: NOW })).rejects.toThrow(
    'awards: no award of a department "Fisheries" is known in Himachal Pradesh',
  );
  const state = ['new-rule', '--state', 'HP'];
  const refusals: [string[], string][] = [
    [[], 'awards: --from must be a day like 2026-01-03'],
    [['--from', '2026-13-01'], 'awards: --from must be a day like 2026-01-03'],
    [['--from', '01-03-2026'], 'awards: --from must be a day like 2026-01-03'],
    [['--from', '2026-03-01', '--rule', 'No ceiling'], 'awards: --rule and --source are needed'],
    [['--from', '2026-03-01', '--source', 'Order 7'], 'awards: --rule and --source are needed'],
  ];
  for (const [args, message] of refusals)
    await expect(runAwards([...state, ...args], { dataSource, now: NOW })).rejects.toThrow(message);
  expect(await query('SELECT department, from_on::text AS "from" FROM price_regime')).toEqual([
    { department: null, from: '2026-03-01' },
  ]);
});

test.each([
  [[], 'awards: name hide-name, show-name or new-rule'],
  [['remove-name', 'Asha'], 'awards: name hide-name, show-name or new-rule'],
  [['hide-name'], 'awards: name the firm as the portal writes it'],
  [['hide-name', 'M/s', 'AB'], 'awards: name the firm as the portal writes it'],
  [['new-rule'], 'awards: --state must be a state of India'],
  [['new-rule', '--state', 'Goa'], 'awards: --from must be a day like 2026-01-03'],
  [['new-rule', '--state', 'Goa', '--from', '3.1.2026'], 'awards: --from must be a day like 2026-01-03'],
  [['new-rule', '--state', 'Goa', '--from', '2026-02-32'], 'awards: --from must be a day like 2026-01-03'],
  [
    ['new-rule', '--state', 'Goa', '--from', '2026-02-31', '--rule', 'x', '--source', 'x'],
    'awards: --from must be a day like 2026-01-03',
  ],
  [['new-rule', '--state', 'Goa', '--from', '2026-01-03'], 'awards: --rule and --source are needed'],
  [['new-rule', '--state', 'Goa', '--from', '2026-01-03', '--rule', 'x'], 'awards: --rule and --source are needed'],
  [['new-rule', '--state', 'Goa', '--from', '2026-01-03', '--source', 'x'], 'awards: --rule and --source are needed'],
])('the command awards %j is rejected: %s', async (args, message) => {
  await expect(runAwards(args, { dataSource: app.database.dataSource, now: NOW })).rejects.toThrow(message);
  expect(await query('SELECT 1 FROM price_regime')).toEqual([]);
});

test('a name that is not hidden is reported, and a name of several words needs no quotes', async () => {
  const { dataSource } = app.database;
  const run = (...args: string[]) => runAwards(args, { dataSource, now: NOW });
  expect(await run('show-name', 'Asha Builders Pvt Ltd')).toBe('The name was not hidden\n');
  await importRows(works(1));
  expect(await run('hide-name', 'Asha', 'Builders', 'Pvt', 'Ltd')).toBe(
    'The name is hidden. It was removed from 1 awards\n',
  );
  expect(await query('SELECT hidden_at FROM hidden_name')).toEqual([{ hidden_at: NOW }]);
  expect(await run('show-name', 'Asha', 'Builders', 'Pvt', 'Ltd')).toBe(
    'The next import of its awards stores the name again\n',
  );
  expect(await query('SELECT 1 FROM hidden_name')).toEqual([]);
});

test('an OCDS file with awards stores them beside its tenders', async () => {
  const file = join(folder, 'releases.json');
  const release = (n: number, tenderers: object) => ({
    ocid: `ocds-abc123-${n}`,
    id: `${n}`,
    date: '2026-03-10T10:00:00+05:30',
    tag: ['award'],
    initiationType: 'tender',
    buyer: { name: 'PWD' },
    tender: {
      id: `${n}`,
      title: 'Construction of a culvert near the school',
      value: { amount: 1_000_000, currency: 'INR' },
      tenderPeriod: { startDate: '2026-01-01T10:00:00+05:30', endDate: '2026-01-15T10:00:00+05:30' },
      ...tenderers,
    },
    awards: [
      {
        id: '1',
        status: 'active',
        date: '2026-03-01T00:00:00+05:30',
        value: { amount: 930_000, currency: 'INR' },
        suppliers: [{ name: 'Asha Builders Pvt Ltd' }],
      },
    ],
  });
  const huge = release(3, { numberOfTenderers: 3 });
  const [award] = huge.awards;
  if (award) award.value.amount = 1e15;
  // The extension for bids: one of the winner, one refused in the technical evaluation, one dearer, one withdrawn.
  const details = [
    { id: '1', status: 'valid', tenderers: [{ id: 'a', name: 'Asha Builders Pvt Ltd' }] },
    { id: '2', status: 'disqualified', tenderers: [{ id: 'b', name: 'Verma and Sons' }] },
    { id: '3', status: 'valid', tenderers: [{ id: 'c', name: 'Thakur Constructions' }] },
    { id: '4', status: 'withdrawn', tenderers: [{ id: 'd', name: 'Negi Enterprises' }] },
  ];
  const withBids = { ...release(4, { numberOfTenderers: 9 }), bids: { details } };
  const releases = [release(1, { numberOfTenderers: 3 }), release(2, {}), huge, withBids];
  await writeFile(file, JSON.stringify({ version: '1.1', publisher: { name: 'PWD' }, releases }));
  const place = { portal: 'himproc', state: 'Himachal Pradesh' };
  const said: string[] = [];
  const log = (line: string) => void said.push(line);
  expect(await importRows([], { file, ...place, dryRun: true, log })).toMatchObject({ read: 4, new: 4 });
  expect(await query('SELECT 1 FROM award')).toEqual([]);
  expect(await importRows([], { file, ...place, log })).toMatchObject({ read: 4, new: 4 });
  expect(said).toEqual([
    'releases.json: 4 awards: 4 new, 0 changed',
    'Dry run: nothing was stored',
    'releases.json: 4 awards: 4 new, 0 changed',
  ]);
  expect(await query('SELECT refused_technical FROM award ORDER BY source_id')).toEqual(
    [0, 0, 0, 1].map((refused_technical) => ({ refused_technical })),
  );
  expect(
    await query('SELECT source_id, bidders, price, exclusion, known_on::text, winner FROM award ORDER BY source_id'),
  ).toEqual([
    {
      source_id: 'ocds-abc123-1',
      bidders: 3,
      price: -700,
      exclusion: null,
      known_on: '2026-03-01',
      winner: 'Asha Builders Pvt Ltd',
    },
    {
      source_id: 'ocds-abc123-2',
      bidders: 1,
      price: null,
      exclusion: 'bids-unknown',
      known_on: null,
      winner: 'Asha Builders Pvt Ltd',
    },
    {
      source_id: 'ocds-abc123-3',
      bidders: 3,
      price: null,
      exclusion: 'no-value',
      known_on: '2026-03-01',
      winner: 'Asha Builders Pvt Ltd',
    },
    {
      source_id: 'ocds-abc123-4',
      bidders: 3,
      price: -700,
      exclusion: null,
      known_on: '2026-03-01',
      winner: 'Asha Builders Pvt Ltd',
    },
  ]);
});

test('demonstration awards are marked, name no firm, and go with the first real data of their state', async () => {
  const { dataSource } = app.database;
  const { first } = demonstrationTenders({ now: NOW });
  const awards = demonstrationAwards(first, NOW);
  expect(new Set(awards.map(({ state }) => state))).toEqual(new Set(['Himachal Pradesh', 'Assam']));
  const run = new AwardRun(dataSource, { now: NOW, origin: 'generated', withNames: false, dryRun: false });
  for (const award of awards) await run.add(award);
  expect((await run.finish()).new).toBe(awards.length);
  await compute();
  expect((await app.get('/api/awards')).json.states.map(({ isDemonstration }: Row) => isDemonstration)).toEqual([
    true,
    true,
  ]);
  const [{ shown }] = await query(
    `SELECT count(*) FILTER (WHERE (statistics#>>'{price,isShown}')::boolean)::int AS shown
     FROM office_statistics WHERE state = 'Assam' AND awards > 0`,
  );
  expect(shown).toBeGreaterThan(6);
  expect(await query('SELECT 1 FROM award WHERE winner IS NOT NULL')).toEqual([]);
  await importRows(works(1));
  await compute();
  expect(await query('SELECT state, count(*)::int AS count FROM award GROUP BY state ORDER BY state')).toMatchObject([
    { state: 'Assam' },
    { state: 'Himachal Pradesh', count: 1 },
  ]);
  // A real tender of the state replaces them too.
  onTestFinished(() => query("DELETE FROM tender WHERE state = 'Assam'"));
  const real = createSourceTender({ portal: 'assamtenders', state: 'Assam' });
  await importTenders(dataSource, [real], { now: NOW });
  await compute();
  expect(await query('SELECT DISTINCT state FROM award')).toEqual([{ state: 'Himachal Pradesh' }]);
  expect((await app.get('/api/awards')).json.states).toMatchObject([
    { state: 'Himachal Pradesh', awards: 1, isDemonstration: false },
  ]);
  expect((await app.get('/api/awards/states/assam')).status).toBe(404);
});

test('a user who bookmarked the tender hears once that its result is out', async () => {
  const { dataSource } = app.database;
  const notify = (now: Date) => dataSource.transaction((manager) => createChangeNotices(manager, now));
  const before = new Date('2025-12-24T09:00:00+05:30');
  const tender = createSourceTender({
    sourceId: '2026_PWD_2_1',
    publishedAt: new Date('2025-12-23T09:00:00+05:30'),
    closesAt: new Date('2026-01-07T11:00:00+05:30'),
  });
  await importTenders(dataSource, [tender], { now: before });
  const [{ id }] = await query("SELECT id FROM tender WHERE source_id = '2026_PWD_2_1'");
  const { user, headers } = await createSession(app);
  await query('INSERT INTO bookmark (user_id, tender_id, bookmark_no, created_at) VALUES ($1, $2, 1, $3)', [
    user._id,
    id,
    before,
  ]);
  await notify(before);
  await importRows([awardRow(2)]);
  for (let run = 0; run < 2; run++) await notify(NOW);
  const { notices } = (await app.get('/api/notices', headers)).json;
  expect(notices).toMatchObject([{ kind: 'changed', tenderId: String(id), fields: ['result'], patch: null }]);
});

test('results are pushed after closing, with their title, and not in the quiet hours', () => {
  const night = new Date('2026-11-10T23:30:00+05:30');
  const delivery: NoticeDelivery = {
    id: '1',
    deviceId: 'device',
    tries: 0,
    dueAt: NOW,
    kind: 'changed',
    version: 2,
    works: 1,
    detail: { fields: ['result'] },
    searchName: null,
    tenderId: 7,
    title: 'Construction of footbridge',
    sourceId: '2026_PWD_2_1',
    reference: null,
    nitKey: null,
    district: 'Shimla',
    secondDistrict: null,
    state: 'Himachal Pradesh',
    closesAt: new Date('2026-01-07T11:00:00+05:30'),
    closingTimeKnown: true,
    isWithdrawn: false,
    isOutdated: false,
    isUnfollowed: false,
    isWanted: true,
  };
  const plan = (quietUntil: Date | null, now: Date) =>
    createPushMessages({ channel: 'push', countedToday: 0, quietUntil } as PushDevice, [delivery], now);
  const [message] = plan(null, NOW).messages;
  expect(message).toMatchObject({ kind: 'changed', ttl: 86_400 });
  expect(messageText(message as PushMessage, NOW).title).toBe('Result is out');
  expect(inLanguage('hi', () => messageText(message as PushMessage, NOW)).title).toBe('नतीजा आ गया');
  expect(plan(new Date('2026-11-11T07:00:00+05:30'), night)).toMatchObject({ messages: [], quiet: [delivery] });
});
