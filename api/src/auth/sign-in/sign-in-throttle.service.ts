import { t } from '@lingui/core/macro';
import { Inject, Injectable } from '@nestjs/common';
import { HOUR_SECONDS, MINUTE_SECONDS } from '@nivida/contract/time';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../base/app-error.ts';
import { CLOCK, latestPlausibleInstant } from '../../base/injection-tokens.ts';
import { tooManyRequests } from '../../http/limits/too-many-requests.ts';
import { sha256Hex } from '../../http/security/cookies.ts';
import {
  COUNT_FAILURE,
  CURRENT_WAIT,
  DELETE_FAILURE_COUNTER,
  DELETE_FAILURE_COUNTERS,
  FAILURE_COUNTERS,
  REMAINING_WAIT,
} from '../auth.sql.ts';

/** From this wait on the message suggests a password reset. */
const LONG_LOCK_SECONDS = HOUR_SECONDS;

const resetHint = () => t`You can also reset your password.`;
const finalLockText = () => t`Too many wrong passwords. Reset your password, then sign in with the new one.`;

/** From this wait on the failure is recorded as a lock. */
export const LOCK_SECONDS = 15 * MINUTE_SECONDS;

/** The counter of wrong passwords of signed-in users; strangers cannot lock it. */
export const SIGNED_IN_COUNTER = 'signed-in';

/** How long a number stays locked. `isFinal`: until its password is reset. */
interface Wait {
  seconds: number;
  isFinal: boolean;
}

/** Failed sign-ins of a number under one counter. */
export interface FailureCounter {
  /** '' for unknown browsers, `SIGNED_IN_COUNTER`, or that of a known browser. */
  counter: string;
  failuresInARow: number;
  lastAt: Date;
  /** Null when it is not locked, or until the password is reset. */
  lockedUntil: Date | null;
  isFinal: boolean;
}

function lockedError({ seconds, isFinal }: Wait): AppError {
  if (isFinal) return new AppError('TOO_MANY', finalLockText, undefined, undefined, seconds, 'sign-in-account');
  return tooManyRequests('sign-in-account', seconds, seconds >= LONG_LOCK_SECONDS ? resetHint : undefined);
}

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
    const [wait]: Wait[] = await this.dataSource.query(REMAINING_WAIT, parameters);
    throw lockedError(wait ?? { seconds: 1, isFinal: false });
  }

  /** Throws the same TOO_MANY as `countAttempt` while the number is locked, but counts nothing. It is cheap under an attack. */
  async assertOpen(mobileNo: string, counter: string): Promise<void> {
    const now = this.now();
    const [wait]: Wait[] = await this.dataSource.query(CURRENT_WAIT, [
      ...[sha256Hex(mobileNo), counter, now],
      latestPlausibleInstant(now),
    ]);
    if (wait) throw lockedError(wait);
  }

  /** Clears one counter after a correct password. */
  async clearCounter(mobileNo: string, counter: string): Promise<void> {
    await this.dataSource.query(DELETE_FAILURE_COUNTER, [sha256Hex(mobileNo), counter]);
  }

  /** The failures and locks of a number, the newest first. */
  readCounters(mobileNo: string): Promise<FailureCounter[]> {
    const now = this.now();
    return this.dataSource.query(FAILURE_COUNTERS, [sha256Hex(mobileNo), now, latestPlausibleInstant(now)]);
  }

  /** Clears all failures and locks of a number after a password reset, a registration, or by an operator. Returns their number. */
  async clearAll(manager: EntityManager, mobileNo: string): Promise<number> {
    const [, count]: [unknown, number] = await manager.query(DELETE_FAILURE_COUNTERS, [sha256Hex(mobileNo)]);
    return count;
  }
}
