/** How a mail leaves: the port that SMTP and the mailbox of this machine implement. */
import type { SendMailOptions } from 'nodemailer';
import type { Config } from '../config.ts';
import type { ComposedMail } from './mail-texts.ts';

/** Takes a mail away. Throws MailRefused when it will never be taken, anything else when it may be tried again. */
export interface MailTransport {
  deliver(message: SendMailOptions & { date: Date }): Promise<void>;
}

/** The mail server will not take this mail, however often it is asked. The message holds no address and no text of it. */
export class MailRejectedError extends Error {
  override name = 'MailRejectedError';
}

/** A letter with its headers. `id` is the job's: a mail that is sent twice can be recognised by its Message-ID. */
export function toSmtpMessage(
  { stopLink, ...letter }: ComposedMail,
  to: string,
  id: string,
  date: Date,
  config: Config,
) {
  return {
    ...letter,
    from: config.mailFrom ?? 'Nivida <no-reply@localhost>',
    // Not as text, which would be read as a list of addresses.
    to: { name: '', address: to },
    messageId: `<${id}@${new URL(config.publicOrigin).hostname}>`,
    date,
    // So that holiday notices do not answer.
    headers: {
      'Auto-Submitted': 'auto-generated',
      // The mail program's own button (RFC 8058).
      ...(stopLink && {
        'List-Unsubscribe': `<${stopLink}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    textEncoding: 'quoted-printable' as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
