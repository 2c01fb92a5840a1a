/** Sends mails by SMTP when MAIL_URL is set. */
import { createTransport } from 'nodemailer';
import { isLoopback } from '../http/security/loopback.ts';
import { MailRejectedError, type MailTransport } from './mail-transport.port.ts';

const CONNECT_MS = 10_000;
const REPLY_MS = 60_000;
/** Shorter than mail servers and firewalls keep idle connections. */
const MAX_IDLE_MS = 2_000;

/** Where mails are sent: MAIL_URL and MAIL_TLS. */
export interface SmtpServer {
  /** `smtp://` uses STARTTLS, `smtps://` TLS. */
  url: string;
  /** Whether a server without TLS and password gets mails unencrypted. */
  isTlsOptional: boolean;
}

/** A client of a mail server with at most `maxConnections` connections, each used for many mails. */
export function createSmtpTransport(server: SmtpServer, maxConnections: number): MailTransport {
  const client = createTransport({
    ...connectionOptions(server),
    pool: true,
    maxConnections,
    idleTimeout: MAX_IDLE_MS,
  });
  return {
    async deliver(message) {
      await client.sendMail(message).catch((error) => {
        throw withoutMessageContent(error);
      });
    },
  };
}

/** Connects and signs in without sending a mail. Throws when the server does not accept it. */
export async function verifySmtpServer(server: SmtpServer): Promise<void> {
  const client = createTransport(connectionOptions(server));
  try {
    await client.verify().catch((error) => {
      throw withoutMessageContent(error);
    });
  } finally {
    client.close();
  }
}

function connectionOptions({ url, isTlsOptional }: SmtpServer) {
  const { username, hostname } = new URL(url);
  return {
    url,
    // Without TLS a password is sent only to this machine, and a mail only where the operator allows it.
    requireTLS: !isLoopback(hostname) && (username !== '' || !isTlsOptional),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: REPLY_MS,
  };
}

/** An error with only code and command. Servers repeat the address in error messages, and errors are stored and logged. */
export function withoutMessageContent(error: { responseCode?: number; code?: string; command?: string }): Error {
  const { responseCode, command = '' } = error;
  const reason = `SMTP ${[responseCode ?? error.code ?? 'failure', command].join(' ').trim()}`;
  // Other errors concern the sender, the password or the server, which the operator can fix.
  const isFinal = (responseCode ?? 0) >= 500 && (command === 'RCPT TO' || command === 'DATA');
  return isFinal ? new MailRejectedError(reason) : new Error(reason);
}
