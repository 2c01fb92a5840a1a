/** How long a worker lets its jobs run, and by which clock they begin. */
import { expect, test } from 'vitest';
import { FEED_LIMITS } from '../src/ingest/feed-sources.ts';
import { startQueue } from '../src/jobs/queue.ts';
import { startApp } from './start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

test('a run of feeds that take as long as they may is not counted as failed; that of a dead worker soon is', async () => {
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
    await (await startQueue(parts)).stop();
    const tenFeeds = (10 * FEED_LIMITS.totalMs) / 1_000;
    const long = await limits();
    expect(long.expire_seconds).toBeGreaterThan(tenFeeds);
    expect(long.heartbeat_seconds).toBeLessThanOrEqual(60);
    // As an earlier version left it.
    await database.dataSource.query('UPDATE pgboss.queue SET expire_seconds = 900, heartbeat_seconds = NULL');
    await (await startQueue(parts)).stop();
    expect(await limits()).toEqual(long);
  } finally {
    await app.close();
  }
});

test('recurring jobs begin by the Indian clock', async () => {
  const app = await startApp({ now: NOW });
  const { config, database } = app;
  try {
    await (await startQueue({ config, database, now: () => NOW, services: app.app })).stop();
    const schedules = await database.dataSource.query(
      "SELECT name, cron, timezone FROM pgboss.schedule WHERE name IN ('plan-ends', 'erase-accounts') ORDER BY name",
    );
    expect(schedules).toEqual([
      { name: 'erase-accounts', cron: '23 3 * * *', timezone: 'Asia/Kolkata' },
      { name: 'plan-ends', cron: '11 10 * * *', timezone: 'Asia/Kolkata' },
    ]);
  } finally {
    await app.close();
  }
});
