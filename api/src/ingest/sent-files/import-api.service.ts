import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type ImportQuery, MAX_SENT_BYTES, type SentFile } from '@nivida/contract/ingest/sent-files';
import { DataSource } from 'typeorm';
import { recordAct } from '../../audit/record-act.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { FileTooLargeError, type StoredFile } from '../../storage/file-store.ts';
import type { ImportKeyEntity } from './import-key.entity.ts';
import type { SentFileEntity } from './sent-file.entity.ts';
import { SentFilesService, toSentFile } from './sent-files.service.ts';

/** How long a sender waits for the result of a small file. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 200;

/** Files that programs and the bookmarklet send with a key. */
@Injectable()
export class ImportApiService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly files: SentFilesService,
  ) {}

  /**
   * Stores the bytes, gives them to a worker, and waits a few seconds for its result. The same file as the portal's last one
   * is not read again. INVALID for an empty or too large file, FORBIDDEN for a portal or format that is not the key's.
   */
  async send(key: ImportKeyEntity, query: ImportQuery, body: Readable, requestId: string): Promise<SentFile> {
    const portal = query.portal ?? key.portal;
    const isDryRun = query.dryRun === 'true';
    if (key.portal !== null && portal !== key.portal)
      throw new AppError('FORBIDDEN', forPrograms(`This key sends files of the portal ${key.portal} only`));
    if (key.listsOnly && query.format !== 'gepnic-list')
      throw new AppError('FORBIDDEN', forPrograms('This key sends lists only: format=gepnic-list'));
    const stored = await this.store(body);
    const last = await this.files.findLast(portal);
    if (!isDryRun && last?.sha256 === stored.sha256 && last.format === query.format) {
      await this.files.store.remove(stored.key);
      return { ...(await this.result(last.id)), isRepeated: true };
    }
    const options = { portal, state: query.state ?? null, format: query.format, isDryRun, accepts: [] };
    const { id } = await this.files.stage(query.name ?? 'file', { keyId: key.id, actorId: null }, stored);
    await this.dataSource.transaction(async (manager) => {
      await this.files.request(manager, id, options);
      const act = { actorId: null, reason: `Sent with the key ${key.name}`, requestId };
      const detail = { portal: portal ?? 'named by the file', key: key.id, bytes: stored.bytes, isDryRun };
      await recordAct(manager, act, { action: 'import.sent', subject: id, detail }, this.files.now());
    });
    return this.result(id);
  }

  /** The state of a file that this key has sent. NOT_FOUND for any other. */
  async read(key: ImportKeyEntity, id: string): Promise<SentFile> {
    return toSentFile(await this.findOwn(key, id));
  }

  /** The report of rejected rows as CSV. NOT_FOUND without one, and after a day. */
  async rejects(key: ImportKeyEntity, id: string): Promise<Readable> {
    return this.files.readRejects(await this.findOwn(key, id));
  }

  private async findOwn(key: ImportKeyEntity, id: string): Promise<SentFileEntity> {
    const file = await this.files.find(id);
    if (file.keyId !== key.id) throw new AppError('NOT_FOUND', forPrograms('There is no such file'));
    return file;
  }

  private async store(body: Readable): Promise<StoredFile> {
    const stored = await this.files.store.put(body, MAX_SENT_BYTES).catch((error: Error) => {
      if (!(error instanceof FileTooLargeError)) throw error;
      const limit = `The file is larger than ${MAX_SENT_BYTES / 1_000_000} MB; send it as gzip`;
      throw new AppError('INVALID', forPrograms(limit), undefined, 413);
    });
    if (stored.bytes > 0) return stored;
    await this.files.store.remove(stored.key);
    throw new AppError('INVALID', forPrograms('The body is empty; it is the file'));
  }

  /** The file when its import has ended, else its state after a few seconds. */
  private async result(id: string): Promise<SentFile> {
    const until = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const file = await this.files.find(id);
      if (file.endedAt || performance.now() >= until) return toSentFile(file);
      await wait(POLL_MS);
    }
  }
}
