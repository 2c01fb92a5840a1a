/** The file of a backup: a zip with the rows of each table, the official files, and a list of all that with digests. */
import { createHash, type Hash, hash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import * as v from 'valibot';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** The file is none of ours, damaged, or of another version; nothing was changed. */
export class BadBackup extends Error {
  override name = 'BadBackup';
}

const digested = { bytes: v.number(), sha256: v.string() };

/** Rises with every change of the file that an older version cannot read. */
export const FORMAT = 2;

/** `manifest.json`, the last entry: whoever has it has the whole backup. */
export const Contents = v.object({
  format: v.literal(FORMAT),
  madeAt: v.string(),
  /** Of the program that wrote it. */
  version: v.string(),
  /** The schema of the database: its last migration. It is older than the program when the backup precedes an update. */
  migration: v.string(),
  tables: v.array(
    v.object({
      name: v.string(),
      columns: v.array(v.string()),
      rows: v.number(),
      /** Of the rows in whatever order: a database does not promise any. */
      rowsSha256: v.string(),
      ...digested,
    }),
  ),
  sequences: v.array(v.object({ name: v.string(), lastValue: v.string(), isCalled: v.boolean() })),
  files: v.array(v.object({ key: v.pipe(v.string(), v.regex(/^[\da-f]{32}$/)), ...digested })),
  secrets: v.nullable(v.object(digested)),
});
export type Contents = v.InferOutput<typeof Contents>;

/** The part of every format. */
const Head = v.object({ format: v.number(), version: v.string() });

const LINE_END = 10;
const DIGESTS = 2n ** 256n;

export const MANIFEST = 'manifest.json';
export const SECRETS = 'secrets.json';
export const tableEntry = (name: string): string => `tables/${name}.copy`;
export const fileEntry = (key: string): string => `files/${key}`;

/** Counts and digests what passes through. */
export class Measure extends Transform {
  bytes = 0;
  private readonly hash: Hash = createHash('sha256');

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length;
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** Hex; asked once, when all has passed. */
  digest(): string {
    return this.hash.digest('hex');
  }
}

/** The rows of a table too, each a line. */
export class RowMeasure extends Measure {
  rows = 0;
  private sum = 0n;
  private begun: Buffer[] = [];

  override _transform(chunk: Buffer, encoding: string, done: (error: null, chunk: Buffer) => void): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      this.add(Buffer.concat([...this.begun, chunk.subarray(from, end)]));
      this.begun = [];
      from = end + 1;
    }
    if (from < chunk.length) this.begun.push(chunk.subarray(from));
    super._transform(chunk, encoding, done);
  }

  /** Hex; the sum of the rows' own digests, so the same in every order. */
  rowsDigest(): string {
    return this.sum.toString(16).padStart(64, '0');
  }

  private add(row: Buffer): void {
    this.rows += 1;
    this.sum = (this.sum + BigInt(`0x${hash('sha256', row, 'hex')}`)) % DIGESTS;
  }
}

/** Reads all of a stream for its measures. */
export async function measure<M extends Measure>(source: Readable, measured: M): Promise<M> {
  source.on('error', (error) => measured.destroy(error));
  source.pipe(measured).resume();
  await finished(measured);
  return measured;
}

/** A backup that is read. */
export class Archive {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: Map<string, Entry>,
    readonly contents: Contents,
  ) {}

  /** Opens a file and checks every entry against its digest. Throws BadBackup. */
  static async open(path: string): Promise<Archive> {
    const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch((error) => {
      throw new BadBackup(`${path} is no backup, or not a whole one (${(error as Error).message})`);
    });
    try {
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      const archive = new Archive(zip, entries, await readContents(zip, entries.get(MANIFEST)));
      await archive.check();
      return archive;
    } catch (error) {
      zip.close();
      throw error instanceof BadBackup ? error : new BadBackup(`${path} is damaged: ${(error as Error).message}`);
    }
  }

  async read(name: string): Promise<Readable> {
    const entry = this.entries.get(name);
    if (!entry) throw new BadBackup(`The backup is damaged: it holds no ${name}`);
    return this.zip.openReadStreamPromise(entry);
  }

  close(): void {
    this.zip.close();
  }

  private async check(): Promise<void> {
    const { tables, files, secrets } = this.contents;
    const expected = [
      ...tables.map((table) => ({ entry: tableEntry(table.name), ...table })),
      ...files.map((file) => ({ entry: fileEntry(file.key), ...file })),
      ...(secrets ? [{ entry: SECRETS, ...secrets }] : []),
    ];
    for (const { entry, bytes, sha256 } of expected) {
      const found = await measure(await this.read(entry), new Measure());
      if (found.bytes !== bytes || found.digest() !== sha256)
        throw new BadBackup(`The backup is damaged: ${entry} is not what was written`);
    }
  }
}

async function readContents(zip: ZipFile, entry: Entry | undefined): Promise<Contents> {
  if (!entry) throw new BadBackup('The file is no backup: it holds no list of its contents');
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  const contents: unknown = JSON.parse(Buffer.concat(chunks).toString());
  const head = v.safeParse(Head, contents);
  if (head.success && head.output.format !== FORMAT)
    throw new BadBackup(
      `The backup has format ${head.output.format} and this program reads format ${FORMAT}: restore it with version ${head.output.version}, which wrote it`,
    );
  return v.parse(Contents, contents);
}
