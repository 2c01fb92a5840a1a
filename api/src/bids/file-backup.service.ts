import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { FileBackup } from '@nivida/contract/bids/file-backup';
import {
  FILE_PART_BYTES,
  MAX_ALL_DOCUMENT_FILE_BYTES,
  MAX_DOCUMENT_FILE_BYTES,
  MAX_FILE_PARTS,
} from '@nivida/contract/limits';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError, forPrograms } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { type FileStore, openFileStore } from '../storage/file-store.ts';
import { BackupFileEntity, FileBackupEntity } from './file-backup.entity.ts';
import { DROP_UNUSED_FILES, FILE_USAGE } from './file-backup.sql.ts';
import { openSealedFile, SEAL_KEY_BYTES, sealFile } from './file-seal.ts';
import { noFirmPlanText, RecordOwnersService } from './record-owners.service.ts';
import type { RecordSpace } from './record-space.ts';

const MAX_PARTS = Math.ceil(MAX_DOCUMENT_FILE_BYTES / FILE_PART_BYTES);

/** Names a part of a file. */
export interface FilePart {
  /** SHA-256 of the whole file, in hexadecimal digits. */
  hash: string;
  /** From 0. */
  part: number;
  /** How many parts the file has. */
  parts: number;
}

/**
 * The files of an owner's documents, sealed with a key of the account or firm. The caller takes the user's id from the
 * session, never from a body or URL. A firm's backup is always on: its members share the files through it.
 */
@Injectable()
export class FileBackupService {
  private readonly store: FileStore;

  constructor(
    private readonly dataSource: DataSource,
    private readonly owners: RecordOwnersService,
    @Inject(CONFIG) config: Pick<Config, 'files' | 'dataDir'>,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    this.store = openFileStore(config);
  }

  /** The state of the backup. NOT_A_MEMBER. */
  async read(space: RecordSpace): Promise<FileBackup> {
    const { manager } = this.dataSource;
    const ownerId = await this.owners.find(manager, space);
    const isOn = space.firmId !== undefined || (await manager.existsBy(FileBackupEntity, { ownerId }));
    const files = await findFiles(manager, ownerId);
    const begun = files.filter((parts) => !isComplete(parts));
    return {
      isOn,
      hashes: files.filter(isComplete).map(([{ hash }]) => hash),
      begun: begun.map((parts) => ({ hash: parts[0].hash, parts: parts.map(({ part }) => part) })),
    };
  }

  /**
   * Switches the user's backup on or off. Off deletes the key at once, so that the files cannot be read any more; a job
   * removes them. CONFLICT for a firm.
   */
  async switch(space: RecordSpace, isOn: boolean): Promise<FileBackup> {
    await this.dataSource.transaction(async (manager) => {
      const { id: ownerId, isFirm } = await this.owners.lock(manager, space);
      if (isFirm) throw new AppError('CONFLICT', () => t`A firm always shares the files of its documents`);
      if (!isOn) {
        await manager.delete(FileBackupEntity, { ownerId });
        await manager.update(BackupFileEntity, { ownerId }, { isDropped: true });
      } else await this.ensureKey(manager, ownerId);
    });
    return this.read(space);
  }

  private async ensureKey(manager: EntityManager, ownerId: string): Promise<void> {
    if (await manager.existsBy(FileBackupEntity, { ownerId })) return;
    await manager.insert(FileBackupEntity, { ownerId, key: randomBytes(SEAL_KEY_BYTES), createdAt: this.now() });
  }

  /**
   * Stores a part of a file; idempotent. The device that downloads the file compares its hash. CONFLICT while the backup is
   * off, and for a firm without a plan. NOT_A_MEMBER. INVALID for a part that no file can have, and with status 413 when the account is full. Dropped files count until
   * the job has removed them.
   */
  async put(space: RecordSpace, { hash, part, parts }: FilePart, content: Buffer): Promise<void> {
    const isLast = part === parts - 1;
    if (part >= parts || parts > MAX_PARTS || content.length === 0 || content.length > FILE_PART_BYTES)
      throw new AppError('INVALID', forPrograms('A file has at most 10 MB, in parts of 250 KB'));
    if (!isLast && content.length < FILE_PART_BYTES)
      throw new AppError('INVALID', forPrograms('Only the last part is smaller'));
    await this.dataSource.transaction(async (manager) => {
      // Serialises the parts of an owner, so that their sum stays within the limit.
      const { id: ownerId, isFirm, canWrite } = await this.owners.lock(manager, space);
      if (!canWrite) throw new AppError('CONFLICT', noFirmPlanText);
      if (isFirm) await this.ensureKey(manager, ownerId);
      const key = await readKey(manager, ownerId);
      if (!key) throw new AppError('CONFLICT', () => t`The backup of files is switched off`);
      if (await manager.existsBy(BackupFileEntity, { ownerId, hash, part, isDropped: false })) return;
      // Stored sums: adding up many small files under the lock would take long.
      const [used = { parts: 0, bytes: 0 }]: { parts: number; bytes: number }[] = await manager.query(FILE_USAGE, [
        ownerId,
      ]);
      if (used.bytes + content.length > MAX_ALL_DOCUMENT_FILE_BYTES)
        throw backupFull(
          () => t`All files together may have 50 MB. Delete one first. Deleted files count until the next night.`,
        );
      if (used.parts >= MAX_FILE_PARTS)
        throw backupFull(
          () => t`An account has room for 2,000 files. Delete one first. Deleted files count until the next night.`,
        );
      const sealed = sealFile(content, key, partName({ hash, part, parts }));
      const { key: fileKey } = await this.store.put(Readable.from([sealed]));
      const row = {
        fileKey,
        ownerId,
        hash,
        part,
        parts,
        bytes: content.length,
        createdAt: this.now(),
        isDropped: false,
      };
      try {
        await manager.insert(BackupFileEntity, row);
      } catch (error) {
        await this.store.remove(fileKey);
        throw error;
      }
    });
  }

  /** The content of a file. NOT_FOUND when the owner has no such file or a part is missing. NOT_A_MEMBER. */
  async get(space: RecordSpace, hash: string): Promise<Buffer> {
    const { manager } = this.dataSource;
    const ownerId = await this.owners.find(manager, space);
    const key = await readKey(manager, ownerId);
    const file = (await findFiles(manager, ownerId, hash)).find(isComplete);
    if (!key || !file) throw new AppError('NOT_FOUND', () => t`The backup does not have this file`);
    const contents: Buffer[] = [];
    for (const each of file)
      contents.push(openSealedFile(await buffer(await this.store.read(each.fileKey)), key, partName(each)));
    return Buffer.concat(contents);
  }

  /** The files for the account export, without their content. */
  async exportFiles(ownerId: string) {
    const files = await findFiles(this.dataSource.manager, ownerId);
    return files.map((parts) => ({
      hash: parts[0].hash,
      bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      storedAt: parts[0].createdAt.toISOString(),
    }));
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

const backupFull = (text: () => string) => new AppError('INVALID', text, undefined, 413);

type Parts = [BackupFileEntity, ...BackupFileEntity[]];

/** The parts of a user's files by hash, in order. With `hash` only that file. */
async function findFiles(manager: EntityManager, ownerId: string, hash?: string): Promise<Parts[]> {
  const order = { hash: 'ASC', part: 'ASC' } as const;
  const where = { ownerId, isDropped: false, ...(hash !== undefined && { hash }) };
  const rows = await manager.find(BackupFileEntity, { where, order });
  return [...Map.groupBy(rows, ({ hash }) => hash).values()] as Parts[];
}

const isComplete = (parts: Parts): boolean => parts.length === parts[0].parts;

/** Authenticated with the content, so that parts cannot be exchanged. */
const partName = ({ hash, part, parts }: FilePart): string => `${hash} ${part} of ${parts}`;

const readKey = async (manager: EntityManager, ownerId: string): Promise<Buffer | undefined> =>
  (await manager.findOneBy(FileBackupEntity, { ownerId }))?.key;
