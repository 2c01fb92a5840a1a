import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ImapFlow } from 'imapflow';
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { DataSource } from 'typeorm';
import { maskEmail } from '../../auth/security-events.service.ts';
import type { Config, MailboxSettings } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { isLoopback } from '../../http/security/loopback.ts';
import type { Job } from '../../jobs/job.ts';
import { MailService } from '../../mail/mail.service.ts';
import { IMPORTABLE_NAME } from './feed-sources.ts';

/** Mails that were handled are moved here, beside the folder of IMAP_URL. */
const DONE_FOLDER = 'Nivida-imported';
const REFUSED_FOLDER = 'Nivida-refused';
/** The largest mail that is fetched. */
const MAX_MAIL_BYTES = 40_000_000;
const DEFAULT_FOLDER = 'INBOX';
const TIMEOUT_MS = 30_000;

/** A mail that brings no file; the reason is for the operator. */
class RefusedMailError extends Error {}

/** Puts attachments of mails into the folders of feeds, which import them. Mails of other senders are not touched. */
@Injectable()
export class FeedMailsService {
  private readonly logger = new Logger('Mails');

  constructor(
    private readonly dataSource: DataSource,
    private readonly mails: MailService,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Fetches new mails and returns their number. A mail that is refused does not stop the others. Throws when the server does not answer. */
  async fetch(): Promise<number> {
    const { mailbox } = this.config;
    if (!mailbox) return 0;
    const client = connect(mailbox.url);
    await client.connect();
    try {
      const lock = await client.getMailboxLock(folderOf(mailbox.url));
      try {
        return await this.fetchAll(client, mailbox);
      } finally {
        lock.release();
      }
    } finally {
      await client.logout().catch(() => client.close());
    }
  }

  private async fetchAll(client: ImapFlow, { senders }: MailboxSettings): Promise<number> {
    const uids = new Set<number>();
    for (const address of senders.flatMap(({ addresses }) => addresses))
      for (const uid of (await client.search({ from: address }, { uid: true })) || []) uids.add(uid);
    if (uids.size > 0) await createFolders(client);
    let handled = 0;
    for (const uid of [...uids].sort((one, other) => one - other)) {
      const found = await client.fetchOne(String(uid), { envelope: true, size: true }, { uid: true });
      if (!found) continue;
      const [{ address = '' } = {}] = found.envelope?.from ?? [];
      // The search finds parts of addresses too.
      const portals = senders.filter((each) => isSender(each.addresses, address)).map(({ portal }) => portal);
      if (portals.length === 0) continue;
      const isDone = await this.handle(client, uid, { size: found.size ?? 0, address, portals });
      await moveTo(client, uid, isDone ? DONE_FOLDER : REFUSED_FOLDER);
      handled += 1;
    }
    return handled;
  }

  /** Returns whether the mail brought a file. */
  private async handle(
    client: ImapFlow,
    uid: number,
    { size, address, portals }: { size: number; address: string; portals: string[] },
  ): Promise<boolean> {
    let portal = portals.join(', ');
    try {
      if (size > MAX_MAIL_BYTES) throw new RefusedMailError(`is larger than ${MAX_MAIL_BYTES / 1_000_000} MB`);
      const found = await client.fetchOne(String(uid), { source: true }, { uid: true });
      const mail = await PostalMime.parse((found ? found.source : undefined) ?? '');
      if (isForged(mail)) throw new RefusedMailError('failed the check of its sender (DMARC)');
      portal = portalOf(mail, portals);
      const files = mail.attachments.filter(({ filename }) => IMPORTABLE_NAME.test(filename ?? ''));
      if (files.length === 0) throw new RefusedMailError('has no attachment of a known kind');
      for (const file of files) await this.store(portal, uid, file);
      this.logger.log(`${portal}: ${files.length} files from ${maskEmail(address)}`);
      return true;
    } catch (error) {
      if (!(error instanceof RefusedMailError)) throw error;
      const what = `The mail from ${maskEmail(address)} ${error.message}. It is in the folder ${REFUSED_FOLDER}.`;
      this.logger.error(`${portal}: ${what}`);
      const { supportEmail: to } = this.config;
      if (to)
        await this.dataSource.transaction((manager) =>
          this.mails.queue(manager, { kind: 'feed-held', to, portal, what }),
        );
      return false;
    }
  }

  /** Complete or absent: the feed imports no unfinished file. */
  private async store(portal: string, uid: number, { filename, content }: Attachment): Promise<void> {
    const feed = this.config.feeds.find((each) => each.portal === portal && each.isFolder);
    if (!feed) throw new Error(`FEEDS has no folder of ${portal}`);
    await mkdir(feed.source, { recursive: true });
    const name = (filename ?? '').replaceAll(/[^\p{L}\p{M}\p{N}.-]+/gu, '-').slice(-80);
    // The day and the number of the mail: a file of the same name tomorrow is another one.
    const path = join(feed.source, `${this.now().toISOString().slice(0, 10)}-${uid}-${name}`);
    const unfinished = join(feed.source, `.${randomUUID()}`);
    await writeFile(unfinished, typeof content === 'string' ? content : new Uint8Array(content));
    await rename(unfinished, path);
  }
}

function connect(address: string): ImapFlow {
  const url = new URL(address);
  const secure = url.protocol === 'imaps:';
  return new ImapFlow({
    host: url.hostname,
    port: url.port === '' ? (secure ? 993 : 143) : Number(url.port),
    secure,
    // Without TLS the password could be read on the way.
    ...(!secure && { doSTARTTLS: !isLoopback(url.hostname) }),
    auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    logger: false,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
}

const folderOf = (address: string): string =>
  decodeURIComponent(new URL(address).pathname.replace(/^\//, '')) || DEFAULT_FOLDER;

const isSender = (addresses: readonly string[], address: string): boolean => {
  const sender = address.toLowerCase();
  return addresses.some((each) => (each.startsWith('@') ? sender.endsWith(each) : sender === each));
};

/** Whether the mail server found that the domain of the sender did not send this mail. Its header is the first one. */
const isForged = ({ headers }: Email): boolean =>
  /\bdmarc=fail\b/i.test(headers.find(({ key }) => key === 'authentication-results')?.value ?? '');

/** The portal of a mail, if its sender writes for several: named by `box+portal@…` or by a word of the subject. */
function portalOf(mail: Email, portals: readonly string[]): string {
  const [first, second] = portals;
  if (first !== undefined && second === undefined) return first;
  const recipients = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap(addressesOf);
  const tags = recipients.map((address) => /\+([^@]+)@/.exec(address)?.[1]?.toLowerCase());
  const words = (mail.subject ?? '').toLowerCase().split(/[^a-z0-9.-]+/);
  const named = portals.filter((portal) => tags.includes(portal));
  const [portal, other] = named.length > 0 ? named : portals.filter((each) => words.includes(each));
  if (portal !== undefined && other === undefined) return portal;
  throw new RefusedMailError(
    `names none of its portals (${portals.join(', ')}) in the subject or after + in the address`,
  );
}

const addressesOf = (address: Address): string[] =>
  address.address ? [address.address] : (address.group ?? []).map((each) => each.address);

/** A server may name folders below a prefix, so their last name is compared. */
async function createFolders(client: ImapFlow): Promise<void> {
  const names = (await client.list()).map(({ name }) => name);
  for (const folder of [DONE_FOLDER, REFUSED_FOLDER]) if (!names.includes(folder)) await client.mailboxCreate([folder]);
}

async function moveTo(client: ImapFlow, uid: number, folder: string): Promise<void> {
  const isMoved = await client.messageMove(String(uid), [folder], { uid: true });
  if (!isMoved) throw new Error(`The mail server did not move a mail to ${folder}`);
}

export const fetchMailsJob: Job = {
  name: 'fetch-mails',
  cron: '*/5 * * * *',
  run: async ({ find }) => (await find(FeedMailsService)).fetch(),
};
