import { Inject, Injectable } from '@nestjs/common';
import { HOUR_SECONDS, MINUTE_SECONDS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { tooManyRequests } from '../../http/errors/app-error.ts';
import { CLOCK, latestPlausibleInstant } from '../../http/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import { COUNT_FAILURE, DELETE_FAILURE_COUNTER, DELETE_FAILURE_COUNTERS, REMAINING_WAIT } from '../auth.sql.ts';

/** From this wait on the message suggests a password reset. */
const LONG_LOCK_SECONDS = HOUR_SECONDS;

/** From this wait on the failure is recorded as a lock. */
export const LOCK_SECONDS = 15 * MINUTE_SECONDS;

/** The counter of wrong passwords of signed-in users; strangers cannot lock it. */
export const SIGNED_IN_COUNTER = 'signed-in';

/**
 * Slows down password guessing for a mobile number, with or without an account. A number has one counter for all unknown
 * browsers and one for each browser that signed in to it before, so strangers cannot lock its owner out.
 */
@Injectable()
export class SignInThrottleService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /**
   * Counts a failure before the password is verified, so that parallel guesses count too; `clearCounter` undoes it.
   * `counter` is '' or that of a known browser. Returns the seconds for which this failure locks the number. TOO_MANY with
   * Retry-After while the number is locked.
   */
  async countAttempt(mobileNo: string, counter: string): Promise<number> {
    const now = this.now();
    const parameters = [sha256Hex(mobileNo), counter, now];
    const [counted]: { seconds: number }[] = await this.dataSource.query(COUNT_FAILURE, [
      ...parameters,
      latestPlausibleInstant(now),
    ]);
    if (counted) return counted.seconds;
    const [wait]: { seconds: number }[] = await this.dataSource.query(REMAINING_WAIT, parameters);
    const seconds = wait?.seconds ?? 1;
    throw tooManyRequests(seconds, seconds >= LONG_LOCK_SECONDS ? 'You can also reset your password.' : '');
  }

  /** Clears one counter after a correct password. */
  async clearCounter(mobileNo: string, counter: string): Promise<void> {
    await this.dataSource.query(DELETE_FAILURE_COUNTER, [sha256Hex(mobileNo), counter]);
  }

  /** Clears all failures and locks of a number after a password reset or a registration. */
  async clearAll(manager: EntityManager, mobileNo: string): Promise<void> {
    await manager.query(DELETE_FAILURE_COUNTERS, [sha256Hex(mobileNo)]);
  }
}
