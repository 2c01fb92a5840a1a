import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { noteSecrets } from './secrets.ts';
import { expect } from './test.ts';

const FOLDER = join(process.env.E2E_DATA_DIR ?? '', 'mail');

/** Mails by file name, cached because a file never changes. */
const parsedMails = new Map<string, Email>();

async function parseMail(name: string): Promise<Email> {
  const mail = parsedMails.get(name) ?? (await PostalMime.parse(await readFile(join(FOLDER, name))));
  parsedMails.set(name, mail);
  return mail;
}

async function mailsTo(address: string, subject: string): Promise<Email[]> {
  const names = (await readdir(FOLDER).catch(() => [])).filter((name) => /^[^.].*\.eml$/.test(name)).sort();
  const mails = await Promise.all(names.map(parseMail));
  return mails.filter((mail) => mail.subject === subject && mail.to?.some((to) => to.address === address));
}

/** The text of the mail with this subject to an address. Waits until `count` such mails have arrived. */
export async function mailText(address: string, subject: string, count = 1): Promise<string> {
  await expect
    .poll(async () => (await mailsTo(address, subject)).length, {
      message: `mails '${subject}' to ${address}`,
      timeout: 60_000,
      intervals: [100],
    })
    .toBe(count);
  return (await mailsTo(address, subject)).at(-1)?.text ?? '';
}

/** The code that was mailed to an address. */
export async function mailedCode(address: string): Promise<string> {
  const [code = ''] = (await mailText(address, 'Your code for Nivida')).match(/^\d{6}$/m) ?? [];
  noteSecrets(code);
  return code;
}

/** The link for a new password that was mailed to an address. */
export async function mailedLink(address: string): Promise<string> {
  const [link = ''] = (await mailText(address, 'Choose a new password for Nivida')).match(/^http\S+$/m) ?? [];
  noteSecrets(new URL(link).hash.replace('#token=', ''));
  return link;
}
