/** Departments of tenders whose portal names engineers' posts, and files that belong to another state. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImportRequest } from '../../src/ingest/import-request.ts';
import { GEPNIC_COLUMNS, gepnicFile } from '../support/gepnic-files.ts';
import { importContent } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-28T11:30:00+05:30');

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-departments-'));
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

const run = (rows: Record<string, string>[], request: Partial<ImportRequest> = {}) =>
  importContent(
    { app, content: gepnicFile(rows, GEPNIC_COLUMNS) },
    { portal: 'trialtenders', state: 'Odisha', ...request },
  );

const row = (n: number, chain: string, cells: Record<string, string> = {}) => ({
  'Tender ID': `2026_TRIAL_${n}_1`,
  Title: `Trial work ${n}`,
  'Organisation Chain': chain,
  'Publish Date': '20-Nov-2026 10:00 AM',
  'Bid Submission End Date': '15-Dec-2026 03:00 PM',
  ...cells,
});

const POSTS = [
  'CE RW I||SE RW Circle Trial||EE RW Division Trial',
  'EIC-CIVIL||R and B Division Trial',
  'Chief Engineer, Minor Irrigation||MI Division Trial',
  'CE-BM, Trial Basin,Trialpur||Trial Canal Division',
  'CE-NH||NH Division Trial',
  'Chief Engineer, Zone II||Rural Works Division Trial',
  'CCE Trial Irr.Project||Head Works Division',
  'Orissa Bridge and Construction Corporation Ltd',
  'ST and SC Development Deptt||DWO Trial',
  'PHEO||PH Division Trial',
];

describe('the department of a portal that names posts', () => {
  const file = () =>
    [...Array(20).keys()].flatMap((round) => POSTS.map((post, at) => row(round * POSTS.length + at, post)));

  test('is known in 95 % of its tenders, by the post or by the offices below it', async () => {
    const odd = ['Harbour Master of Trial', 'Chief Engineer Quality Assurance', 'Harbour Master of Trial'];
    const { said } = await run([...file(), ...odd.map((name, at) => row(900 + at, name))]);
    expect(said).toEqual([
      'trialtenders.csv: 3 of 203 tenders (1.5 %) have no known department: "Harbour Master of Trial" 2, "Chief Engineer Quality Assurance" 1',
    ]);
    const { json } = await app.get('/api/tenders?state=odisha&department=Rural%20Development');
    expect(json.total).toBe(40);
    const asked = await app.get('/api/tenders?state=odisha&department=CE%20RW%20I');
    expect(asked.json.total).toBe(40);
  });

  test('is reported with the ten commonest names that are not known', async () => {
    const unknown = [...Array(12).keys()].flatMap((at) =>
      [...Array(20 - at).keys()].map((n) => row(at * 100 + n, `Harbour Master ${at}`)),
    );
    const { said } = await run([...unknown, row(5_000, 'Works Department')]);
    expect(said).toEqual([
      expect.stringMatching(
        /^trialtenders\.csv: 174 of 175 tenders \(99\.4 %\) have no known department: "Harbour Master 0" 20, .*"Harbour Master 9" 11, 2 more names$/,
      ),
    ]);
  });

  test('is not reported for a portal that is known, unless many are unknown', async () => {
    const known = { portal: 'hptenders', state: 'Himachal Pradesh' };
    const rows = [...Array(19).keys()].map((n) => row(n, 'PWD'));
    expect((await run([...rows, row(50, 'Harbour Master')], known)).said).toEqual([]);
  });
});

describe('a file of another state', () => {
  const placed = (count: number, pin: string, place = '') =>
    [...Array(count).keys()].map((n) => row(Number(pin) * 100 + n, 'PWD', { Pincode: pin, Location: place }));
  const asUttarPradesh = { state: 'Uttar Pradesh' };

  test('is held back, and names the state in which most of it lies', async () => {
    const odisha = [...placed(9, '751001'), ...placed(2, '760001', 'Ganjam'), ...placed(4, '226001')];
    await expect(run(odisha, asUttarPradesh)).rejects.toThrow(
      'says Uttar Pradesh, but 11 of 15 tenders with a PIN code or a district lie elsewhere, most in Odisha. ' +
        'Nothing was stored; name the right --state, or import it with --accept-state',
    );
    expect(await query('SELECT count(*)::int AS tenders FROM tender')).toEqual([{ tenders: 0 }]);
    expect(await run(odisha, { ...asUttarPradesh, acceptState: true })).toMatchObject({ new: 15 });
  });

  test('is held back too when the state has tenders already, and by places without PIN codes', async () => {
    await run(placed(12, '226001'), asUttarPradesh);
    const rows = [...Array(12).keys()].map((n) => row(n, 'PWD', { Location: 'Khordha' }));
    await expect(run(rows, asUttarPradesh)).rejects.toThrow('most in Odisha');
  });

  test('is stored when it is the state’s own, of a few tenders, or of a central portal', async () => {
    expect(await run([...placed(8, '751001'), ...placed(7, '226001')])).toMatchObject({ new: 15 });
    expect(await run(placed(9, '226001'), { portal: 'small' })).toMatchObject({ new: 9 });
    expect(await run(placed(12, '226001'), { portal: 'eprocure' })).toMatchObject({ new: 12 });
    // a portal of one state whose name begins like the central one's
    await expect(run(placed(12, '226001'), { portal: 'etenders.kerala.gov.in' })).rejects.toThrow('Uttar Pradesh');
  });
});
