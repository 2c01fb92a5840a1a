/**
 * Backups and databases of earlier releases under this version, and of this version under a later one. Each release adds its
 * backup to this folder: `WRITE_RELEASE_BACKUP=1 npx vitest run api/test/operation/upgrade.test.ts`. It is not edited later.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { BackupArchive } from '../../src/backup/archive.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { readConfig } from '../../src/base/config.ts';
import { runBackup, runRestore } from '../../src/cli/commands/backup.command.ts';
import { runDocuments } from '../../src/cli/commands/documents.command.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { createDataSource, MIGRATIONS, migrate } from '../../src/schema/data-source.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { createSession } from '../support/accounts.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { asAdmin, startApp, type TestApp } from '../support/start-app.ts';
import { documentOrder, fetchOrderStatus, payOrder, startCheckout, startShop } from '../support/test-shop.ts';

const RELEASES = readdirSync(import.meta.dirname).filter((name) => /^release-.*\.backup$/.test(name));
const ACCOUNT = { mobileNo: '+919800000001', password: 'quiet-river-72-stones' };
const TITLE = 'सड़क\tof two\nlines \\ and a back\\slash';
const RELEASED_AT = new Date('2026-11-10T11:30:00+05:30');
/** After the closing of its tenders. */
const NOW = new Date('2026-12-01T11:30:00+05:30');

const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nivida-upgrade-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  return folder;
}

/** An empty database and a data folder; removed at the end. */
async function emptyInstallation() {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`CREATE DATABASE ${name}`));
  cleanUps.push(() => asAdmin((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  const address = { ...inject('postgres'), database: name };
  return { address, env: { DATABASE_URL: toDatabaseUrl(address), DATA_DIR: await emptyFolder() } };
}
type Installation = Awaited<ReturnType<typeof emptyInstallation>>;

const contextOf = ({ env }: Pick<Installation, 'env'>) => ({ config: readConfig(env), now: NOW, log: () => {} });

async function query({ address }: Installation, statement: string) {
  const client = new Client(address);
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}

/** A later version has a table and a column more. Until the end of the test. */
function becomeLaterVersion(): void {
  class Later1764000009999 implements MigrationInterface {
    async up(runner: QueryRunner): Promise<void> {
      await runner.query("CREATE TABLE later (id integer); ALTER TABLE orders ADD later text NOT NULL DEFAULT 'none'");
    }
    async down(runner: QueryRunner): Promise<void> {
      await runner.query('DROP TABLE later; ALTER TABLE orders DROP later');
    }
  }
  MIGRATIONS.push(Later1764000009999);
  onTestFinished(() => void MIGRATIONS.pop());
}

async function post({ app }: TestApp, url: string, payload: object, headers: Record<string, string>): Promise<void> {
  const reply = await app.inject({ method: 'POST', url, payload, headers });
  if (reply.statusCode >= 300) throw new Error(`${url} answered ${reply.statusCode}: ${reply.body}`);
}

/** What the users of the release have: an account, a paid order with its documents, a bookmark, a search and a bid. */
async function writeReleaseBackup(): Promise<void> {
  const folder = await emptyFolder();
  const shop = await startShop({ now: RELEASED_AT, env: { DATA_DIR: folder } });
  cleanUps.push(() => shop.close());
  const { dataSource, address } = shop.database;
  const tenders = [
    createSourceTender({ sourceId: '2026_PWD_8_1', title: TITLE }),
    createSourceTender({ sourceId: '2026_PWD_9_1' }),
  ];
  await importTenders(dataSource, tenders, { now: RELEASED_AT });
  const [sold, bookmarked] = await dataSource.query(
    "SELECT id::text AS id FROM tender WHERE source_id LIKE '2026_PWD_%\\_1' AND length(source_id) = 12 ORDER BY source_id",
  );
  const { headers } = await createSession(shop, {
    mobileNo: ACCOUNT.mobileNo,
    passwordHash: await hash(ACCOUNT.password),
  });
  await writeFile(join(folder, 'Tendernotice_1.pdf'), '%PDF-1.4 the notice');
  await runDocuments(
    ['attach', '--tender', '2026_PWD_8_1', '--reason', 'requested', join(folder, 'Tendernotice_1.pdf')],
    { dataSource, config: shop.config, now: RELEASED_AT, log: () => {} },
  );
  const order = documentOrder(shop, { tenderId: sold.id, documentId: sold.id });
  const { orderId } = await startCheckout(shop, order, headers);
  await payOrder(shop, orderId);
  expect((await fetchOrderStatus(shop, orderId)).json.status).toBe('SUCCESS');
  const change = { tenderId: bookmarked.id, wanted: true };
  await post(shop, '/api/bookmarks/sync', { changes: [change] }, headers);
  const filter = { q: 'footbridge' };
  await post(shop, '/api/searches', { id: randomUUID(), name: 'Footbridges', filter, openedUpTo: 0 }, headers);
  await runBackup([join(folder, 'release.backup')], {
    ...contextOf({ env: { DATABASE_URL: toDatabaseUrl(address), DATA_DIR: folder } }),
    now: RELEASED_AT,
  });
  const { version } = shop.config;
  await copyFile(join(folder, 'release.backup'), join(import.meta.dirname, `release-${version}.backup`));
}

/** The data of the users of the release must be present and work. */
async function expectWorkingApp({ address, env }: Installation): Promise<void> {
  const dataSource = await createDataSource(address).initialize();
  const database = { address, dataSource, close: () => dataSource.destroy() };
  const app = await startApp({ now: NOW, database, env });
  try {
    const signedIn = await app.app.inject({ method: 'POST', url: '/api/auth/login', payload: ACCOUNT });
    expect(signedIn.statusCode).toBe(200);
    const headers = { authorization: `Bearer ${signedIn.json().token}` };
    const [bookmarked] = await dataSource.query("SELECT id FROM tender WHERE source_id = '2026_PWD_9_1'");
    expect((await app.get('/api/tenders/bookmarked', headers)).json.tenders).toMatchObject([
      { _id: String(bookmarked.id), title: 'Construction of footbridge' },
    ]);
    const { searches } = (await app.get('/api/searches', headers)).json;
    expect(searches).toMatchObject([{ name: 'Footbridges', filter: { q: 'footbridge' } }]);

    const found = async () =>
      (await app.get('/api/tenders?q=footbridge&open=0')).json.tenders.map(
        ({ source_tender_id }: { source_tender_id: string }) => source_tender_id,
      );
    expect(await found()).toContain('2026_PWD_9_1');
    const [{ id }] = await dataSource.query("SELECT id FROM tender WHERE source_id = '2026_PWD_8_1'");
    expect((await app.get(`/api/tenders/${id}`)).json.tender.title).toBe(TITLE);
    const closed = createSourceTender({ sourceId: '2026_PWD_9_1', title: 'Construction of a longer footbridge' });
    expect(await importTenders(dataSource, [closed], { now: NOW })).toMatchObject({ changed: 1 });
    expect(await found()).toContain('2026_PWD_9_1');

    expect((await app.get('/api/orders', headers)).json.orders).toMatchObject([{ status: 'SUCCESS' }]);
    expect(await dataSource.query('SELECT count(*)::int AS invoices FROM invoice')).toEqual([{ invoices: 1 }]);
    await expect(dataSource.query('DELETE FROM invoice')).rejects.toThrow();
    const packages = app.app.get(PackagesService);
    const newest = await packages.findNewest(`tender-${id}`);
    expect(await buffer(await packages.store.read(newest?.fileKey ?? ''))).toHaveLength(Number(newest?.bytes));
  } finally {
    await app.close();
    await dataSource.destroy();
  }
}

test.runIf(process.env.WRITE_RELEASE_BACKUP)('the backup of this release is written', writeReleaseBackup);

describe.each(RELEASES)('%s', (name) => {
  const backup = join(import.meta.dirname, name);

  test('is restored, and its users go on', async () => {
    const installation = await emptyInstallation();
    await runRestore([backup], contextOf(installation));
    await expectWorkingApp(installation);
  });

  test('is restored by a later version with another schema, and its users go on', async () => {
    const installation = await emptyInstallation();
    becomeLaterVersion();
    await runRestore([backup], contextOf(installation));
    expect(await query(installation, 'SELECT later FROM orders')).toEqual([{ later: 'none' }]);
    await expectWorkingApp(installation);
    // It is refused while connections of the app still end.
    const replace = () => runRestore([backup, '--replace', '--yes'], contextOf(installation)).then(() => true, String);
    await expect.poll(replace).toBe(true);
    expect(await query(installation, 'SELECT later FROM orders')).toEqual([{ later: 'none' }]);
  });

  test('as a database is migrated by this version and by a later one, and its users go on', async () => {
    const installation = await emptyInstallation();
    await runRestore([backup], contextOf(installation));
    becomeLaterVersion();
    const later = await createDataSource(installation.address).initialize();
    await migrate(later);
    await later.destroy();
    expect(await query(installation, 'SELECT later FROM orders')).toEqual([{ later: 'none' }]);
    await expectWorkingApp(installation);
  });
});

test('a database with rows of a later version is not taken back to the schema of a backup', async () => {
  const backup = join(import.meta.dirname, RELEASES[0] as string);
  const installation = await emptyInstallation();
  becomeLaterVersion();
  await runRestore([backup], contextOf(installation));
  await query(installation, 'INSERT INTO later VALUES (1)');
  const stored = async () => [
    await query(installation, 'SELECT name FROM migration ORDER BY id'),
    await query(installation, 'SELECT source_id, title FROM tender ORDER BY id'),
    await query(installation, 'SELECT id FROM later'),
  ];
  const before = await stored();
  await expect(runRestore([backup], contextOf(installation))).rejects.toThrow(
    /^The database is not empty: \w+ holds rows\. Restore into a new one, /,
  );
  // Neither is it restored into a schema that another program has migrated in the meantime.
  const archive = await BackupArchive.open(backup);
  const client = new Client(installation.address);
  await client.connect();
  await expect(restoreBackup(archive, client, openFileStore(contextOf(installation).config), [])).rejects.toThrow(
    /^The database has the schema Later\d+ and the backup has \w+: another program has migrated the database\. Stop it first$/,
  );
  await client.end();
  archive.close();
  expect(await stored()).toEqual(before);
});

test('a backup that a later version writes before its migration is migrated on restore', async () => {
  const installation = await emptyInstallation();
  await runRestore([join(import.meta.dirname, RELEASES[0] as string)], contextOf(installation));
  const schema = MIGRATIONS.at(-1)?.name;
  becomeLaterVersion();
  const backup = join(installation.env.DATA_DIR, 'before-update.backup');
  const written = await runBackup([backup], contextOf(installation));
  expect(written).toMatch(new RegExp(`^schema ${schema}, written by version `));
  await query(installation, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  expect(await runRestore([backup], contextOf(installation))).toBe(written);
  expect(await query(installation, 'SELECT later FROM orders')).toEqual([{ later: 'none' }]);
});
