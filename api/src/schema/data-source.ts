/** The connection to PostgreSQL, its entities and its migrations. */

import { DataSource } from 'typeorm';
import { AuditEntity } from '../audit/audit.entity.ts';
import { EmailProofEntity } from '../auth/otp/email-proof.entity.ts';
import { PasswordResetEntity } from '../auth/passwords/password-reset.entity.ts';
import { ConsentEntity } from '../auth/registration/consent.entity.ts';
import { SessionEntity } from '../auth/sessions/session.entity.ts';
import { UserEntity } from '../auth/user.entity.ts';
import { ConfigError } from '../base/config.ts';
import { BidRecordEntity, BidSyncEntity, RecordUsageEntity } from '../bids/bid-record.entity.ts';
import { BackupFileEntity, FileBackupEntity } from '../bids/file-backup.entity.ts';
import { BookmarkEntity } from '../bookmarks/bookmark.entity.ts';
import { ContactMessageEntity } from '../contact/contact-message.entity.ts';
import type { EmbeddedPostgresConnection } from '../database/embedded-postgres.ts';
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
import { FeedEntity } from '../ingest/feeds/feed.entity.ts';
import { PincodeEntity } from '../ingest/places/pincode.entity.ts';
import { AttemptEntity } from '../orders/checkout/attempt.entity.ts';
import { OrderEntity } from '../orders/order.entity.ts';
import { RefundEntity } from '../orders/refunds/refund.entity.ts';
import { PaymentEntity } from '../orders/settlement/payment.entity.ts';
import { EntitlementEntity } from '../plans/entitlement.entity.ts';
import { SubscriptionEntity } from '../push/subscriptions/subscription.entity.ts';
import { SavedSearchEntity } from '../searches/saved-search.entity.ts';
import { SyncManifestEntity, SyncSegmentEntity } from '../sync/sync.entity.ts';
import { CorrigendumEntity, TenderEntity, TenderHistoryEntity } from '../tenders/tender.entity.ts';
import { Tenders1764000000001 } from './migrations/0001-tenders.ts';
import { Sync1764000000002 } from './migrations/0002-sync.ts';
import { AccountsAndBookmarks1764000000003 } from './migrations/0003-accounts-and-bookmarks.ts';
import { SignIn1764000000004 } from './migrations/0004-sign-in.ts';
import { ProofsAndAudit1764000000005 } from './migrations/0005-proofs-and-audit.ts';
import { ContactAndSearches1764000000006 } from './migrations/0006-contact-and-searches.ts';
import { Orders1764000000007 } from './migrations/0007-orders.ts';
import { CanDownload1764000000008 } from './migrations/0008-can-download.ts';
import { Push1764000000009 } from './migrations/0009-push.ts';
import { RefundsAndFiles1764000000010 } from './migrations/0010-refunds-and-files.ts';
import { Feeds1764000000011 } from './migrations/0011-feeds.ts';
import { PushZones1764000000012 } from './migrations/0012-push-zones.ts';
import { QuickQuietHours1764000000013 } from './migrations/0013-quick-quiet-hours.ts';
import { ReadFeedsAgain1764000000014 } from './migrations/0014-read-feeds-again.ts';
import { PlacesAgain1764000000015 } from './migrations/0015-places-again.ts';
import { QuietReminders1764000000016 } from './migrations/0016-quiet-reminders.ts';
import { DownloadsOfToday1764000000017 } from './migrations/0017-downloads-of-today.ts';
import { PackageKinds1764000000019 } from './migrations/0019-package-kinds.ts';
import { BillingAndPlanNotices1764000000020 } from './migrations/0020-billing-and-plan-notices.ts';
import { SendTokens1764000000021 } from './migrations/0021-send-tokens.ts';
import { FieldClasses1764000000022 } from './migrations/0022-field-classes.ts';
import { JobRuns1764000000026 } from './migrations/0026-job-runs.ts';
import { Retention1764000000027 } from './migrations/0027-retention.ts';
import { Awards1764000000033 } from './migrations/0033-awards.ts';
import { TenderSeen1764000000036 } from './migrations/0036-tender-seen.ts';
import { DistrictProbes1764000000037 } from './migrations/0037-district-probes.ts';
import { BidRecords1764000000039 } from './migrations/0039-bid-records.ts';
import { FollowedOffices1764000000041 } from './migrations/0041-followed-offices.ts';
import { ArchivedTenders1764000000045 } from './migrations/0045-archived-tenders.ts';
import { FileBackup1764000000048 } from './migrations/0048-file-backup.ts';
import { ExpiryNotices1764000000050 } from './migrations/0050-expiry-notices.ts';
import { StateCounts1764000000053 } from './migrations/0053-state-counts.ts';
import { OpenTenders1764000000056 } from './migrations/0056-open-tenders.ts';
import { CorrectedAddresses1764000000057 } from './migrations/0057-corrected-addresses.ts';
import { TenderStatements1764000000058 } from './migrations/0058-tender-statements.ts';
import { NoticeOfOpenTenders1764000000061 } from './migrations/0061-notice-of-open-tenders.ts';
import { IndicProbes1764000000062 } from './migrations/0062-indic-probes.ts';
import { FileUsage1764000000064 } from './migrations/0064-file-usage.ts';
import { FreePlans1764000000065 } from './migrations/0065-free-plans.ts';
import { AttachedSources1764000000066 } from './migrations/0066-attached-sources.ts';
import { ReportedAwards1764000000067 } from './migrations/0067-reported-awards.ts';
import { RecordUsage1764000000068 } from './migrations/0068-record-usage.ts';
import { WaitingRequests1764000000069 } from './migrations/0069-waiting-requests.ts';
import { EmdOfOpenTenders1764000000070 } from './migrations/0070-emd-of-open-tenders.ts';
import { ProbesOfConditions1764000000071 } from './migrations/0071-probes-of-conditions.ts';
import { DepartmentsOfPosts1764000000072 } from './migrations/0072-departments-of-posts.ts';

const MIGRATION_LOCK = 4_770_001;
const MIN_SERVER_VERSION = 150_000;

/** In the order of execution. */
const MIGRATIONS = [
  Tenders1764000000001,
  Sync1764000000002,
  AccountsAndBookmarks1764000000003,
  SignIn1764000000004,
  ProofsAndAudit1764000000005,
  ContactAndSearches1764000000006,
  Orders1764000000007,
  CanDownload1764000000008,
  Push1764000000009,
  RefundsAndFiles1764000000010,
  Feeds1764000000011,
  PushZones1764000000012,
  QuickQuietHours1764000000013,
  ReadFeedsAgain1764000000014,
  PlacesAgain1764000000015,
  QuietReminders1764000000016,
  DownloadsOfToday1764000000017,
  PackageKinds1764000000019,
  BillingAndPlanNotices1764000000020,
  SendTokens1764000000021,
  FieldClasses1764000000022,
  JobRuns1764000000026,
  Retention1764000000027,
  Awards1764000000033,
  TenderSeen1764000000036,
  DistrictProbes1764000000037,
  BidRecords1764000000039,
  FollowedOffices1764000000041,
  ArchivedTenders1764000000045,
  FileBackup1764000000048,
  ExpiryNotices1764000000050,
  StateCounts1764000000053,
  OpenTenders1764000000056,
  CorrectedAddresses1764000000057,
  TenderStatements1764000000058,
  NoticeOfOpenTenders1764000000061,
  IndicProbes1764000000062,
  FileUsage1764000000064,
  FreePlans1764000000065,
  AttachedSources1764000000066,
  ReportedAwards1764000000067,
  RecordUsage1764000000068,
  WaitingRequests1764000000069,
  EmdOfOpenTenders1764000000070,
  ProbesOfConditions1764000000071,
  DepartmentsOfPosts1764000000072,
] as const;

/** A URL, or the socket of the embedded server. */
export type DatabaseAddress = string | EmbeddedPostgresConnection;

/** The address as options of `pg` and pg-boss. */
export function toPgOptions(address: DatabaseAddress) {
  return typeof address === 'string' ? { connectionString: address } : address;
}

/** Whether a server has used this database before. Newly generated secrets do not fit its rows. */
export async function hasMigrations(dataSource: DataSource): Promise<boolean> {
  const [{ used }] = await dataSource.query(IS_USED_DATABASE);
  return used;
}

/**
 * A data source that is not connected yet; `poolSize` is the maximum number of connections. Its tables are in `schema`,
 * by default in that of the user.
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
      PincodeEntity,
      FeedEntity,
      SettingEntity,
      SyncSegmentEntity,
      SyncManifestEntity,
      UserEntity,
      SessionEntity,
      BookmarkEntity,
      BidRecordEntity,
      BidSyncEntity,
      RecordUsageEntity,
      FileBackupEntity,
      BackupFileEntity,
      EmailProofEntity,
      PasswordResetEntity,
      ConsentEntity,
      AuditEntity,
      ContactMessageEntity,
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
    extra: { options: `-c timezone=UTC${schema === undefined ? '' : ` -c search_path=${schema}`}` },
  });
}

/** Throws ConfigError when a newer version of the program has migrated the database. */
export function assertNoNewerMigrations(migrations: readonly string[]): void {
  const known: readonly string[] = MIGRATIONS.map(({ name }) => name);
  const unknown = migrations.filter((name) => !known.includes(name));
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
export async function takeBackTo(dataSource: DataSource, migration: string): Promise<void> {
  const newer = MIGRATIONS.slice(MIGRATIONS.findIndex(({ name }) => name === migration) + 1);
  for (const _each of newer) await dataSource.undoLastMigration({ transaction: 'each' });
}

/** Runs the missing migrations, one process at a time. ConfigError for a server older than 15 and for a newer schema. */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    const [{ version }] = await runner.query(SERVER_VERSION);
    if (version < MIN_SERVER_VERSION) throw new ConfigError('DATABASE_URL must name a PostgreSQL of 15 or newer');
    await runner.query(LOCK_MIGRATIONS, [MIGRATION_LOCK]);
    try {
      const [{ exists }] = await runner.query(HAS_MIGRATION_TABLE);
      const done: { name: string }[] = exists ? await runner.query(MIGRATION_NAMES) : [];
      assertNoNewerMigrations(done.map(({ name }) => name));
      await dataSource.runMigrations({ transaction: 'each' });
      await runner.query(COMPLETE_EMPTY_TERM_INDEX);
    } finally {
      await runner.query(UNLOCK_MIGRATIONS, [MIGRATION_LOCK]);
    }
  } finally {
    await runner.release();
  }
}
