/** The connection to PostgreSQL, its entities and its migrations. */

import { DataSource, type MigrationInterface } from 'typeorm';
import { AuditEntity } from '../audit/audit.entity.ts';
import { EmailProofEntity } from '../auth/otp/email-proof.entity.ts';
import { PasskeyEntity } from '../auth/passkeys/passkey.entity.ts';
import { RecoveryCodeEntity } from '../auth/passkeys/recovery-code.entity.ts';
import { PasswordResetEntity } from '../auth/passwords/password-reset.entity.ts';
import { ConsentEntity } from '../auth/registration/consent.entity.ts';
import { SessionEntity } from '../auth/sessions/session.entity.ts';
import { ProviderIdentityEntity } from '../auth/sign-in/provider-identity.entity.ts';
import { ActProposalEntity } from '../auth/staff/act-proposal.entity.ts';
import { StaffEntity } from '../auth/staff/staff.entity.ts';
import { UserEntity } from '../auth/user.entity.ts';
import { ConfigError } from '../base/config.ts';
import { BidRecordEntity, BidSyncEntity, RecordUsageEntity } from '../bids/bid-record.entity.ts';
import { BackupFileEntity, FileBackupEntity } from '../bids/file-backup.entity.ts';
import { BookmarkEntity } from '../bookmarks/bookmark.entity.ts';
import { ApiKeyEntity } from '../data-out/keys/api-key.entity.ts';
import { OcdsDumpEntity } from '../data-out/ocds/ocds-dump.entity.ts';
import { SearchFeedEntity } from '../data-out/search-feeds/search-feed.entity.ts';
import type { EmbeddedPostgresConnection } from '../database/embedded-postgres.ts';
import { withOwnConnection } from '../database/own-connection.ts';
import {
  HAS_MIGRATION_TABLE,
  IS_USED_DATABASE,
  LOCK_MIGRATIONS,
  MIGRATION_NAMES,
  SERVER_VERSION,
  UNLOCK_MIGRATIONS,
} from '../database/server.sql.ts';
import { SettingEntity } from '../database/setting.entity.ts';
import { COMPLETE_EMPTY_TERM_INDEX } from '../database/term-index.sql.ts';
import { OwnReadingEntity } from '../documents/reading/own-reading.entity.ts';
import { FirmEntity, FirmInvitationEntity, FirmMemberEntity } from '../firms/firm.entity.ts';
import { CorrectionEntity } from '../ingest/corrections/correction.entity.ts';
import { FeedEntity } from '../ingest/feeds/feed.entity.ts';
import { PortalMappingEntity } from '../ingest/mapping/portal-mapping.entity.ts';
import { PincodeEntity } from '../ingest/places/pincode.entity.ts';
import { ImportKeyEntity } from '../ingest/sent-files/import-key.entity.ts';
import { SentFileEntity } from '../ingest/sent-files/sent-file.entity.ts';
import { AttemptEntity } from '../orders/checkout/attempt.entity.ts';
import { OrderEntity } from '../orders/order.entity.ts';
import { RefundEntity } from '../orders/refunds/refund.entity.ts';
import { PaymentEntity } from '../orders/settlement/payment.entity.ts';
import { EntitlementEntity } from '../plans/entitlement.entity.ts';
import { SubscriptionEntity } from '../push/subscriptions/subscription.entity.ts';
import { SavedSearchEntity } from '../searches/saved-search.entity.ts';
import { IncidentEntity, IncidentUpdateEntity } from '../site-status/incident.entity.ts';
import { SiteNoticeEntity } from '../site-status/site-notice.entity.ts';
import { AttachmentEntity, MessageEntity, ThreadEntity } from '../support/thread.entity.ts';
import { SyncManifestEntity, SyncSegmentEntity } from '../sync/sync.entity.ts';
import { HiddenTenderEntity } from '../tenders/hidden-tender.entity.ts';
import { TenderReportEntity } from '../tenders/reports/tender-report.entity.ts';
import { CorrigendumEntity, TenderEntity, TenderHistoryEntity } from '../tenders/tender.entity.ts';
import { Schema1764000000001 } from './migrations/0001-schema.ts';

const MIGRATION_LOCK = 4_770_001;
const MIN_SERVER_VERSION = 150_000;
/** Settings of each connection. A pooler passes the time zone on. */
export const SESSION_OPTIONS = '-c timezone=UTC';

/** Migrations in the order of execution. A test adds one to act as a later version. */
export const MIGRATIONS: (new () => MigrationInterface)[] = [Schema1764000000001];

/** A URL, or the socket of the embedded server. */
export type DatabaseAddress = string | EmbeddedPostgresConnection;

/** The address as options of `pg` and pg-boss. */
export function toPgOptions(address: DatabaseAddress) {
  return typeof address === 'string' ? { connectionString: address } : address;
}

/** Whether a server has used this database before. New secrets would not match its rows. */
export async function hasMigrations(dataSource: DataSource): Promise<boolean> {
  const [{ used }] = await dataSource.query(IS_USED_DATABASE);
  return used;
}

/**
 * A data source that is not connected yet. `poolSize` is the maximum number of connections. `schema` is the schema of the
 * tables; by default that of the database user.
 */
export function createDataSource(address: DatabaseAddress, poolSize = 10, schema?: string): DataSource {
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
      HiddenTenderEntity,
      SearchFeedEntity,
      ApiKeyEntity,
      OcdsDumpEntity,
      SiteNoticeEntity,
      IncidentEntity,
      IncidentUpdateEntity,
      CorrectionEntity,
      TenderReportEntity,
      PincodeEntity,
      PortalMappingEntity,
      FeedEntity,
      ImportKeyEntity,
      SentFileEntity,
      SettingEntity,
      SyncSegmentEntity,
      SyncManifestEntity,
      UserEntity,
      SessionEntity,
      StaffEntity,
      ActProposalEntity,
      PasskeyEntity,
      RecoveryCodeEntity,
      ProviderIdentityEntity,
      BookmarkEntity,
      BidRecordEntity,
      BidSyncEntity,
      FirmEntity,
      FirmMemberEntity,
      FirmInvitationEntity,
      RecordUsageEntity,
      FileBackupEntity,
      BackupFileEntity,
      EmailProofEntity,
      PasswordResetEntity,
      ConsentEntity,
      AuditEntity,
      ThreadEntity,
      MessageEntity,
      AttachmentEntity,
      OwnReadingEntity,
      SavedSearchEntity,
      OrderEntity,
      AttemptEntity,
      PaymentEntity,
      RefundEntity,
      EntitlementEntity,
      SubscriptionEntity,
    ],
    migrations: [...MIGRATIONS],
    migrationsTableName: 'migration',
    extra: { options: `${SESSION_OPTIONS}${schema === undefined ? '' : ` -c search_path=${schema}`}` },
  });
}

/** Throws ConfigError when a newer version of the program has migrated the database. */
export function assertNoNewerMigrations(migrations: readonly string[]): void {
  const unknown = migrations.filter((name) => !isKnownMigration(name));
  if (unknown.length > 0)
    throw new ConfigError(
      `The database belongs to a newer version of Nivida (it has ${unknown.join(', ')}). Start that version, or restore a backup of this one into an empty database`,
    );
}

/** How many migrations a database lacks. Throws ConfigError for a newer schema. */
export async function countMissingMigrations(
  query: (text: string) => Promise<Record<string, unknown>[]>,
): Promise<number> {
  const [found] = await query(HAS_MIGRATION_TABLE);
  const done = found?.exists ? (await query(MIGRATION_NAMES)).map(({ name }) => name as string) : [];
  assertNoNewerMigrations(done);
  return MIGRATIONS.length - done.length;
}

/** Whether this version of the program knows the migration. */
export const isKnownMigration = (name: string): boolean => MIGRATIONS.some((migration) => migration.name === name);

/** Reverts an empty database to the schema of an older migration. `migrate` applies the newer ones again. */
export async function revertSchemaTo(dataSource: DataSource, migration: string): Promise<void> {
  const newer = MIGRATIONS.slice(MIGRATIONS.findIndex(({ name }) => name === migration) + 1);
  for (const _each of newer) await dataSource.undoLastMigration({ transaction: 'each' });
}

/** Runs the missing migrations, one process at a time. Throws ConfigError for PostgreSQL older than 15 and for a newer schema. */
export async function migrate(dataSource: DataSource): Promise<void> {
  await withOwnConnection(dataSource, 'nivida-migrations', async (query) => {
    const [server] = await query(SERVER_VERSION);
    if (Number(server?.version) < MIN_SERVER_VERSION)
      throw new ConfigError('DATABASE_URL must name a PostgreSQL of 15 or newer');
    await query(LOCK_MIGRATIONS, [MIGRATION_LOCK]);
    try {
      await countMissingMigrations(query);
      await dataSource.runMigrations({ transaction: 'each' });
      await query(COMPLETE_EMPTY_TERM_INDEX);
    } finally {
      await query(UNLOCK_MIGRATIONS, [MIGRATION_LOCK]);
    }
  });
}
