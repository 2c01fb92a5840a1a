/** The job that sends a queued mail. */
import { Logger } from '@nestjs/common';
import type { JobWithMetadata } from 'pg-boss';
import type { Config } from '../base/config.ts';
import type { QueuedMail } from './mail.service.ts';
import { MailSeal } from './mail-seal.ts';
import { composeMail } from './mail-texts.ts';
import { MailRejectedError, toSmtpMessage } from './mail-transport.port.ts';
import { createMailboxTransport, mailboxFolder } from './mailbox.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/** The job of a mail; only its id and kind are logged. */
export type MailJob = Pick<JobWithMetadata<QueuedMail>, 'id' | 'data' | 'retryCount' | 'retryLimit'>;

/**
 * Creates the function that sends one queued mail. It returns when the mail was sent or permanently rejected. It throws
 * when the job should be retried.
 */
export function createMailSender(config: Config, now: () => Date): (job: MailJob) => Promise<void> {
  const logger = new Logger('Mail');
  const seal = new MailSeal(config.sessionKeys);
  const transport = config.mailUrl
    ? createSmtpTransport({ url: config.mailUrl, isTlsOptional: config.isMailTlsOptional }, config.mailConnections)
    : createMailboxTransport(mailboxFolder(config));

  async function send({ id, data }: MailJob): Promise<void> {
    const mail = await seal.open(data.sealed).catch(() => {
      throw new MailRejectedError('its key is no longer among the SESSION_KEYS');
    });
    await transport.deliver(toSmtpMessage(composeMail(mail, config), mail.to, id, now(), config));
  }

  return async (job) => {
    const reject = (reason: string) => logger.error(`Mail ${job.id} (${job.data.kind}) was not sent: ${reason}`);
    if (now() > new Date(job.data.until)) return reject('its validity has ended');
    try {
      await send(job);
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof MailRejectedError) return reject(reason);
      if (job.retryCount >= job.retryLimit) return reject(`${reason}, and no attempt is left`);
      logger.warn(`Mail ${job.id} (${job.data.kind}) will be retried: ${reason}`);
      throw error;
    }
  };
}
