/** Time limits and schedules of jobs. */
import { expect, test } from 'vitest';
import { startWorker } from '../../src/app/worker.ts';
import { FEED_LIMITS } from '../../src/ingest/feeds/feed-sources.ts';
import { startApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

test('a run of slow feeds within their limits does not count as failed; that of a dead worker soon does', async () => {
  const app = await startApp({ now: NOW });
  const { config, database } = app;
  const parts = { config, database, now: () => NOW, services: app.app };
  const limitsOf = async (name: string) => {
    const [row] = await database.dataSource.query(
      `SELECT policy, expire_seconds, heartbeat_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max
       FROM pgboss.queue WHERE name = $1`,
      [name],
    );
    return row;
  };
  const limits = () => limitsOf('import-feeds');
  try {
    await (await startWorker(parts)).stop();
    expect(await limits()).toMatchObject({ policy: 'singleton', retry_limit: 2 });
    // A mail is tried again for about four hours, a pack five times.
    expect(await limitsOf('mail')).toMatchObject({
      ...{
        expire_seconds: 300,
        heartbeat_seconds: 15,
        retry_limit: 14,
        retry_delay: 10,
        retry_backoff: true,
        retry_delay_max: 1_800,
      },
    });
    expect(await limitsOf('build-packs')).toMatchObject({
      ...{ policy: 'exclusive', expire_seconds: 21_600, heartbeat_seconds: 30, retry_limit: 5, retry_delay: 5 },
    });
    const tenFeeds = (10 * FEED_LIMITS.totalMs) / 1_000;
    const long = await limits();
    expect(long.expire_seconds).toBeGreaterThan(tenFeeds);
    expect(long.heartbeat_seconds).toBeLessThanOrEqual(30);
    // Options of another version.
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
    await start();
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
      'fetch-mails': '*/5 * * * *',
      'import-feeds': '* * * * *',
      'own-readings-cleanup': '*/10 * * * *',
      'monthly-partitions': '47 * * * *',
      'index-documents': '* * * * *',
      'ocds-dumps': '17 4 * * 0',
      'plan-ends': '11 10 * * *',
      'publish-drafts': '* * * * *',
      'search-alerts': '* * * * *',
      'send-mailings': '* * * * *',
      'sent-files-cleanup': '33 * * * *',
    });
    const repeated: { job: string; seconds: number }[] = await database.dataSource.query(
      'SELECT job, every_seconds AS seconds FROM job_run WHERE job <> ALL ($1)',
      [schedules.map(({ name }) => name)],
    );
    expect(Object.fromEntries(repeated.map(({ job, seconds }) => [job, seconds]))).toEqual({
      ...{
        'reconcile-orders': 30,
        'send-pushes': 10,
        'reindex-tenders': 60,
        'prepare-packs': 60,
        'read-documents': 10,
      },
    });
  } finally {
    await app.close();
  }
});
