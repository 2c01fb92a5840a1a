/**
 * Generated histories of whole devices and a server. The rules, which the names of pinned histories begin with:
 *
 * - D1 converged: when all devices have synced, each has what the server has, and nothing is unsent.
 * - D2 stable after restart: a device that starts again from its database has the same and sends nothing.
 * - D3 nothing accepted is lost: what a device has stored reaches the server, and what the server has accepted stays until a
 *   later change replaces it.
 *
 * A failure is reduced to its fewest steps; put them into `pinned-histories.json`, which every run replays. SEED repeats a
 * run.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { JobSenderService } from '../../src/jobs/job-sender.service.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { type History, histories, type Judgement, playHistory } from './histories.ts';
import pinned from './pinned-histories.json' with { type: 'json' };

const SEED = Number(process.env.SEED ?? 20261128);
const FEW = 12;
const MANY = 10_000;
const NOW = new Date('2026-04-15T10:00:00Z');
const KEPT: Judgement = { 'D1 converged': [], 'D2 stable after restart': [], 'D3 nothing accepted is lost': [] };

let app: TestApp;
let tenderIds: string[];

beforeAll(async () => {
  app = await startApp({ now: NOW });
  // Its timers run at full speed when the clock is put back.
  await app.app.get(JobSenderService).onApplicationShutdown();
  const sources = ['2026_PWD_1_1', '2026_PWD_2_1'].map((sourceId) =>
    createSourceTender({ sourceId, publishedAt: NOW }),
  );
  await importTenders(app.database.dataSource, sources, { now: NOW });
  const rows: { id: number }[] = await app.database.dataSource.query('SELECT id FROM tender ORDER BY id');
  tenderIds = rows.map(({ id }) => String(id));
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
});
afterAll(async () => {
  vi.useRealTimers();
  vi.resetModules();
  await app.close();
});

const play = (history: History) => playHistory(app, NOW, tenderIds, history);

async function expectKept(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(histories, async (history) => {
    expect(await play(history), `For pinned-histories.json: ${JSON.stringify(history)}`).toEqual(KEPT);
  });
  await fc.assert(property, { seed: SEED, numRuns });
}

test.each(pinned as { name: string; history: History }[])('$name', async ({ history }) => {
  expect(await play(history)).toEqual(KEPT);
});

test(`D1, D2 and D3 hold in ${FEW} generated histories`, () => expectKept(FEW));

test(
  `D1, D2 and D3 hold in ${MANY.toLocaleString('en')} generated histories`,
  { tags: 'release', timeout: 3 * 3_600_000 },
  () => expectKept(Number(process.env.HISTORIES ?? MANY)),
);
