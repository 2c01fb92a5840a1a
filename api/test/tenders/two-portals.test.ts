/** One tender at two portals, such as a state's and the central one: one card with two sources. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImportRequest } from '../../src/ingest/import-request.ts';
import { GEPNIC_COLUMNS, gepnicFile } from '../support/gepnic-files.ts';
import { importContent } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { SyncDevice } from '../sync/sync-device.ts';

const NOW = new Date('2026-11-28T11:30:00+05:30');
const ID = '2026_PWD_400_1';
const CLOSES = '15-Dec-2026 03:00 PM';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-portals-'));
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

const run = (content: string, request: Partial<ImportRequest> = {}) =>
  importContent({ app, content }, { portal: 'hptenders', state: 'Himachal Pradesh', ...request });

const row = (cells: Record<string, string> = {}) => ({
  'Tender ID': ID,
  'Tender Reference Number': 'NIT-400/2026-27',
  Title: 'Widening of Trialpur bypass road',
  'Organisation Chain': 'PWD||Trial Division',
  'Tender Category': 'Works',
  'EMD Amount in ₹': '24,700',
  'Publish Date': '20-Nov-2026 10:00 AM',
  'Bid Submission End Date': CLOSES,
  ...cells,
});
const notice = (cells: Record<string, string> = {}) => gepnicFile([row(cells)], GEPNIC_COLUMNS);
const central = { portal: 'eprocure' };

const COUNTS = { read: 1, new: 0, changed: 0, unchanged: 0, rejected: 0 };
const published = () =>
  query('SELECT count(*)::int AS count FROM tender_history h JOIN tender t ON t.id = h.tender_id');

async function tenderAnswer() {
  const tenders = await query('SELECT id FROM tender');
  expect(tenders).toHaveLength(1);
  const { json } = await app.get(`/api/tenders/${tenders[0].id}`);
  return json.tender;
}

const instant = (text: string) => new Date(text).toISOString();
const says = (portal: string, closing: string, more: object = {}) => ({
  ...{ portal, closing_date: expect.toSatisfy((at: string) => instant(at) === instant(closing)) },
  ...{ closing_time_known: true, stage: 'published', ...more },
});

describe('a tender of two portals', () => {
  test.each([
    ['hptenders', 'eprocure'],
    ['eprocure', 'hptenders'],
  ])('is one card with two sources: %s, then %s', async (first, second) => {
    expect(await run(notice(), { portal: first })).toMatchObject({ ...COUNTS, new: 1 });
    const title = { Title: 'WIDENING of Trialpur  bypass road.', 'EMD Amount in ₹': '' };
    const { said, ...counts } = await run(notice(title), { portal: second });
    expect(counts).toEqual({ ...COUNTS, attached: 1 });
    expect(said).toContain(
      `${second}.csv: 1 tender is stored already from another portal, with the same id, reference, title and closing: attached there as a second source`,
    );
    expect(await run(notice(title), { portal: second })).toMatchObject({ ...COUNTS, unchanged: 1 });
    expect(await run(notice(), { portal: first })).toMatchObject({ ...COUNTS, unchanged: 1 });
    expect(await tenderAnswer()).toMatchObject({
      ...{ source_portal: first, emd: '24700.00', title: 'Widening of Trialpur bypass road', version: 1 },
      other_sources: [says(second, '2026-12-15T15:00:00+05:30')],
    });
    expect(await published()).toEqual([{ count: 1 }]);
    expect((await app.get('/api/tenders?state=himachal-pradesh')).json.total).toBe(1);
  });

  test('is two cards when reference, title, closing or state differ, or no reference is stated', async () => {
    await run(notice());
    const others: Record<string, string>[] = [
      { 'Tender Reference Number': 'NIT-401/2026-27' },
      { 'Tender Reference Number': '' },
      { Title: 'Widening of Trialpur bypass road, second part' },
      { 'Bid Submission End Date': '15-Dec-2026 05:00 PM' },
    ];
    for (const [n, cells] of others.entries())
      expect(await run(notice(cells), { portal: `portal${n}` })).toMatchObject({ ...COUNTS, new: 1 });
    expect(await run(notice(), { portal: 'assamtenders', state: 'Assam' })).toMatchObject({ ...COUNTS, new: 1 });
    expect(await query('SELECT * FROM attached_source')).toEqual([]);
  });

  test('is one card when the central portal’s file was imported with another state', async () => {
    await run(notice());
    expect(await run(notice(), { ...central, state: 'Delhi' })).toMatchObject({ ...COUNTS, attached: 1 });
  });

  test('is one card when both portals are imported at the same time', async () => {
    const both = await Promise.all([run(notice()), run(notice(), central)]);
    expect(both.map(({ new: added, attached = 0 }) => added + attached)).toEqual([1, 1]);
    expect(await tenderAnswer()).toMatchObject({ other_sources: [{}] });
  });

  test('keeps the closing of its first portal and says that of the second, until both agree; devices too, without an alert', async () => {
    await run(notice());
    await run(notice(), central);
    app.clock.now = new Date(app.clock.now.getTime() + 5_000);
    const device = new SyncDevice('himachal-pradesh');
    await device.start(app);
    const before = await query('SELECT version, closes_at, content_hash, last_corrigendum FROM tender');
    for (const [closing, at] of [
      ['12-Dec-2026 11:00 AM', '2026-12-12T11:00:00+05:30'],
      [CLOSES, '2026-12-15T15:00:00+05:30'],
    ] as const) {
      expect(await run(notice({ 'Bid Submission End Date': closing }), central)).toMatchObject({
        ...COUNTS,
        changed: 1,
      });
      expect((await tenderAnswer()).other_sources).toEqual([says('eprocure', at)]);
      app.clock.now = new Date(app.clock.now.getTime() + 5_000);
      await device.update(app);
      expect([...device.rows.values()].map(({ otherSources }) => otherSources)).toEqual([[says('eprocure', at)]]);
    }
    expect(await query('SELECT version, closes_at, content_hash, last_corrigendum FROM tender')).toEqual(before);
    expect(await published()).toEqual([{ count: 1 }]);
    expect(await query('SELECT * FROM corrigendum')).toEqual([]);
  });

  test('is one card, too, when the file of the second portal is older than an extension at the first', async () => {
    await run(notice({ 'Bid Submission End Date': '10-Dec-2026 03:00 PM' }));
    await run(notice());
    expect(await run(notice({ 'Bid Submission End Date': '10-Dec-2026 03:00 PM' }), central)).toMatchObject({
      attached: 1,
    });
    expect((await tenderAnswer()).other_sources).toEqual([says('eprocure', '2026-12-10T15:00:00+05:30')]);
  });

  test('follows the cancellation of its first portal, and says that of the second', async () => {
    await run(notice());
    await run(notice(), central);
    await run(notice({ 'Tender Stage': 'Cancelled' }), central);
    expect(await tenderAnswer()).toMatchObject({ status: 'active', other_sources: [{ stage: 'cancelled' }] });
    await run(notice({ 'Tender Stage': 'Cancelled' }));
    expect(await tenderAnswer()).toMatchObject({ status: 'cancelled', other_sources: [{ stage: 'cancelled' }] });
  });

  test('is found in a dry run, which stores nothing', async () => {
    await run(notice());
    expect(await run(notice(), { ...central, dryRun: true })).toMatchObject({ ...COUNTS, attached: 1 });
    expect(await query('SELECT * FROM attached_source')).toEqual([]);
  });

  test('is one card of rebased archives, whose closings agree after another day of --rebase', async () => {
    await run(notice(), { rebase: '2026-11-20' });
    expect(await run(notice(), { ...central, rebase: '2026-11-21' })).toMatchObject({ attached: 1 });
    const { closing_date, other_sources } = await tenderAnswer();
    expect(other_sources).toEqual([says('eprocure', closing_date)]);
  });
});

describe('a tender of an OCDS file', () => {
  const release = (ocid: string, more: object = {}) => ({
    ...{ ocid, id: '1', date: '2026-11-21T10:00:00+05:30', tag: ['tender'], initiationType: 'tender' },
    buyer: { name: 'PWD' },
    tender: {
      ...{ id: 'NIT-400/2026-27', title: 'Widening of Trialpur bypass road' },
      tenderPeriod: { startDate: '2026-11-20T10:00:00+05:30', endDate: '2026-12-15T15:00:00+05:30' },
    },
    ...more,
  });
  const packageOf = (...releases: object[]) => JSON.stringify({ version: '1.1', releases });

  test('is that of a GePNIC portal whose id its ocid has, in both orders, and its changes find it', async () => {
    const ocds = packageOf(release(`ocds-abc123-${ID}`));
    await run(notice());
    expect(await run(ocds, { portal: undefined })).toMatchObject({ ...COUNTS, attached: 1 });
    const extended = { tenderPeriod: { endDate: '2026-12-18T15:00:00+05:30' } };
    const change = release(`ocds-abc123-${ID}`, {
      ...{ id: '2', date: '2026-11-25T10:00:00+05:30', tag: ['tenderAmendment'] },
      tender: { id: 'NIT-400/2026-27', ...extended },
    });
    expect(await run(packageOf(change), { portal: undefined })).toMatchObject({ ...COUNTS, changed: 1 });
    expect((await tenderAnswer()).other_sources).toEqual([says('ocds-abc123', '2026-12-18T15:00:00+05:30')]);
    await query('DELETE FROM tender');
    await run(ocds, { portal: undefined });
    expect(await run(notice())).toMatchObject({ ...COUNTS, attached: 1 });
  });

  test('is another one when its only reference is the end of its ocid', async () => {
    const tender = { ...release('').tender, id: ID };
    await run(notice({ 'Tender Reference Number': ID }));
    expect(await run(packageOf(release(`ocds-abc123-${ID}`, { tender })), { portal: undefined })).toMatchObject({
      new: 1,
    });
  });

  test('is one with that of another publisher in the same file', async () => {
    const both = packageOf(release(`ocds-abc123-${ID}`), release(`ocds-def456-${ID}`));
    expect(await run(both, { portal: undefined })).toMatchObject({ read: 2, new: 1, attached: 1, unchanged: 0 });
    expect((await tenderAnswer()).other_sources).toEqual([says('ocds-def456', '2026-12-15T15:00:00+05:30')]);
  });
});

describe('the award of a tender of two portals', () => {
  const CLOSED = { 'Publish Date': '01-Oct-2026 10:00 AM', 'Bid Submission End Date': '15-Oct-2026 03:00 PM' };
  const award = (portal: string, value: string, more: Record<string, string> = {}) =>
    stringify(
      [
        {
          ...{ tender_id: ID, portal, state: 'Himachal Pradesh', org_chain: 'PWD || Trial Division' },
          ...{ title: 'Widening of Trialpur bypass road', awarded_value: value, estimate: '1000000' },
          ...{ publish_date: '2026-10-01', closing_date: '2026-10-15', contract_date: '2026-11-10', ...more },
          bids: JSON.stringify([
            { bidder: 'A', status: 'Accepted-AOC', updated: '2026-11-10', awarded: true },
            { bidder: 'B', status: 'Rejected-Finance', updated: '2026-11-10', awarded: false },
          ]),
        },
      ],
      { header: true },
    );
  const awards = { format: 'awards' as const, portal: undefined, state: undefined };
  const stored = () => query('SELECT portal, awarded_value, reported_by FROM award');

  test('is one, whichever portal reports it; that of the first portal decides', async () => {
    await run(notice(CLOSED));
    await run(notice(CLOSED), central);
    expect(await run(award('eprocure', '940000'), awards)).toMatchObject({ new: 1 });
    expect(await stored()).toEqual([{ portal: 'hptenders', awarded_value: '940000.00', reported_by: 'eprocure' }]);
    expect(await tenderAnswer()).toMatchObject({ status: 'awarded' });
    expect(await run(award('eprocure', '945000'), awards)).toMatchObject({ changed: 1 });
    expect(await run(award('hptenders', '950000'), awards)).toMatchObject({ changed: 1 });
    expect(await run(award('eprocure', '945000'), awards)).toMatchObject({ unchanged: 1 });
    expect(await stored()).toEqual([{ portal: 'hptenders', awarded_value: '950000.00', reported_by: null }]);
  });

  test('is one, too, when the second portal reported it before its notice came', async () => {
    await run(notice(CLOSED));
    await run(award('eprocure', '940000'), awards);
    await run(notice(CLOSED), central);
    expect(await stored()).toEqual([{ portal: 'hptenders', awarded_value: '940000.00', reported_by: 'eprocure' }]);
    expect(await tenderAnswer()).toMatchObject({ status: 'awarded' });
    expect(await run(award('eprocure', '940000'), awards)).toMatchObject({ unchanged: 1 });
  });
});
