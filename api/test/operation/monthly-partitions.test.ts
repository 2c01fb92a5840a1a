/** Notices, deliveries and receipts by month: made ahead, moved, dropped, and unique across the end of a month. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/base/config.ts';
import { runBackup, runRestore } from '../../src/cli/commands/backup.command.ts';
import { MONTHLY_TABLES, makeMissingMonths } from '../../src/database/monthly-partitions.sql.ts';
import { DifferenceNoticesService } from '../../src/push/alerts/difference-notices.service.ts';
import { warnOfExpiringDocuments } from '../../src/push/alerts/document-expiry.job.ts';
import { createReminders } from '../../src/push/alerts/reminder-notices.ts';
import { maintainPartitions } from '../../src/retention/monthly-partitions.job.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { type PushApp, startPushApp } from '../support/push-app.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, lockWaiters } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T06:00:00Z');
/** The last and the first second of a month of UTC. */
const LAST_SECOND = new Date('2026-11-30T23:59:59Z');
const FIRST_SECOND = new Date('2026-12-01T00:00:00Z');
const TABLES = Object.keys(MONTHLY_TABLES);
const DAY_MS = 86_400_000;

let app: PushApp;
let asha: SignedInAccount;

beforeAll(async () => {
  app = await startPushApp(NOW);
});
afterAll(() => app.close());
beforeEach(async () => {
  await dropMonths();
  await app.clear(NOW);
  asha = await createSession(app, { remembered: true });
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const make = (now: Date) => makeMissingMonths(app.database.dataSource, now);
const maintain = (now: Date) => maintainPartitions({ dataSource: app.database.dataSource, now });

const monthsOf = async (table: string): Promise<string[]> => {
  const rows: { name: string }[] = await query(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
    [table],
  );
  return rows.map(({ name }) => name.slice(table.length + 1));
};

/** As if the job had never run. */
async function dropMonths(): Promise<void> {
  for (const table of TABLES)
    for (const month of await monthsOf(table)) if (month !== 'default') await query(`DROP TABLE ${table}_${month}`);
}

/** Stores a tender that closes at an instant and is bookmarked. */
async function follow(closesAt: Date): Promise<number> {
  const sourceId = `2026_PWD_${++stored}_1`;
  await importTenders(app.database.dataSource, [createSourceTender({ sourceId, closesAt })], { now: NOW });
  const [{ id }] = await query('SELECT id FROM tender WHERE source_id = $1', [sourceId]);
  await app.call('POST', `/api/tenders/${id}/bookmark`, undefined, asha.headers);
  return id;
}
let stored = 700_000;

/** Stores a notice of a change with a delivery to a device, and the receipt of a push, all of one instant. */
async function notify(eventAt: Date, device: string, version = 1): Promise<void> {
  await query(
    `WITH added AS (
       INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
       SELECT $1, $1, min(id), 'changed', $4, 'due', $3, $3 FROM tender RETURNING id, event_at),
     sent AS (INSERT INTO push_receipt (nid, day, kind) VALUES ($5, $3::timestamptz, 'changed'))
     INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, state, event_at)
     SELECT id, $2, 'push.example', event_at, 'sent', event_at FROM added`,
    [asha.user._id, device, eventAt, version, randomUUID()],
  );
}

const partitionsOf = async (table: string): Promise<string[]> => {
  const rows: { name: string }[] = await query(`SELECT tableoid::regclass::text AS name FROM ${table} ORDER BY 1`);
  return rows.map(({ name }) => name.slice(table.length + 1));
};
const everywhere = async () =>
  Object.fromEntries(await Promise.all(TABLES.map(async (each) => [each, await partitionsOf(each)])));
const inAll = (...months: string[]) => Object.fromEntries(TABLES.map((table) => [table, months]));

test('exactly the tables that are named have partitions, each with a default one', async () => {
  const rows: { name: string }[] = await query(
    `SELECT c.relname AS name FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
     WHERE c.relnamespace = current_schema()::regnamespace AND p.partdefid <> 0 ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(TABLES.toSorted());
});

describe('months', () => {
  test('are made from the oldest that is kept to three ahead, once', async () => {
    expect(await make(NOW)).toBe(3 * 6);
    const months = ['2026_09', '2026_10', '2026_11', '2026_12', '2027_01', '2027_02'];
    for (const table of TABLES) expect(await monthsOf(table)).toEqual([...months, 'default']);
    expect(await make(NOW)).toBe(0);
    expect(await make(LAST_SECOND)).toBe(0);
    expect(await make(FIRST_SECOND)).toBe(3);
  });

  test('that were not made lose nothing: rows wait in the default partition and move with their deliveries', async () => {
    const { state } = await app.subscribeBrowser(asha);
    await follow(new Date('2026-11-20T05:30:00Z'));
    await notify(NOW, state.id);
    const rows = () =>
      query(`SELECT n.id, n.event_at, d.id AS delivery, d.state FROM notice n
        JOIN push_delivery d ON d.notice_id = n.id AND d.event_at = n.event_at`);
    const listed = async () => (await app.get('/api/notices', asha.headers)).json;
    expect(await everywhere()).toEqual(inAll('default'));
    const before = [await rows(), await listed()];
    expect(before[1]).toMatchObject({ unread: 1, notices: [{ kind: 'changed' }] });
    expect(await make(NOW)).toBe(3 * 6);
    expect(await everywhere()).toEqual(inAll('2026_11'));
    expect([await rows(), await listed()]).toEqual(before);
    await notify(NOW, state.id, 2);
    expect(await listed()).toMatchObject({ unread: 2 });
    // The default partition is again one like the others.
    await notify(new Date('2031-01-01T00:00:00Z'), state.id, 3);
    await query('DELETE FROM notice WHERE version = 3');
    expect(await query('SELECT id FROM push_delivery')).toHaveLength(2);
  });

  test('are made while a backup runs, which still has the rows that move', async () => {
    const { state } = await app.subscribeBrowser(asha);
    await follow(new Date('2026-11-20T05:30:00Z'));
    await notify(NOW, state.id);
    await app.database.dataSource.transaction('REPEATABLE READ', async (backup) => {
      await backup.query('SELECT 1 FROM setting');
      expect(await make(NOW)).toBe(3 * 6);
      for (const table of TABLES) expect(await backup.query(`SELECT * FROM ${table}`), table).toHaveLength(1);
    });
    expect(await everywhere()).toEqual(inAll('2026_11'));
  });

  test('are made while notices are written: the job waits a moment and tries again', async () => {
    const { state } = await app.subscribeBrowser(asha);
    await follow(new Date('2026-11-20T05:30:00Z'));
    let making: Promise<number> | undefined;
    await app.database.dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE notice IN ROW EXCLUSIVE MODE');
      making = make(NOW);
      await expect.poll(() => lockWaiters(app.database)).toHaveLength(1);
    });
    expect(await making).toBe(3 * 6);
    await notify(NOW, state.id);
    expect(await everywhere()).toEqual(inAll('2026_11'));
  });
});

describe('retention', () => {
  test('drops a month of all tables 60 days after its end, and not before', async () => {
    const { state } = await app.subscribeBrowser(asha);
    await follow(new Date('2026-11-20T05:30:00Z'));
    await make(NOW);
    await notify(new Date('2026-11-01T00:00:00Z'), state.id);
    await notify(new Date('2026-11-30T00:00:00Z'), state.id, 2);
    await notify(FIRST_SECOND, state.id, 3);
    const end = FIRST_SECOND.getTime() + 60 * DAY_MS;
    await maintain(new Date(end - 1_000));
    expect(await everywhere()).toEqual(inAll('2026_11', '2026_11', '2026_12'));
    await maintain(new Date(end));
    expect(await everywhere()).toEqual(inAll('2026_12'));
    expect(await monthsOf('notice')).toEqual(['2026_12', '2027_01', '2027_02', '2027_03', '2027_04', 'default']);
  });

  test('removes old rows that came without a month, with their deliveries', async () => {
    const { state } = await app.subscribeBrowser(asha);
    await follow(new Date('2026-11-20T05:30:00Z'));
    await make(NOW);
    await notify(new Date('2026-08-31T00:00:00Z'), state.id);
    await notify(NOW, state.id, 2);
    expect(await everywhere()).toEqual(inAll('2026_11', 'default'));
    await maintain(NOW);
    expect(await everywhere()).toEqual(inAll('2026_11'));
  });
});

describe('across the end of a month', () => {
  /** Runs `work` in two processes, before and after the end; the second waits for the first one's rows. */
  async function runAtOnce(
    work: (dataSource: Pick<DataSource, 'transaction' | 'query'>, now: Date) => Promise<unknown>,
  ) {
    const { dataSource } = app.database;
    let second: Promise<unknown> | undefined;
    await dataSource.transaction(async (manager) => {
      await work(manager as never, LAST_SECOND);
      second = work(dataSource, FIRST_SECOND);
      await expect.poll(() => lockWaiters(app.database)).toHaveLength(1);
    });
    await second;
  }

  test('a reminder that two schedulers create at once is stored once and sent once', async () => {
    await make(NOW);
    const phone = await app.subscribeBrowser(asha);
    // Its evening reminder is due since 18:00 in India.
    await follow(new Date('2026-12-01T05:30:00Z'));
    await runAtOnce((dataSource, now) => dataSource.transaction((manager) => createReminders(manager, now)));
    expect(await query("SELECT kind FROM notice WHERE state = 'due'")).toHaveLength(1);
    for (const minute of ['00', '01']) await app.run('closing-soon', new Date(`2026-12-01T02:${minute}:00Z`));
    expect(phone.received).toHaveLength(1);
  });

  test('a document that expires is announced once', async () => {
    await make(NOW);
    const fields = { kind: 'solvency_credit', validUntil: '2026-12-31' };
    const stamp = `${NOW.getTime()}-0000-aaaaaaaaaaaaaaaa`;
    const stamps = { kind: stamp, validUntil: stamp };
    const records = [{ kind: 'bidDocument', id: randomUUID(), fields, stamps }];
    await app.call('POST', '/api/bids/changes', { records }, asha.headers);
    await runAtOnce((dataSource, now) =>
      warnOfExpiringDocuments({ dataSource, now, find: async () => ({ sendDue: async () => 0 }) } as never),
    );
    expect(await query('SELECT kind, version FROM notice')).toEqual([{ kind: 'expiry', version: 30 }]);
  });

  test('followers are notified once that the values of a tender differ', async () => {
    await make(NOW);
    const id = await follow(new Date('2026-12-20T05:30:00Z'));
    const differences = app.app.get(DifferenceNoticesService);
    await runAtOnce((dataSource, now) => {
      app.clock.now = now;
      return dataSource.transaction((manager) => differences.notify([id], manager));
    });
    expect(await query('SELECT tender_id, version FROM notice')).toEqual([{ tender_id: id, version: -2 }]);
  });
});

test('an erased account has no notice and no delivery in any month', async () => {
  const { state } = await app.subscribeBrowser(asha);
  await follow(new Date('2026-11-20T05:30:00Z'));
  await make(NOW);
  for (const [version, eventAt] of [NOW, LAST_SECOND, FIRST_SECOND, new Date('2031-01-01T00:00:00Z')].entries())
    await notify(eventAt, state.id, version);
  expect((await everywhere()).notice).toEqual(['2026_11', '2026_11', '2026_12', 'default']);
  await query('UPDATE account SET deleted_at = $2 WHERE id = $1', [asha.user._id, NOW]);
  await eraseAccounts({ dataSource: app.database.dataSource, now: new Date(NOW.getTime() + 7 * DAY_MS) });
  expect(await query('SELECT id FROM notice')).toEqual([]);
  expect(await query('SELECT id FROM push_delivery')).toEqual([]);
});

test('a backup has the rows of all months, and a restore stores them in their months', async () => {
  const { state } = await app.subscribeBrowser(asha);
  await follow(new Date('2026-11-20T05:30:00Z'));
  await make(NOW);
  for (const [version, eventAt] of [LAST_SECOND, FIRST_SECOND, new Date('2031-01-01T00:00:00Z')].entries())
    await notify(eventAt, state.id, version);
  const folder = await mkdtemp(join(tmpdir(), 'nivida-months-'));
  const empty = await createTestDatabase();
  onTestFinished(async () => {
    await empty.close();
    await rm(folder, { recursive: true });
  });
  const contextOf = (database: typeof empty, place: string) => ({
    config: readConfig({ DATABASE_URL: toDatabaseUrl(database.address), DATA_DIR: join(folder, place) }),
    now: NOW,
    log: () => {},
  });
  const file = join(folder, 'months.backup');
  await runBackup([file], contextOf(app.database, 'from'));
  await runRestore([file], contextOf(empty, 'to'));
  for (const table of TABLES) {
    const rows = `SELECT tableoid::regclass::text AS partition, * FROM ${table} ORDER BY ${MONTHLY_TABLES[table as 'notice']}`;
    const stored = await query(rows);
    expect(stored.map(({ partition }: { partition: string }) => partition)).toEqual(
      ['2026_11', '2026_12', 'default'].map((month) => `${table}_${month}`),
    );
    expect(await empty.dataSource.query(rows)).toEqual(stored);
  }
});
