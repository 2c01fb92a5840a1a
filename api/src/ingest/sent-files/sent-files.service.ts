import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { t } from '@lingui/core/macro';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { ColumnMapping } from '@nivida/contract/desk/mapping';
import type { Acceptance, RejectedRow, SentFile } from '@nivida/contract/ingest/sent-files';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import { type Config, InvalidOptionsError } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import type { Job } from '../../jobs/job.ts';
import { JobSenderService } from '../../jobs/job-sender.service.ts';
import { type FileStore, FileTooLargeError, openFileStore, type StoredFile } from '../../storage/file-store.ts';
import { importFile } from '../import.ts';
import type { ImportRequest } from '../import-request.ts';
import { previewTender } from '../mapping/preview-tender.ts';
import { RejectionReasons } from '../mapping/rejection-reasons.ts';
import type { PincodeTable } from '../places/places.ts';
import { readPincodes } from '../places/rederive-places.job.ts';
import { PORTAL_BUSY_SECONDS, withPortalLock } from '../portal-lock.ts';
import { HeldBackFileError, UnreadableFileError } from '../source-tender.ts';
import { SentFileEntity } from './sent-file.entity.ts';
import { ADD_FILE_PART, BEGIN_SENT_FILE, FORGET_SENT_FILE, LAST_OF_PORTAL, OLD_SENT_FILES } from './sent-files.sql.ts';

const QUEUE = 'import-files';
const MAX_SHOWN_REJECTS = 20;
const MAX_SHOWN_TENDERS = 10;
const MAX_SHOWN_NOTES = 20;
const PROGRESS_EVERY_MS = 1_000;

/** A job of the queue. */
export interface FileImport {
  id: string;
}

/** How a file is read. */
export interface SentFileOptions {
  portal: string | null;
  /** Name, slug or alias. */
  state: string | null;
  format: string;
  isDryRun: boolean;
  accepts: Acceptance[];
  /** Columns of a dry run that are not saved. */
  mapping?: ColumnMapping | null;
}

/** What an import shows of its file. */
interface FoundInFile {
  rejects: RejectedRow[];
  tenders: TenderSummary[];
  reasons: RejectionReasons;
  notes: string[];
}

/** Who sent a file: a key or a member of staff. */
export interface FileSender {
  keyId: string | null;
  actorId: string | null;
}

/** Files that were sent for import. Workers import them, one at a time for each portal; the bytes are in the file store. */
@Injectable()
export class SentFilesService {
  private readonly logger = new Logger('Import');
  readonly store: FileStore;

  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobSenderService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) readonly now: () => Date,
  ) {
    this.store = openFileStore(config);
  }

  /** A row for a file whose bytes are stored, or will be. It waits for `request`. */
  async stage(name: string, sender: FileSender, stored?: StoredFile): Promise<SentFileEntity> {
    const row: SentFileEntity = {
      id: randomUUID(),
      name: safeName(name),
      fileKeys: stored ? [stored.key] : [],
      bytes: String(stored?.bytes ?? 0),
      sha256: stored?.sha256 ?? null,
      ...sender,
      portal: null,
      state: null,
      format: 'auto',
      status: 'staged',
      isDryRun: false,
      accepts: [],
      readRows: null,
      allRows: null,
      counts: null,
      problem: null,
      rejects: null,
      rejectsKey: null,
      tenders: null,
      mapping: null,
      rejections: null,
      notes: null,
      sentAt: this.now(),
      endedAt: null,
    };
    await this.dataSource.getRepository(SentFileEntity).insert(row);
    return row;
  }

  /**
   * Adds the part at a position, from 0, to a staged file. A part that is here already is not added again. CONFLICT for a part
   * whose predecessors are missing, or of a file that is used already. Returns the number of parts.
   */
  async addPart(id: string, position: number, part: Readable, maxBytes: number, maxFileBytes: number): Promise<number> {
    const stored = await this.store.put(part, maxBytes).catch((error: Error) => {
      if (!(error instanceof FileTooLargeError)) throw error;
      throw new AppError('INVALID', () => t`This part of the file is too large`, undefined, 413);
    });
    if (stored.bytes === 0) {
      await this.store.remove(stored.key);
      throw new AppError('INVALID', () => t`This part of the file is empty. Send it again.`);
    }
    const added: { parts: number }[][] = await this.dataSource.query(ADD_FILE_PART, [
      id,
      position,
      stored.key,
      stored.bytes,
      maxFileBytes,
    ]);
    const [row] = added[0] ?? [];
    if (row) return row.parts;
    await this.store.remove(stored.key);
    const { fileKeys, status, bytes } = await this.find(id);
    if (status === 'staged' && position < fileKeys.length) return fileKeys.length;
    if (Number(bytes) + stored.bytes > maxFileBytes)
      throw new AppError(
        'INVALID',
        () => t`The file is too large: at most ${{ limit: maxFileBytes / 1_000_000 }} MB`,
        undefined,
        413,
      );
    throw new AppError('CONFLICT', () => t`The file did not arrive completely. Send it again.`);
  }

  /** Gives a staged or ended file to the workers. CONFLICT while it waits or runs, and when its bytes are gone. */
  async request(manager: EntityManager, id: string, options: SentFileOptions): Promise<void> {
    const where = { id };
    const file = await manager.getRepository(SentFileEntity).findOne({ where, lock: { mode: 'pessimistic_write' } });
    if (!file) throw noSuchFile();
    if (file.status === 'waiting' || file.status === 'running')
      throw new AppError('CONFLICT', () => t`This file is being read already`);
    if (file.status === 'done' && !file.isDryRun)
      throw new AppError('CONFLICT', () => t`This file is imported already`);
    if (file.fileKeys.length === 0)
      throw new AppError('CONFLICT', () => t`This file was removed after a day. Send it again.`);
    const outcome = { counts: null, problem: null, rejects: null, rejections: null, notes: null, tenders: null };
    const result = { ...outcome, readRows: null, allRows: null };
    await manager
      .getRepository(SentFileEntity)
      .update({ id }, { mapping: null, ...options, ...result, status: 'waiting', endedAt: null });
    await this.jobs.send(manager, QUEUE, { id } satisfies FileImport);
  }

  /** The last file of the portal that was or will be stored; undefined without one. */
  async findLast(portal: string | null): Promise<SentFileEntity | undefined> {
    const [row]: { id: string }[] = await this.dataSource.query(LAST_OF_PORTAL, [portal]);
    return row && this.find(row.id);
  }

  /** NOT_FOUND for an unknown file. */
  async find(id: string, manager: EntityManager = this.dataSource.manager): Promise<SentFileEntity> {
    const file = await manager.getRepository(SentFileEntity).findOneBy({ id });
    if (!file) throw noSuchFile();
    return file;
  }

  /** Runs one job of the queue. A file that cannot be imported is no error: its row says why. */
  async run({ id }: FileImport): Promise<void> {
    const [begun]: unknown[][] = await this.dataSource.query(BEGIN_SENT_FILE, [id]);
    if (begun?.length === 0) return;
    const file = await this.find(id);
    const isDone = await withPortalLock(this.dataSource, file.portal ?? '', async () => {
      await this.importOne(file);
      return true;
    });
    if (isDone) return;
    await this.dataSource.transaction(async (manager) => {
      await manager.getRepository(SentFileEntity).update({ id }, { status: 'waiting' });
      await this.jobs.send(manager, QUEUE, { id } satisfies FileImport, { startAfter: PORTAL_BUSY_SECONDS });
    });
  }

  private async importOne(file: SentFileEntity): Promise<void> {
    const files = this.dataSource.getRepository(SentFileEntity);
    const folder = await mkdtemp(join(tmpdir(), 'nivida-sent-'));
    const found: FoundInFile = { rejects: [], tenders: [], reasons: new RejectionReasons(), notes: [] };
    const result: Partial<SentFileEntity> = { status: 'done' };
    const path = join(folder, file.name);
    const rejects = join(folder, 'rejects.csv');
    try {
      await pipeline(this.read(file), createWriteStream(path, { mode: 0o600 }));
      result.counts = await this.importPath(file, path, rejects, found);
      const { read, rejected } = result.counts;
      if (read > 0 && rejected === read)
        Object.assign(result, refusal('rejected', 'Every row was rejected, so nothing was stored'));
    } catch (error) {
      Object.assign(result, this.problemOf(file, error as Error));
    } finally {
      if (existsSync(rejects)) result.rejectsKey = (await this.store.put(createReadStream(rejects))).key;
      await rm(folder, { recursive: true, force: true });
    }
    // A file that was stored is not needed again; the operator may accept or map another one.
    const isStored = result.status === 'done' && !file.isDryRun;
    if (isStored) result.fileKeys = [];
    const { rejects: rejected, tenders, reasons, notes } = found;
    const lists = { rejects: rejected, tenders, rejections: reasons.list(), notes: notes.slice(0, MAX_SHOWN_NOTES) };
    await files.update({ id: file.id }, { ...result, ...lists, endedAt: this.now() });
    this.logger.log(`${file.name}: ${result.status}`);
    const unused = [...(file.rejectsKey ? [file.rejectsKey] : []), ...(isStored ? file.fileKeys : [])];
    for (const key of unused) await this.store.remove(key);
  }

  private async importPath(
    { id, keyId, portal, state, format, isDryRun, accepts, mapping }: SentFileEntity,
    path: string,
    rejects: string,
    found: FoundInFile,
  ) {
    const files = this.dataSource.getRepository(SentFileEntity);
    const now = this.now();
    const pincodes: PincodeTable = isDryRun ? await readPincodes(this.dataSource) : new Map();
    let savedAt = performance.now();
    const request: ImportRequest = {
      file: path,
      format: format as ImportRequest['format'],
      portal: portal ?? undefined,
      state: state ?? undefined,
      rebase: undefined,
      dryRun: isDryRun,
      rejects,
      acceptMassChange: accepts.includes('mass-change'),
      acceptState: accepts.includes('state'),
      tendersOnly: keyId !== null,
      ...(mapping && { columns: mapping }),
    };
    return importFile(request, {
      dataSource: this.dataSource,
      dataDir: this.config.dataDir,
      withAwardNames: this.config.awardNames,
      now,
      // A folder of this machine says nothing to the reader.
      log: (line) => line.includes(dirname(rejects)) || found.notes.push(line),
      onReject: (rejection) => {
        found.reasons.add(rejection);
        if (found.rejects.length < MAX_SHOWN_REJECTS) found.rejects.push(rejection);
      },
      onTender: (tender) => {
        if (isDryRun && found.tenders.length < MAX_SHOWN_TENDERS)
          found.tenders.push(previewTender(tender, pincodes, now));
      },
      onProgress: (readRows, allRows) => {
        const at = performance.now();
        if (at - savedAt < PROGRESS_EVERY_MS) return;
        savedAt = at;
        // Not awaited: the import does not wait for its progress. A later write has the result.
        files.update({ id, status: 'running' }, { readRows, allRows }).catch(() => {});
      },
    });
  }

  private problemOf(file: SentFileEntity, error: Error): Pick<SentFileEntity, 'status' | 'problem'> {
    if (error instanceof HeldBackFileError) return refusal(error.decision, error.message);
    if (error instanceof UnreadableFileError) return refusal('file', error.message);
    if (error instanceof InvalidOptionsError) return refusal('options', error.message);
    this.logger.error(error);
    return refusal('failed', `The import of ${file.name} failed; the log of the worker has the reason`);
  }

  /** The bytes of a file. */
  read({ fileKeys }: Pick<SentFileEntity, 'fileKeys'>): Readable {
    const { store } = this;
    return Readable.from(
      (async function* parts() {
        for (const key of fileKeys) yield* await store.read(key);
      })(),
      { objectMode: false },
    );
  }

  /** The report of rejected rows as CSV. NOT_FOUND without one, and after a day. */
  readRejects({ rejectsKey }: Pick<SentFileEntity, 'rejectsKey'>): Promise<Readable> {
    if (rejectsKey === null) throw new AppError('NOT_FOUND', () => t`There is no report of rejected rows`);
    return this.store.read(rejectsKey);
  }

  /** Removes the bytes of files that were sent a day ago. Returns their number. */
  async removeOld(now: Date): Promise<number> {
    const old: { id: string; fileKeys: string[]; rejectsKey: string | null }[] = await this.dataSource.query(
      OLD_SENT_FILES,
      [now],
    );
    for (const { id, fileKeys, rejectsKey } of old) {
      for (const key of rejectsKey === null ? fileKeys : [...fileKeys, rejectsKey]) await this.store.remove(key);
      await this.dataSource.query(FORGET_SENT_FILE, [id]);
    }
    return old.length;
  }
}

const refusal = (code: NonNullable<SentFile['problem']>['code'], text: string) =>
  ({ status: 'refused', problem: { code, text } }) as const;

/** A file name that is safe in a folder and on a page. */
const safeName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}/\\]/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
    .slice(-100) || 'file';

/** A file as its sender and the desk see it. */
export const toSentFile = (file: SentFileEntity): SentFile => ({
  id: file.id,
  name: file.name,
  portal: file.portal,
  state: file.state,
  format: file.format,
  status: file.status,
  isDryRun: file.isDryRun,
  progress: file.readRows === null || file.allRows === null ? null : { read: file.readRows, all: file.allRows },
  counts: file.counts,
  problem: file.problem,
  rejects: file.rejects ?? [],
  sentAt: file.sentAt.toISOString(),
  endedAt: file.endedAt?.toISOString() ?? null,
});

export const sentFilesCleanupJob: Job = {
  name: 'sent-files-cleanup',
  cron: '33 * * * *',
  run: async ({ find, now }) => (await find(SentFilesService)).removeOld(now),
};

const noSuchFile = () => new AppError('NOT_FOUND', () => t`There is no such file`);
