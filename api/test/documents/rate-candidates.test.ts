/** Items of schedules of rates beside the lines of a BOQ. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BoqItem } from '@nivida/contract/documents/boq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runRates } from '../../src/cli/commands/rates.command.ts';
import { FileUploadService } from '../../src/documents/files/file-upload.service.ts';
import { ReadingStoreService } from '../../src/documents/reading/reading-store.service.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const OLD = `Code,Description,Unit,Rate
5,Earth work in excavation in foundation trenches,,
5.1,ordinary soil,cum,150
5.2,hard rock by chiselling,Cu.M,900`;
const NEW = `Code,Description,Unit,Rate
5,Earth work in excavation in foundation trenches,,
5.1,ordinary soil,Cubic Metre,"1,180.50"
5.2,hard rock by chiselling,cum,1250
5.3,hard rock by blasting,m³,700
5.4,hard rock by chiselling,sqm,1
6,Painting with two coats of enamel,sqm,85`;

let app: TestApp;
let folder: string;
let id: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-candidates-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}/files` } });
  await importTenders(app.database.dataSource, [createSourceTender({ sourceId: '2026_PWD_1_1' })], { now: NOW });
  const [tender] = await app.database.dataSource.query('SELECT id, nit_of(nit_key, id) AS nit FROM tender');
  id = tender.id;
  const path = join(folder, 'boq.xls');
  await writeFile(path, Buffer.from('d0cf11e0a1b11ae1', 'hex'));
  const place = { nit: tender.nit, tenderId: id, name: 'boq.xls', allWorks: false };
  await app.app.get(FileUploadService).upload(app.database.dataSource.manager, place, path);
  const [file] = await app.database.dataSource.query(
    'SELECT id, nit, tender_id AS "tenderId", sha256 FROM package_file',
  );
  const line = (row: number, no: string, text: string, unit: string | null, quantity: string | null = '2'): BoqItem => {
    return { row, no, text, unit, quantity, rate: null, offered: null };
  };
  const items = [
    line(13, '1', 'Earth work in excavation in foundation trenches', null, null),
    line(14, '1.1', 'In hard rock, by chiselling', 'CUM'),
    line(15, '1.2', 'In hard rock, by chiselling', 'Each'),
    line(16, '2', 'Steel gate', null),
    line(17, '3', 'Supply of a laboratory microscope', 'cum'),
  ];
  const boq = { kind: 'item-rate' as const, sheet: 'BoQ1', items, statedTotal: null, offeredPercent: null };
  const reading = {
    ...{ state: 'done' as const, pages: null, unreadPages: [], facts: [] },
    ...{ boq, texts: items.map(({ text }) => text) },
  };
  const member = { name: 'boq.xls', kind: 'boq' as const, sha256: file.sha256, reading };
  await app.app.get(ReadingStoreService).store(file, [member], 1, NOW);
  await importRates('Rates 2020', 'Himachal Pradesh', OLD, '2020-04-01');
  await importRates('Rates 2026', 'Himachal Pradesh', NEW, '2026-04-01');
  await importRates('Rates of another state', 'Assam', NEW.replace('1250', '3'), '2026-04-01');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

async function importRates(name: string, state: string, text: string, from: string): Promise<void> {
  const path = join(folder, 'rates.csv');
  await writeFile(path, text);
  const args = ['import', path, '--name', name, '--state', state, '--from', from];
  await runRates(args, { find: async (type) => app.app.get(type) });
}
const candidates = async (headers = {}) => app.get(`/api/tenders/${id}/rate-candidates`, headers);

test('who may not read the whole BOQ gets no rate for its lines', async () => {
  const visitor = await candidates();
  expect([visitor.status, visitor.headers['cache-control']]).toEqual([200, 'private, no-store']);
  expect(visitor.json).toEqual({ schedules: [], lines: [] });
  const { headers } = await createSession(app);
  expect((await candidates(headers)).json).toEqual({ schedules: [], lines: [] });
  expect((await app.get('/api/tenders/99999/rate-candidates')).status).toBe(404);
});

test('a buyer gets at most three items of the state for each line, of its unit alone, the most similar and the newest first', async () => {
  const { headers, user } = await createSession(app);
  await buyDocuments(app.database.dataSource, { userId: user._id, tenderId: id, nit: `tender-${id}` });
  const { schedules, lines } = (await candidates(headers)).json;
  expect(schedules.map(({ name, from }: { name: string; from: string }) => [name, from])).toEqual([
    ['Rates 2026', '2026-04-01'],
    ['Rates 2020', '2020-04-01'],
  ]);
  const [newest, oldest] = schedules.map((schedule: { id: string }) => schedule.id);
  const heading = 'Earth work in excavation in foundation trenches';
  expect(lines).toEqual([
    {
      fileId: expect.any(String),
      row: 14,
      items: [
        { scheduleId: newest, code: '5.2', text: `${heading}: hard rock by chiselling`, unit: 'cum', rate: '1250' },
        { scheduleId: oldest, code: '5.2', text: `${heading}: hard rock by chiselling`, unit: 'Cu.M', rate: '900' },
        { scheduleId: newest, code: '5.3', text: `${heading}: hard rock by blasting`, unit: 'm³', rate: '700' },
      ],
    },
  ]);
});

test('rates are decimals without needless zeros', async () => {
  const { headers, user } = await createSession(app);
  await buyDocuments(app.database.dataSource, { userId: user._id, tenderId: id, nit: `tender-${id}` });
  await app.database.dataSource.query("UPDATE rate_item SET rate = 1180.5000 WHERE code = '5.3'");
  const [line] = (await candidates(headers)).json.lines;
  expect(line.items.map(({ rate }: { rate: string }) => rate)).toEqual(['1250', '900', '1180.5']);
});
