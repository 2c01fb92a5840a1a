/** The weekly trial restore. It restores a backup into a temporary database on the same server, then drops that database. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, escapeIdentifier } from 'pg';
import type { DataSource } from 'typeorm';
import { createDataSource, type DatabaseAddress, migrate } from '../schema/data-source.ts';
import { FileStore } from '../storage/file-store.ts';
import { FolderStorage } from '../storage/folder-storage.ts';
import type { BackupArchive } from './archive.ts';
import { CREATE_DATABASE, DROP_DATABASE } from './backup.sql.ts';

/** Restores into an open, migrated and empty database. */
export type RestoreInto = (
  archive: BackupArchive,
  database: { address: DatabaseAddress; dataSource: DataSource },
  files: FileStore,
) => Promise<void>;

/**
 * Restores `archive` into a temporary database on the server of `client`, and its files into a folder within `place`. Each
 * table is compared with the backup. Everything of the trial is removed. Throws the reason of a failure.
 */
export async function tryRestore(
  archive: BackupArchive,
  client: Client,
  { address, place }: { address: DatabaseAddress; place: string },
  restoreInto: RestoreInto,
): Promise<void> {
  const name = `nivida_check_${randomBytes(6).toString('hex')}`;
  const folder = await mkdtemp(join(place, 'nivida-check-'));
  try {
    await client.query(CREATE_DATABASE + escapeIdentifier(name)).catch(({ message }: Error) => {
      throw new Error(`The backup was not tried: ${message}. ALTER ROLE with CREATEDB allows it`);
    });
    const scratch = withDatabase(address, name);
    const dataSource = createDataSource(scratch, 2);
    try {
      await dataSource.initialize();
      await migrate(dataSource);
      await restoreInto(archive, { address: scratch, dataSource }, new FileStore(new FolderStorage(folder)));
    } finally {
      if (dataSource.isInitialized) await dataSource.destroy();
      await client.query(DROP_DATABASE(escapeIdentifier(name)));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The address of another database of the same server. */
function withDatabase(address: DatabaseAddress, database: string): DatabaseAddress {
  if (typeof address !== 'string') return { ...address, database };
  const url = new URL(address);
  url.pathname = `/${database}`;
  return url.href;
}
