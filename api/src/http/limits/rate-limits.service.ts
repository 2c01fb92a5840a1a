import { Inject, Injectable } from '@nestjs/common';
import { HOUR_SECONDS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { AppError, tooManyRequests } from '../errors/app-error.ts';
import { CLOCK } from '../injection-tokens.ts';
import type { ClientAddress } from '../security/client-address.ts';
import { sha256Hex } from '../security/cookies.ts';
import { COUNT_CALL, RELEASE_CALL } from './rate-limits.sql.ts';

/** At most `max` in `perSeconds`. A window begins with its first call; the next begins after it has ended. */
export interface RateLimitWindow {
  max: number;
  perSeconds: number;
}

/** Unknown ids and tokens per network address. Real ones have at least 128 random bits and cannot be guessed by chance. */
const UNKNOWN_ID_LIMITS: readonly RateLimitWindow[] = [
  { max: 30, perSeconds: 60 },
  { max: 200, perSeconds: HOUR_SECONDS },
];

/** Rate limits shared by all processes. One SQL upsert counts atomically. Keys are stored as their digest. */
@Injectable()
export class RateLimitsService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** Counts one call of `name` for `key`; TOO_MANY with Retry-After when a window is full. */
  async consume(name: string, key: string, windows: readonly RateLimitWindow[]): Promise<void> {
    const now = this.now();
    // Outside of the caller's transaction: an attempt that fails afterwards still counts.
    const rows: { per_seconds: number; count: number; wait: number }[] = await this.dataSource.query(COUNT_CALL, [
      name,
      sha256Hex(key),
      windows.map(({ perSeconds }) => perSeconds),
      now,
    ]);
    const full = rows.filter(({ per_seconds, count }) =>
      windows.some(({ max, perSeconds }) => perSeconds === per_seconds && count > max),
    );
    if (full.length > 0) throw tooManyRequests(Math.max(1, ...full.map(({ wait }) => wait)));
  }

  /** Like `consume`, but returns false instead of throwing TOO_MANY. */
  async tryConsume(name: string, key: string, windows: readonly RateLimitWindow[]): Promise<boolean> {
    try {
      await this.consume(name, key, windows);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Like `consume` for a network address; an IPv6 network has a tenth of `max`. Without an address nothing is counted. */
  async consumeForAddress(
    name: string,
    address: ClientAddress | undefined,
    windows: readonly RateLimitWindow[],
  ): Promise<void> {
    if (!address) return;
    const shared = windows.map(({ max, perSeconds }) => ({ max: Math.ceil(max * address.share), perSeconds }));
    await this.consume(name, address.key, shared);
  }

  /** Counts an unknown id or token; TOO_MANY for an address that sends many. */
  consumeUnknownId(address: ClientAddress | undefined): Promise<void> {
    return this.consumeForAddress('unknown-id', address, UNKNOWN_ID_LIMITS);
  }

  /** Undoes one `consume` or `consumeForAddress` in all windows. */
  async release(name: string, address: ClientAddress | undefined): Promise<void> {
    if (!address) return;
    // Locks rows in the order of `consume` to avoid a deadlock with it.
    await this.dataSource.query(RELEASE_CALL, [name, sha256Hex(address.key), this.now()]);
  }
}
