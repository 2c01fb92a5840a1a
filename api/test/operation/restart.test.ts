/** A restart under load loses no request. Two built web processes run behind a proxy, as in production. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { READ_POOL } from '../../src/base/injection-tokens.ts';
import { createLog } from '../../src/base/log.ts';
import { Readiness } from '../../src/http/monitoring/readiness.ts';
import { createDataSource } from '../../src/schema/data-source.ts';
import type { Database } from '../../src/schema/database.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { asAdmin, createTestDatabase, startApp } from '../support/start-app.ts';

const NOW = new Date();
const DAY_MS = 86_400_000;
/** Waits for another process. */
const POLL = { timeout: 60_000, interval: 10 };

let database: Database;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'nivida-restart-'));
  const published = { publishedAt: new Date(NOW.getTime() - DAY_MS), closesAt: new Date(NOW.getTime() + 9 * DAY_MS) };
  const notices = Array.from({ length: 30 }, (_, n) =>
    createSourceTender({ ...published, sourceId: `2026_PWD_${n}_1` }),
  );
  await importTenders(database.dataSource, notices, { now: NOW });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

describe('readiness', () => {
  test('is 503 during the start, 200 when ready, and 503 after the stop signal', async () => {
    const app = await startApp({ now: NOW, database });
    try {
      expect(await app.get('/api/ready')).toMatchObject({ status: 503, json: { status: 'starting', database: 'ok' } });
      app.app.get(Readiness).markReady();
      expect(await app.get('/api/ready')).toMatchObject({ status: 200, json: { status: 'ready', database: 'ok' } });
      app.app.get(Readiness).markEnding();
      expect(await app.get('/api/ready')).toMatchObject({ status: 503, json: { status: 'ending', database: 'ok' } });
      const answer = await app.get('/api/tenders?limit=1');
      expect(answer).toMatchObject({ status: 200, headers: { connection: 'close' } });
    } finally {
      await app.close();
    }
  });

  test('is 200 while every read waits for a table: a busy database is not down', async () => {
    const app = await startApp({ now: NOW, database });
    app.app.get(Readiness).markReady();
    const holder = database.dataSource.createQueryRunner();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE tender');
    try {
      let answered = 0;
      const readings = Array.from({ length: 40 }, (_, n) =>
        app.get(`/api/tenders?min=${n}`).finally(() => {
          answered += 1;
        }),
      );
      const pool = app.app.get<Pool>(READ_POOL);
      await expect.poll(() => pool.waitingCount).toBeGreaterThan(0);
      expect(await app.get('/api/ready')).toMatchObject({ status: 200, json: { status: 'ready', database: 'ok' } });
      expect((await app.get('/api/health')).status).toBe(200);
      expect(answered).toBe(0);
      await holder.query('ROLLBACK');
      await Promise.all(readings);
    } finally {
      await holder.release();
      await app.close();
    }
  });

  test('is 503 without a database', async () => {
    const gone = await createTestDatabase();
    const app = await startApp({ now: NOW, database: gone });
    app.app.get(Readiness).markReady();
    await asAdmin((client) => client.query(`DROP DATABASE ${gone.dataSource.options.database} WITH (FORCE)`));
    expect(await app.get('/api/ready')).toMatchObject({ status: 503, json: { status: 'down', database: 'down' } });
    await app.close();
  });
});

test('a request whose client disconnected is finished before the database closes', async () => {
  const lines: string[] = [];
  const log = createLog(
    { production: true, role: 'web', logLevel: 'info' },
    { write: (line) => void lines.push(line) },
  );
  const app = await startApp({ now: NOW, database, log });
  const holder = database.dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query('LOCK TABLE sync_manifest IN ACCESS EXCLUSIVE MODE');
  await app.app.listen(0, '127.0.0.1');
  const server: Server = app.app.getHttpServer();
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /api/sync/himachal-pradesh HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const waiting = `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await expect.poll(() => database.dataSource.query(waiting), POLL).toEqual([{ count: 1 }]);
  socket.resetAndDestroy();
  const connections = () => new Promise<number>((done) => server.getConnections((_error, count) => done(count)));
  await expect.poll(connections, POLL).toBe(0);
  const serverClosed = once(server, 'close');
  const closed = app.close();
  await serverClosed;
  const pool: Pool = app.app.get(READ_POOL);
  // Round trips to the database, during which a close without waiting would proceed.
  for (let turn = 0; turn < 20; turn += 1) await holder.query('SELECT 1');
  expect(pool.ending).toBe(false);
  await holder.commitTransaction();
  await holder.release();
  await closed;
  expect(pool.ending).toBe(true);
  expect(lines.filter((line) => !line.includes('"level":"info"'))).toEqual([]);
});

test('the server closes in spite of a connection without a request', async () => {
  const app = await startApp({ now: NOW, database });
  await app.get('/api/regions');
  await app.app.listen(0, '127.0.0.1');
  const { port } = app.app.getHttpServer().address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const ended = new Promise((done) =>
    socket
      .on('close', done)
      .on('error', () => {})
      .resume(),
  );
  await new Promise((done) => socket.on('connect', done));
  await app.close();
  await ended;
});

test('three processes that start at once on a new database all start', async () => {
  const fresh = await createTestDatabase();
  const starting = [1, 2, 3].map(async () => {
    const dataSource = await createDataSource(fresh.address).initialize();
    const app = await startApp({ now: NOW, database: { ...fresh, dataSource } });
    return async () => {
      await app.close();
      await dataSource.destroy();
    };
  });
  const started = await Promise.allSettled(starting);
  try {
    expect(started.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  } finally {
    for (const one of started) if (one.status === 'fulfilled') await one.value();
    await fresh.close();
  }
});
