/** The operator's commands for backups: backup and restore. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { HOUR_SECONDS } from '@nivida/contract/time';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { createSecrets, secretsPath } from '../../app/secrets.ts';
import { BackupArchive, type BackupManifest, InvalidBackupError, SECRETS_ENTRY } from '../../backup/archive.ts';
import { LAST_SUCCESS, lastMigrationName } from '../../backup/backup.sql.ts';
import { writeBackup } from '../../backup/backup.ts';
import { copyBackup } from '../../backup/backup-copies.ts';
import { decryptFile, encryptFile, isEncrypted } from '../../backup/encryption.ts';
import { replaceDatabase } from '../../backup/replace-database.ts';
import { assertEmpty, finishRecovery, type LastInvoice, restoreBackup } from '../../backup/restore.ts';
import { tryRestore } from '../../backup/trial-restore.ts';
import type { Config } from '../../base/config.ts';
import { InvalidOptionsError } from '../../base/config.ts';
import { UnreadableFileError } from '../../ingest/source-tender.ts';
import { recordBackup, recordJobRun, TRIAL_RESTORE_INTERVAL_SECONDS, TRIAL_RESTORE_JOB } from '../../jobs/job-runs.ts';
import {
  assertNoNewerMigrations,
  type DatabaseAddress,
  isKnownMigration,
  migrate,
  revertSchemaTo,
  toPgOptions,
} from '../../schema/data-source.ts';
import { openDatabase, openDatabaseServer, withoutPooler } from '../../schema/database.ts';
import { type FileStore, openFileStore, openStorage } from '../../storage/file-store.ts';

/** The context of the commands; `log` writes messages that are not the result. */
export interface BackupContext {
  config: Config;
  now: Date;
  log(line: string): void;
  /** Asks the operator; undefined without a terminal. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

/** Runs `backup ARGS`; returns the text for stdout. Throws InvalidOptionsError. */
export async function runBackup(args: string[], { config: settings, now, log }: BackupContext): Promise<string> {
  const config = withoutPooler(settings);
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'with-secrets': { type: 'boolean', default: false },
      // Copies the backup to BACKUP_URL, and tries a restore once a week.
      nightly: { type: 'boolean', default: false },
    },
  });
  const path = singleFileArgument(positionals);
  if (existsSync(path)) throw new UnreadableFileError(`"${path}" is there already`);
  const target = dirname(resolve(path));
  if (!existsSync(target)) throw new UnreadableFileError(`There is no folder "${target}"`);
  const secretsFile = values['with-secrets'] ? secretsPath(config) : undefined;
  if (secretsFile !== undefined && !existsSync(secretsFile))
    throw new InvalidOptionsError(`there is no "${secretsFile}"`);
  // The database is not migrated: backups are most useful before an update.
  const { address, stop } = await openDatabaseServer(config);
  const client = new Client(toPgOptions(address));
  const isEncrypting = config.backupRecipients.length > 0;
  const plain = isEncrypting ? `${path}.plain` : path;
  try {
    await client.connect();
    const migration = await lastMigrationName(client);
    // A newer schema may contain columns that this version does not know.
    if (migration !== undefined) assertNoNewerMigrations([migration]);
    const files = openFileStore(config);
    let summary = '';
    await recordBackup(
      client,
      () => now,
      async () => {
        const source = { client, files, secretsFile, version: config.version, now, log };
        summary = backupSummary(await writeBackup(plain, source));
        if (isEncrypting) await encryptFile(plain, path, config.backupRecipients);
        if (values.nightly && config.backupCopies)
          await copyBackup(path, openStorage(config.backupCopies, config.dataDir), config.backupRetention, now);
        return (await stat(path)).size;
      },
    );
    if (values.nightly) await tryRestoreWeekly(plain, client, address, now);
    if (secretsFile === undefined)
      log(
        'Secrets are not in it: keep SESSION_KEYS, OTP_PEPPER and VAPID_PRIVATE_KEY (or DATA_DIR/secrets.json) elsewhere',
      );
    return summary;
  } finally {
    if (isEncrypting) await rm(plain, { force: true });
    await client.end();
    await stop();
  }
}

/** Tries a restore of the new backup when the last successful trial is a week old, and records it. */
async function tryRestoreWeekly(path: string, client: Client, address: DatabaseAddress, now: Date): Promise<void> {
  const { rows } = await client.query<{ at: Date | null }>(LAST_SUCCESS, [TRIAL_RESTORE_JOB]);
  const [last] = rows;
  // Backups begin at the same time of day, some minutes apart.
  const dueAfterMs = (TRIAL_RESTORE_INTERVAL_SECONDS - HOUR_SECONDS) * 1_000;
  if (last?.at && now.getTime() - last.at.getTime() < dueAfterMs) return;
  const record = { job: TRIAL_RESTORE_JOB, everySeconds: TRIAL_RESTORE_INTERVAL_SECONDS, now: () => now };
  await recordJobRun(client, record, async () => {
    const archive = await BackupArchive.open(path);
    try {
      await tryRestore(archive, client, { address, place: dirname(resolve(path)) }, (...given) =>
        restoreInto(...given, []),
      );
      return archive.manifest.tables.reduce((sum, { rows: count }) => sum + count, 0);
    } finally {
      archive.close();
    }
  });
}

/** Reverts the schema to that of the backup, restores, and migrates again. `schema` names the schema of the tables if it is not the default. */
async function restoreInto(
  archive: BackupArchive,
  database: { address: DatabaseAddress; dataSource: DataSource; schema?: string },
  files: FileStore,
  lastInvoices: LastInvoice[],
): Promise<void> {
  const { migration } = archive.manifest;
  const { schema } = database;
  const client = new Client({
    ...toPgOptions(database.address),
    ...(schema !== undefined && { options: `-c search_path=${schema}` }),
  });
  try {
    await client.connect();
    if ((await lastMigrationName(client)) !== migration) {
      await assertEmpty(client);
      await revertSchemaTo(database.dataSource, migration);
    }
    try {
      await restoreBackup(archive, client, files, lastInvoices);
    } finally {
      await migrate(database.dataSource);
    }
  } finally {
    await client.end();
  }
}

/** Runs `restore ARGS`; returns the text for stdout. Throws InvalidOptionsError, InvalidBackupError or RestoreError. */
export async function runRestore(args: string[], given: BackupContext): Promise<string> {
  const context = { ...given, config: withoutPooler(given.config) };
  const { config } = context;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      identity: { type: 'string' },
      'last-invoice': { type: 'string', multiple: true, default: [] },
      replace: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      'after-recovery': { type: 'boolean', default: false },
    },
  });
  const lastInvoices = values['last-invoice'].map(parseInvoiceNumber);
  if (values['after-recovery']) {
    if (positionals.length > 0 || values.replace) throw new InvalidOptionsError('--after-recovery takes no file');
    return afterRecovery(lastInvoices, config);
  }
  const path = singleFileArgument(positionals);
  if (!existsSync(path)) throw new UnreadableFileError(`There is no file "${path}"`);
  if (values.replace && !values.yes) await confirmReplacement(context);
  const decrypted = (await isEncrypted(path)) ? join(config.dataDir, `restore-${randomUUID()}.zip`) : undefined;
  try {
    if (decrypted !== undefined) {
      if (values.identity === undefined)
        throw new InvalidOptionsError(`"${path}" is encrypted: add --identity with the file of its age key`);
      await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
      await decryptFile(path, decrypted, values.identity);
    }
    return await restoreFile(decrypted ?? path, lastInvoices, values.replace, context);
  } finally {
    if (decrypted !== undefined) await rm(decrypted, { force: true });
  }
}

/** Prepares a database that was recovered to an earlier instant by its own tools. */
async function afterRecovery(lastInvoices: LastInvoice[], config: Config): Promise<string> {
  const { address, stop } = await openDatabaseServer(config);
  const client = new Client(toPgOptions(address));
  try {
    await client.connect();
    await finishRecovery(client, lastInvoices);
    return 'The database is ready: devices load their packs again\n';
  } finally {
    await client.end();
    await stop();
  }
}

/** Throws InvalidOptionsError unless the operator types the name of the database. */
async function confirmReplacement({ config, ask }: BackupContext): Promise<void> {
  if (!ask) throw new InvalidOptionsError('--replace deletes the present database: without a terminal it needs --yes');
  const url = config.databaseUrl === undefined ? undefined : new URL(config.databaseUrl);
  const name = url ? decodeURIComponent(url.pathname.slice(1)) : 'nivida';
  const place = url ? url.host || url.searchParams.get('host') : config.dataDir;
  const typed = await ask(
    `The backup replaces the database "${name}" (${place}); what is in it now is deleted.\nType its name to go on: `,
  );
  if (typed.trim() !== name) throw new InvalidOptionsError('this is not its name: nothing was changed');
}

async function restoreFile(
  path: string,
  lastInvoices: LastInvoice[],
  isReplacement: boolean,
  { config, log }: BackupContext,
): Promise<string> {
  const archive = await BackupArchive.open(path);
  try {
    const { migration, version } = archive.manifest;
    if (!isKnownMigration(migration))
      throw new InvalidBackupError(
        `The backup has the schema ${migration}, which version ${config.version} does not know: restore it with version ${version}, which wrote it, or with a newer one`,
      );
    const files = openFileStore(config);
    if (isReplacement) await replaceBy(archive, files, lastInvoices, { config, log });
    else {
      const database = await openDatabase(config);
      await restoreInto(archive, database, files, lastInvoices).finally(() => database.close());
    }
    if (archive.manifest.secrets) await restoreSecrets(archive, config, log);
    const made = createSecrets(config);
    if (made) log(`${made} holds new secrets: all sessions and push subscriptions of the backup end`);
    return backupSummary(archive.manifest);
  } finally {
    archive.close();
  }
}

/** Replaces the configured database. Its present schema may be of any version; it is not migrated. */
async function replaceBy(
  archive: BackupArchive,
  files: FileStore,
  lastInvoices: LastInvoice[],
  { config, log }: Pick<BackupContext, 'config' | 'log'>,
): Promise<void> {
  const { address, stop } = await openDatabaseServer(config);
  try {
    await replaceDatabase(address, async (dataSource, schema, issued) => {
      for (const { series, financialYear, no } of issued)
        log(
          `Invoices go on after ${series}/${financialYear}/${String(no).padStart(7, '0')}, the last of the replaced database`,
        );
      await restoreInto(archive, { address, dataSource, schema }, files, [...issued, ...lastInvoices]);
    });
  } finally {
    await stop();
  }
}

/** Existing secrets are not replaced: sessions and subscriptions may depend on them. */
async function restoreSecrets(archive: BackupArchive, config: Config, log: (line: string) => void): Promise<void> {
  const path = secretsPath(config);
  if (existsSync(path)) {
    log(`${path} stays as it is; the secrets of the backup are in it as ${SECRETS_ENTRY}`);
    return;
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await pipeline(await archive.read(SECRETS_ENTRY), createWriteStream(path, { mode: 0o600 }));
}

/** The parts of an invoice number. */
function parseInvoiceNumber(number: string): LastInvoice {
  const [, series, financialYear, no] = /^(TN|CN|RC|RF|TEST)\/(\d\d-\d\d)\/(\d{7})$/.exec(number) ?? [];
  if (series === undefined || financialYear === undefined || Number(no) === 0)
    throw new InvalidOptionsError(
      `--last-invoice must be the number of an invoice, like RC/26-27/0000123, not "${number}"`,
    );
  return { series, financialYear, no: Number(no) };
}

function singleFileArgument(positionals: string[]): string {
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new InvalidOptionsError('name one file');
  return path;
}

function backupSummary({ tables, files, migration, version }: BackupManifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const filled = tables.filter((table) => table.rows > 0);
  return `${[`schema ${migration}, written by version ${version}`, ...filled.map((table) => `${table.name} ${table.rows}`), `tables ${tables.length}, rows ${rows}, files ${files.length}`].join('\n')}\n`;
}
