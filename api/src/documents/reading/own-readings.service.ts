import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { ReadingUpload } from '@nivida/contract/documents/own-readings';
import { readableFormat } from '@nivida/contract/documents/readable-format';
import { type OwnReading, type TenderReading, tenderReadingOf } from '@nivida/contract/documents/tender-reading';
import { FILE_PART_BYTES, MAX_KEPT_READINGS, MAX_READING_BYTES } from '@nivida/contract/limits';
import { HOUR_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, In, IsNull, LessThanOrEqual, Not } from 'typeorm';
import { AppError, forPrograms, serverBusy, tenderNotFound } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { removeLeftFolders } from '../../base/temporary-folders.ts';
import { lockAccount, lockPublishedTenders } from '../../database/locks.sql.ts';
import { RateLimitsService } from '../../http/limits/rate-limits.service.ts';
import type { Job } from '../../jobs/job.ts';
import { readDocument } from '../../reading/document-reader.ts';
import { type FileStore, openFileStore } from '../../storage/file-store.ts';
import { safeFileName } from '../packages/file-names.ts';
import { joinParts } from './join-parts.ts';
import { OwnReadingEntity, type StoredReading } from './own-reading.entity.ts';
import { storableReading } from './reading-store.service.ts';

/** How long a reading is stored that its user does not keep, and an unfinished upload. */
const STORED_MS = HOUR_MS;
const MAX_PARTS = Math.ceil(MAX_READING_BYTES / FILE_PART_BYTES);
/** Maximum bytes of an account's files that are not read yet. */
const MAX_WAITING_BYTES = 2 * MAX_READING_BYTES;
/** Each reader is a process with up to 700 MB. */
const MAX_READERS = 2;
const BUSY_SECONDS = 5;
const MAX_NAME_CHARACTERS = 120;

/** A part of a file; `part` counts from 0. */
export interface ReadingPart {
  sha256: string;
  part: number;
  parts: number;
  name: string;
}

/** Documents that users share into the app. The caller takes the user's id from the session. */
@Injectable()
export class OwnReadingsService {
  readonly store: FileStore;
  /** Files that this process reads now, by id of their row. */
  private readonly running = new Map<string, Promise<OwnReading>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) config: Pick<Config, 'files' | 'dataDir'>,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    this.store = openFileStore(config);
  }

  /** Stores a part of a file, and reads the file after its last one. The errors are those of the contract. */
  async put(userId: string, place: ReadingPart, content: Buffer): Promise<ReadingUpload> {
    const { part, parts } = place;
    if (parts > MAX_PARTS) throw tooLarge();
    if (part >= parts || content.length === 0 || content.length > FILE_PART_BYTES)
      throw new AppError('INVALID', forPrograms('A file has parts of 250 KB'));
    if (part < parts - 1 && content.length < FILE_PART_BYTES)
      throw new AppError('INVALID', forPrograms('Only the last part is smaller'));
    const row = await this.dataSource.transaction((manager) => this.storePart(manager, userId, place, content));
    if (!row) return { stored: 0, reading: null };
    if (row.reading) return { stored: row.parts, reading: toOwnReading(row, row.reading) };
    const stored = row.fileKeys.length;
    return { stored, reading: stored === row.parts ? await this.read(row) : null };
  }

  /** The row of the file afterwards; undefined when nothing of it is stored. */
  private async storePart(
    manager: EntityManager,
    userId: string,
    { sha256, part, parts, name }: ReadingPart,
    content: Buffer,
  ): Promise<OwnReadingEntity | undefined> {
    // Serialises the uploads of a user, so that their sum stays within the limit.
    await lockAccount(manager, userId);
    const rows = manager.getRepository(OwnReadingEntity);
    const now = this.now();
    let row = await rows.findOneBy({ userId, sha256 });
    if (row && (isExpired(row, now) || (!row.reading && row.parts !== parts))) {
      await this.delete(manager, row);
      row = null;
    }
    if (row?.reading || part !== (row?.fileKeys.length ?? 0)) return row ?? undefined;
    if (part === 0 && !readableFormat(content)) throw notReadable();
    const waiting = (await rows.sum('bytes', { userId, reading: IsNull() })) ?? 0;
    if (waiting + content.length > MAX_WAITING_BYTES) throw tooMuchWaits();
    const { key } = await this.store.put(Readable.from([content]));
    const next: OwnReadingEntity = {
      ...{ id: row?.id ?? randomUUID(), userId, sha256, name: shortName(name), parts, reading: null, tenderId: null },
      bytes: (row?.bytes ?? 0) + content.length,
      fileKeys: [...(row?.fileKeys ?? []), key],
      createdAt: row?.createdAt ?? now,
      expiresAt: new Date(now.getTime() + STORED_MS),
    };
    try {
      return await rows.save(next);
    } catch (error) {
      await this.store.remove(key);
      throw error;
    }
  }

  /** Reads a file whose parts are stored, once at a time. The parts stay when it is refused or fails. */
  private async read(row: OwnReadingEntity): Promise<OwnReading> {
    const running = this.running.get(row.id);
    if (running) return running;
    if (this.running.size >= MAX_READERS) throw serverBusy(BUSY_SECONDS);
    const reading = this.limits
      .consume('own-reading', { account: row.userId })
      .then(() => this.readParts(row))
      .finally(() => this.running.delete(row.id));
    this.running.set(row.id, reading);
    return reading;
  }

  /** Another server may read the same file: the reading that is stored first is the answer of both. */
  private async readParts(row: OwnReadingEntity): Promise<OwnReading> {
    try {
      await this.storeReading(row, await this.readFile(row));
    } catch (error) {
      const isRead = await this.dataSource
        .getRepository(OwnReadingEntity)
        .existsBy({ id: row.id, reading: Not(IsNull()) });
      if (!isRead) throw error;
    }
    return this.find(row.userId, row.id);
  }

  private async readFile(row: OwnReadingEntity): Promise<StoredReading> {
    const folder = await mkdtemp(join(tmpdir(), 'nivida-reading-'));
    try {
      const path = join(folder, 'file');
      const sha256 = await joinParts(this.store, row.fileKeys, path);
      if (sha256 !== row.sha256) {
        await this.delete(this.dataSource.manager, row);
        throw new AppError('CONFLICT', () => t`The file changed while it was sent. Send it again.`);
      }
      const { state, pages, unreadPages, facts, boq } = storableReading(await readDocument(path));
      return { state, pages, unreadPages, facts, boq };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async storeReading(row: OwnReadingEntity, reading: StoredReading): Promise<void> {
    const expiresAt = new Date(this.now().getTime() + STORED_MS);
    await this.dataSource
      .getRepository(OwnReadingEntity)
      .update({ id: row.id, reading: IsNull() }, { reading: reading as object, fileKeys: [], expiresAt });
    await this.removeFiles(row);
  }

  /** NOT_FOUND for one that is gone, of another user or not read yet. */
  async find(userId: string, id: string): Promise<OwnReading> {
    const row = await this.findRow(this.dataSource.manager, userId, id);
    return toOwnReading(row, row.reading);
  }

  /** All readings of a user that did not expire, oldest first. */
  list(userId: string): Promise<OwnReading[]> {
    return this.listOf({ userId });
  }

  /** What a user keeps with a tender, in the shape of the tender's own reading. */
  async ofTender(userId: string, tenderId: number): Promise<TenderReading> {
    return tenderReadingOf(await this.listOf({ userId, tenderId }));
  }

  private async listOf(where: { userId: string; tenderId?: number }): Promise<OwnReading[]> {
    const rows = await this.dataSource
      .getRepository(OwnReadingEntity)
      .find({ where: { ...where, reading: Not(IsNull()) }, order: { createdAt: 'ASC', id: 'ASC' } });
    const now = this.now();
    return rows.flatMap((row) => (row.reading && !isExpired(row, now) ? [toOwnReading(row, row.reading)] : []));
  }

  /** Keeps a reading with a tender, or not any more. CONFLICT when the account keeps too many. */
  async keep(userId: string, id: string, tenderId: string | null): Promise<OwnReading> {
    return this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, userId);
      const row = await this.findRow(manager, userId, id);
      const now = this.now();
      const [tender] = tenderId === null ? [null] : await lockPublishedTenders(manager, [Number(tenderId)], now);
      if (tender === undefined) throw tenderNotFound();
      const rows = manager.getRepository(OwnReadingEntity);
      const others = await rows.countBy({ userId, id: Not(id), tenderId: Not(IsNull()) });
      if (tender !== null && others >= MAX_KEPT_READINGS)
        throw new AppError(
          'CONFLICT',
          () => t`You can keep at most ${{ max: MAX_KEPT_READINGS }} of your own documents. Remove one first.`,
        );
      const expiresAt = tender === null ? new Date(now.getTime() + STORED_MS) : null;
      await rows.update({ id }, { tenderId: tender, expiresAt });
      return toOwnReading({ ...row, tenderId: tender, expiresAt }, row.reading);
    });
  }

  async remove(userId: string, id: string): Promise<void> {
    const row = await this.dataSource.getRepository(OwnReadingEntity).findOneBy({ userId, id });
    if (row) await this.delete(this.dataSource.manager, row);
  }

  /** Removes readings and uploads that have expired, with their files. Returns the number of rows. */
  async removeExpired(now: Date): Promise<number> {
    const rows = this.dataSource.getRepository(OwnReadingEntity);
    for (let removed = 0; ; ) {
      const expired = await rows.find({ where: { expiresAt: LessThanOrEqual(now) }, take: 100 });
      if (expired.length === 0) return removed;
      await rows.delete({ id: In(expired.map(({ id }) => id)), expiresAt: LessThanOrEqual(now) });
      for (const row of expired) await this.removeFiles(row);
      removed += expired.length;
    }
  }

  private async findRow(
    manager: EntityManager,
    userId: string,
    id: string,
  ): Promise<OwnReadingEntity & { reading: StoredReading }> {
    const row = await manager.getRepository(OwnReadingEntity).findOneBy({ userId, id });
    const { reading } = row ?? {};
    if (!row || !reading || isExpired(row, this.now()))
      throw new AppError('NOT_FOUND', () => t`This document is not here any more. Share it again.`);
    return { ...row, reading };
  }

  private async delete(manager: EntityManager, row: OwnReadingEntity): Promise<void> {
    await manager.delete(OwnReadingEntity, { id: row.id });
    await this.removeFiles(row);
  }

  private async removeFiles({ fileKeys }: OwnReadingEntity): Promise<void> {
    for (const key of fileKeys) await this.store.remove(key);
  }
}

export const ownReadingsCleanupJob: Job = {
  name: 'own-readings-cleanup',
  cron: '*/10 * * * *',
  run: async ({ find, now }) => {
    await removeLeftFolders(now);
    return (await find(OwnReadingsService)).removeExpired(now);
  },
};

const isExpired = ({ expiresAt }: OwnReadingEntity, now: Date): boolean => expiresAt !== null && expiresAt <= now;

const shortName = (name: string): string => [...safeFileName(name)].slice(0, MAX_NAME_CHARACTERS).join('');

const toOwnReading = (
  { id, name, sha256, tenderId, expiresAt }: OwnReadingEntity,
  reading: StoredReading,
): OwnReading => ({
  ...{ id, name, sha256, ...reading },
  tenderId: tenderId === null ? null : String(tenderId),
  expiresAt: expiresAt?.toISOString() ?? null,
});

const tooLarge = () =>
  new AppError(
    'INVALID',
    () => t`A document may have ${{ size: MAX_READING_BYTES / 1_000_000 }} MB. Share only the part that you need.`,
    undefined,
    413,
  );

const notReadable = () =>
  new AppError(
    'INVALID',
    () => t`Only PDF files and workbooks of Excel can be read. Save the document as one of them and share it again.`,
    undefined,
    415,
  );

const tooMuchWaits = () =>
  new AppError(
    'INVALID',
    () => t`Too many of your documents are still being sent. Wait until they are read, or try again in an hour.`,
    undefined,
    413,
  );
