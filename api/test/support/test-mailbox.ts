/** The mails of an app under test, sent into a mailbox folder and parsed like by a mail program. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import PostalMime, { type Email } from 'postal-mime';
import { PasswordResetService } from '../../src/auth/passwords/password-reset.service.ts';
import { createMailSender, type MailJob } from '../../src/mail/mail-delivery.ts';
import { mailboxFolder } from '../../src/mail/mailbox.ts';
import { toPgOptions } from '../../src/schema/data-source.ts';
import type { TestApp } from './start-app.ts';

const received = new WeakMap<TestApp, Email[]>();

/** All mails of `app`, the newest last; sends waiting ones first. */
export async function readSentMails(app: TestApp): Promise<Email[]> {
  await app.app.get(PasswordResetService).waitForMails();
  const mails = received.get(app) ?? [];
  received.set(app, mails);
  const dataDir = await mkdtemp(join(tmpdir(), 'nivida-mailbox-'));
  try {
    const config = { ...app.config, mailUrl: undefined, dataDir };
    await runMailJobs(
      app,
      createMailSender(config, () => app.clock.now),
    );
    mails.push(...(await readMails(mailboxFolder(config))));
  } finally {
    await rm(dataDir, { recursive: true });
  }
  return mails;
}

/** The newest mail to an address. Throws when there is none. */
export async function findLastMail(app: TestApp, address: string): Promise<Email> {
  const mail = (await readSentMails(app)).findLast(({ to }) => to?.some((recipient) => recipient.address === address));
  if (!mail) throw new Error(`${address} got no mail`);
  return mail;
}

/** The six digits of a mail with a code. Throws when there are none. */
export const findCode = (mail: Email): string => find(mail, /^\d{6}$/m);

/** The first link of a mail that has a path or fragment. Throws when there is none. */
export const findLink = (mail: Email): string => find(mail, /^https?:\/\/[^/\s]+[/#]\S+$/m);

function find(mail: Email, pattern: RegExp): string {
  const found = mail.text?.match(pattern)?.[0];
  if (!found) throw new Error(`"${mail.subject}" holds no ${pattern}`);
  return found;
}

/** Reads the files of a mailbox folder, the newest last. */
export async function readMails(folder: string): Promise<Email[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  return Promise.all(names.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
}

/** Runs every waiting mail job once, also one whose next attempt is due later. */
export async function runMailJobs(app: TestApp, deliver: (job: MailJob) => Promise<void>): Promise<void> {
  const boss = new PgBoss({ ...toPgOptions(app.database.address), max: 1, supervise: false, schedule: false });
  await boss.start();
  try {
    const options = { includeMetadata: true, ignoreStartAfter: true, batchSize: 1_000 } as const;
    const jobs = await boss.fetch<MailJob['data']>('mail', options);
    for (const job of jobs.sort((one, other) => one.createdOn.getTime() - other.createdOn.getTime())) {
      await deliver(job).then(
        () => boss.deleteJob('mail', job.id),
        (error) => boss.fail('mail', job.id, error),
      );
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}
