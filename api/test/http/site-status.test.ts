/** The operator's line for all users, incidents, and the page of the status. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IncidentsService } from '../../src/site-status/incidents.service.ts';
import { SiteNoticesService } from '../../src/site-status/site-notices.service.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const ACT = { actorId: null, reason: 'planned work' };
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ now: NOW });
});
afterAll(() => app.close());

const notice = async () => (await app.get('/api/site')).json.notice ?? null;
const status = async () => (await app.get('/api/site-status')).json;
const parts = async () =>
  Object.fromEntries((await status()).parts.map(({ part, state }: { part: string; state: string }) => [part, state]));

test('a notice is shown between its instants, the newest of several, and ended at once', async () => {
  const notices = app.app.get(SiteNoticesService);
  expect(await notice()).toBeNull();
  const first = await notices.publish({ texts: { en: 'Work tonight' }, tone: 'info' }, ACT);
  expect(await notice()).toMatchObject({ id: first, texts: { en: 'Work tonight' }, ends_at: null });
  const times = { startsAt: later(10), endsAt: later(20) };
  const second = await notices.publish({ texts: { en: 'Work now', hi: 'अभी काम' }, tone: 'warning', ...times }, ACT);
  expect((await notice()).id).toBe(first);
  app.clock.now = later(10);
  expect(await notice()).toMatchObject({ id: second, texts: { hi: 'अभी काम' }, tone: 'warning' });
  app.clock.now = later(20);
  expect((await notice()).id).toBe(first);
  await notices.end(first, ACT);
  expect(await notice()).toBeNull();
  await expect(notices.end(first, ACT)).rejects.toThrow('This notice has ended already');
  await expect(notices.end(999, ACT)).rejects.toThrow('There is no such notice');
  await expect(notices.publish({ texts: { en: 'Past' }, tone: 'info', endsAt: later(1) }, ACT)).rejects.toThrow(
    'The end must be later',
  );
  const events = await app.database.dataSource.query(
    "SELECT action FROM audit WHERE action LIKE 'notice%' ORDER BY id",
  );
  expect(events.map(({ action }: { action: string }) => action)).toEqual([
    'notice.published',
    'notice.published',
    'notice.ended',
  ]);
});

test('an incident is shown with what was said of it, for 90 days after its end', async () => {
  const incidents = app.app.get(IncidentsService);
  app.clock.now = later(60);
  const id = await incidents.open({ en: 'Mails are late' }, ACT, later(30));
  await incidents.update(id, { en: 'The mail server is back' }, ACT);
  app.clock.now = later(90);
  await incidents.close(id, { en: 'All mails are sent' }, ACT);
  expect((await status()).incidents).toMatchObject([
    {
      id,
      started_at: later(30).toISOString(),
      ended_at: later(90).toISOString(),
      updates: [
        { texts: { en: 'Mails are late' } },
        { texts: { en: 'The mail server is back' } },
        { texts: { en: 'All mails are sent' } },
      ],
    },
  ]);
  await expect(incidents.update(id, { en: 'More' }, ACT)).rejects.toThrow('This incident has ended already');
  await expect(incidents.open({ en: 'Soon' }, ACT, later(1_000))).rejects.toThrow('cannot begin in the future');
  app.clock.now = new Date(later(90).getTime() + 91 * 86_400_000);
  expect((await status()).incidents).toEqual([]);
});

test('the checks follow the records of jobs and imports, and the database', async () => {
  app.clock.now = later(200);
  const { dataSource } = app.database;
  expect(await parts()).toMatchObject({ database: 'ok', tenders: 'unknown', alerts: 'ok', mail: 'ok', packs: 'ok' });
  await dataSource.query("INSERT INTO import_run (portal, imported_at, seconds) VALUES ('hptenders', $1, 1)", [
    later(-60 * 40),
  ]);
  await dataSource.query(
    `INSERT INTO job_run (job, every_seconds, registered_at) VALUES ('closing-soon', 60, $1)
     ON CONFLICT (job) DO UPDATE SET registered_at = excluded.registered_at, succeeded_at = NULL`,
    [later(0)],
  );
  app.clock.now = later(201);
  expect(await parts()).toMatchObject({ tenders: 'delayed', alerts: 'delayed', packs: 'ok' });
  expect((await status()).portals).toEqual([{ portal: 'hptenders', read_at: later(-60 * 40).toISOString() }]);
  await dataSource.query('ALTER TABLE job_run RENAME TO job_run_away');
  app.clock.now = later(202);
  expect(await parts()).toMatchObject({ database: 'down', tenders: 'unknown', alerts: 'unknown' });
  expect((await status()).incidents).toBeNull();
  await dataSource.query('ALTER TABLE job_run_away RENAME TO job_run');
});
