import { DAY_MS } from '@nivida/contract/time';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { runInBatches } from '../database/delete-in-batches.sql.ts';
import { eraseMembers } from '../firms/firms.service.ts';
import { sha256Hex } from '../http/security/cookies.ts';
import type { Job } from '../jobs/job.ts';
import { eraseBuyers } from '../orders/buyer-account.service.ts';
import {
  ACCOUNT_BATCH_SIZE,
  DELETE_OLD_EMAIL_PROOFS,
  DELETE_SIGN_IN_FAILURES,
  DROP_BACKUP_FILES,
  DUE_ACCOUNTS,
  deleteByEmails,
  deleteByOwners,
  deleteByUsers,
  ERASE_ACCOUNTS,
} from './users.sql.ts';

/** Signing in restores a deleted account within this time. */
export const DELETION_GRACE_MS = 7 * DAY_MS;
/** Longer than a code or its proof is valid. */
const EMAIL_PROOF_MS = DAY_MS;

/**
 * Erases the accounts that were deleted 7 days ago, and the e-mail addresses of unused codes. The account rows remain
 * without personal data, because orders and audit events refer to them. Returns the number of accounts.
 */
export async function eraseAccounts({ dataSource, now }: { dataSource: DataSource; now: Date }): Promise<number> {
  // The second bound deletes rows that were written by a clock far ahead.
  await runInBatches(dataSource, DELETE_OLD_EMAIL_PROOFS, [
    new Date(now.getTime() - EMAIL_PROOF_MS),
    new Date(now.getTime() + EMAIL_PROOF_MS),
  ]);
  for (let erased = 0; ; ) {
    const count = await dataSource.transaction((manager) => eraseBatch(manager, now));
    erased += count;
    if (count < ACCOUNT_BATCH_SIZE) return erased;
  }
}

async function eraseBatch(manager: EntityManager, now: Date): Promise<number> {
  // The lock makes a concurrent sign-in wait. It then finds the account erased.
  const due: { id: string; email: string; mobile_no: string }[] = await manager.query(DUE_ACCOUNTS, [
    new Date(now.getTime() - DELETION_GRACE_MS),
  ]);
  const ids = due.map(({ id }) => id);
  await manager.query(ERASE_ACCOUNTS, [ids]);
  await eraseBuyers(manager, ids);
  await eraseMembers(manager, ids, now);
  await manager.query(DROP_BACKUP_FILES, [ids]);
  for (const table of ['bid_record', 'bid_sync', 'file_backup']) await manager.query(deleteByOwners(table), [ids]);
  for (const table of [
    'bookmark',
    'saved_search',
    'api_key',
    'followed_office',
    'notice',
    'push_subscription',
    'session',
    'passkey',
    'passkey_challenge',
    'recovery_code',
    'pending_sign_in',
    'provider_identity',
    'known_device',
    'staff',
    'password_reset',
    'email_proof',
    'download',
    'document_request',
    'own_reading',
    'attachment',
    'thread',
    'tender_report',
    'mailing_recipient',
  ])
    await manager.query(deleteByUsers(table), [ids]);
  for (const table of ['email_proof', 'document_request', 'firm_invitation'])
    await manager.query(deleteByEmails(table), [due.map(({ email }) => email.toLowerCase())]);
  await manager.query(DELETE_SIGN_IN_FAILURES, [due.map(({ mobile_no }) => sha256Hex(mobile_no))]);
  for (const id of ids) {
    const event = { action: 'account.erased', subject: id, detail: {} };
    await recordAuditEvent(manager, event, now);
  }
  return due.length;
}

export const eraseAccountsJob: Job = { name: 'erase-accounts', cron: '23 3 * * *', run: eraseAccounts };
