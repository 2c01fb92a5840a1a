/** Writes a backup: a snapshot of the database and the stored files it refers to. */
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { ZipFile } from 'yazl';
import {
  BACKUP_FORMAT,
  BackupArchive,
  type BackupManifest,
  fileEntryName,
  HashingStream,
  MANIFEST_ENTRY,
  RowHashingStream,
  SECRETS_ENTRY,
  tableEntryName,
} from './archive.ts';
import {
  copyTableOut,
  FILE_KEYS,
  lastMigrationName,
  readSequences,
  readTables,
  setSessionFormat,
} from './backup.sql.ts';

/** The stored files by key: packages, official files, the users' document files and attachments of messages. */
export interface StoredFiles {
  has(key: string): Promise<boolean>;
  read(key: string): Promise<Readable>;
  write(key: string, source: Readable): Promise<void>;
  remove(key: string): Promise<void>;
}

export interface BackupSource {
  client: Client;
  files: StoredFiles;
  /** Undefined: the backup contains no secrets. */
  secretsFile: string | undefined;
  version: string;
  now: Date;
  log(line: string): void;
}

/** The database is empty: no server has started on it yet. */
export class EmptyDatabaseError extends Error {
  override name = 'EmptyDatabaseError';
}

/** Writes `path`, which exists only when it is complete. Nothing is locked; the app may run. */
export async function writeBackup(path: string, source: BackupSource): Promise<BackupManifest> {
  const { client } = source;
  await setSessionFormat(client);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const aside = `${path}.part`;
  // If the file cannot be written, the entry that is being read is aborted. It would hold the connection.
  const reading = new AbortController();
  try {
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    zip.on('error', (error: Error) => output.destroy(error));
    // The pipeline reports errors, including those from before it begins.
    output.on('error', () => {});
    const contents = await addEntries(zip, source, reading.signal);
    // The backup contains personal data.
    await pipeline(output, createWriteStream(aside, { mode: 0o600 }));
    const file = await open(aside, 'r+');
    await file.sync().finally(() => file.close());
    // Verifies that the backup can be read.
    (await BackupArchive.open(aside)).close();
    await rename(aside, path);
    return contents;
  } catch (error) {
    reading.abort();
    await rm(aside, { force: true }).catch(() => {});
    throw error;
  } finally {
    await client.query('ROLLBACK').catch(() => {});
  }
}

/** Queues the entries; each is read after the previous ones are written. */
async function addEntries(
  zip: ZipFile,
  { client, files, secretsFile, version, now, log }: BackupSource,
  signal: AbortSignal,
): Promise<BackupManifest> {
  const migration = await lastMigrationName(client);
  if (migration === undefined)
    throw new EmptyDatabaseError('There is nothing to back up yet: the database has no tables. Start the server first');
  const contents: BackupManifest = {
    format: BACKUP_FORMAT,
    madeAt: now.toISOString(),
    version,
    migration,
    tables: [],
    sequences: [],
    files: [],
    secrets: null,
  };
  const add = <M extends HashingStream>(
    name: string,
    compress: boolean,
    read: () => Readable | Promise<Readable>,
    measured: M,
    note: (measured: M) => void,
  ) =>
    zip.addReadStreamLazy(name, { compress, mode: 0o100600, forceZip64Format: true }, (give) => {
      finished(measured).then(
        () => note(measured),
        // The ZIP library does not notice an error of its source.
        (error: Error) => zip.emit('error', error),
      );
      if (signal.aborted) return give(signal.reason, measured);
      Promise.resolve(read()).then(
        (bytes) => {
          bytes.on('error', (error) => measured.destroy(error));
          give(null, addAbortSignal(signal, bytes).pipe(measured));
        },
        (error) => give(error, measured),
      );
    });
  const tables = await readTables(client);
  // Once an entry is added, the connection is busy until the archive is written.
  const { rows } = await client.query<{ key: string }>(FILE_KEYS);
  for (const table of tables)
    add(
      tableEntryName(table.name),
      true,
      () => copyTableOut(client, table),
      new RowHashingStream(),
      (measured) => {
        const { rows, bytes } = measured;
        contents.tables.push({
          ...table,
          rows,
          rowsSha256: measured.rowsDigest(),
          bytes,
          sha256: measured.hexDigest(),
        });
      },
    );
  for (const { key } of rows) {
    if (await files.has(key))
      add(
        fileEntryName(key),
        false,
        () => files.read(key),
        new HashingStream(),
        (measured) => contents.files.push({ key, bytes: measured.bytes, sha256: measured.hexDigest() }),
      );
    else log(`The file ${key} is missing and not in the backup`);
  }
  if (secretsFile !== undefined)
    add(
      SECRETS_ENTRY,
      true,
      () => createReadStream(secretsFile),
      new HashingStream(),
      (measured) => {
        contents.secrets = { bytes: measured.bytes, sha256: measured.hexDigest() };
      },
    );
  // Sequences are read last. A number that is too high is harmless; one that is too low would be assigned twice.
  add(
    MANIFEST_ENTRY,
    true,
    () =>
      Readable.from(
        (async function* () {
          contents.sequences = await readSequences(client);
          yield Buffer.from(JSON.stringify(contents, null, 1));
        })(),
      ),
    new HashingStream(),
    () => {},
  );
  zip.end();
  return contents;
}
