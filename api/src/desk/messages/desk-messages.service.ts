import { randomUUID } from 'node:crypto';
import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type {
  DeskThread,
  DeskThreadSummary,
  DeskThreadsQuery,
  DeskThreadsResponse,
} from '@nivida/contract/desk/messages';
import { readMobile } from '@nivida/contract/fields';
import { type Language, pathIn } from '@nivida/contract/languages';
import { orderTitle } from '@nivida/contract/orders/order-title';
import { threadPath } from '@nivida/contract/support/thread-path';
import { MINUTE_MS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { maskEmail, maskMobile } from '../../auth/security-events.service.ts';
import { UserEntity } from '../../auth/user.entity.ts';
import { AppError } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { MailService } from '../../mail/mail.service.ts';
import { OrderEntity } from '../../orders/order.entity.ts';
import { AnswerNoticesService } from '../../push/alerts/answer-notices.service.ts';
import { type AttachmentContent, AttachmentsService, type FileOfAnswer } from '../../support/attachments.service.ts';
import { readAttachments, readMessages } from '../../support/read-threads.ts';
import { SupportService } from '../../support/support.service.ts';
import { MessageEntity, ThreadEntity } from '../../support/thread.entity.ts';
import { ThreadWriterService } from '../../support/thread-writer.service.ts';
import { TenderEntity } from '../../tenders/tender.entity.ts';
import {
  END_LEASE,
  LEASE_OWNER,
  LISTED_THREAD_BY_ID,
  LISTED_THREADS,
  STAFF_OF_MESSAGES,
  TAKE_LEASE,
  THREAD_COUNTS,
  WAITING_THREADS,
} from './messages.sql.ts';

export const THREADS_PER_PAGE = 50;
/** A colleague counts as writing for this time after the last sign of it. */
const LEASE_MS = 2 * MINUTE_MS;

/** An answer to send. Without `version` what happened in the meantime does not matter. */
export interface Answer {
  messageId: string;
  text: string;
  /** Files that the member has uploaded. */
  attachmentIds?: readonly string[];
  /** Files of a command, which has uploaded none. */
  files?: readonly { name: string; content: Buffer }[];
  version?: number | undefined;
}

/** The report of a reader with an account, and its answer. */
export interface AnsweredReport {
  id: string;
  userId: string;
  language: Language;
  tenderId: number;
  subject: string;
  question: string;
  answer: string;
}

type ListedRow = Omit<DeskThreadSummary, 'waitingSince' | 'updatedAt'> & { waitingSince: Date | null; updatedAt: Date };

/** What staff does with messages, at the desk and by commands. */
@Injectable()
export class DeskMessagesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly writer: ThreadWriterService,
    private readonly support: SupportService,
    private readonly attachments: AttachmentsService,
    private readonly notices: AnswerNoticesService,
    private readonly mails: MailService,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicOrigin'>,
  ) {}

  /** A page of threads with the counts of all. */
  async list({ state, q, page }: DeskThreadsQuery): Promise<DeskThreadsResponse> {
    const pattern = `%${q.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const rows: ListedRow[] = await this.dataSource.query(LISTED_THREADS, [
      this.now(),
      state === 'all' ? null : state,
      q,
      pattern,
      readMobile(q) ?? 'none',
      THREADS_PER_PAGE + 1,
      (page - 1) * THREADS_PER_PAGE,
    ]);
    const [counts] = await this.dataSource.query(THREAD_COUNTS);
    return {
      threads: rows.slice(0, THREADS_PER_PAGE).map(toSummary),
      counts,
      answerHours: await this.support.answerHours(),
      more: rows.length > THREADS_PER_PAGE,
    };
  }

  /** For the start of the desk: how many threads wait, and since when the oldest does. */
  async waiting(): Promise<{ count: number; oldest: Date | null }> {
    const [row] = await this.dataSource.query(WAITING_THREADS);
    return row;
  }

  /** A thread with its messages, its order and its tender. NOT_FOUND for an unknown id. */
  read(id: string): Promise<DeskThread> {
    return this.readIn(this.dataSource.manager, id);
  }

  /**
   * Sends an answer: it is stored once for its id, shown and notified to the user and mailed to the user or visitor. CONFLICT
   * when the thread has another version (a colleague has answered, or the user has written again), or a file is not there.
   * INVALID for files to a visitor.
   */
  async answer(
    act: OperatorAct,
    id: string,
    { messageId, text, attachmentIds = [], files = [], version }: Answer,
  ): Promise<DeskThread> {
    const stored = await this.storeFiles(id, files);
    let unused = stored;
    const answering = this.change(id, async (manager, thread) => {
      if (thread.userId === null && attachmentIds.length > 0) throw visitorHasNoFiles();
      const sent = await manager.findOneBy(MessageEntity, { id: messageId });
      if (sent?.threadId === id) return;
      if (sent)
        throw new AppError('CONFLICT', () => t`This key belongs to another act. Reload the page and try again.`);
      await this.assertVersion(manager, thread, version);
      await this.writer.addMessage(manager, thread, { id: messageId, sender: 'staff', text, staffId: act.actorId });
      const count =
        (await this.writer.attachFiles(manager, thread, messageId, { ownerId: act.actorId, attachmentIds })) +
        (await this.attachments.addToAnswer(manager, thread, messageId, stored));
      await this.endLease(manager, thread);
      await this.deliver(manager, thread, messageId, text, count);
      const to = thread.userId ? 'account' : 'visitor';
      const detail = { messageId, letters: text.length, files: count, to };
      await recordAct(manager, act, { action: 'thread.answered', subject: id, detail }, this.now());
      unused = [];
    });
    try {
      return await answering;
    } catch (error) {
      unused = stored;
      throw error;
    } finally {
      await this.attachments.discard(unused);
    }
  }

  /**
   * Answers a reader's report in a thread of its account, which it begins; one that was closed again gets a further answer.
   * The caller holds the lock of the account and records the act.
   */
  async answerReport(manager: EntityManager, act: OperatorAct, report: AnsweredReport): Promise<void> {
    const { question, answer, ...begun } = report;
    const present = await this.writer.lock(manager, report.id);
    const isOwn = present?.userId === report.userId;
    const thread = isOwn
      ? present
      : await this.writer.create(manager, { ...begun, id: present ? randomUUID() : report.id, answersReport: true });
    if (!isOwn) await this.writer.addMessage(manager, thread, { id: randomUUID(), sender: 'user', text: question });
    const messageId = randomUUID();
    await this.writer.addMessage(manager, thread, {
      id: messageId,
      sender: 'staff',
      text: answer,
      staffId: act.actorId,
    });
    await this.deliver(manager, thread, messageId, answer, 0);
  }

  /** Closes a thread; CONFLICT as for an answer. */
  close(act: OperatorAct, id: string, version?: number): Promise<DeskThread> {
    return this.setState(act, id, 'closed', version);
  }

  /** Opens a closed thread, which waits again. */
  reopen(act: OperatorAct, id: string, version?: number): Promise<DeskThread> {
    return this.setState(act, id, 'waiting', version);
  }

  /** Shows the e-mail address and the mobile number of the sender. */
  async openContact(act: OperatorAct, id: string): Promise<{ email: string; mobile: string }> {
    return this.dataSource.transaction(async (manager) => {
      const thread = await manager.findOneBy(ThreadEntity, { id });
      if (!thread) throw threadMissing();
      await recordAct(manager, act, { action: 'thread.contact-opened', subject: id }, this.now());
      return this.contactOf(manager, thread);
    });
  }

  /** Notes that a member writes an answer, for two minutes, or does so no longer. Returns the colleague who does already. */
  async setAnswering(staffId: string, id: string, isAnswering: boolean): Promise<string | null> {
    const now = this.now();
    const { manager } = this.dataSource;
    if (!(await manager.existsBy(ThreadEntity, { id }))) throw threadMissing();
    if (isAnswering) await manager.query(TAKE_LEASE, [id, staffId, new Date(now.getTime() + LEASE_MS), now]);
    else await manager.query(END_LEASE, [id, staffId]);
    const rows: { name: string }[] = await manager.query(LEASE_OWNER, [id, staffId, now]);
    return rows[0]?.name ?? null;
  }

  /** A file of a thread. NOT_FOUND for a file of another one. */
  async readAttachment(id: string, attachmentId: string): Promise<AttachmentContent> {
    const { messages } = await this.read(id);
    const message = messages.find(({ attachments }) => attachments.some((file) => file.id === attachmentId));
    return this.attachments.readOfMessage(message?.id ?? id, attachmentId);
  }

  /** Stores the bytes of a command's files, which the transaction of the answer gives to the user of the thread. */
  private async storeFiles(id: string, files: NonNullable<Answer['files']>): Promise<FileOfAnswer[]> {
    if (files.length === 0) return [];
    const thread = await this.dataSource.manager.findOneBy(ThreadEntity, { id });
    if (!thread) throw threadMissing();
    if (thread.userId === null) throw visitorHasNoFiles();
    return this.attachments.putForAnswer(files);
  }

  private setState(act: OperatorAct, id: string, state: 'closed' | 'waiting', version?: number): Promise<DeskThread> {
    return this.change(id, async (manager, thread) => {
      const before = thread.state;
      if (before === state) return;
      await this.assertVersion(manager, thread, version);
      await this.writer.setState(manager, thread, state);
      await this.endLease(manager, thread);
      const action = state === 'closed' ? 'thread.closed' : 'thread.reopened';
      await recordAct(manager, act, { action, subject: id, detail: { before } }, this.now());
    });
  }

  private change(
    id: string,
    work: (manager: EntityManager, thread: ThreadEntity) => Promise<void>,
  ): Promise<DeskThread> {
    return this.dataSource.transaction(async (manager) => {
      const thread = await this.writer.lock(manager, id);
      if (!thread) throw threadMissing();
      await work(manager, thread);
      return this.readIn(manager, id);
    });
  }

  private async endLease(manager: EntityManager, { id }: ThreadEntity): Promise<void> {
    await manager.update(ThreadEntity, { id }, { answeringBy: null, answeringUntil: null });
  }

  /** Throws CONFLICT with what happened since the caller has read the thread. */
  private async assertVersion(manager: EntityManager, thread: ThreadEntity, version?: number): Promise<void> {
    if (version === undefined || version === thread.version) return;
    const [last] = await manager.find(MessageEntity, {
      where: { threadId: thread.id },
      order: { position: 'DESC' },
      take: 1,
    });
    if (thread.state === 'closed')
      throw new AppError(
        'CONFLICT',
        () => t`The conversation was closed in the meantime. Read it again before you send.`,
      );
    if (last?.sender !== 'staff')
      throw new AppError('CONFLICT', () => t`There is a new message in the conversation. Read it before you send.`);
    const staff = last.staffId === null ? null : await manager.findOneBy(UserEntity, { id: last.staffId });
    const name = staff?.username ?? 'Nivida';
    throw new AppError('CONFLICT', () => t`${name} has answered in the meantime. Read it before you send yours.`);
  }

  /** Notifies the user and mails the answer, in the language of the account or of the visitor's form. */
  private async deliver(
    manager: EntityManager,
    thread: ThreadEntity,
    messageId: string,
    answer: string,
    files: number,
  ): Promise<void> {
    const { id, userId, subject, language, name, email } = thread;
    if (userId === null) {
      const messages = (await readMessages(manager, [id])).get(id) ?? [];
      const question = messages.findLast(({ sender }) => sender === 'user')?.text ?? '';
      await this.mails.queue(manager, { kind: 'visitor-answer', to: email, language, name, subject, question, answer });
      return;
    }
    const account = await manager.findOneBy(UserEntity, { id: userId });
    if (!account || account.deletedAt) return;
    await this.notices.notify(manager, userId, { threadId: id, messageId, subject });
    await this.mails.queue(manager, {
      ...{ kind: 'support-answer', to: account.email, language: account.language, username: account.username },
      ...{ subject, answer, files },
      link: `${this.config.publicOrigin}${pathIn(account.language, threadPath(id))}`,
    });
  }

  private async contactOf(manager: EntityManager, thread: ThreadEntity): Promise<{ email: string; mobile: string }> {
    const account = thread.userId ? await manager.findOneBy(UserEntity, { id: thread.userId }) : null;
    return {
      email: thread.email || (account?.email ?? ''),
      mobile: thread.phone || (account?.mobileNo.replace('+91', '') ?? ''),
    };
  }

  private async readIn(manager: EntityManager, id: string): Promise<DeskThread> {
    const rows: ListedRow[] = await manager.query(LISTED_THREAD_BY_ID, [this.now(), id]);
    const thread = await manager.findOneBy(ThreadEntity, { id });
    const [row] = rows;
    if (!row || !thread) throw threadMissing();
    const messages = (await readMessages(manager, [id])).get(id) ?? [];
    const files = await readAttachments(
      manager,
      messages.map((message) => message.id),
    );
    const staff: { id: string; name: string }[] = await manager.query(STAFF_OF_MESSAGES, [id]);
    const names = new Map(staff.map((member) => [member.id, member.name]));
    const { email, mobile } = await this.contactOf(manager, thread);
    const account = thread.userId ? await manager.findOneBy(UserEntity, { id: thread.userId }) : null;
    return {
      ...toSummary(row),
      version: thread.version,
      language: account?.language ?? thread.language,
      createdAt: thread.createdAt.toISOString(),
      company: thread.company || (account?.companyName ?? ''),
      email: email && maskEmail(email),
      mobile: mobile && maskMobile(mobile),
      order: await this.orderOf(manager, thread),
      tender: await this.tenderOf(manager, thread),
      messages: messages.map((message) => ({
        id: message.id,
        sender: message.sender,
        staffName: names.get(message.id) ?? null,
        text: message.text,
        createdAt: message.createdAt.toISOString(),
        readAt: message.readAt?.toISOString() ?? null,
        attachments: files.get(message.id) ?? [],
      })),
    };
  }

  private async orderOf(manager: EntityManager, { orderId }: ThreadEntity): Promise<DeskThread['order']> {
    const order = orderId === null ? null : await manager.findOneBy(OrderEntity, { publicId: orderId });
    if (!order) return null;
    const { publicId, status, amountPaise, createdAt } = order;
    return { id: publicId, title: orderTitle(order), status, amountPaise, createdAt: createdAt.toISOString() };
  }

  private async tenderOf(manager: EntityManager, { tenderId }: ThreadEntity): Promise<DeskThread['tender']> {
    const tender = tenderId === null ? null : await manager.findOneBy(TenderEntity, { id: tenderId });
    if (!tender) return null;
    const { id, title, sourceId, portal, closesAt } = tender;
    return { id: String(id), title, sourceId, portal, closesAt: closesAt.toISOString() };
  }
}

const threadMissing = () => new AppError('NOT_FOUND', () => t`There is no such conversation`);

const visitorHasNoFiles = () =>
  new AppError(
    'INVALID',
    () => t`A visitor has no app to open files in. Send the answer without them.`,
    undefined,
    422,
  );

const toSummary = (row: ListedRow): DeskThreadSummary => ({
  id: row.id,
  subject: row.subject,
  state: row.state,
  name: row.name,
  isVisitor: row.isVisitor,
  hasPriority: row.hasPriority,
  waitingSince: row.waitingSince?.toISOString() ?? null,
  updatedAt: row.updatedAt.toISOString(),
  excerpt: row.excerpt,
  orderId: row.orderId,
  tenderId: row.tenderId,
  answeringBy: row.answeringBy,
});
