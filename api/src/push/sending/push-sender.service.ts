import { randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { inLanguage } from '@nivida/contract/i18n';
import { languageOfLocale, pathIn } from '@nivida/contract/languages';
import type { MessageKind } from '@nivida/contract/push/alert-kinds';
import { DataSource, type EntityManager } from 'typeorm';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG, WAIT } from '../../base/injection-tokens.ts';
import { isDatabaseUnavailable } from '../../database/database-unavailable.ts';
import { Metrics } from '../../http/monitoring/metrics.ts';
import type { Job } from '../../jobs/job.ts';
import { MailService } from '../../mail/mail.service.ts';
import type { MailKind } from '../../mail/mail.ts';
import { messageText } from '../messages/message-texts.ts';
import { createPushMessages, messagePath, type PushMessage } from '../messages/push-messages.ts';
import { createPushPayload } from '../messages/push-payload.ts';
import { UnsubscribeLinks } from '../unsubscribe/unsubscribe-links.ts';
import type { PushDevice } from './delivery.ts';
import {
  type DeliveryUpdate,
  hasNoResponse,
  isAccepted,
  isThrottled,
  latestPauseEnd,
  MIN_UNANSWERED,
  type PushOutcome,
  recordAcceptedPushes,
  recordBatchOutcomes,
  wasSent,
} from './delivery-outcomes.ts';
import { readDueDeliveries } from './due-deliveries.ts';
import {
  InvalidSubscriptionError,
  MissingSettingError,
  type PushResponse,
  PushTransport,
  type SealedPush,
} from './push-transport.ts';
import { SealThreadError } from './sealer.ts';
import { type SendSession, SendWindow } from './send-window.ts';
import { DEVICE_BATCH_SIZE, DUE_DEVICES_OF_HOST, HOSTS_WITH_DUE, TRY_LOCK_DEVICES } from './sending.sql.ts';

/** Push services served at once. */
const CONCURRENT_HOSTS = 2;
/**
 * Workers of a push service. While one waits for the slowest answers of its batch, the others send theirs. Each holds a
 * connection to the database, and a second one records accepted pushes.
 */
const WORKERS_PER_HOST = 3;
/** Batches of a worker before other hosts are served. Mails must not wait until a million pushes are sent. */
const BATCHES_PER_SESSION = 4;
/** Numbers of candidates to read. The second is used when other processes have claimed the first candidates. */
const CANDIDATE_LIMITS = [4 * DEVICE_BATCH_SIZE, 64 * DEVICE_BATCH_SIZE];
/** A pooler or database that is started again is back within seconds. */
const RECORD_RETRIES = 20;
const RECORD_RETRY_MS = 250;
const EMAIL_HOST = 'email';
const MAIL_KINDS = {
  closing: 'closing-reminder',
  changed: 'tender-changed',
  match: 'new-tenders',
  office: 'new-tenders',
  document: 'document-expiry',
} as const satisfies Partial<Record<MessageKind, MailKind>>;

/** A message that waits for its request. */
interface PendingPush {
  device: PushDevice;
  message: PushMessage;
  nid: string;
  sealed: Promise<SealedPush | Error>;
}

interface SendProgress {
  claimed: number;
  sent: number;
}

/** A session with the state of its workers. */
interface HostSession extends SendSession {
  batches: number;
  /** Accepted pushes that are recorded with the next statement. */
  accepted: { outcome: PushOutcome; done: () => void; fail: (error: unknown) => void }[];
  isRecording: boolean;
  posts: Set<Promise<unknown>>;
  unansweredCount: number;
  /** The service answered at least once. */
  isAlive: boolean;
}

/** Sends due notices to their devices. Any number of processes may run it. */
@Injectable()
export class PushSenderService implements OnApplicationShutdown {
  private readonly logger = new Logger('Push');
  private readonly transport: PushTransport;
  /** Errors of our settings that this run has already logged. */
  private readonly reportedProblems = new Set<string>();
  private readonly window: SendWindow;
  private readonly unsubscribeLinks: UnsubscribeLinks;
  private running: Promise<number> | undefined;
  private isStopping = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly mail: MailService,
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(WAIT) private readonly wait: (ms: number) => Promise<void>,
  ) {
    this.transport = new PushTransport(config);
    this.window = new SendWindow(config.pushWindow);
    this.unsubscribeLinks = new UnsubscribeLinks(config.sessionKeys);
  }

  onApplicationShutdown(): Promise<void> {
    return this.transport.close();
  }

  /** Stops sending. Pushes that are being sent are still recorded. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * Sends all due deliveries that this process can claim. A call during a run waits for the end of that run. Returns the
   * number of accepted messages.
   */
  sendDue(): Promise<number> {
    this.running ??= this.sendAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async sendAll(): Promise<number> {
    this.reportedProblems.clear();
    // lastRounds: the round in which each push service was last served. The other set: services that are busy or have nothing to claim.
    const lastRounds = new Map<string, number>();
    const closed = new Set<string>();
    let sent = 0;
    const serve = async () => {
      for (let round = 1; ; round += 1) {
        const due = (await this.hostsWithDue()).filter((host) => !closed.has(host));
        const [host] = due.sort((one, other) => (lastRounds.get(one) ?? 0) - (lastRounds.get(other) ?? 0));
        if (host === undefined || this.isStopping) return;
        lastRounds.set(host, round);
        closed.add(host);
        const session: HostSession = {
          host,
          isClosed: false,
          unrecorded: 0,
          batches: 0,
          accepted: [],
          isRecording: false,
          posts: new Set(),
          unansweredCount: 0,
          isAlive: false,
        };
        const results = await Promise.all(Array.from({ length: WORKERS_PER_HOST }, () => this.drain(session)));
        sent += results.reduce((sum, result) => sum + result.sent, 0);
        if (results.some(({ claimed }) => claimed > 0)) closed.delete(host);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT_HOSTS }, serve));
    return sent;
  }

  /** Sends up to `BATCHES_PER_SESSION` batches to one push service. A service that does not answer delays only its own workers. */
  private async drain(session: HostSession): Promise<SendProgress> {
    const total = { claimed: 0, sent: 0 };
    for (let batch = 0; batch < BATCHES_PER_SESSION && !session.isClosed && !this.isStopping; batch += 1) {
      const { claimed, sent } = await this.dataSource.transaction((manager) => this.sendBatch(manager, session));
      total.claimed += claimed;
      total.sent += sent;
      if (claimed === 0) break;
    }
    return total;
  }

  private async hostsWithDue(): Promise<string[]> {
    const rows: { host: string }[] = await this.dataSource.query(HOSTS_WITH_DUE, [
      this.now(),
      latestPauseEnd(this.now()),
    ]);
    return rows.map(({ host }) => host);
  }

  /** Sends to the devices that the transaction of `manager` claims. The transaction keeps their locks until all outcomes are written. */
  private async sendBatch(manager: EntityManager, session: HostSession): Promise<SendProgress> {
    const { host } = session;
    const now = this.now();
    const ids = await claimDevices(manager, host, now);
    if (ids.length === 0) return { claimed: 0, sent: 0 };
    const due = await readDueDeliveries(manager, ids, now);
    const untried: DeliveryUpdate[] = [];
    const waiting: [PushDevice, PushMessage][] = [];
    for (const { device, deliveries } of due) {
      const { messages, skipped, quiet } = createPushMessages(device, deliveries, now);
      waiting.push(...messages.map((message): [PushDevice, PushMessage] => [device, message]));
      const sendAt = device.quietUntil ?? now;
      for (const { id } of skipped) untried.push({ id, state: 'skipped', sendAt: now, tries: 0 });
      for (const { id, tries } of quiet) untried.push({ id, state: 'waiting', sendAt, tries });
    }
    const isMail = host === EMAIL_HOST;
    const outcomes = isMail
      ? await this.queueMails(manager, waiting, now)
      : await this.sendPushes(session, waiting, now);
    const isDead = session.unansweredCount >= MIN_UNANSWERED && !session.isAlive;
    const { alert, pausedUntil } = await recordBatchOutcomes(manager, host, outcomes, { untried, isDead }, now);
    if (alert) this.logger.error(alert);
    if (pausedUntil) this.window.close(session);
    return { claimed: ids.length, sent: outcomes.filter(isAccepted).length };
  }

  /** Queues mails in the transaction of `manager`, one statement at a time, and records them there. */
  private async queueMails(
    manager: EntityManager,
    waiting: [PushDevice, PushMessage][],
    now: Date,
  ): Promise<PushOutcome[]> {
    const outcomes: PushOutcome[] = [];
    for (const [device, message] of waiting) {
      // In a savepoint, so that a failed statement rolls back only this mail.
      const reply = await this.attempt(device, message, () =>
        manager.transaction((inner) => this.queueMail(inner, device, message, now)),
      );
      outcomes.push({ device, message, nid: createNotificationId(), reply });
    }
    await recordAcceptedPushes(manager, outcomes.filter(isAccepted), now);
    this.observeReminders(outcomes.filter(isAccepted));
    return outcomes;
  }

  /** Sends pushes until none is left or the session is closed. Accepted ones are recorded when this returns. */
  private async sendPushes(
    session: HostSession,
    waiting: [PushDevice, PushMessage][],
    now: Date,
  ): Promise<PushOutcome[]> {
    // Encryption starts for all. The first ones are sent while others are still encrypted.
    const left = waiting.map(([device, message]): PendingPush => {
      const nid = createNotificationId();
      return { device, message, nid, sealed: this.seal(device, message, nid, now) };
    });
    const outcomes: PushOutcome[] = [];
    const batch = ++session.batches;
    const work = async () => {
      for (let push = left.shift(); push; push = left.shift()) {
        await push.sealed;
        if (this.isStopping || !(await this.window.acquire(session, batch))) return;
        const outcome = await this.send(session, push, now);
        outcomes.push(outcome);
        if (isAccepted(outcome)) await this.record(session, outcome, now);
        else this.window.release(session);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: this.window.maxPerHost }, work));
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    // Waits for the requests of the other workers, which show whether the service is dead.
    if (outcomes.some(({ reply }) => hasNoResponse(reply))) await Promise.all(session.posts);
    return outcomes;
  }

  private async send(session: HostSession, push: PendingPush, now: Date): Promise<PushOutcome> {
    const { device, message, nid } = push;
    const post = this.attempt(device, message, async () => this.post(push, await push.sealed, now));
    session.posts.add(post);
    const reply = await post;
    session.posts.delete(post);
    const outcome: PushOutcome = { device, message, nid, reply };
    if (hasNoResponse(reply)) session.unansweredCount += 1;
    else if (wasSent(outcome)) session.isAlive = true;
    // Each unanswered request takes ten seconds, so the session ends after a few of them.
    if (session.unansweredCount >= MIN_UNANSWERED || isThrottled(outcome)) this.window.close(session);
    return outcome;
  }

  /** Records an accepted push. Pushes accepted while a statement runs are recorded together by the next one. */
  private record(session: HostSession, outcome: PushOutcome, now: Date): Promise<void> {
    return new Promise((done, fail) => {
      session.accepted.push({ outcome, done, fail });
      if (!session.isRecording) void this.recordAll(session, now);
    });
  }

  private async recordAll(session: HostSession, now: Date): Promise<void> {
    session.isRecording = true;
    while (session.accepted.length > 0) {
      const group = session.accepted.splice(0);
      const outcomes = group.map(({ outcome }) => outcome);
      try {
        await this.recordWithRetries(session, outcomes, now);
        this.observeReminders(outcomes);
        for (const { done } of group) done();
      } catch (error) {
        this.window.close(session);
        for (const { fail } of group) fail(error);
      }
      this.window.release(session, group.length);
    }
    session.isRecording = false;
  }

  /** An unrecorded push is sent again, so a database that is away is waited for. */
  private async recordWithRetries(session: HostSession, outcomes: PushOutcome[], now: Date): Promise<void> {
    for (let retries = RECORD_RETRIES; ; retries -= 1)
      try {
        return await recordAcceptedPushes(this.dataSource.manager, outcomes, now);
      } catch (error) {
        if (retries === 0 || !isDatabaseUnavailable(error)) throw error;
        // The locks of the devices are lost too: another worker may send what is not in flight.
        this.window.close(session);
        await this.wait(RECORD_RETRY_MS);
      }
  }

  private observeReminders(accepted: PushOutcome[]): void {
    for (const { message } of accepted) {
      if (message.kind !== 'closing') continue;
      const dueMs = Math.min(...message.deliveries.map(({ dueAt }) => dueAt.getTime()));
      this.metrics.reminderDelays.observe(Math.max(0, this.now().getTime() - dueMs) / 1_000);
    }
  }

  /** An error of one message must not stop the others of its batch. */
  private async attempt(
    device: PushDevice,
    message: PushMessage,
    work: () => Promise<PushOutcome['reply']>,
  ): Promise<PushOutcome['reply']> {
    try {
      return await work();
    } catch (error) {
      const { name, stack = '' } = error as Error;
      // Only the place is logged. The error's text may contain personal data.
      const place = stack.split('\n').find((line) => line.startsWith('    at '));
      this.logger.error(`A ${message.kind} message to ${device.host} failed: ${name}${place ?? ''}`);
      return error instanceof SealThreadError ? 'broken' : 'failed';
    }
  }

  /** Resolves with the error when the encryption fails. */
  private async seal(
    device: PushDevice,
    message: PushMessage,
    nid: string,
    now: Date,
    isShort = false,
  ): Promise<SealedPush | Error> {
    const site = { origin: this.config.publicOrigin, nid, now };
    try {
      return await this.transport.seal(device, createPushPayload(message, device, site, isShort), message);
    } catch (error) {
      return error as Error;
    }
  }

  private async post(
    { device, message, nid }: PendingPush,
    sealed: SealedPush | Error,
    now: Date,
  ): Promise<PushOutcome['reply']> {
    if (sealed instanceof InvalidSubscriptionError) {
      this.logger.error(`A subscription at ${device.host} was removed: ${sealed.message}`);
      return 'bad';
    }
    if (sealed instanceof MissingSettingError) {
      if (!this.reportedProblems.has(sealed.message)) this.logger.error(`Pushes cannot be sent: ${sealed.message}`);
      this.reportedProblems.add(sealed.message);
      return 'failed';
    }
    if (sealed instanceof Error) throw sealed;
    const reply = await this.transport.post(sealed);
    if (reply.status !== 413) return reply;
    this.logger.error(`A push of ${message.deliveries.length} notices is too large for ${device.host}`);
    const short = await this.seal(device, message, nid, now, true);
    if (short instanceof Error) throw short;
    return this.transport.post(short);
  }

  private async queueMail(
    manager: EntityManager,
    device: PushDevice,
    message: PushMessage,
    now: Date,
  ): Promise<PushResponse | 'bad'> {
    if (!device.email) return 'bad';
    if (message.kind === 'answer' || message.kind === 'assigned')
      throw new Error(`Notices of the kind ${message.kind} are not mailed`);
    const language = languageOfLocale(device.preferences.language);
    await this.mail.queue(manager, {
      kind: MAIL_KINDS[message.kind],
      to: device.email,
      ...inLanguage(language, () => messageText(message, now)),
      language,
      link: `${this.config.publicOrigin}${pathIn(language, messagePath(message))}`,
      stopLink: `${this.config.publicOrigin}/api/unsubscribe/${this.unsubscribeLinks.tokenOf(device.userId ?? '')}`,
    });
    return { status: 202 };
  }
}

const createNotificationId = (): string => randomBytes(16).toString('base64url');

/**
 * Claims devices with due deliveries by an advisory lock on each, until the transaction ends. Unlike a row lock it does not
 * block a sign-out.
 */
async function claimDevices(manager: EntityManager, host: string, now: Date): Promise<string[]> {
  for (const limit of CANDIDATE_LIMITS) {
    const first: { id: string }[] = await manager.query(DUE_DEVICES_OF_HOST, [host, now, limit, latestPauseEnd(now)]);
    const lockedDevices: { id: string }[] = await manager.query(TRY_LOCK_DEVICES, [
      [...new Set(first.map(({ id }) => id))],
    ]);
    if (lockedDevices.length > 0 || first.length < limit) return lockedDevices.map(({ id }) => id);
  }
  return [];
}

export const sendPushesJob: Job = {
  name: 'send-pushes',
  everySeconds: 10,
  run: async ({ find }) => (await find(PushSenderService)).sendDue(),
};
