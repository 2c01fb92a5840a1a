/** How long a worker lets its jobs run. */
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
