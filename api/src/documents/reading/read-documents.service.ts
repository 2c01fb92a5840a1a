import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type FileKind, fileKindFromName } from '@nivida/contract/orders/document-package';
import { DAY_MS, MINUTE_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { CLOCK } from '../../base/injection-tokens.ts';
import { ProgramFailedError } from '../../base/limited-program.ts';
import { READER_VERSION, READING_LIMITS, readDocument } from '../../reading/document-reader.ts';
import type { DocumentReading } from '../../reading/document-reading.ts';
import { openZipArchive, type ZipArchive } from '../files/file-scan.ts';
import { safeFileName, splitFileName, UniqueFileNames } from '../packages/file-names.ts';
import { PackagesService } from '../packages/packages.service.ts';
import { LEASE_UNREAD_FILE, TAKE_TRY_BACK } from './reading.sql.ts';
import { ReadingNoticesService } from './reading-notices.service.ts';
import { type FileToRead, ReadingStoreService, type ReadMember } from './reading-store.service.ts';

/** A worker that stops waits for its run, so a run is short. */
const MAX_FILES_OF_RUN = 3;
/** Longer than the reading of an archive. */
const LEASE_MS = 30 * MINUTE_MS;
/** Of a file whose reading was interrupted `MAX_TRIES` times. */
const LONG_LEASE_MS = DAY_MS;
const MAX_TRIES = 3;
const MAX_ARCHIVE_MEMBERS = 20;
const READABLE = ['.pdf', '.xls', '.xlsx', '.xlsm'];

interface LeasedFile extends FileToRead {
  name: string;
  kind: FileKind;
  fileKey: string;
  tries: number;
}

/** Reads the official files of packages, one after another. */
@Injectable()
export class ReadDocumentsService {
  private readonly logger = new Logger('Documents');

  constructor(
    private readonly dataSource: DataSource,
    private readonly packages: PackagesService,
    private readonly readings: ReadingStoreService,
    private readonly notices: ReadingNoticesService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Reads files that this version of the reader has not read. Returns their number. Rejects with a `ProgramFailedError` when
   * the reader does not run; the file is tried again later.
   */
  async run(maxFiles = MAX_FILES_OF_RUN): Promise<number> {
    for (let read = 0; read < maxFiles; read += 1) {
      const file = await this.lease();
      if (!file) return read;
      await this.readAndStore(file);
    }
    return maxFiles;
  }

  /** Another worker takes the file after the lease if this process dies. */
  private async lease(): Promise<LeasedFile | undefined> {
    const now = this.now();
    const [[file]]: [LeasedFile[]] = await this.dataSource.query(LEASE_UNREAD_FILE, [
      now,
      new Date(now.getTime() + LEASE_MS),
      READER_VERSION,
      new Date(now.getTime() + LONG_LEASE_MS),
      MAX_TRIES,
    ]);
    return file;
  }

  private async readAndStore(file: LeasedFile): Promise<void> {
    try {
      const members = await this.readMembers(file);
      await this.readings.store(file, members, READER_VERSION, this.now(), (manager) =>
        this.notices.notify(file, manager),
      );
    } catch (error) {
      if (error instanceof ProgramFailedError) {
        await this.dataSource.query(TAKE_TRY_BACK, [file.id]);
        throw error;
      }
      this.logger.warn(`The file ${file.id} of tender ${file.tenderId} was not read: ${(error as Error).message}`);
      // The store may answer later. A file that fails each time must not be tried for ever.
      if (file.tries >= MAX_TRIES)
        await this.readings.store(file, [wholeFile(file, 'broken')], READER_VERSION, this.now());
    }
  }

  private async readMembers(file: LeasedFile): Promise<ReadMember[]> {
    const local = await this.packages.store.openLocal(file.fileKey);
    try {
      if (splitFileName(file.name).extension.toLowerCase() === '.zip') return await this.readArchive(file, local.path);
      return [{ ...wholeFile(file, 'other'), reading: await this.readOnce(file.sha256, local.path) }];
    } finally {
      await local.release();
    }
  }

  /** Reads the documents of an archive. Those beyond the limit have the state 'too-large', other files are left out. */
  private async readArchive(file: LeasedFile, path: string): Promise<ReadMember[]> {
    const archive = await openZipArchive(path);
    const folder = await mkdtemp(join(tmpdir(), 'nivida-read-'));
    try {
      const readable = archive.files.filter(({ name }) =>
        READABLE.includes(splitFileName(name).extension.toLowerCase()),
      );
      if (readable.length === 0) return [wholeFile(file, 'other')];
      const members: ReadMember[] = [];
      const names = new UniqueFileNames();
      for (const [index, inner] of readable.entries()) {
        const safe = safeFileName(inner.name);
        const name = names.reserve(`${file.name}/`, safe);
        // The kind of an archive is that of its only document.
        const kind = readable.length === 1 && file.kind !== 'other' ? file.kind : fileKindFromName(safe);
        const copy = join(folder, String(index));
        const sha256 = index < MAX_ARCHIVE_MEMBERS ? await unpack(inner, copy) : null;
        const reading = sha256 === null ? unread('too-large') : await this.readOnce(sha256, copy);
        members.push({ name, kind, sha256: sha256 ?? file.sha256, reading });
        await rm(copy, { force: true });
      }
      return members;
    } finally {
      archive.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** The same content is read once, at however many tenders it is. */
  private async readOnce(sha256: string, path: string): Promise<DocumentReading> {
    return (await this.readings.findKnown(sha256, READER_VERSION)) ?? (await readDocument(path));
  }
}

/** Copies a member to `path` and returns its digest; null for one that is too large to be read. */
async function unpack(member: ZipArchive['files'][number], path: string): Promise<string | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      // The rest of the stream must be read, but not stored.
      if (bytes <= READING_LIMITS.fileBytes) done(null, chunk);
      else done();
    },
  });
  await pipeline(await member.read(), measure, createWriteStream(path));
  return bytes <= READING_LIMITS.fileBytes ? hash.digest('hex') : null;
}

const unread = (state: DocumentReading['state']): DocumentReading => ({
  ...{ state, pages: null, unreadPages: [], facts: [], boq: null, texts: [] },
});

const wholeFile = ({ name, kind, sha256 }: LeasedFile, state: DocumentReading['state']): ReadMember => ({
  ...{ name, kind, sha256, reading: unread(state) },
});
