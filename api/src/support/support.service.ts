import { randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import { MAX_SUPPORT_THREADS, MAX_THREAD_MESSAGES } from '@nivida/contract/limits';
import type { ContactRequest } from '@nivida/contract/site/contact';
import type {
  CreateThreadRequest,
  SendMessageRequest,
  SupportThread,
  SupportThreadsPage,
} from '@nivida/contract/support/threads';
import { DAY_MS, HOUR_SECONDS, MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { AppError, tenderNotFound } from '../base/app-error.ts';
import { CLOCK } from '../base/injection-tokens.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { lockAccount, lockPublishedTenders, takeNamedLock } from '../database/locks.sql.ts';
import { RateLimitsService } from '../http/limits/rate-limits.service.ts';
import type { Sender } from '../http/security/client-address.ts';
import { OrderEntity } from '../orders/order.entity.ts';
import { SyncService } from '../sync/sync.service.ts';
import { toThreads } from './read-threads.ts';
import { ANSWER_TIME, MARK_MESSAGES_READ, THREADS_OF_USER } from './support.sql.ts';
import { MessageEntity, ThreadEntity } from './thread.entity.ts';
import { ThreadWriterService } from './thread-writer.service.ts';

const PAGE_THREADS = 20;
/** Answers of this time are measured. */
const MEASURED_MS = 90 * DAY_MS;
/** Fewer answers give no figure. */
const MIN_MEASURED = 10;
const ANSWER_TIME_TTL_MS = 10 * MINUTE_MS;

/** Whether a message of the contact form is stored: its thread has the same id. */
const isStored = async (manager: EntityManager, id: string): Promise<boolean> =>
  (await manager.existsBy(MessageEntity, { id })) || (await manager.existsBy(ThreadEntity, { id }));

const threadNotFound = () => new AppError('NOT_FOUND', () => t`This conversation is not here any more`);

/** The threads of users and the messages of visitors. The caller takes the user's id from the session, never from a body. */
@Injectable()
export class SupportService {
  private readonly answerTimes = new TtlCache<number | null>(ANSWER_TIME_TTL_MS);

  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: ThreadWriterService,
    private readonly limits: RateLimitsService,
    private readonly sync: SyncService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * The user's threads that changed after a cursor, or all of them without a valid cursor. Null when there is no change. A
   * cursor names the database, the newest number and the count of threads, so a removed thread is a change.
   */
  async changes(userId: string, after: string): Promise<SupportThreadsPage | null> {
    const epoch = await this.sync.epoch();
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const [newest]: { number: number; count: number; ids: string[] }[] = await manager.query(THREADS_OF_USER, [
        userId,
      ]);
      const { number = 0, count = 0, ids = [] } = newest ?? {};
      const cursor = `${epoch}.${number}.${count}`;
      if (cursor === after || (after === '' && count === 0)) return null;
      const [, known = '0'] = new RegExp(`^${epoch}\\.(\\d{1,15})\\.\\d{1,6}$`).exec(after) ?? [];
      const rows = await manager.find(ThreadEntity, {
        where: { userId, number: MoreThan(known) },
        order: { number: 'ASC' },
        take: PAGE_THREADS + 1,
      });
      const page = rows.slice(0, PAGE_THREADS);
      const more = rows.length > PAGE_THREADS;
      return {
        threads: await toThreads(manager, page),
        ids,
        cursor: more ? `${epoch}.${page.at(-1)?.number}.${count}` : cursor,
        more,
      };
    });
  }

  /** Creates a thread with its first message; idempotent by its id. NOT_FOUND for an order that is not the user's. */
  async create(userId: string, request: CreateThreadRequest, language: Language): Promise<SupportThread> {
    const { id, subject, message, orderId, tenderId } = request;
    const existing = await this.findOwn(userId, id);
    if (existing) return existing;
    await this.limits.consume('support-message', { account: userId });
    return this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, userId);
      const present = await manager.findOneBy(ThreadEntity, { id });
      if (present?.userId === userId) return this.toThread(manager, present);
      if (present) throw threadNotFound();
      if ((await manager.countBy(ThreadEntity, { userId })) >= MAX_SUPPORT_THREADS)
        throw new AppError('INVALID', () => t`You have 200 conversations. Write in one of them.`, undefined, 422);
      if (orderId !== null && !(await manager.existsBy(OrderEntity, { publicId: orderId, userId })))
        throw new AppError('NOT_FOUND', () => t`Order not found`);
      const [tender] = tenderId === null ? [] : await lockPublishedTenders(manager, [Number(tenderId)], this.now());
      if (tenderId !== null && tender === undefined) throw tenderNotFound();
      const created = { id, userId, subject, language, orderId, tenderId: tender ?? null };
      const thread = await this.writer.create(manager, created);
      await this.addUserMessage(manager, thread, message);
      return this.toThread(manager, thread);
    });
  }

  /** Adds a message to a thread of the user; idempotent by its id. A closed thread waits again. */
  async send(userId: string, threadId: string, message: SendMessageRequest): Promise<SupportThread> {
    const existing = await this.findOwn(userId, threadId);
    if (!existing) throw threadNotFound();
    if (existing.messages.some(({ id }) => id === message.id)) return existing;
    if (existing.messages.length >= MAX_THREAD_MESSAGES)
      throw new AppError('INVALID', () => t`This conversation is full. Begin a new one.`, undefined, 422);
    await this.limits.consume('support-message', { account: userId });
    return this.change(userId, threadId, async (manager, thread) => {
      if (await manager.existsBy(MessageEntity, { id: message.id, threadId })) return;
      await this.addUserMessage(manager, thread, message);
    });
  }

  /** Marks the answers up to a message as read. */
  markRead(userId: string, threadId: string, messageId: string): Promise<SupportThread> {
    return this.change(userId, threadId, async (manager, thread) => {
      const [read] = await manager.query(MARK_MESSAGES_READ, [threadId, messageId, this.now()]);
      if (read.length > 0) await this.writer.touch(manager, thread);
    });
  }

  /** Closes a thread of the user; idempotent. */
  close(userId: string, threadId: string): Promise<SupportThread> {
    return this.change(userId, threadId, async (manager, thread) => {
      if (thread.state !== 'closed') await this.writer.setState(manager, thread, 'closed');
    });
  }

  /**
   * Stores a message of the contact form as a thread and queues its mail to SUPPORT_EMAIL; idempotent. A visitor has no
   * account and is answered by mail. TOO_MANY for the sixth message in an hour from one e-mail address, or for too many from
   * one sender.
   */
  async receiveContact(
    form: ContactRequest,
    { userId, sender, language }: { userId: string | null; sender: Sender; language: Language },
  ): Promise<void> {
    const { messageId = randomUUID(), name, email, phone, company, subject, message, website } = form;
    // Only a robot fills this hidden field: it gets a success answer, and nothing is stored.
    if (website !== '') return;
    const id = messageId.toLowerCase();
    if (await isStored(this.dataSource.manager, id)) return;
    await this.limits.consume('contact', { email, sender });
    await this.dataSource.transaction(async (manager) => {
      if (userId !== null) await lockAccount(manager, userId);
      // A repeated request waits here for the first one.
      await takeNamedLock(manager, `thread ${id}`);
      if (await isStored(manager, id)) return;
      const created = { id, userId, subject, language, name, email, phone, company };
      const thread = await this.writer.create(manager, created);
      await this.writer.addMessage(manager, thread, { id, sender: 'user', text: message });
      await this.writer.mailSupport(manager, thread, message, 0);
    });
  }

  /** All threads of a user for the account export. */
  async exportThreads(userId: string): Promise<SupportThread[]> {
    const { manager } = this.dataSource;
    return toThreads(manager, await manager.find(ThreadEntity, { where: { userId }, order: { createdAt: 'ASC' } }));
  }

  /** Median hours to the first answer in the last 90 days, rounded up; null for fewer than 10 answers. */
  answerHours(): Promise<number | null> {
    return this.answerTimes.get('', this.now(), async () => {
      const now = this.now();
      const rows: { count: number; seconds: number | null }[] = await this.dataSource.query(ANSWER_TIME, [
        new Date(now.getTime() - MEASURED_MS),
        now,
      ]);
      const [{ count, seconds } = { count: 0, seconds: null }] = rows;
      return count < MIN_MEASURED || seconds === null ? null : Math.max(1, Math.ceil(seconds / HOUR_SECONDS));
    });
  }

  /** Runs `work` with the user's locked thread and returns it afterwards. NOT_FOUND for a thread of another user. */
  private change(
    userId: string,
    threadId: string,
    work: (manager: EntityManager, thread: ThreadEntity) => Promise<void>,
  ): Promise<SupportThread> {
    return this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, userId);
      const lock = { mode: 'pessimistic_write' } as const;
      const thread = await manager.findOne(ThreadEntity, { where: { id: threadId, userId }, lock });
      if (!thread) throw threadNotFound();
      await work(manager, thread);
      return this.toThread(manager, thread);
    });
  }

  private async addUserMessage(
    manager: EntityManager,
    thread: ThreadEntity,
    { id, text, attachmentIds }: SendMessageRequest,
  ): Promise<void> {
    if (await manager.existsBy(MessageEntity, { id }))
      throw new AppError('CONFLICT', () => t`This message is in another conversation`);
    await this.writer.addMessage(manager, thread, { id, sender: 'user', text });
    const files = await this.writer.attachFiles(manager, thread, id, { ownerId: thread.userId, attachmentIds });
    await this.writer.mailSupport(manager, thread, text, files);
  }

  private async findOwn(userId: string, id: string): Promise<SupportThread | undefined> {
    const { manager } = this.dataSource;
    const row = await manager.findOneBy(ThreadEntity, { id, userId });
    return row ? this.toThread(manager, row) : undefined;
  }

  private async toThread(manager: EntityManager, row: ThreadEntity): Promise<SupportThread> {
    const [thread] = await toThreads(manager, [row]);
    return thread as SupportThread;
  }
}
