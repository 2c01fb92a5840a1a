/** Tickets for files: signed, so that nothing is stored for a minute, and bound to the link that they were given for. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const START_PERIOD_MS = 60_000;
/** A download that has begun may be taken up again for so long, on a line that breaks. */
const RESUME_PERIOD_MS = 24 * 3_600_000;
const TICKET_PATTERN = /^([\w-]{43})\.([0-9a-z]{6,10})\.([\w-]{43})$/;

/** What a ticket says. */
export interface DownloadTicket {
  /** SHA-256 of the link's token, in hex. */
  linkSha256: string;
  madeAt: Date;
  /** Until when a download may begin. */
  startsBefore: Date;
  /** Until when one that has begun may go on. */
  resumesBefore: Date;
}

/** Makes tickets with the first key and knows those of all. */
export class DownloadTickets {
  private readonly keys: Buffer[];

  constructor(sessionKeys: readonly string[]) {
    // A key of its own: what signs sessions signs nothing else.
    this.keys = sessionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'nivida file ticket', 32)));
  }

  /** For one download that begins within a minute of `now`. */
  create(linkSha256: string, now: Date): string {
    const [key] = this.keys;
    if (!key) throw new Error('There is no session key to sign tickets with');
    const body = `${Buffer.from(linkSha256, 'hex').toString('base64url')}.${(now.getTime() + START_PERIOD_MS).toString(36)}`;
    return `${body}.${sign(key, body)}`;
  }

  /** What it says; undefined for anything that was not made here. */
  read(ticket: string): DownloadTicket | undefined {
    const [, link = '', until = '', signature = ''] = TICKET_PATTERN.exec(ticket) ?? [];
    const given = Buffer.from(signature);
    const isOurs = this.keys.some((key) => {
      const own = Buffer.from(sign(key, `${link}.${until}`));
      return own.length === given.length && timingSafeEqual(own, given);
    });
    if (!isOurs) return undefined;
    const startsBefore = Number.parseInt(until, 36);
    return {
      linkSha256: Buffer.from(link, 'base64url').toString('hex'),
      madeAt: new Date(startsBefore - START_PERIOD_MS),
      startsBefore: new Date(startsBefore),
      resumesBefore: new Date(startsBefore + RESUME_PERIOD_MS),
    };
  }
}

const sign = (key: Buffer, body: string): string => createHmac('sha256', key).update(body).digest('base64url');
