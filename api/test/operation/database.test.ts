import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOTICE_KINDS } from '@nivida/contract/push/alert-kinds';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { runBackup, runRestore } from '../../src/cli/commands/backup.command.ts';
import { copyRows } from '../../src/database/copy-rows.ts';
import { takeChangeLock } from '../../src/database/locks.sql.ts';
import { rederivePlaces } from '../../src/ingest/places/rederive-places.job.ts';
import { JobSenderService } from '../../src/jobs/job-sender.service.ts';
import { RETENTION_STATEMENTS } from '../../src/retention/retention.sql.ts';
import { createDataSource, migrate } from '../../src/schema/data-source.ts';
import type { Database } from '../../src/schema/database.ts';
import { publishDueDrafts } from '../../src/tenders/publish-drafts.job.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { asAdmin, createTestDatabase, startApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

/** A database without tables, with any number of connections; dropped at the end. */
async function onEmptyDatabase(work: (connect: () => Promise<DataSource>) => Promise<void>): Promise<void> {
  const server = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ ...server, database: 'postgres' });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const opened: DataSource[] = [];
  try {
    await work(async () => {
      const dataSource = await createDataSource({ ...server, database: name }).initialize();
      opened.push(dataSource);
      return dataSource;
    });
  } finally {
    await Promise.all(opened.map((dataSource) => dataSource.destroy()));
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
}

test('the role that docker/create-database.sh makes is no superuser, and is enough to migrate, to run, to back up and to restore', async () => {
  const name = `app_${randomBytes(6).toString('hex')}`;
  const script = readFileSync(join(import.meta.dirname, '../../../docker/create-database.sh'), 'utf8');
  const [, statements = ''] = /<< 'END'\n([\s\S]*)\nEND\n/.exec(script) ?? [];
  const own = statements.replaceAll('nivida', name).replace(":'password'", "'of-the-tests'");
  await asAdmin(async (client) => {
    for (const statement of own.split(';').filter((each) => each.trim())) await client.query(statement);
  });
  const address = { ...inject('postgres'), user: name, database: name };
  const folder = await mkdtemp(join(tmpdir(), 'nivida-role-'));
  const dataSource = await createDataSource(address).initialize();
  const app = await migrate(dataSource).then(() =>
    startApp({ now: NOW, database: { address, dataSource, close: () => dataSource.destroy() } }),
  );
  let isOpen = true;
  const stop = async () => {
    if (isOpen) await app.close();
    isOpen = false;
  };
  try {
    await importTenders(dataSource, [createSourceTender()], { now: NOW });
    expect((await app.get('/api/tenders')).json.total).toBe(1);
    for (const each of Object.values(RETENTION_STATEMENTS)) await dataSource.query(each, [NOW]);
    const [role] = await dataSource.query(
      `SELECT rolsuper, rolcreaterole, rolreplication, rolbypassrls, pg_has_role('pg_read_server_files', 'USAGE') AS reads
       FROM pg_roles WHERE rolname = current_user`,
    );
    expect(Object.values(role)).toEqual([false, false, false, false, false]);
    await expect(dataSource.query("COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toThrow('permission denied');
    await stop();
    const own = {
      config: readConfig({ DATABASE_URL: toDatabaseUrl(address), DATA_DIR: folder }),
      now: NOW,
      log: () => {},
    };
    const backup = join(folder, 'nivida.backup');
    const tables = await runBackup([backup, '--nightly'], own);
    const trials = "SELECT error, succeeded_at AS at FROM job_run WHERE job = 'trial-restore'";
    expect(await dataSource.query(trials)).toEqual([{ error: null, at: NOW }]);
    await dataSource.query('DELETE FROM tender');
    await dataSource.destroy();
    expect(await runRestore([backup, '--replace', '--yes'], own)).toBe(tables);
    await dataSource.initialize();
    expect(await dataSource.query('SELECT source_id FROM tender')).toHaveLength(1);
  } finally {
    await stop();
    await dataSource.destroy().catch(() => undefined);
    await rm(folder, { recursive: true });
    await asAdmin((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    await asAdmin((client) => client.query(`DROP ROLE ${name}`));
  }
});

const waitingForAdvisoryLock = (dataSource: DataSource) =>
  dataSource.query(
    `SELECT FROM pg_locks JOIN pg_database d ON d.oid = database
     WHERE d.datname = current_database() AND locktype = 'advisory' AND NOT granted`,
  );

const migrationsOf = (dataSource: DataSource) => dataSource.query('SELECT name FROM migration ORDER BY name');

test('several processes that start at once on an empty database share its queues', async () => {
  await onEmptyDatabase(async (connect) => {
    const sources = await Promise.all([connect(), connect(), connect(), connect()]);
    await Promise.all(sources.map(migrate));
    const senders = sources.map((dataSource) => new JobSenderService(dataSource));
    await Promise.all(senders.map((sender) => sender.onApplicationBootstrap()));
    // A connection in a failed transaction would refuse one of these.
    for (const [n, sender] of senders.entries())
      await Promise.all(Array.from({ length: 5 }, () => sources[n]?.transaction((m) => sender.send(m, 'mail', {}))));
    expect(await sources[0]?.query("SELECT count(*)::int AS jobs FROM pgboss.job WHERE name = 'mail'")).toEqual([
      { jobs: 20 },
    ]);
    await Promise.all(senders.map((sender) => sender.onApplicationShutdown()));
  });
});

test('the error of a lost connection is reported, not that of its rollback', async () => {
  await onEmptyDatabase(async (connect) => {
    const [first, second] = [await connect(), await connect()];
    await migrate(first);
    const running = new JobSenderService(first);
    await running.onApplicationBootstrap();
    await running.onApplicationShutdown();
    const blocker = first.createQueryRunner();
    await blocker.startTransaction();
    await blocker.query('LOCK TABLE pgboss.version IN ACCESS EXCLUSIVE MODE');
    const lost = expect(new JobSenderService(second).onApplicationBootstrap()).rejects.toThrow(
      'terminating connection due to administrator command',
    );
    const endWaitingConnections = () =>
      first.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    await expect.poll(endWaitingConnections).toHaveLength(1);
    await lost;
    await blocker.rollbackTransaction();
    await blocker.release();
  });
});

test.each([
  ['at its first row', 0],
  ['at its last row', 2_999],
])('a COPY that fails %s stores nothing, and its connection serves the next transaction', async (_where, badRow) => {
  await onEmptyDatabase(async (connect) => {
    const dataSource = await connect();
    await dataSource.query('CREATE TABLE copied (id integer, text text)');
    const rows = Array.from({ length: 3_000 }, (_, id) => [id === badRow ? 'none' : id, 'x'.repeat(1_000)]);
    const copy = (copied: unknown[][]) =>
      dataSource.transaction((manager) => copyRows(manager, 'COPY copied (id, text) FROM STDIN', copied));
    await expect(copy(rows)).rejects.toThrow('invalid input syntax for type integer: "none"');
    await copy([[1, 'a']]);
    expect(await dataSource.query('SELECT * FROM copied')).toEqual([{ id: 1, text: 'a' }]);
  });
});

describe('migrations', () => {
  test('run once when three processes start at once on an empty database', async () => {
    await onEmptyDatabase(async (connect) => {
      const sources = await Promise.all([connect(), connect(), connect()]);
      await Promise.all(sources.map(migrate));
      const [first] = sources;
      const migrations = await migrationsOf(first);
      expect(new Set(migrations.map(({ name }: { name: string }) => name)).size).toBe(migrations.length);
      expect(migrations.length).toBeGreaterThan(0);
      expect(await first.query('SELECT * FROM tender')).toEqual([]);
    });
  });

  test('change nothing when they run again', async () => {
    await onEmptyDatabase(async (connect) => {
      const dataSource = await connect();
      await migrate(dataSource);
      const before = await migrationsOf(dataSource);
      await importTenders(dataSource, [createSourceTender()], { now: NOW });
      await migrate(dataSource);
      expect(await migrationsOf(dataSource)).toEqual(before);
      expect(await dataSource.query('SELECT source_id FROM tender')).toEqual([{ source_id: '2026_PWD_100001_1' }]);
    });
  });

  test('create the tables that the entities describe', async () => {
    await onEmptyDatabase(async (connect) => {
      const dataSource = await connect();
      await migrate(dataSource);
      const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
      // Checks and foreign keys exist only in the migrations; entities do not repeat them.
      const missingChanges = upQueries
        .map(({ query }) => query)
        .filter((query) => !/DROP CONSTRAINT "\w+_(?:check|fkey)"$/.test(query));
      expect(missingChanges).toEqual([]);
    });
  });

  test('allow notices of every kind of alert', async () => {
    await onEmptyDatabase(async (connect) => {
      const dataSource = await connect();
      await migrate(dataSource);
      const [{ check }] = await dataSource.query(
        "SELECT pg_get_constraintdef(oid) AS check FROM pg_constraint WHERE conname = 'notice_kind_check'",
      );
      expect(check.match(/(?<=')\w+(?='::text)/g).sort()).toEqual(NOTICE_KINDS.toSorted());
    });
  });
});

describe('places of tenders that are older than the rules', () => {
  const DRAFT = new Date('2026-11-11T17:00:00+05:30');

  test('are derived again, and devices receive the changes', async () => {
    await onEmptyDatabase(async (connect) => {
      const dataSource = await connect();
      await migrate(dataSource);
      await importTenders(
        dataSource,
        [
          createSourceTender({ state: 'Odisha', organisationChain: ['Works Deptt.', 'Bridge Division'] }),
          createSourceTender({
            state: 'Odisha',
            organisationChain: ['Harbour Trust', 'Dock'],
            sourceId: '2026_PWD_100002_1',
          }),
          createSourceTender({ sourceId: '2026_PWD_100003_1' }),
          createSourceTender({
            state: 'Odisha',
            organisationChain: ['Works Deptt.'],
            sourceId: '2026_PWD_100004_1',
            publishedAt: DRAFT,
          }),
        ],
        { now: NOW },
      );
      await dataSource.query("UPDATE tender SET department = NULL, words = '' WHERE state = 'Odisha'");
      await rederivePlaces(dataSource, NOW);

      expect(
        await dataSource.query(
          `SELECT department, version, words @@ 'footbridge'::tsquery AS "isFound", change_no > 3 AS "isSent" FROM tender ORDER BY id`,
        ),
      ).toEqual([
        { department: 'Works Department', version: 2, isFound: true, isSent: true },
        { department: 'Harbour Trust', version: 2, isFound: true, isSent: true },
        { department: 'PWD', version: 1, isFound: true, isSent: false },
        // A draft gets its first change number when it is published.
        { department: 'Works Department', version: 2, isFound: true, isSent: null },
      ]);
      expect(await dataSource.query("SELECT tender_id, changes FROM tender_history WHERE kind = 'changed'")).toEqual([
        { tender_id: 1, changes: [{ field: 'department', old: null, new: 'Works Department' }] },
        { tender_id: 2, changes: [{ field: 'department', old: null, new: 'Harbour Trust' }] },
      ]);
      expect(await dataSource.query('SELECT * FROM corrigendum')).toEqual([]);
    });
  });
});

test('places are derived again from the rows that an import stores in the meantime', async () => {
  const database = await createTestDatabase();
  const { dataSource } = database;
  await importTenders(dataSource, [createSourceTender({ title: 'Footbridge, Distt. Chamba' })], { now: NOW });
  await dataSource.query('UPDATE tender SET district = NULL');
  const importing = dataSource.createQueryRunner();
  await importing.startTransaction();
  await takeChangeLock(importing.manager);
  await importing.query(
    "UPDATE tender SET title = 'Footbridge, Distt. Kangra', description = 'Footbridge, Distt. Kangra', district = 'Kangra'",
  );
  const derived = rederivePlaces(dataSource, NOW);
  await expect.poll(() => waitingForAdvisoryLock(dataSource)).toHaveLength(1);
  await importing.commitTransaction();
  await importing.release();
  await derived;
  expect(await dataSource.query('SELECT title, district FROM tender')).toEqual([
    { title: 'Footbridge, Distt. Kangra', district: 'Kangra' },
  ]);
  await database.close();
});

test('a tender whose district is derived again is found by the name of that district', async () => {
  const database = await createTestDatabase();
  const { dataSource } = database;
  await importTenders(dataSource, [createSourceTender({ title: 'Footbridge, Distt. Kulu', description: '' })], {
    now: NOW,
  });
  const draft = createSourceTender({
    sourceId: '2026_PWD_100002_1',
    title: 'School, Distt. Una',
    publishedAt: new Date(NOW.getTime() + 3_600_000),
  });
  await importTenders(dataSource, [draft], { now: NOW });
  await dataSource.query("UPDATE tender SET district = 'Mandi', words = ''");
  const later = new Date(NOW.getTime() + 60_000);
  expect(await rederivePlaces(dataSource, later)).toBe(2);
  // Devices receive the change of the published tender; that of the draft has no number yet.
  expect(
    await dataSource.query(
      `SELECT t.version, h.version AS recorded, h.kind, h.changes, h.at FROM tender t
       LEFT JOIN tender_history h ON h.tender_id = t.id AND h.change_no = t.change_no ORDER BY t.id`,
    ),
  ).toEqual([
    {
      version: 2,
      recorded: 2,
      kind: 'changed',
      changes: [{ field: 'district', old: 'Mandi', new: 'Kullu' }],
      at: later,
    },
    { version: 2, recorded: null, kind: null, changes: null, at: null },
  ]);
  expect(await rederivePlaces(dataSource, later)).toBe(0);
  await dataSource.query('DELETE FROM tender WHERE change_no IS NULL');
  const words = (term: string) => `(words @@ '${term}'::tsquery)`;
  expect(
    await dataSource.query(`SELECT district, ${words('kullu')} AS kullu, ${words('mandi')} AS mandi FROM tender`),
  ).toEqual([{ district: 'Kullu', kullu: true, mandi: false }]);
  await database.close();
});

test('a portal’s tenders and a tender that is named by its id alone are found by an index that begins with the column', async () => {
  const { dataSource, close } = await createTestDatabase();
  const planOf = (condition: string) =>
    dataSource.transaction(async (manager) => {
      await manager.query('SET LOCAL enable_seqscan = off');
      return JSON.stringify(await manager.query(`EXPLAIN (COSTS OFF) SELECT title FROM tender WHERE ${condition}`));
    });
  expect(await planOf("portal = 'hptenders'")).toMatch(/ tender_source\b/);
  expect(await planOf("source_id = '2026_PWD_1_1'")).toMatch(/ tender_source_id\b/);
  await close();
});

describe('publishing drafts', () => {
  let database: Database;
  const at = (time: string) => new Date(`2026-11-${time}+05:30`);
  const numbers = () =>
    database.dataSource.query('SELECT source_id, change_no FROM tender ORDER BY published_at, source_id');
  const history = () =>
    database.dataSource.query(
      `SELECT h.kind, h.at, t.source_id FROM tender_history h JOIN tender t ON t.id = h.tender_id AND t.change_no = h.change_no
       ORDER BY h.at`,
    );

  beforeEach(async () => {
    database = await createTestDatabase();
    return () => database.close();
  });

  test('assigns each due draft a change number, once', async () => {
    const drafts = [
      createSourceTender({ sourceId: '2026_PWD_3_1', publishedAt: at('12T17:00:00') }),
      createSourceTender({ sourceId: '2026_PWD_2_1', publishedAt: at('11T18:00:00') }),
      createSourceTender({ sourceId: '2026_PWD_1_1', publishedAt: at('11T17:00:00') }),
    ];
    await importTenders(database.dataSource, drafts, { now: NOW });
    const { dataSource } = database;
    expect(await publishDueDrafts({ dataSource, now: NOW })).toBe(0);
    expect(await publishDueDrafts({ dataSource, now: at('11T16:59:59') })).toBe(0);
    expect(await publishDueDrafts({ dataSource, now: at('11T18:00:00') })).toBe(2);
    expect(await publishDueDrafts({ dataSource, now: at('11T18:00:00') })).toBe(0);
    const [first, second, third] = await numbers();
    expect(Number(first.change_no)).toBeGreaterThan(0);
    expect(Number(second.change_no)).toBeGreaterThan(0);
    expect(second.change_no).not.toBe(first.change_no);
    expect(third).toEqual({ source_id: '2026_PWD_3_1', change_no: null });
    expect(await history()).toEqual([
      { kind: 'published', at: at('11T17:00:00'), source_id: '2026_PWD_1_1' },
      { kind: 'published', at: at('11T18:00:00'), source_id: '2026_PWD_2_1' },
    ]);
    expect(await publishDueDrafts({ dataSource, now: at('13T00:00:00') })).toBe(1);
    expect(await history()).toHaveLength(3);
  });

  test('by three workers at once still publishes each once', async () => {
    const drafts = Array.from({ length: 40 }, (_, i) =>
      createSourceTender({ sourceId: `2026_PWD_${i}_1`, publishedAt: at('11T17:00:00') }),
    );
    await importTenders(database.dataSource, drafts, { now: NOW });
    const job = { dataSource: database.dataSource, now: at('11T17:00:00') };
    const published = await Promise.all([publishDueDrafts(job), publishDueDrafts(job), publishDueDrafts(job)]);
    expect(published.toSorted((a, b) => a - b)).toEqual([0, 0, 40]);
    expect(await history()).toHaveLength(40);
  });
});

describe('change numbers', () => {
  let database: Database;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  const readNumbers = async (): Promise<number[]> => {
    const rows = await database.dataSource.query('SELECT change_no FROM tender_history ORDER BY change_no');
    return rows.map((row: { change_no: string }) => Number(row.change_no));
  };

  test('of a transaction that commits late become visible before later numbers', async () => {
    const { dataSource } = database;
    await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_1_1' })], { now: NOW });
    const before = await readNumbers();
    const late = dataSource.createQueryRunner();
    await late.startTransaction();
    await takeChangeLock(late.manager);
    await late.query(
      `INSERT INTO tender_history SELECT nextval('tender_change_no'), id, state, 2, 'changed', '[]', now() FROM tender`,
    );
    const quick = importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_2_1' })], { now: NOW });
    await expect.poll(() => waitingForAdvisoryLock(dataSource)).toHaveLength(1);
    expect(await readNumbers()).toEqual(before);
    await late.commitTransaction();
    await late.release();
    await quick;
    const kinds = await dataSource.query('SELECT kind FROM tender_history ORDER BY change_no');
    expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual(['published', 'changed', 'published']);
  });

  test('become visible in rising order with many concurrent writers', async () => {
    const write = async (writer: number) => {
      for (let run = 0; run < 8; run++) {
        const notices = Array.from({ length: 5 }, (_, i) =>
          createSourceTender({
            sourceId: `2026_ORG${writer}_${i}_1`,
            price: `${run + 1}00000.00`,
            publishedAt: i === 4 ? new Date('2026-11-11T17:00:00+05:30') : NOW,
          }),
        );
        await importTenders(database.dataSource, notices, { now: NOW });
      }
    };
    const writers = [1, 2, 3].map(write);
    writers.push(
      publishDueDrafts({ dataSource: database.dataSource, now: new Date('2026-11-12T00:00:00Z') }).then(() => {}),
    );
    let isWriting = true;
    const written = Promise.all(writers).finally(() => {
      isWriting = false;
    });
    let seen = await readNumbers();
    const missed: number[] = [];
    while (isWriting) {
      const now = await readNumbers();
      const last = seen.at(-1) ?? 0;
      missed.push(...now.filter((number) => number <= last && !seen.includes(number)));
      seen = now;
    }
    await written;
    expect(missed).toEqual([]);
    expect((await readNumbers()).length).toBeGreaterThan(80);
  });
});
