/** The operator's commands for backups: backup and restore. */
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { Archive, BadBackup, type Contents, SECRETS } from './backup/archive.ts';
import { backUp } from './backup/backup.ts';
import { type LastPaper, refuseFilled, restore } from './backup/restore.ts';
import { lastMigration } from './backup/tables.ts';
import type { Config } from './config.ts';
import { isKnownMigration, migrate, refuseNewer, takeBackTo, toPgOptions } from './database/data-source.ts';
import { openDatabase } from './database/database.ts';
import { openEmbedded } from './database/embedded.ts';
import { FileStore } from './documents/store.ts';
import { BadRequest } from './ingest/import.ts';
import { UnreadableFile } from './ingest/notice.ts';
import { makeSecrets, secretsPath } from './secrets.ts';

/** How the commands are called. */
export const BACKUP_USAGE = `  npm run backup -- FILE [--with-secrets]
  npm run restore -- FILE [--last-paper RC/26-27/0000123]…`;

/** What the commands work on; `say` tells people what is no result. */
export interface BackupContext {
  config: Config;
  now: Date;
  say(line: string): void;
}

/** Runs `backup ARGS`; gives what goes to stdout. Throws BadRequest. */
export async function runBackup(args: string[], { config, now, say }: BackupContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'with-secrets': { type: 'boolean', default: false } },
  });
  const path = onlyFile(positionals);
  if (existsSync(path)) throw new UnreadableFile(`"${path}" is there already`);
  const target = dirname(resolve(path));
  if (!existsSync(target)) throw new UnreadableFile(`There is no folder "${target}"`);
  const secretsFile = values['with-secrets'] ? secretsPath(config) : undefined;
  if (secretsFile !== undefined && !existsSync(secretsFile)) throw new BadRequest(`there is no "${secretsFile}"`);
  // Not migrated: it is the state before an update that is wanted most.
  const embedded = config.databaseUrl ? undefined : await openEmbedded(config.dataDir);
  const client = new Client(toPgOptions(config.databaseUrl ?? (embedded as NonNullable<typeof embedded>).connection));
  try {
    await client.connect();
    const migration = await lastMigration(client);
    // Its rows may need columns or meanings that this version does not know.
    if (migration !== undefined) refuseNewer([migration]);
    const files = new FileStore(config.filesFolder);
    const contents = await backUp(path, { client, files, secretsFile, version: config.version, now, say });
    if (secretsFile === undefined)
      say(
        'Secrets are not in it: keep SESSION_KEYS, OTP_PEPPER and VAPID_PRIVATE_KEY (or DATA_DIR/secrets.json) elsewhere',
      );
    return summary(contents);
  } finally {
    await client.end();
    await embedded?.stop();
  }
}

/** Runs `restore ARGS`; gives what goes to stdout. Throws BadRequest, BadBackup or CannotRestore. */
export async function runRestore(args: string[], { config, say }: BackupContext): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'last-paper': { type: 'string', multiple: true, default: [] } },
  });
  const path = onlyFile(positionals);
  const lastPapers = values['last-paper'].map(paperOf);
  if (!existsSync(path)) throw new UnreadableFile(`There is no file "${path}"`);
  const archive = await Archive.open(path);
  try {
    const { migration, version } = archive.contents;
    if (!isKnownMigration(migration))
      throw new BadBackup(
        `The backup has the schema ${migration}, which version ${config.version} does not know: restore it with version ${version}, which wrote it, or with a newer one`,
      );
    const database = await openDatabase(config);
    const client = new Client(toPgOptions(database.address));
    try {
      await client.connect();
      if ((await lastMigration(client)) !== migration) {
        await refuseFilled(client);
        await takeBackTo(database.dataSource, migration);
      }
      try {
        await restore(archive, client, new FileStore(config.filesFolder), lastPapers);
      } finally {
        await migrate(database.dataSource);
      }
    } finally {
      await client.end();
      await database.close();
    }
    if (archive.contents.secrets) await keepSecrets(archive, config, say);
    const made = makeSecrets(config);
    if (made) say(`${made} holds new secrets: all sessions and push subscriptions of the backup end`);
    return summary(archive.contents);
  } finally {
    archive.close();
  }
}

/** Those that are there already stay: sessions and subscriptions of this machine may depend on them. */
async function keepSecrets(archive: Archive, config: Config, say: (line: string) => void): Promise<void> {
  const path = secretsPath(config);
  if (existsSync(path)) {
    say(`${path} stays as it is; the secrets of the backup are in it as ${SECRETS}`);
    return;
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  await pipeline(await archive.read(SECRETS), createWriteStream(path, { mode: 0o600 }));
}

/** A paper's number in its parts. */
function paperOf(number: string): LastPaper {
  const [, series, financialYear, no] = /^(TN|CN|RC|RF|TEST)\/(\d\d-\d\d)\/(\d{7})$/.exec(number) ?? [];
  if (series === undefined || financialYear === undefined || Number(no) === 0)
    throw new BadRequest(`--last-paper must be the number of a paper, like RC/26-27/0000123, not "${number}"`);
  return { series, financialYear, no: Number(no) };
}

function onlyFile(positionals: string[]): string {
  const [path, ...others] = positionals;
  if (path === undefined || others.length > 0) throw new BadRequest('name one file');
  return path;
}

function summary({ tables, files, migration, version }: Contents): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const filled = tables.filter((table) => table.rows > 0);
  return `${[`schema ${migration}, written by version ${version}`, ...filled.map((table) => `${table.name} ${table.rows}`), `tables ${tables.length}, rows ${rows}, files ${files.length}`].join('\n')}\n`;
}
