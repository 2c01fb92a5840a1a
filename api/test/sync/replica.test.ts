/** Tenders are read from a replica: two real servers, the second a streaming copy of the first. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, type Pool, type PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { ReplicaReader } from '../../src/database/replica-reader.ts';
import { Readiness } from '../../src/http/monitoring/readiness.ts';
import { createDataSource, migrate } from '../../src/schema/data-source.ts';
import { hasPgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { startReplicatedPostgres } from './replicated-postgres.ts';
import { SyncDevice } from './sync-device.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

let folder: string;
let primary: EmbeddedPostgres;
let replica: EmbeddedPostgres;
let dataSource: DataSource;
let copy: Client;
let app: TestApp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-replica-'));
  ({ primary, replica } = await startReplicatedPostgres(folder));
  copy = new Client(replica.connection);
  await copy.connect();

  dataSource = await createDataSource(primary.connection).initialize();
  await migrate(dataSource);
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_1_1', title: 'Footbridge' })], {
    now: NOW,
  });
  app = await startApp({
    now: NOW,
    database: { address: primary.connection, dataSource, close: async () => {} },
    env: { DATABASE_URL_READ: toDatabaseUrl(replica.connection) },
  });
  app.app.get(Readiness).markReady();
  await caughtUp();
});
afterAll(async () => {
  await app.close();
  await dataSource.destroy().catch(() => {});
  await copy.end().catch(() => {});
  await replica.stop();
  await primary.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Waits until the replica has replayed all writes of the primary. */
async function caughtUp(): Promise<void> {
  const [{ lsn }] = await dataSource.query('SELECT pg_current_wal_lsn() AS lsn');
  const behind = 'SELECT coalesce(pg_last_wal_replay_lsn() < $1::pg_lsn, true) AS behind';
  while ((await copy.query(behind, [lsn])).rows[0].behind) await wait(10);
}

const storedTitles = (device: SyncDevice) => [...device.rows.values()].map(({ title }) => title).sort();
const titles = async () =>
  (await app.get('/api/tenders?limit=10')).json.tenders.map(({ title }: { title: string }) => title).sort();

test('lists come from the replica, and a device misses no change at any lag', async () => {
  const device = new SyncDevice('himachal-pradesh');
  await device.start(app);
  await caughtUp();
  await copy.query('SELECT pg_wal_replay_pause()');
  try {
    app.clock.now = at(1);
    await importTenders(
      dataSource,
      [
        createSourceTender({ sourceId: '2026_PWD_2_1', title: 'Culvert' }),
        createSourceTender({ sourceId: '2026_PWD_1_1', title: 'Long footbridge' }),
      ],
      { now: at(1) },
    );
    app.clock.now = at(2);
    expect(await titles()).toEqual(['Footbridge']);
    expect(await device.update(app)).toEqual([200]);
    expect(storedTitles(device)).toEqual(['Culvert', 'Long footbridge']);
    // While the replica is behind, a device neither reloads its pack nor gets older data.
    expect(await device.update(app)).toEqual([204]);
    // A tender that the device has just received is found, too.
    const added = device.find('2026_PWD_2_1')?.id;
    expect((await app.get(`/api/tenders/${added}`)).json.tender.title).toBe('Culvert');
    // So is a pack that was just built.
    const other = new SyncDevice('india');
    await other.start(app);
    expect(storedTitles(other)).toEqual(['Culvert', 'Long footbridge']);

    app.clock.now = at(3);
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_3_1', title: 'Drain' })], { now: at(3) });
    await copy.query('SELECT pg_wal_replay_resume()');
    await caughtUp();
    app.clock.now = at(4);
    expect(await device.update(app)).toEqual([200]);
    expect(storedTitles(device)).toEqual(['Culvert', 'Drain', 'Long footbridge']);
    expect(await titles()).toEqual(['Culvert', 'Drain', 'Long footbridge']);
  } finally {
    await copy.query('SELECT pg_wal_replay_resume()');
  }
});

test('without the replica the primary answers, and the readiness reports it', async () => {
  expect((await app.get('/api/ready')).json).toEqual({ status: 'ready', database: 'ok', replica: 'ok' });
  await copy.end();
  await replica.stop();
  expect(await titles()).toEqual(['Culvert', 'Drain', 'Long footbridge']);
  expect(await app.get('/api/ready')).toMatchObject({
    status: 200,
    json: { status: 'ready', database: 'ok', replica: 'down' },
  });
  replica = await openEmbeddedPostgres(join(folder, 'replica'));
  copy = new Client(replica.connection);
  await copy.connect();
  while ((await app.get('/api/ready')).json.replica !== 'ok') await wait(50);
});

test('a replica whose connections are all in use is not down', async () => {
  const [pool] = app.app.get(ReplicaReader).replicaPools;
  const held: PoolClient[] = [];
  try {
    for (let nth = 0; nth < (pool?.options.max ?? 0); nth += 1) held.push(await (pool as Pool).connect());
    // Answered by the primary, after a second. Then the replica is checked by a connection of its own.
    expect(await titles()).toEqual(['Culvert', 'Drain', 'Long footbridge']);
    expect(await titles()).toEqual(['Culvert', 'Drain', 'Long footbridge']);
    expect((await app.get('/api/ready')).json.replica).toBe('ok');
  } finally {
    for (const client of held) client.release();
  }
});

test.skipIf(!hasPgBouncer())('a replica behind a pooler by transaction is read (needs PgBouncer 1.21)', async () => {
  const pooler = await startPgBouncer(replica.connection, 3);
  const pooled = await startApp({
    now: NOW,
    database: { address: primary.connection, dataSource, close: async () => {} },
    env: {
      DATABASE_URL: toDatabaseUrl(primary.connection),
      DATABASE_URL_DIRECT: toDatabaseUrl(primary.connection),
      DATABASE_URL_READ: pooler.urlOf(replica.connection.database),
    },
  });
  const found = async (word: string) => (await pooled.get(`/api/tenders/search?q=${word}`)).json.total;
  await caughtUp();
  await copy.query('SELECT pg_wal_replay_pause()');
  try {
    expect(await found('culvert')).toBe(1);
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_4_1', title: 'Aqueduct' })], {
      now: NOW,
    });
    expect(await found('aqueduct')).toBe(0);
    await copy.query('SELECT pg_wal_replay_resume()');
    await caughtUp();
    expect(await found('aqueduct')).toBe(1);
  } finally {
    await copy.query('SELECT pg_wal_replay_resume()');
    await pooled.close();
    await pooler.close();
  }
});

test('the metrics have the state of the replica and how far it is behind', async () => {
  const metrics = (await app.get('/api/metrics')).text;
  expect(metrics).toContain('\nnivida_replica_up{replica="1"} 1\n');
  expect(metrics).toMatch(/\nnivida_replica_lag_seconds\{replica="1"\} [\d.]+\n/);
  expect(metrics).toMatch(/\nnivida_pool_wait_seconds_count\{pool="replica-1"\} \d+\n/);
});

test('without the primary tenders can still be found and read, and the readiness reports it', async () => {
  await caughtUp();
  const [{ id }] = await dataSource.query("SELECT id FROM tender WHERE source_id = '2026_PWD_2_1'");
  const rows: { title: string }[] = await dataSource.query('SELECT title FROM tender');
  const stored = rows.map(({ title }) => title).sort();
  expect(stored).toContain('Culvert');
  await dataSource.destroy();
  await primary.stop();
  app.clock.now = at(10);
  expect(await titles()).toEqual(stored);
  expect((await app.get('/api/tenders/search?q=culvert')).json.total).toBe(1);
  expect((await app.get(`/api/tenders/${id}`)).json.tender.title).toBe('Culvert');
  expect((await app.get('/api/tenders/999999')).status).toBe(404);
  expect((await app.get('/api/regions')).status).toBe(200);
  expect(await app.get('/api/ready')).toMatchObject({
    status: 200,
    json: { status: 'read-only', database: 'down', replica: 'ok' },
  });
  expect((await app.get('/api/health')).status).toBe(503);
});
