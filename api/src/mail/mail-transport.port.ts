/** The port for sending mails, implemented by SMTP and by the mailbox of this machine. */
import type { SendMailOptions } from 'nodemailer';
import type { Config } from '../base/config.ts';
import type { ComposedMail } from './mail-texts.ts';

/** Delivers a mail. Throws MailRejectedError when a retry is useless, and any other error when a retry may succeed. */
export interface MailTransport {
  deliver(message: SendMailOptions & { date: Date }): Promise<void>;
}

/** The mail server rejects this mail permanently. The message contains neither the address nor the text. */
export class MailRejectedError extends Error {
  override name = 'MailRejectedError';
}

/** A mail with its headers. The Message-ID contains the job id, so a mail that is sent twice can be recognised. */
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
    // An object, because a text would be parsed as a list of addresses.
    to: { name: '', address: to },
    messageId: `<${id}@${new URL(config.publicOrigin).hostname}>`,
    date,
    // Auto-Submitted suppresses automatic replies.
    headers: {
      'Auto-Submitted': 'auto-generated',
      // The unsubscribe button of mail programs (RFC 8058).
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
