import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import { CLOCK } from '../../base/injection-tokens.ts';
import type { Sender } from '../security/client-address.ts';
import { sha256Hex } from '../security/cookies.ts';
import { COUNT_CALL, READ_COUNTS, RELEASE_CALL } from './rate-limits.sql.ts';
import { type LimitName, type LimitSubject, type RateLimitWindow, windowsOf } from './rate-limits.ts';
import { addressHint, tooManyRequests } from './too-many-requests.ts';

/** The caller of a limited call. A subject counts only if it is given here and the limit has windows for it. */
export interface LimitedCaller {
  account?: string | null | undefined;
  email?: string | null | undefined;
  order?: string | undefined;
  sender?: Sender | undefined;
}

/** A window after a call: its calls, and the seconds until it ends. */
export interface CountedWindow extends RateLimitWindow {
  count: number;
  wait: number;
}

/** A window of a key that has not ended. */
export interface ReadWindow {
  key: string;
  perSeconds: number;
  count: number;
  endsAt: Date;
}

/** One counter of a limit in the database. */
interface Counter {
  subject: LimitSubject;
  key: string;
  windows: readonly RateLimitWindow[];
}

/** Rate limits shared by all processes. One SQL upsert counts atomically. Keys are stored as their digest. */
@Injectable()
export class RateLimitsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Counts one call of `name` for the caller's account, e-mail address, mailbox and order, then for the device, then for the
   * network address. TOO_MANY with Retry-After at the first counter that is full; the counters after it do not count the call.
   */
  async consume(name: LimitName, caller: LimitedCaller): Promise<void> {
    for (const { subject, key, windows } of countersOf(name, caller)) {
      const wait = await this.count(`${name}-${subject}`, key, windows);
      if (wait > 0) throw tooManyRequests(`${name}-${subject}`, wait, subject === 'address' ? addressHint : undefined);
    }
  }

  /** Undoes one `consume`. */
  async release(name: LimitName, caller: LimitedCaller): Promise<void> {
    // Locks rows in the order of `consume` to avoid a deadlock with it.
    for (const { subject, key } of countersOf(name, caller))
      await this.dataSource.query(RELEASE_CALL, [`${name}-${subject}`, sha256Hex(key), this.now()]);
  }

  /** Counts a request for an id or token that does not exist. TOO_MANY after many from one sender. */
  consumeUnknownId(sender: Sender): Promise<void> {
    return this.consume('unknown-id', { sender });
  }

  /**
   * Counts a call in each window, shortest first. If a window refuses the call, the longer ones do not count it. Returns the
   * seconds to wait; 0 when the call is allowed.
   */
  async count(name: string, key: string, windows: readonly RateLimitWindow[]): Promise<number> {
    const last = (await this.countWindows(name, key, windows)).at(-1);
    return last && last.count > last.max ? last.wait : 0;
  }

  /** Counts a call as `count` does. Returns the windows that counted it; only the last one can have refused it. */
  async countWindows(name: string, key: string, windows: readonly RateLimitWindow[]): Promise<CountedWindow[]> {
    const now = this.now();
    const counted: CountedWindow[] = [];
    for (const { max, perSeconds } of windows) {
      // Counted outside the caller's transaction, so that an attempt counts even if it fails afterwards.
      const [row]: { count: number; wait: number }[] = await this.dataSource.query(COUNT_CALL, [
        name,
        sha256Hex(key),
        perSeconds,
        now,
      ]);
      if (!row) continue;
      counted.push({ max, perSeconds, count: row.count, wait: Math.max(1, row.wait) });
      if (row.count > max) break;
    }
    return counted;
  }

  /** What the windows have counted for each key, without counting a call. Ended windows are left out. */
  async readCounts(name: string, keys: readonly string[]): Promise<ReadWindow[]> {
    const digests = new Map(keys.map((key) => [sha256Hex(key), key]));
    const rows: { key: string; perSeconds: number; count: number; endsAt: Date }[] = await this.dataSource.query(
      READ_COUNTS,
      [name, [...digests.keys()], this.now()],
    );
    return rows.map((row) => ({ ...row, key: digests.get(row.key) ?? '' }));
  }
}

function countersOf(name: LimitName, { account, email, order, sender }: LimitedCaller): Counter[] {
  const counter = (subject: LimitSubject, key: string | null | undefined, share = 1): Counter[] => {
    const windows = windowsOf(name, subject).map(({ max, perSeconds }) => ({
      max: Math.ceil(max * share),
      perSeconds,
    }));
    return key == null || windows.length === 0 ? [] : [{ subject, key, windows }];
  };
  const { device, address } = sender ?? {};
  // Older devices have separate counters, so that an attack with many new devices does not block them.
  const established = device?.isEstablished ? ' established' : '';
  const mailbox = email && mailboxOf(email);
  const requester = device?.isEstablished ? device.token : (address?.key ?? '');
  const isMailboxLimited = windowsOf(name, 'mailbox').length > 0;
  return [
    ...counter('account', account),
    ...counter('email', mailbox && (isMailboxLimited ? `${mailbox} ${requester}` : mailbox)),
    ...counter('mailbox', mailbox && `${mailbox}${established}`),
    ...counter('order', order),
    ...counter('device', device?.token),
    ...counter('address', address && `${address.key}${established}`, address?.share),
  ];
}

/** The mailbox of an address: a+b@x.example is a@x.example, and Gmail ignores dots. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email
    .slice(at + 1)
    .toLowerCase()
    .replace(/^googlemail\.com$/, 'gmail.com');
  const local = email
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, '');
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`;
}

/** Whether an error is a refusal by the limit of a network address. */
export const isAddressRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.limit?.endsWith('-address') ?? false);
