/** The backup file: a ZIP with the rows of each table, the stored files, and a manifest with digests. */
import { createHash, type Hash, hash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import * as v from 'valibot';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** The file is not a backup, damaged, or of another format; nothing was changed. */
export class InvalidBackupError extends Error {
  override name = 'InvalidBackupError';
}

const DigestedEntry = { bytes: v.number(), sha256: v.string() };

/** Raise it with every change of the format that an older version cannot read. */
export const BACKUP_FORMAT = 1;

/** `manifest.json`, the last entry: a file that contains it is complete. */
export const BackupManifest = v.object({
  format: v.literal(BACKUP_FORMAT),
  madeAt: v.string(),
  /** Version of the program that wrote the backup. */
  version: v.string(),
  /** The schema of the database: its last migration. It is older than the program when the backup precedes an update. */
  migration: v.string(),
  tables: v.array(
    v.object({
      name: v.string(),
      columns: v.array(v.string()),
      rows: v.number(),
      /** Independent of the order of rows, which PostgreSQL does not guarantee. */
      rowsSha256: v.string(),
      ...DigestedEntry,
    }),
  ),
  sequences: v.array(v.object({ name: v.string(), lastValue: v.string(), isCalled: v.boolean() })),
  files: v.array(v.object({ key: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)), ...DigestedEntry })),
  secrets: v.nullable(v.object(DigestedEntry)),
});
export type BackupManifest = v.InferOutput<typeof BackupManifest>;

/** These fields are in every format. */
const ManifestHeader = v.object({ format: v.number(), version: v.string() });

const LINE_END = 10;
const DIGEST_MODULUS = 2n ** 256n;

export const MANIFEST_ENTRY = 'manifest.json';
export const SECRETS_ENTRY = 'secrets.json';
export const tableEntryName = (name: string): string => `tables/${name}.copy`;
export const fileEntryName = (key: string): string => `files/${key}`;

/** Counts and hashes the bytes that pass through. */
export class HashingStream extends Transform {
  bytes = 0;
  private readonly hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Hex; call it once, at the end of the stream. */
  hexDigest(): string {
    return this.hash.digest('hex');
  }
}

/** A HashingStream that counts and hashes the rows of a table too. Each line is a row. */
export class RowHashingStream extends HashingStream {
  rows = 0;
  private sum = 0n;
  private incompleteRow: Buffer[] = [];

  override _transform(chunk: Buffer, encoding: string, done: (error: null, chunk: Buffer) => void): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      this.add(Buffer.concat([...this.incompleteRow, chunk.subarray(from, end)]));
      this.incompleteRow = [];
      from = end + 1;
    }
    if (from < chunk.length) this.incompleteRow.push(chunk.subarray(from));
    super._transform(chunk, encoding, done);
  }

  /** Hex. It is the sum of the digests of all rows, so it does not depend on their order. */
  rowsDigest(): string {
    return this.sum.toString(16).padStart(64, '0');
  }

  private add(row: Buffer): void {
    this.rows += 1;
    this.sum = (this.sum + BigInt(`0x${hash('sha256', row, 'hex')}`)) % DIGEST_MODULUS;
  }
}

/** Reads a stream to its end to hash it. */
export async function hashStream<M extends HashingStream>(source: Readable, stream: M): Promise<M> {
  source.on('error', (error) => stream.destroy(error));
  source.pipe(stream).resume();
  await finished(stream);
  return stream;
}

/** A backup whose entries have the digests of its manifest; `close` releases the file. */
export class BackupArchive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: Map<string, Entry>,
    readonly manifest: BackupManifest,
  ) {}

  /** Opens a file and checks every entry against its digest. Throws InvalidBackupError. */
  static async open(path: string): Promise<BackupArchive> {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error) => {
      throw new InvalidBackupError(`${path} is no backup, or not a whole one (${(error as Error).message})`);
    });
    try {
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      const archive = new BackupArchive(zip, entries, await readManifest(zip, entries.get(MANIFEST_ENTRY)));
      await archive.check();
      return archive;
    } catch (error) {
      zip.close();
      throw error instanceof InvalidBackupError
        ? error
        : new InvalidBackupError(`${path} is damaged: ${(error as Error).message}`);
    }
  }

  async read(name: string): Promise<Readable> {
    const entry = this.entries.get(name);
    if (!entry) throw new InvalidBackupError(`The backup is damaged: it holds no ${name}`);
    return this.zip.openReadStreamPromise(entry);
  }

  close(): void {
    this.zip.close();
  }

  private async check(): Promise<void> {
    const { tables, files, secrets } = this.manifest;
    const expected = [
      ...tables.map((table) => ({ entry: tableEntryName(table.name), ...table })),
      ...files.map((file) => ({ entry: fileEntryName(file.key), ...file })),
      ...(secrets ? [{ entry: SECRETS_ENTRY, ...secrets }] : []),
    ];
    for (const { entry, bytes, sha256 } of expected) {
      const found = await hashStream(await this.read(entry), new HashingStream());
      if (found.bytes !== bytes || found.hexDigest() !== sha256)
        throw new InvalidBackupError(`The backup is damaged: ${entry} differs from what was written`);
    }
  }
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<BackupManifest> {
  if (!entry) throw new InvalidBackupError('The file is no backup: it holds no list of its contents');
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  const contents: unknown = JSON.parse(Buffer.concat(chunks).toString());
  const head = v.safeParse(ManifestHeader, contents);
  if (head.success && head.output.format !== BACKUP_FORMAT)
    throw new InvalidBackupError(
      `The backup has format ${head.output.format} and this program reads format ${BACKUP_FORMAT}: restore it with version ${head.output.version}, which wrote it`,
    );
  return v.parse(BackupManifest, contents);
}
