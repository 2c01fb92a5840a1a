/** The database and the backup of an earlier release (commit 768704a, 13 migrations) under this version. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, expect, inject, test } from 'vitest';
import { BackupArchive } from '../../src/backup/archive.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { readConfig } from '../../src/base/config.ts';
import { runRestore } from '../../src/cli/cli-backup.ts';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { reindexTenders } from '../../src/ingest/reindex-tenders.job.ts';
import { createDataSource, migrate } from '../../src/schema/data-source.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { toDatabaseUrl } from '../support/programs.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { asAdmin, startApp } from '../support/start-app.ts';

/** Written by `npm run backup` of that release: an account, a paid order with its documents, a bookmark and a saved search. */
const BACKUP = join(import.meta.dirname, 'earlier-release.backup');
const LAST_MIGRATION = 'QuickQuietHours1764000000013';
const ACCOUNT = { mobileNo: '+919800000001', password: 'quiet-river-72-stones' };
const TITLE = 'सड़क\tof two\nlines \\ and a back\\slash';
/** After the closing of its tenders. */
const NOW = new Date('2026-12-01T11:30:00+05:30');

const cleanUps: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

/** An empty database and a data folder; removed at the end. */
async function emptyInstallation() {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin((client) => client.query(`CREATE DATABASE ${name}`));
  cleanUps.push(() => asAdmin((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`)));
  const folder = await mkdtemp(join(tmpdir(), 'nivida-upgrade-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  const address = { ...inject('postgres'), database: name };
  return { address, env: { DATABASE_URL: toDatabaseUrl(address), DATA_DIR: folder } };
}
type Installation = Awaited<ReturnType<typeof emptyInstallation>>;

/** The data of the users of the earlier release must be present and work. */
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
    const searches = (await app.get('/api/searches', headers)).json.searches;
    expect(searches).toMatchObject([{ name: 'Footbridges', filter: { q: 'footbridge', literal: 'all' } }]);

    const found = async () =>
      (await app.get('/api/tenders?q=footbridge&open=0')).json.tenders.map(
        ({ source_tender_id }: { source_tender_id: string }) => source_tender_id,
      );
    await reindexTenders({ dataSource });
    expect(await found()).toContain('2026_PWD_9_1');
    const [{ id }] = await dataSource.query("SELECT id FROM tender WHERE source_id = '2026_PWD_8_1'");
    expect((await app.get(`/api/tenders/${id}`)).json.tender.title).toBe(TITLE);
    const closed = createSourceTender({ sourceId: '2026_PWD_9_1', title: 'Construction of a longer footbridge' });
    expect(await importTenders(dataSource, [closed], { now: NOW })).toMatchObject({ changed: 1 });
    expect(await found()).toContain('2026_PWD_9_1');

    expect(await dataSource.query('SELECT status, buyer_firm FROM orders')).toEqual([
      { status: 'SUCCESS', buyer_firm: '' },
    ]);
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

test('a backup of the earlier release is restored, and its users go on', async () => {
  const installation = await emptyInstallation();
  const context = { config: readConfig(installation.env), now: NOW, log: () => {} };
  expect(await runRestore([BACKUP], context)).toContain(`schema ${LAST_MIGRATION}`);
  await expectWorkingApp(installation);
  // A second restore would first take the schema back, with the columns of this version.
  const stored = async () => {
    const client = new Client(installation.address);
    await client.connect();
    const migrations = await client.query('SELECT name FROM migration ORDER BY id');
    const tenders = await client.query('SELECT source_id, title FROM tender ORDER BY id');
    // A table that the earlier release did not have.
    const awards = await client.query('SELECT state FROM award_state');
    await client.end();
    return [migrations.rows, tenders.rows, awards.rows];
  };
  const newer = await createDataSource(installation.address).initialize();
  await newer.query("INSERT INTO award_state (state) VALUES ('Goa')");
  await newer.destroy();
  const before = await stored();
  await expect(runRestore([BACKUP], context)).rejects.toThrow(
    /^The database is not empty: \w+ holds rows\. Restore into a new one, /,
  );
  // Neither is it restored into a schema that another program has migrated in the meantime.
  const archive = await BackupArchive.open(BACKUP);
  const client = new Client(installation.address);
  await client.connect();
  await expect(restoreBackup(archive, client, openFileStore(context.config), [])).rejects.toThrow(
    new RegExp(
      `^The database has the schema \\w+ and the backup has ${LAST_MIGRATION}: another program has migrated the database\\. Stop it first$`,
    ),
  );
  await client.end();
  archive.close();
  expect(await stored()).toEqual(before);
});

test('the database of the earlier release is migrated with its rows, and its users go on', async () => {
  const installation = await emptyInstallation();
  const current = await createDataSource(installation.address).initialize();
  const migrations = current.options.migrations as (new () => unknown)[];
  const count = migrations.findIndex(({ name }) => name === LAST_MIGRATION) + 1;
  expect(count).toBe(13);
  const earlier = await new DataSource({
    ...current.options,
    migrations: migrations.slice(0, count),
  } as never).initialize();
  await earlier.runMigrations({ transaction: 'each' });
  const archive = await BackupArchive.open(BACKUP);
  const client = new Client(installation.address);
  await client.connect();
  await restoreBackup(archive, client, openFileStore(readConfig(installation.env)), []);
  await client.end();
  archive.close();
  await earlier.destroy();
  await migrate(current);
  await current.destroy();
  await expectWorkingApp(installation);
});
