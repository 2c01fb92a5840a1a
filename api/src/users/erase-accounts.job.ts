import type { DataSource, EntityManager } from 'typeorm';
import { recordAuditEvent } from '../audit/audit.service.ts';
import { sha256Hex } from '../http/security/cookies.ts';
import { eraseBuyers } from '../orders/buyer-account.service.ts';

const DAY_MS = 86_400_000;
const BATCH_SIZE = 200;

/** Signing in restores a deleted account within this time. */
export const DELETION_GRACE_MS = 7 * DAY_MS;
/** Longer than a code or its proof is valid. */
const EMAIL_PROOF_MS = DAY_MS;

/**
 * Erases the accounts that were deleted 7 days ago, and the e-mail addresses of unused codes. The account rows remain
 * without personal data, because orders and audit events refer to them. Returns the number of accounts.
 */
export async function eraseAccounts({ dataSource, now }: { dataSource: DataSource; now: Date }): Promise<number> {
  // Also deletes rows that a clock far ahead wrote.
  await dataSource.query('DELETE FROM email_proof WHERE created_at <= $1 OR created_at > $2', [
    new Date(now.getTime() - EMAIL_PROOF_MS),
    new Date(now.getTime() + EMAIL_PROOF_MS),
  ]);
  for (let erased = 0; ; ) {
    const count = await dataSource.transaction((manager) => eraseBatch(manager, now));
    erased += count;
    if (count < BATCH_SIZE) return erased;
  }
}

async function eraseBatch(manager: EntityManager, now: Date): Promise<number> {
  // The lock makes a concurrent sign-in wait; it then finds the account erased.
  const due: { id: string; email: string; mobile_no: string }[] = await manager.query(
    `SELECT id, email, mobile_no FROM account WHERE deleted_at <= $1 AND mobile_no <> 'erased-' || id::text
     ORDER BY deleted_at LIMIT ${BATCH_SIZE} FOR UPDATE`,
    [new Date(now.getTime() - DELETION_GRACE_MS)],
  );
  const ids = due.map(({ id }) => id);
  await manager.query(
    `UPDATE account SET username = 'Deleted account', email = 'erased-' || id::text || '@invalid',
       mobile_no = 'erased-' || id::text, password_hash = NULL, company_name = '', state = '', districts = '{}',
       departments = '{}', address = '', gstin = '', billing_firm = '', billing_address = '', min_price = 0, max_price = NULL
     WHERE id = ANY($1)`,
    [ids],
  );
  await eraseBuyers(manager, ids);
  for (const table of [
    'bookmark',
    'saved_search',
    'notice',
    'push_subscription',
    'session',
    'known_device',
    'password_reset',
    'email_proof',
    'download',
    'document_request',
  ])
    await manager.query(`DELETE FROM ${table} WHERE user_id = ANY($1)`, [ids]);
  for (const table of ['email_proof', 'document_request'])
    await manager.query(`DELETE FROM ${table} WHERE email = ANY($1)`, [due.map(({ email }) => email.toLowerCase())]);
  await manager.query('DELETE FROM sign_in_failure WHERE mobile_hash = ANY($1)', [
    due.map(({ mobile_no }) => sha256Hex(mobile_no)),
  ]);
  for (const id of ids) {
    const event = { action: 'account.erased', actorId: null, subject: id, detail: {}, requestId: null };
    await recordAuditEvent(manager, event, now);
  }
  return due.length;
}
