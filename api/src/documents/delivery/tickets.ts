/** Signed tickets for files, bound to a link. They are not stored. */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '@nivida/contract/time';

const START_PERIOD_MS = 60_000;
/** How long an interrupted download may be resumed. */
const RESUME_PERIOD_MS = DAY_MS;
const TICKET_PATTERN = /^([\w-]{43})\.([0-9a-z]{6,10})\.([\w-]{43})$/;

/** The content of a ticket. */
export interface DownloadTicket {
  /** SHA-256 of the link's token, in hex. */
  linkSha256: string;
  madeAt: Date;
  /** A download must begin before this. */
  startsBefore: Date;
  /** A resumed download must end before this. */
  resumesBefore: Date;
}

/** Signs tickets with the first key; accepts those of all keys. */
export class DownloadTickets {
  private readonly keys: Buffer[];

  constructor(sessionKeys: readonly string[]) {
    // A derived key: session keys sign sessions only.
    this.keys = sessionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'nivida file ticket', 32)));
  }

  /** A ticket for one download that begins within a minute of `now`. */
  create(linkSha256: string, now: Date): string {
    const [key] = this.keys;
    if (!key) throw new Error('There is no session key to sign tickets with');
    const body = `${Buffer.from(linkSha256, 'hex').toString('base64url')}.${(now.getTime() + START_PERIOD_MS).toString(36)}`;
    return `${body}.${sign(key, body)}`;
  }

  /** The ticket's content; undefined when the signature is wrong. */
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
