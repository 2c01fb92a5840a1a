/** The mailbox of this machine: mails as files, for development and tests. */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '../base/config.ts';
import type { MailTransport } from './mail-transport.port.ts';

const MAIL_FILE_NAME = /^\d{8}T\d{9}Z-\d{3}\.eml$/;

/** The folder for mails of an installation without a mail server. */
export const mailboxFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'mail');

/** A mail of the mailbox. */
export interface MailboxEntry {
  name: string;
  /** Unfolded header lines; encoded words are not decoded. */
  head: string[];
  text: string;
}

/** Writes mails to `folder` as `.eml` files whose names sort by time. */
export function createMailboxTransport(folder: string): MailTransport {
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async deliver(message) {
      const { message: bytes } = await writer.sendMail(message);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const aside = join(folder, `.${randomUUID()}`);
      await writeFile(aside, bytes as Buffer, { mode: 0o600 });
      await moveToMailbox(aside, folder, message.date).finally(() => rm(aside));
    },
  };
}

/** Gives the complete file its final name. Mails of the same millisecond are numbered. */
async function moveToMailbox(aside: string, folder: string, date: Date): Promise<void> {
  const instant = date.toISOString().replaceAll(/[-:.]/g, '');
  for (let number = 0; ; number++) {
    try {
      return await link(aside, join(folder, `${instant}-${String(number).padStart(3, '0')}.eml`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The newest `limit` mails of `folder`, newest first. */
export async function listMailbox(folder: string, limit: number): Promise<MailboxEntry[]> {
  const names = await readdir(folder).catch(() => []);
  const newest = names
    .filter((name) => MAIL_FILE_NAME.test(name))
    .sort()
    .reverse()
    .slice(0, limit);
  return Promise.all(newest.map(async (name) => parseMail(name, await readFile(join(folder, name), 'latin1'))));
}

/** The mail with this name; undefined when there is none. */
export async function readMailbox(folder: string, name: string): Promise<MailboxEntry | undefined> {
  if (!MAIL_FILE_NAME.test(name)) return undefined;
  return parseMail(name, await readFile(join(folder, name), 'latin1').catch(() => undefined));
}

// Parses only the format of the writer above: multipart/alternative whose first part is the text.
function parseMail(name: string, eml: string): MailboxEntry;
function parseMail(name: string, eml: string | undefined): MailboxEntry | undefined;
function parseMail(name: string, eml: string | undefined): MailboxEntry | undefined {
  if (eml === undefined) return undefined;
  const [head = '', , ...rest] = eml.split('\r\n\r\n');
  const text = rest.join('\r\n\r\n').split('\r\n--', 1)[0] ?? '';
  return { name, head: head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n'), text: fromQuotedPrintable(text) };
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
