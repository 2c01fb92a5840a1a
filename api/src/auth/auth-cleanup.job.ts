import { runInBatches } from '../database/delete-in-batches.sql.ts';
import type { Job, JobContext } from '../jobs/job.ts';
import {
  DELETE_ENDED_RATE_LIMITS,
  DELETE_EXPIRED_BROWSERS,
  DELETE_OLD_NONCES,
  DELETE_OLD_SESSIONS,
  DELETE_OLD_SIGN_IN_FAILURES,
  DELETE_OLD_WEBHOOK_EVENTS,
  DELETE_REPLACED_LINKS,
} from './auth.sql.ts';
import { DELETE_EXPIRED_CHALLENGES, DELETE_EXPIRED_PENDING_SIGN_INS } from './passkeys/passkeys.sql.ts';

/**
 * Deletes expired rows: ended rate limit windows, sign-in failures after 30 days unless they lock an account, known browsers
 * after 180 days, challenges of passkeys, used nonces and sign-ins without their second factor after their end, sessions 30 days after
 * their end, webhooks and document links after 400 days. Returns the number of rows.
 */
export async function deleteExpiredAuthData({
  dataSource,
  now,
}: Pick<JobContext, 'dataSource' | 'now'>): Promise<number> {
  let removed = 0;
  for (const statement of [
    DELETE_ENDED_RATE_LIMITS,
    DELETE_OLD_SIGN_IN_FAILURES,
    DELETE_EXPIRED_BROWSERS,
    DELETE_EXPIRED_CHALLENGES,
    DELETE_EXPIRED_PENDING_SIGN_INS,
    DELETE_OLD_NONCES,
    DELETE_OLD_SESSIONS,
    DELETE_OLD_WEBHOOK_EVENTS,
    // It keeps the newest link and the newest used link. They record which version was delivered.
    DELETE_REPLACED_LINKS,
  ])
    removed += await runInBatches(dataSource, statement, [now]);
  return removed;
}

export const authCleanupJob: Job = { name: 'auth-cleanup', cron: '37 * * * *', run: deleteExpiredAuthData };
