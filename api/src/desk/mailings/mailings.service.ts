import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import type { Language } from '@nivida/contract/languages';
import { DataSource, type EntityManager } from 'typeorm';
import { type OperatorAct, recordAct } from '../../audit/record-act.ts';
import { AppError, forPrograms } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import type { Job } from '../../jobs/job.ts';
import { MailService } from '../../mail/mail.service.ts';
import {
  ADD_RECIPIENTS,
  BEGIN_MAILING,
  COUNT_RECIPIENTS,
  LIST_MAILINGS,
  MAILING_TEXTS,
  MARK_QUEUED,
  NEXT_RECIPIENTS,
  STOP_MAILING,
  WAITING_MAILS,
} from './mailings.sql.ts';

/** Mails of mailings that may wait in the queue: at ten a second they are sent before the job runs again. */
const MAX_WAITING = 600;
const BATCH_SIZE = 50;

/** Subject and paragraphs of a mailing in one language. */
export interface MailingText {
  subject: string;
  paragraphs: string[];
}

/** A message to many accounts. */
export interface Mailing {
  /** An account gets one mail of a name. */
  name: string;
  texts: Partial<Record<Language, MailingText>>;
  /** Accounts; null: all. */
  userIds: string[] | null;
}

/** The state of a mailing. */
export interface ListedMailing {
  name: string;
  startedAt: Date;
  stoppedAt: Date | null;
  recipients: number;
  /** Mails that were handed to the mail queue. */
  queued: number;
  lastAt: Date | null;
}

/** Sends messages about the service to many accounts, each in its language and once per account and name. */
@Injectable()
export class MailingsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: MailService,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * The accounts that would get the mail now, by language. CONFLICT when the name has other texts, INVALID when an account
   * reads a language without a text.
   */
  async preview({ name, texts, userIds }: Mailing): Promise<{ language: Language; count: number }[]> {
    const [present]: { isSame: boolean }[] = await this.dataSource.query(MAILING_TEXTS, [name, JSON.stringify(texts)]);
    if (present && !present.isSame) throw otherTexts();
    const counts: { language: Language; count: number }[] = await this.dataSource.query(COUNT_RECIPIENTS, [
      userIds,
      name,
    ]);
    const missing = counts.filter(({ language }) => !texts[language]);
    if (missing.length > 0)
      throw new AppError(
        'INVALID',
        forPrograms(
          `There is no text for ${missing.map(({ language, count }) => `${count} accounts in ${language}`).join(', ')}: add --text ${missing.map(({ language }) => `${language}=FILE`).join(' --text ')}`,
        ),
      );
    return counts;
  }

  /** Begins a mailing, or adds accounts to one and lets it go on. Workers send it. Returns the number of added accounts. */
  start(mailing: Mailing, act: OperatorAct): Promise<number> {
    const { name, texts, userIds } = mailing;
    return this.dataSource.transaction(async (manager) => {
      const begun: unknown[] = await manager.query(BEGIN_MAILING, [name, JSON.stringify(texts), this.now()]);
      if (begun.length === 0) throw otherTexts();
      const counts: { count: number }[] = await manager.query(COUNT_RECIPIENTS, [userIds, name]);
      await manager.query(ADD_RECIPIENTS, [userIds, name]);
      const added = counts.reduce((sum, { count }) => sum + count, 0);
      const detail = { added, audience: userIds ? 'affected' : 'all', languages: Object.keys(texts) };
      await recordAct(manager, act, { action: 'mailing.started', subject: name, detail }, this.now());
      return added;
    });
  }

  /** Stops a mailing; mails that are in the queue are still sent. NOT_FOUND for an unknown or stopped one. */
  async stop(name: string, act: OperatorAct): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [stopped]: [unknown[]] = await manager.query(STOP_MAILING, [name, this.now()]);
      if (stopped.length === 0) throw new AppError('NOT_FOUND', () => t`There is no such message that is being sent`);
      await recordAct(manager, act, { action: 'mailing.stopped', subject: name }, this.now());
    });
  }

  /** All mailings, the newest first. */
  list(): Promise<ListedMailing[]> {
    return this.dataSource.query(LIST_MAILINGS);
  }

  /** Hands the next mails to the queue, as many as it takes now. Returns their number. */
  async sendNext(): Promise<number> {
    const [{ count }] = await this.dataSource.query(WAITING_MAILS);
    for (let sent = 0; ; ) {
      const size = Math.min(BATCH_SIZE, MAX_WAITING - count - sent);
      const done = size > 0 ? await this.dataSource.transaction((manager) => this.queueBatch(manager, size)) : 0;
      sent += done;
      if (done < BATCH_SIZE) return sent;
    }
  }

  private async queueBatch(manager: EntityManager, size: number): Promise<number> {
    const recipients: (Pick<Mailing, 'texts'> & {
      mailing: string;
      userId: string;
      email: string;
      language: Language;
      isErased: boolean;
    })[] = await manager.query(NEXT_RECIPIENTS, [size]);
    for (const { email: to, language, texts, isErased } of recipients) {
      // The user may have changed the language since the mailing began.
      const text = texts[language] ?? texts.en ?? Object.values(texts)[0];
      if (!isErased && text) await this.mails.queue(manager, { kind: 'operator-message', to, language, ...text });
    }
    const names = recipients.map(({ mailing }) => mailing);
    await manager.query(MARK_QUEUED, [names, recipients.map(({ userId }) => userId), this.now()]);
    return recipients.length;
  }
}

const otherTexts = () =>
  new AppError('CONFLICT', () => t`A message with this name and other texts was sent before. Choose another name.`);

export const sendMailingsJob: Job = {
  name: 'send-mailings',
  cron: '* * * * *',
  run: async ({ find }) => (await find(MailingsService)).sendNext(),
};
