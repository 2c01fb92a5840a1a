import { randomUUID } from 'node:crypto';
import { basename } from 'node:path/posix';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { FILE_PART_BYTES, MAX_ALL_ATTACHMENT_BYTES, MAX_ATTACHMENT_BYTES } from '@nivida/contract/limits';
import { type AttachmentType, MAX_ATTACHMENT_NAME, type UploadResponse } from '@nivida/contract/support/attachments';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError, forPrograms } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { lockAccount } from '../database/locks.sql.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import { type FileStore, openFileStore } from '../storage/file-store.ts';
import { toAttachment } from './read-threads.ts';
import { sniffType } from './sniff-type.ts';
import { ATTACHMENT_BYTES, DROPPED_FILES, FORGET_DROPPED_FILE } from './support.sql.ts';
import { AttachmentEntity, type ThreadEntity } from './thread.entity.ts';

const MAX_PARTS = Math.ceil(MAX_ATTACHMENT_BYTES / FILE_PART_BYTES);

/** A part of a file; `part` counts from 0. */
export interface AttachmentPart {
  part: number;
  parts: number;
  name: string;
}

/** Content of an attachment with its headers. */
export interface AttachmentContent {
  name: string;
  type: string;
  bytes: Buffer;
}

/** A file of a command whose bytes are in the file store, and which no account has yet. */
export type FileOfAnswer = Pick<AttachmentEntity, 'id' | 'name' | 'type' | 'bytes' | 'parts' | 'fileKeys'>;

/** Files of messages. The caller takes the user's id from the session. */
@Injectable()
export class AttachmentsService {
  private readonly store: FileStore;

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: RateLimitsService,
    @Inject(CONFIG) config: Pick<Config, 'files' | 'dataDir'>,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {
    this.store = openFileStore(config);
  }

  /**
   * Stores a part of a file; idempotent. CONFLICT when an earlier part is missing or the id is taken. INVALID for a part that
   * no file can have and for a type that is not taken, with status 413 when the account is full.
   */
  async put(
    userId: string,
    id: string,
    { part, parts, name }: AttachmentPart,
    content: Buffer,
  ): Promise<UploadResponse> {
    const isLast = part === parts - 1;
    if (part >= parts || parts > MAX_PARTS || content.length === 0 || content.length > FILE_PART_BYTES)
      throw new AppError('INVALID', forPrograms('A file has at most 5 MB, in parts of 250 KB'));
    if (!isLast && content.length < FILE_PART_BYTES)
      throw new AppError('INVALID', forPrograms('Only the last part is smaller'));
    await this.limits.consume('support-upload', { account: userId });
    return this.storePart(userId, id, { part, parts, name }, content);
  }

  /** Stores the bytes of files for an answer, which a command gives. INVALID for a type that is not taken; then nothing is stored. */
  async putForAnswer(files: readonly { name: string; content: Buffer }[]): Promise<FileOfAnswer[]> {
    const types = files.map(({ content }) => sniffType(content));
    if (types.includes(undefined)) throw typeRefused();
    const put: FileOfAnswer[] = [];
    try {
      for (const [index, { name, content }] of files.entries()) {
        const type = types[index] ?? null;
        const parts = Math.ceil(content.length / FILE_PART_BYTES);
        const file = { id: randomUUID(), name: fileName(name, type), type, bytes: content.length, parts };
        const fileKeys: string[] = [];
        put.push({ ...file, fileKeys });
        for (let from = 0; from < content.length; from += FILE_PART_BYTES)
          fileKeys.push((await this.store.put(Readable.from([content.subarray(from, from + FILE_PART_BYTES)]))).key);
      }
    } catch (error) {
      await this.discard(put);
      throw error;
    }
    return put;
  }

  /** Gives these files to an answer in the caller's transaction. They need no room of the user's. Returns their number. */
  async addToAnswer(
    manager: EntityManager,
    { userId }: ThreadEntity,
    messageId: string,
    files: readonly FileOfAnswer[],
  ): Promise<number> {
    if (files.length === 0 || userId === null) return 0;
    const createdAt = this.now();
    await manager.insert(
      AttachmentEntity,
      files.map((file) => ({ ...file, userId, messageId, createdAt })),
    );
    return files.length;
  }

  /** Removes the bytes of files that no answer got. */
  async discard(files: readonly FileOfAnswer[]): Promise<void> {
    for (const { fileKeys } of files) for (const key of fileKeys) await this.store.remove(key);
  }

  private async storePart(
    userId: string,
    id: string,
    { part, parts, name }: AttachmentPart,
    content: Buffer,
  ): Promise<UploadResponse> {
    const isLast = part === parts - 1;
    return this.dataSource
      .transaction(async (manager) => {
        // Serialises the uploads of a user, so that their sum stays within the limit.
        await lockAccount(manager, userId);
        const row = await manager.findOneBy(AttachmentEntity, { id });
        if (row && (row.userId !== userId || row.parts !== parts))
          throw new AppError('CONFLICT', forPrograms('This id belongs to another file'));
        const stored = row?.fileKeys.length ?? 0;
        if (row && part < stored) return { stored, attachment: toAttachment(row) };
        if (part > stored) throw new AppError('CONFLICT', forPrograms('A part before this one is missing'));
        const [{ bytes: used }] = await manager.query(ATTACHMENT_BYTES, [userId]);
        if (used + content.length > MAX_ALL_ATTACHMENT_BYTES)
          throw new AppError(
            'INVALID',
            () => t`All files of your messages together may have 50 MB. Send this one by mail, or a smaller one.`,
            undefined,
            413,
          );
        const type = isLast ? await this.typeOf([...(row?.fileKeys ?? [])], content) : null;
        if (isLast && type === undefined) {
          await manager.delete(AttachmentEntity, { id });
          return 'refused' as const;
        }
        const { key } = await this.store.put(Readable.from([content]));
        const fileKeys = [...(row?.fileKeys ?? []), key];
        const bytes = (row?.bytes ?? 0) + content.length;
        const now = this.now();
        const saved = {
          id,
          userId,
          messageId: null,
          name: fileName(name, type),
          parts,
          createdAt: row?.createdAt ?? now,
        };
        const next = { ...saved, type: type ?? null, bytes, fileKeys };
        try {
          await manager.upsert(AttachmentEntity, next, ['id']);
        } catch (error) {
          await this.store.remove(key);
          throw error;
        }
        return { stored: fileKeys.length, attachment: toAttachment(next) };
      })
      .then((answer) => {
        if (answer !== 'refused') return answer;
        throw typeRefused();
      });
  }

  /** The type of a file from the stored parts and the last one. */
  private async typeOf(keys: string[], last: Buffer) {
    const stored = await Promise.all(keys.map(async (key) => buffer(await this.store.read(key))));
    return sniffType(Buffer.concat([...stored, last]));
  }

  /** A complete attachment of the user. NOT_FOUND for others. */
  readOwn(userId: string, id: string): Promise<AttachmentContent> {
    return this.read({ id, userId });
  }

  /** A complete attachment of a message. NOT_FOUND for others. */
  readOfMessage(messageId: string, id: string): Promise<AttachmentContent> {
    return this.read({ id, messageId });
  }

  private async read(where: { id: string; userId?: string; messageId?: string }): Promise<AttachmentContent> {
    const row = await this.dataSource.getRepository(AttachmentEntity).findOneBy(where);
    if (!row?.type) throw new AppError('NOT_FOUND', () => t`This file is not here any more`);
    const parts: Buffer[] = [];
    for (const key of row.fileKeys) parts.push(await buffer(await this.store.read(key)));
    return { name: row.name, type: row.type, bytes: Buffer.concat(parts) };
  }

  /** Removes the files of removed attachments from the file store. Returns their number. */
  async removeDropped(): Promise<number> {
    let removed = 0;
    for (;;) {
      const rows: { key: string }[] = await this.dataSource.query(DROPPED_FILES);
      if (rows.length === 0) return removed;
      for (const { key } of rows) {
        await this.store.remove(key);
        await this.dataSource.query(FORGET_DROPPED_FILE, [key]);
        removed += 1;
      }
    }
  }
}

const typeRefused = () =>
  new AppError('INVALID', () => t`Pictures (PNG, JPEG, WebP), PDF files and plain text can be attached.`);

/** The endings of each type, the usual one first. */
const ENDINGS: Record<AttachmentType, readonly string[]> = {
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/webp': ['.webp'],
  'application/pdf': ['.pdf'],
  'text/plain': ['.txt', '.csv', '.log'],
};

/**
 * The last part of a path without characters that a header or a file system cannot have. A name that promises another type
 * gets the ending of its own, so that a saved file never runs as a program.
 */
function fileName(path: string, type?: AttachmentType | null): string {
  const name = basename(path.replaceAll('\\', '/'))
    .replace(/[\p{Cc}\p{Cf}\p{Cs}"<>|:*?]/gu, '')
    .trim();
  const given = /\.\w{1,5}$/.exec(name)?.[0] ?? '';
  const isRight = !type || ENDINGS[type].includes(given.toLowerCase());
  const ending = isRight ? given : (ENDINGS[type][0] ?? '');
  const stem = [...(isRight && given !== '' ? name.slice(0, -given.length) : name)];
  return `${stem.slice(0, MAX_ATTACHMENT_NAME - ending.length).join('') || 'file'}${ending}`;
}
