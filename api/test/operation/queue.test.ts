/** Time limits and schedules of jobs. */
import { PgBoss } from 'pg-boss';
import { expect, test } from 'vitest';
import { toPgOptions } from '../../src/database/data-source.ts';
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
    const start = async () => (await startWorker({ config, database, now: () => NOW, services: app.app })).stop();
    // The queue and schedule of an earlier version.
    const earlier = new PgBoss(toPgOptions(database.address));
    await earlier.start();
    await earlier.createQueue('tidy-files');
    await earlier.schedule('tidy-files', '43 3 * * *');
    await earlier.stop();
    await start();
    expect(await database.dataSource.query("SELECT name FROM pgboss.queue WHERE name = 'tidy-files'")).toEqual([]);
    const schedules: { name: string; cron: string; timezone: string }[] = await database.dataSource.query(
      'SELECT name, cron, timezone FROM pgboss.schedule ORDER BY name',
    );
    expect(new Set(schedules.map(({ timezone }) => timezone))).toEqual(new Set(['Asia/Kolkata']));
    expect(Object.fromEntries(schedules.map(({ name, cron }) => [name, cron]))).toEqual({
      'apply-retention': '53 2 * * *',
      'archive-tenders': '27 * * * *',
      'audit-payments': '13 4 * * *',
      'award-statistics': '*/10 * * * *',
      'auth-cleanup': '37 * * * *',
      'closing-soon': '* * * * *',
      'compact-sync': '7 * * * *',
      'document-expiry': '0 9 * * *',
      'documents-cleanup': '43 3 * * *',
      'erase-accounts': '23 3 * * *',
      'fetch-documents': '* * * * *',
      'import-feeds': '* * * * *',
      'plan-ends': '11 10 * * *',
      'publish-drafts': '* * * * *',
      'search-alerts': '* * * * *',
    });
  } finally {
    await app.close();
  }
});
