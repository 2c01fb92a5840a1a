/** The connection to PostgreSQL, its entities and its migrations. */
import { DataSource } from 'typeorm';
import { SessionEntity } from '../auth/session.entity.ts';
import { BookmarkEntity } from '../bookmarks/bookmark.entity.ts';
import { PincodeEntity } from '../ingest/pincode.entity.ts';
import { SyncManifestEntity, SyncSegmentEntity } from '../sync/sync.entity.ts';
import { CorrigendumEntity, TenderEntity, TenderHistoryEntity } from '../tenders/tender.entity.ts';
import { UserEntity } from '../users/user.entity.ts';
import type { EmbeddedConnection } from './embedded.ts';
import { Tenders1764000000001 } from './migrations/0001-tenders.ts';
import { Sync1764000000002 } from './migrations/0002-sync.ts';
import { AccountsAndBookmarks1764000000003 } from './migrations/0003-accounts-and-bookmarks.ts';
import { SettingEntity } from './setting.entity.ts';

const MIGRATION_LOCK = 4_770_001;
const LEAST_SERVER_VERSION = 150_000;

/** Where the database is: a URL, or the embedded server's socket. */
export type DatabaseAddress = string | EmbeddedConnection;

/** The address as `pg` and pg-boss take it. */
export function toPgOptions(address: DatabaseAddress) {
  return typeof address === 'string' ? { connectionString: address } : address;
}

/** A data source that is not yet connected; `poolSize` is the most connections it holds. */
export function createDataSource(address: DatabaseAddress, poolSize = 10): DataSource {
  const where =
    typeof address === 'string'
      ? { url: address }
      : { host: address.host, port: address.port, username: address.user, database: address.database };
  return new DataSource({
    type: 'postgres',
    ...where,
    poolSize,
    installExtensions: false,
    entities: [
      TenderEntity,
      TenderHistoryEntity,
      CorrigendumEntity,
      PincodeEntity,
      SettingEntity,
      SyncSegmentEntity,
      SyncManifestEntity,
      UserEntity,
      SessionEntity,
      BookmarkEntity,
    ],
    migrations: [Tenders1764000000001, Sync1764000000002, AccountsAndBookmarks1764000000003],
    migrationsTableName: 'migration',
    extra: { options: '-c timezone=UTC' },
  });
}

/** Runs what is missing of the migrations, one process at a time. Throws on a server older than 15. */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const [{ version }] = await runner.query("SELECT current_setting('server_version_num')::int AS version");
    if (version < LEAST_SERVER_VERSION) throw new Error('PostgreSQL 15 or newer is needed');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      await dataSource.runMigrations({ transaction: 'each' });
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    await runner.release();
  }
}
