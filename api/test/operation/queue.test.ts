/** Time limits and schedules of jobs. */
import { expect, test } from 'vitest';
import { FEED_LIMITS } from '../../src/ingest/feeds/feed-sources.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { startApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

test('a run of slow feeds within their limits does not count as failed; that of a dead worker soon does', async () => {
  const app = await startApp({ now: NOW });
  const { config, database } = app;
  const parts = { config, database, now: () => NOW, services: app.app };
  const limits = async () => {
    const [row] = await database.dataSource.query(
      "SELECT expire_seconds, heartbeat_seconds FROM pgboss.queue WHERE name = 'import-feeds'",
    );
    return row;
  };
  try {
    await (await startWorker(parts)).stop();
    const tenFeeds = (10 * FEED_LIMITS.totalMs) / 1_000;
    const long = await limits();
    expect(long.expire_seconds).toBeGreaterThan(tenFeeds);
    expect(long.heartbeat_seconds).toBeLessThanOrEqual(60);
    // The state of an earlier version.
    await database.dataSource.query('UPDATE pgboss.queue SET expire_seconds = 900, heartbeat_seconds = NULL');
    await (await startWorker(parts)).stop();
    expect(await limits()).toEqual(long);
  } finally {
    await app.close();
  }
});

test('recurring jobs run by the Indian clock: alerts, feeds and new tenders every minute, cleanup every hour or day', async () => {
  const app = await startApp({ now: NOW });
  const { config, database } = app;
  try {
    await (await startWorker({ config, database, now: () => NOW, services: app.app })).stop();
    const schedules: { name: string; cron: string; timezone: string }[] = await database.dataSource.query(
      'SELECT name, cron, timezone FROM pgboss.schedule ORDER BY name',
    );
    expect(new Set(schedules.map(({ timezone }) => timezone))).toEqual(new Set(['Asia/Kolkata']));
    expect(Object.fromEntries(schedules.map(({ name, cron }) => [name, cron]))).toEqual({
      'closing-soon': '* * * * *',
      'compact-sync': '7 * * * *',
      'compare-payments': '13 4 * * *',
      documents: '* * * * *',
      'erase-accounts': '23 3 * * *',
      'forget-attempts': '37 * * * *',
      'import-feeds': '* * * * *',
      'plan-ends': '11 10 * * *',
      'search-alerts': '* * * * *',
      'tender-status': '* * * * *',
      'tidy-files': '43 3 * * *',
    });
  } finally {
    await app.close();
  }
});
