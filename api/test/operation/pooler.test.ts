/** Nivida behind PgBouncer, which pools by transaction: three connections to the database serve everything. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startWorker } from '../../src/app/worker.ts';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import { readConfig } from '../../src/base/config.ts';
import { READ_POOL } from '../../src/base/injection-tokens.ts';
import { runBackup } from '../../src/cli/commands/backup.command.ts';
import { runDoctor } from '../../src/cli/commands/doctor.command.ts';
import { withPortalLock } from '../../src/ingest/portal-lock.ts';
import { MailService } from '../../src/mail/mail.service.ts';
import { migrate } from '../../src/schema/data-source.ts';
import { type Database, openDatabase } from '../../src/schema/database.ts';
import { compactScopes } from '../../src/sync/compact-sync.job.ts';
import { createAccountRow, createSession } from '../support/accounts.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, startApp, type TestApp } from '../support/start-app.ts';
import { SyncDevice } from '../sync/sync-device.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const CONNECTIONS = 3;
const TENDERS = 60;
const HIMACHAL = 'himachal-pradesh';

describe.skipIf(!hasPgBouncer())('behind a pooler by transaction (needs PgBouncer 1.21)', () => {
  let folder: string;
  let pooler: PgBouncer;
  let mails: MailServer;
  /** The same database without the pooler. */
  let direct: Database;
  let database: Database;
  let app: TestApp;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nivida-pooled-'));
    pooler = await startPgBouncer(inject('postgres'), CONNECTIONS);
    mails = await startMailServer();
    direct = await createTestDatabase();
    env = {
      DATABASE_URL: pooler.urlOf((direct.address as { database: string }).database),
      DATABASE_URL_DIRECT: toDatabaseUrl(direct.address),
      DATA_DIR: folder,
      MAIL_URL: mails.url,
    };
    database = await openDatabase(readConfig(env));
    app = await startApp({ now: NOW, database, env });
    const tenders = Array.from({ length: TENDERS }, (_, nth) => createSourceTender({ sourceId: `2026_PWD_${nth}_1` }));
    await importTenders(database.dataSource, tenders, { now: NOW });
    app.clock.now = new Date(NOW.getTime() + 1_000);
  });
  afterAll(async () => {
    await app?.close();
    await database?.close();
    await direct?.close();
    await mails?.close();
    await pooler?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, headers: object = {}) =>
    app.app.inject({ method, url, headers: headers as Record<string, string>, ...(payload && { payload }) });
  const tenderIds = async (): Promise<number[]> =>
    (await database.dataSource.query('SELECT id FROM tender ORDER BY id')).map(({ id }: { id: number }) => id);

  test('twenty users sign in at once', async () => {
    const passwordHash = await new PasswordsService().hash('Footbridge-Over-Pabbar-7');
    const users = Array.from({ length: 20 }, () => createAccountRow({ passwordHash }));
    await database.dataSource.getRepository(UserEntity).save(users);
    const statuses = await Promise.all(
      users.map(async ({ mobileNo }) => {
        const body = { mobileNo: mobileNo.slice(3), password: 'Footbridge-Over-Pabbar-7' };
        return (await call('POST', '/api/auth/login', body)).statusCode;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('searches at once find the import, over at most three connections to the database', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, nth) => call('GET', `/api/tenders?q=${nth % 2 ? 'road' : 'wall'}&limit=5`)),
    );
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const read = app.app.get<Pool>(READ_POOL);
    const pidOf = async (nth: number): Promise<number> => {
      const text = 'SELECT pg_backend_pid() AS pid';
      return nth % 2 ? (await read.query(text)).rows[0].pid : (await database.dataSource.query(text))[0].pid;
    };
    const processes = new Set(await Promise.all(Array.from({ length: 60 }, (_, nth) => pidOf(nth))));
    expect(processes.size).toBeLessThanOrEqual(CONNECTIONS);
  });

  test('a pack is built and read, and a delta has the next import', async () => {
    expect(await compactScopes({ dataSource: database.dataSource, now: app.clock.now })).toBeGreaterThan(0);
    app.clock.now = new Date(app.clock.now.getTime() + 2_000);
    const device = new SyncDevice(HIMACHAL);
    await device.start(app);
    expect(device.rows.size).toBe(TENDERS);
    await importTenders(database.dataSource, [createSourceTender({ sourceId: '2026_PWD_99_1' })], {
      now: app.clock.now,
    });
    app.clock.now = new Date(app.clock.now.getTime() + 2_000);
    await device.update(app);
    expect(device.rows.size).toBe(TENDERS + 1);
  });

  test('a worker runs its jobs and sends a mail', async () => {
    await database.dataSource.transaction((manager) =>
      app.app
        .get(MailService)
        .queue(manager, { kind: 'email-code', language: 'en', to: 'asha@firm.example', code: '402917' }),
    );
    const worker = await startWorker({
      config: app.config,
      database,
      now: () => app.clock.now,
      services: app.app,
    });
    await expect.poll(() => mails.received.length, { timeout: 20_000 }).toBe(1);
    await worker.stop();
  });

  test('one import of a portal and one migration run at a time, and their locks end', async () => {
    const { dataSource } = database;
    const inner = await withPortalLock(dataSource, 'hptenders', async () => {
      const second = await withPortalLock(dataSource, 'hptenders', async () => 'ran too');
      return second ?? 'waits';
    });
    expect(inner).toBe('waits');
    expect(await withPortalLock(dataSource, 'hptenders', async () => 'runs')).toBe('runs');
    await Promise.all([migrate(dataSource), migrate(dataSource), migrate(dataSource)]);
    await expect
      .poll(() => direct.dataSource.query("SELECT objid FROM pg_locks WHERE locktype = 'advisory'"))
      .toEqual([]);
  });

  test('a public read ends after three seconds, and no other statement is limited by it', async () => {
    const pool = app.app.get<Pool>(READ_POOL);
    await Promise.all([
      expect(pool.query('SELECT pg_sleep(20)')).rejects.toMatchObject({ code: '57014' }),
      expect(pool.query('SHOW statement_timeout')).resolves.toMatchObject({ rows: [{ statement_timeout: '3s' }] }),
      expect(pool.query('SHOW random_page_cost')).resolves.toMatchObject({ rows: [{ random_page_cost: '1.1' }] }),
    ]);
    const settings = await Promise.all(
      Array.from({ length: 9 }, () =>
        database.dataSource.query(
          `SELECT current_setting('statement_timeout') AS timeout, current_setting('random_page_cost') AS cost,
             current_setting('TimeZone') AS zone, pg_sleep(0.05)::text`,
        ),
      ),
    );
    for (const [row] of settings) expect(row).toMatchObject({ timeout: '0', cost: '4', zone: 'UTC' });
  });

  test('kill -9 of the pooler loses no bookmark that was acknowledged', async () => {
    const { headers } = await createSession(app);
    const acknowledged: number[] = [];
    let isDown = false;
    let failures = 0;
    const save = async (id: number) => {
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const { statusCode } = await call('POST', `/api/tenders/${id}/bookmark`, undefined, headers);
        if (statusCode === 200) return void acknowledged.push(id);
        failures += 1;
        if (!isDown) throw new Error(`tender ${id} was answered with ${statusCode} before the kill`);
        await wait(50);
      }
      throw new Error(`tender ${id} was never saved`);
    };
    const ids = await tenderIds();
    const saving = (async () => {
      for (const id of ids) await save(id);
    })();
    while (acknowledged.length < 10) await wait(1);
    isDown = true;
    await pooler.kill();
    await expect.poll(() => failures, { timeout: 20_000 }).toBeGreaterThan(0);
    await pooler.start();
    await saving;
    const stored = await direct.dataSource.query('SELECT tender_id AS id FROM bookmark ORDER BY tender_id');
    expect(stored.map(({ id }: { id: number }) => id)).toEqual(acknowledged.sort((one, other) => one - other));
    expect(acknowledged).toHaveLength(TENDERS + 1);
  });

  test('a backup is written over the direct address', async () => {
    const path = join(folder, 'backup.zip');
    const text = await runBackup([path], { config: readConfig(env), now: NOW, log: () => {} });
    expect(text).toContain(`tender ${TENDERS + 1}\n`);
  });

  describe('doctor', () => {
    const poolerLine = async (more: NodeJS.ProcessEnv) => {
      const { text } = await runDoctor([], () => readConfig({ ...env, ...more }), NOW);
      return text.split('\n').find((line) => line.includes('pooler: '));
    };

    test('says that the direct address is missing', async () => {
      expect(await poolerLine({ DATABASE_URL_DIRECT: '' })).toBe(
        'failure  pooler: DATABASE_URL is a pooler by transaction, so imports and migrations are not locked. Set DATABASE_URL_DIRECT to the database itself',
      );
    });

    test('refuses a direct address that is the pooler, or leads to another database', async () => {
      expect(await poolerLine({ DATABASE_URL_DIRECT: env.DATABASE_URL })).toBe(
        'failure  pooler: DATABASE_URL_DIRECT is a pooler by transaction. Set it to the database itself',
      );
      const other = await createTestDatabase();
      expect(await poolerLine({ DATABASE_URL_DIRECT: toDatabaseUrl(other.address) })).toBe(
        'failure  pooler: DATABASE_URL and DATABASE_URL_DIRECT lead to different databases. Correct one of them',
      );
      await other.close();
    });

    test('is content with both, and needs none without a pooler', async () => {
      expect(await poolerLine({})).toBe('ok       pooler: DATABASE_URL and DATABASE_URL_DIRECT lead to one database');
      expect(await poolerLine({ DATABASE_URL: env.DATABASE_URL_DIRECT, DATABASE_URL_DIRECT: '' })).toBeUndefined();
    });
  });
});
