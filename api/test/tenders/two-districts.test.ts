/** A tender whose work lies in two districts of its state: found by either, on the server and on a device, and named with both. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Engine } from '../../../pwa/src/offline/engine/engine.ts';
import { rederivePlaces } from '../../src/ingest/places/rederive-places.job.ts';
import { GEPNIC_COLUMNS, gepnicFile } from '../support/gepnic-files.ts';
import { expectSameResults, type Params, packRows, readRows, toUrl } from '../support/same-results.ts';
import { importContent } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { SyncDevice } from '../sync/sync-device.ts';

const NOW = new Date('2026-11-28T11:30:00+05:30');
const HP = 'Himachal Pradesh';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-districts-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  for (const table of ['tender', 'tender_seen', 'tender_statement', 'import_run']) await query(`DELETE FROM ${table}`);
});

const query = (sql: string) => app.database.dataSource.query(sql);

const run = (...rows: Record<string, string>[]) =>
  importContent({ app, content: gepnicFile(rows, GEPNIC_COLUMNS) }, { portal: 'hptenders', state: HP });

const row = (n: number, title: string, cells: Record<string, string> = {}) => ({
  'Tender ID': `2026_PWD_${n}_1`,
  Title: title,
  'Organisation Chain': 'PWD||Trial Division',
  'Publish Date': '20-Nov-2026 10:00 AM',
  'Bid Submission End Date': '15-Dec-2026 03:00 PM',
  ...cells,
});

const BRIDGE = 'Bridge over the Trial khad in districts Sirmour and Solan';
const ROWS = [
  row(1, BRIDGE),
  row(2, 'Culvert at Trialpur, Distt. Solan'),
  row(3, 'Culvert at Trialpur, Distt. Sirmaur'),
  row(4, 'Check dams', { Location: 'Distt. Solan & Shimla', 'Organisation Chain': 'Forest||Trial Range' }),
  row(5, 'Culvert at Trialpur, Distt. Una'),
];

const titles = ({ tenders }: { tenders: { title: string }[] }) => tenders.map(({ title }) => title).sort();
const list = async (params: object) => (await app.get(`/api/tenders?${toUrl({ state: HP, ...params })}`)).json;

test('is found by the filter of either district, once by both, and counted in each', async () => {
  await run(...ROWS);
  expect(titles(await list({ district: 'Solan' }))).toEqual([BRIDGE, 'Check dams', ROWS[1]?.Title]);
  expect(titles(await list({ district: 'sirmour' }))).toEqual([BRIDGE, ROWS[2]?.Title]);
  expect(titles(await list({ district: 'Shimla' }))).toEqual(['Check dams']);
  const both = await list({ district: ['Solan', 'Sirmaur'] });
  expect([both.total, titles(both)]).toEqual([4, [BRIDGE, 'Check dams', ROWS[2]?.Title, ROWS[1]?.Title].sort()]);
  const facets = async (params: object) => (await app.get(`/api/facets?${toUrl({ state: HP, ...params })}`)).json;
  const districts = { Sirmaur: 2, Solan: 3, Shimla: 1, Una: 1 };
  expect(await facets({})).toEqual({ districts, departments: { PWD: 4, 'Forest Department': 1 } });
  expect(await facets({ district: ['Solan', 'Sirmaur'] })).toEqual({
    districts,
    departments: { PWD: 3, 'Forest Department': 1 },
  });
  expect(await facets({ department: 'Forest' })).toMatchObject({ districts: { Solan: 1, Shimla: 1 } });
});

test('has both in its list row, its details and its offline pack', async () => {
  await run(...ROWS);
  const { tenders } = await list({ district: 'Solan', q: 'bridge' });
  expect(tenders).toEqual([expect.objectContaining({ district: 'Sirmaur', second_district: 'Solan' })]);
  const { json } = await app.get(`/api/tenders/${tenders[0]._id}`);
  expect(json.tender).toMatchObject({ district: 'Sirmaur', second_district: 'Solan' });
  const device = new SyncDevice('himachal-pradesh');
  await device.start(app);
  const held = [...device.rows.values()].map(({ title, district, secondDistrict }) => [
    title,
    district,
    secondDistrict,
  ]);
  expect(held.sort()).toEqual([
    [BRIDGE, 'Sirmaur', 'Solan'],
    ['Check dams', 'Solan', 'Shimla'],
    [ROWS[2]?.Title, 'Sirmaur', null],
    [ROWS[1]?.Title, 'Solan', null],
    [ROWS[4]?.Title, 'Una', null],
  ]);
});

test.each<Params>([
  { district: 'Solan' },
  { district: 'Shimla' },
  { district: ['Sirmaur', 'Shimla'] },
  { district: 'Sirmaur', department: 'PWD', sort: 'price' },
  { district: ['Solan', 'Una'], department: ['PWD', 'Forest'] },
  { q: 'bridge solan' },
  { q: 'bridge sirmour' },
  { q: 'solan' },
  { q: 'check dams shimla district' },
  { q: 'culvert bridge except solan' },
  { q: 'bridge solan sirmaur' },
  { q: 'culvert', district: 'Solan', open: 0 },
])('has the same results on the server and on a device: %j', async (params) => {
  await run(...ROWS);
  const rows = await readRows(app, app.clock.now);
  const engine = Engine.open({ indexes: [packRows(rows)], delta: null, removed: [] });
  for (const notices of [0, 1]) {
    const url = toUrl({ state: HP, ...params, limit: 10, notices });
    const { tenders } = await expectSameResults(app, engine, url, app.clock.now);
    if (/^bridge/.test(String(params.q)) && !params.open) expect(titles({ tenders })).toContain(BRIDGE);
  }
});

test('follows its texts: a second district comes and goes with a corrected notice, and with the places', async () => {
  const stored = () => query('SELECT district, second_district FROM tender');
  const history = () => query("SELECT changes FROM tender_history WHERE kind = 'changed' ORDER BY change_no");
  await run(row(1, 'Bridge over the Trial khad, Distt. Solan'));
  expect(await stored()).toEqual([{ district: 'Solan', second_district: null }]);
  await run(row(1, 'Bridge over the Trial khad, Distt. Solan and Sirmaur'));
  expect(await stored()).toEqual([{ district: 'Solan', second_district: 'Sirmaur' }]);
  expect((await history())[0].changes).toContainEqual({ field: 'second_district', old: null, new: 'Sirmaur' });
  await query('UPDATE tender SET second_district = NULL');
  expect((await list({ district: 'Sirmaur' })).total).toBe(0);
  expect(await rederivePlaces(app.database.dataSource, app.clock.now)).toBe(1);
  expect((await list({ district: 'Sirmaur' })).total).toBe(1);
  await run(row(1, 'Bridge over the Trial khad, Distt. Sirmaur'));
  expect(await stored()).toEqual([{ district: 'Sirmaur', second_district: null }]);
});
