import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import type { MessageSender, ThreadState } from '@nivida/contract/support/threads';
import { type EntityManager, In, IsNull } from 'typeorm';
import { UserEntity } from '../auth/user.entity.ts';
import { AppError } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { lockAccount } from '../database/locks.sql.ts';
import { MailService } from '../mail/mail.service.ts';
import { NEXT_THREAD_NUMBER } from './support.sql.ts';
import { AttachmentEntity, MessageEntity, ThreadEntity } from './thread.entity.ts';

/** What a new thread has; the contact form gives name, email, phone and company. */
export interface NewThread {
  id: string;
  userId: string | null;
  subject: string;
  language: Language;
  name?: string;
  email?: string;
  phone?: string;
  company?: string;
  orderId?: string | null;
  tenderId?: number | null;
  /** Begun with its answer, to a report of a mistake. */
  answersReport?: boolean;
}

/** A message to add. */
export interface NewMessage {
  id: string;
  sender: MessageSender;
  text: string;
  staffId?: string | null;
}

/** Writes threads, for users, visitors and staff. Each method runs in the caller's transaction. */
@Injectable()
export class ThreadWriterService {
  constructor(
    private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'supportEmail' | 'publicOrigin'>,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * The thread, locked until the transaction ends; null when there is none. Its account is locked before, as in all
   * transactions, so that a device never misses a change with a smaller number.
   */
  async lock(manager: EntityManager, id: string): Promise<ThreadEntity | null> {
    const found = await manager.findOneBy(ThreadEntity, { id });
    if (found?.userId) await lockAccount(manager, found.userId);
    return manager.findOne(ThreadEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Adds a thread without messages. The caller holds the lock of the account. */
  async create(manager: EntityManager, thread: NewThread): Promise<ThreadEntity> {
    const now = this.now();
    const row = Object.assign(new ThreadEntity(), {
      ...{ name: '', email: '', phone: '', company: '', orderId: null, tenderId: null, answersReport: false },
      ...thread,
      ...{ state: 'waiting', version: 0, number: '0', createdAt: now, updatedAt: now, waitingSince: now },
      ...{ firstAnsweredAt: null, answeringBy: null, answeringUntil: null },
    });
    row.number = await this.nextNumber(manager);
    await manager.insert(ThreadEntity, { ...row });
    return row;
  }

  /** Adds a message to a locked thread, which then waits, or is answered. */
  async addMessage(manager: EntityManager, thread: ThreadEntity, message: NewMessage): Promise<void> {
    const now = this.now();
    const row = { staffId: null, ...message, threadId: thread.id, createdAt: now, readAt: null };
    const position = await this.nextNumber(manager);
    await manager.insert(MessageEntity, { ...row, position });
    if (message.sender === 'staff') thread.firstAnsweredAt ??= now;
    await this.setState(manager, thread, message.sender === 'user' ? 'waiting' : 'answered');
  }

  /**
   * Gives a message the uploaded files of `ownerId`. They belong to the account of the thread from then on, also those of an
   * answer. Returns their number. CONFLICT when one is missing, incomplete, of another account or in another message.
   */
  async attachFiles(
    manager: EntityManager,
    { userId }: ThreadEntity,
    messageId: string,
    { ownerId, attachmentIds }: { ownerId: string | null; attachmentIds: readonly string[] },
  ): Promise<number> {
    if (attachmentIds.length === 0) return 0;
    const own = { id: In(attachmentIds), userId: ownerId ?? '', messageId: IsNull() };
    const files = ownerId === null || userId === null ? [] : await manager.findBy(AttachmentEntity, own);
    if (userId === null || files.length < new Set(attachmentIds).size || files.some(({ type }) => type === null))
      throw new AppError('CONFLICT', () => t`A file of this message is missing. Attach it again.`);
    await manager.update(AttachmentEntity, own, { messageId, userId });
    return files.length;
  }

  /** Sets the state of a locked thread as its next version. */
  async setState(manager: EntityManager, thread: ThreadEntity, state: ThreadState): Promise<void> {
    const now = this.now();
    thread.waitingSince = state === 'waiting' ? (thread.waitingSince ?? now) : null;
    Object.assign(thread, { state, version: thread.version + 1, updatedAt: now });
    await this.touch(manager, thread);
  }

  /** Stores a locked thread under the next number, so that devices receive it. */
  async touch(manager: EntityManager, thread: ThreadEntity): Promise<void> {
    thread.number = await this.nextNumber(manager);
    await manager.save(ThreadEntity, thread);
  }

  /** Queues the mail to SUPPORT_EMAIL about a new message, if the address is configured. */
  async mailSupport(manager: EntityManager, thread: ThreadEntity, message: string, files: number): Promise<void> {
    const { supportEmail, publicOrigin } = this.config;
    if (!supportEmail) return;
    const account = thread.userId ? await manager.findOneBy(UserEntity, { id: thread.userId }) : null;
    const email = thread.email || (account?.email ?? '');
    await this.mails.queue(manager, {
      ...{ kind: 'contact', to: supportEmail, replyTo: email, email },
      name: thread.name || (account?.username ?? ''),
      phone: thread.phone || (account?.mobileNo.replace('+91', '') ?? ''),
      company: thread.company || (account?.companyName ?? ''),
      ...{ subject: thread.subject, message, files },
      link: `${publicOrigin}/desk/messages/${thread.id}`,
    });
  }

  private async nextNumber(manager: EntityManager): Promise<string> {
    const [{ number }] = await manager.query(NEXT_THREAD_NUMBER);
    return number;
  }
}
