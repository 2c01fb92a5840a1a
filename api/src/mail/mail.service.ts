import { Inject, Injectable } from '@nestjs/common';
import { HOUR_SECONDS } from '@nivida/contract/time';
import type { EntityManager } from 'typeorm';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG } from '../base/injection-tokens.ts';
import { JobSenderService } from '../jobs/job-sender.service.ts';
import { MAX_AGE_SECONDS, type Mail, type MailKind } from './mail.ts';
import { MailSeal } from './mail-seal.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const SINGLE_ADDRESS_PATTERN = /^[^\s\u0000-\u001f\u007f@<>()[\]\\,;:"]+@[^\s\u0000-\u001f\u007f@<>()[\]\\,;:"]+$/u;

/** Mails with at most this maximum age are sent first: a visitor waits for a code. */
const URGENT_SECONDS = HOUR_SECONDS;

const ALERT_MAIL_KINDS: ReadonlySet<MailKind> = new Set([
  'closing-reminder',
  'tender-changed',
  'new-tenders',
  'document-expiry',
]);

/** A queued mail with encrypted content. It is not sent after `until` (ISO 8601). */
export interface QueuedMail {
  kind: MailKind;
  until: string;
  sealed: string;
}

/** Queues mails. */
@Injectable()
export class MailService {
  private readonly mailSeal: MailSeal;

  constructor(
    private readonly jobs: JobSenderService,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) config: Config,
  ) {
    this.mailSeal = new MailSeal(config.sessionKeys);
  }

  /**
   * Queues a mail in the caller's transaction. A worker sends it after the commit, within a second or when the mail server
   * answers again. Throws unless `to` is exactly one address.
   */
  async queue(manager: EntityManager, mail: Mail): Promise<void> {
    // The contract validates addresses too; this check protects the header.
    if (!SINGLE_ADDRESS_PATTERN.test(mail.to)) throw new Error('A mail needs one address to go to');
    const until = new Date(this.now().getTime() + MAX_AGE_SECONDS[mail.kind] * 1_000).toISOString();
    const queued: QueuedMail = { kind: mail.kind, until, sealed: await this.mailSeal.seal(mail) };
    await this.jobs.send(manager, 'mail', queued, { priority: priorityOf(mail.kind) });
  }
}

/** Mails with a higher priority are sent first. A million alerts of one evening delay no other mail. */
function priorityOf(kind: MailKind): number {
  if (MAX_AGE_SECONDS[kind] <= URGENT_SECONDS) return 2;
  if (kind === 'operator-message') return -1;
  return ALERT_MAIL_KINDS.has(kind) ? 0 : 1;
}
