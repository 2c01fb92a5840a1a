import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { tooManyRequests } from '../../http/errors/app-error.ts';
import { CLOCK, latestPlausibleInstant } from '../../http/injection-tokens.ts';
import { sha256Hex } from '../../http/security/cookies.ts';

/**
 * Counts a failure and locks the next attempt: after the 5th to the 9th failure within 15 minutes for 1, 2, 4, 8 and 16
 * seconds, after the 10th for 15 minutes, after the 30th of a day for a day, after the 100th in a row until the password is
 * reset. While locked nothing is counted and no row is returned. A window or lock that begins in the future was written by
 * a wrong clock and has ended.
 */
const COUNT_FAILURE = `
  INSERT INTO sign_in_failure AS previous
    (mobile_hash, counter, lately, lately_since, daily, daily_since, in_a_row, last_at, locked_until)
  VALUES ($1, $2, 1, $3::timestamptz, 1, $3, 1, $3, $3)
  ON CONFLICT (mobile_hash, counter) DO UPDATE SET
    (lately, lately_since, daily, daily_since, in_a_row, last_at, locked_until) = (
      SELECT lately, CASE WHEN lately = 1 THEN $3 ELSE previous.lately_since END,
        daily, CASE WHEN daily = 1 THEN $3 ELSE previous.daily_since END,
        previous.in_a_row + 1, $3,
        CASE
          WHEN previous.in_a_row + 1 >= 100 THEN 'infinity'
          WHEN daily >= 30 THEN $3 + interval '24 hours'
          WHEN lately >= 10 THEN $3 + interval '15 minutes'
          WHEN lately >= 5 THEN $3 + interval '1 second' * 2 ^ (lately - 5)
          ELSE $3
        END
      FROM (SELECT
        CASE WHEN previous.lately_since <= $3::timestamptz - interval '15 minutes' OR previous.lately_since > $4 THEN 1 ELSE previous.lately + 1 END AS lately,
        CASE WHEN previous.daily_since <= $3::timestamptz - interval '24 hours' OR previous.daily_since > $4 THEN 1 ELSE previous.daily + 1 END AS daily
      ) AS counted
    )
  WHERE previous.locked_until <= $3 OR (previous.last_at > $4 AND previous.locked_until < 'infinity')
  RETURNING greatest(0, ceil(extract(epoch FROM
    least(locked_until, $3::timestamptz + interval '24 hours') - $3::timestamptz)))::int AS seconds`;

const REMAINING_WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM
    least(locked_until, $3::timestamptz + interval '24 hours') - $3::timestamptz)))::int AS seconds
  FROM sign_in_failure WHERE mobile_hash = $1 AND counter = $2`;

/** From this wait on the message suggests a password reset. */
const LONG_LOCK_SECONDS = 3_600;

/** From this wait on the failure is recorded as a lock. */
export const LOCK_SECONDS = 15 * 60;

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
    await this.dataSource.query('DELETE FROM sign_in_failure WHERE mobile_hash = $1 AND counter = $2', [
      sha256Hex(mobileNo),
      counter,
    ]);
  }

  /** Clears all failures and locks of a number after a password reset. */
  async clearAll(manager: EntityManager, mobileNo: string): Promise<void> {
    await manager.query('DELETE FROM sign_in_failure WHERE mobile_hash = $1', [sha256Hex(mobileNo)]);
  }
}
