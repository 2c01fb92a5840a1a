import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import type { FileBackup } from '@nivida/contract/bids/file-backup';
import { MAX_ALL_DOCUMENT_FILE_BYTES } from '@nivida/contract/limits';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../config.ts';
import { lockAccount } from '../database/locks.sql.ts';
import { AppError } from '../http/errors/app-error.ts';
import { CLOCK, CONFIG } from '../http/injection-tokens.ts';
import { type FileStore, openFileStore } from '../storage/file-store.ts';
import { BackupFileEntity, FileBackupEntity } from './file-backup.entity.ts';
import { DROP_UNUSED_FILES } from './file-backup.sql.ts';
import { openSealedFile, SEAL_KEY_BYTES, sealFile } from './file-seal.ts';

/**
 * The files of a user's documents, sealed with a key of the account. The caller takes the user's id from the session,
 * never from a body or URL.
 */
@Injectable()
export class FileBackupService {
  private readonly store: FileStore;

  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) config: Pick<Config, 'files' | 'dataDir'>,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    this.store = openFileStore(config);
  }

  async read(userId: string): Promise<FileBackup> {
    const { manager } = this.dataSource;
    const isOn = await manager.existsBy(FileBackupEntity, { userId });
    const files = await manager.find(BackupFileEntity, { where: { userId, isDropped: false }, order: { hash: 'ASC' } });
    return { isOn, hashes: files.map(({ hash }) => hash) };
  }

  /** Off: the key is deleted at once, so the files cannot be read any more; a job removes them. */
  async switch(userId: string, isOn: boolean): Promise<FileBackup> {
    await this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, userId);
      if (!isOn) {
        await manager.delete(FileBackupEntity, { userId });
        await manager.update(BackupFileEntity, { userId }, { isDropped: true });
      } else if (!(await manager.existsBy(FileBackupEntity, { userId })))
        await manager.insert(FileBackupEntity, { userId, key: randomBytes(SEAL_KEY_BYTES), createdAt: this.now() });
    });
    return this.read(userId);
  }

  /** Stores a file; repeating the call changes nothing. CONFLICT while the backup is off, INVALID for other content. */
  async put(userId: string, hash: string, content: Buffer): Promise<void> {
    if (createHash('sha256').update(content).digest('hex') !== hash)
      throw new AppError('INVALID', 'The content does not have this hash');
    await this.dataSource.transaction(async (manager) => {
      // One file of a user at a time: their sum stays within the limit.
      await lockAccount(manager, userId);
      const key = await readKey(manager, userId);
      if (!key) throw new AppError('CONFLICT', 'The backup of files is switched off');
      const files = await manager.findBy(BackupFileEntity, { userId, isDropped: false });
      if (files.some((file) => file.hash === hash)) return;
      const total = files.reduce((sum, { bytes }) => sum + bytes, content.length);
      if (total > MAX_ALL_DOCUMENT_FILE_BYTES)
        throw new AppError('INVALID', 'All files together may have 50 MB. Delete one first.', undefined, 413);
      const { key: fileKey } = await this.store.put(Readable.from([sealFile(content, key, hash)]));
      const file = { fileKey, userId, hash, bytes: content.length, createdAt: this.now(), isDropped: false };
      try {
        await manager.insert(BackupFileEntity, file);
      } catch (error) {
        await this.store.remove(fileKey);
        throw error;
      }
    });
  }

  /** The content of a file. NOT_FOUND for one that the user does not have. */
  async get(userId: string, hash: string): Promise<Buffer> {
    const { manager } = this.dataSource;
    const key = await readKey(manager, userId);
    const file = key && (await manager.findOneBy(BackupFileEntity, { userId, hash, isDropped: false }));
    if (!key || !file) throw new AppError('NOT_FOUND', 'The backup does not have this file');
    return openSealedFile(await buffer(await this.store.read(file.fileKey)), key, hash);
  }

  /** The files for the account export, without their content. */
  async exportFiles(userId: string) {
    const where = { userId, isDropped: false };
    const files = await this.dataSource.manager.find(BackupFileEntity, { where, order: { createdAt: 'ASC' } });
    return files.map(({ hash, bytes, createdAt }) => ({ hash, bytes, storedAt: createdAt.toISOString() }));
  }

  /** Removes files that no document needs, and those of backups that were switched off. Returns their number. */
  async removeUnused(now: Date): Promise<number> {
    const { manager } = this.dataSource;
    await manager.query(DROP_UNUSED_FILES, [now]);
    const dropped = await manager.findBy(BackupFileEntity, { isDropped: true });
    for (const { fileKey } of dropped) {
      await this.store.remove(fileKey);
      await manager.delete(BackupFileEntity, { fileKey });
    }
    return dropped.length;
  }
}

const readKey = async (manager: EntityManager, userId: string): Promise<Buffer | undefined> =>
  (await manager.findOneBy(FileBackupEntity, { userId }))?.key;
