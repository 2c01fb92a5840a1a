/** Statements of the accounts. SQL: joins over several features, and one statement erases a locked batch. */
import { batchedDelete } from '../database/delete-in-batches.sql.ts';

export const EXPORTED_DOCUMENT_REQUESTS = `
  SELECT t.id, t.title, r.requested_at, r.answered_at
  FROM account a JOIN document_request r ON r.user_id = a.id OR r.email = lower(a.email)
  JOIN tender t ON t.id = r.tender_id WHERE a.id = $1 ORDER BY r.id`;

export const EXPORTED_BOOKMARKS = `
  SELECT t.id, t.title, b.created_at FROM bookmark b JOIN tender t ON t.id = b.tender_id
  WHERE b.user_id = $1 ORDER BY b.bookmark_no`;

export const EXPORTED_NOTICES = `
  SELECT kind, tender_id::text AS "tenderId", to_json(created_at)#>>'{}' AS at, to_json(read_at)#>>'{}' AS "readAt"
  FROM notice WHERE user_id = $1 AND state = 'due' ORDER BY id`;

export const DELETE_OLD_EMAIL_PROOFS = batchedDelete('email_proof', 't.created_at <= $1 OR t.created_at > $2');
export const ACCOUNT_BATCH_SIZE = 200;

export const DUE_ACCOUNTS = `
  SELECT id, email, mobile_no FROM account WHERE deleted_at <= $1 AND mobile_no <> 'erased-' || id::text
  ORDER BY deleted_at LIMIT ${ACCOUNT_BATCH_SIZE} FOR UPDATE`;

export const ERASE_ACCOUNTS = `
  UPDATE account SET username = 'Deleted account', email = 'erased-' || id::text || '@invalid',
    mobile_no = 'erased-' || id::text, password_hash = NULL, company_name = '', state = '', districts = '{}',
    departments = '{}', address = '', gstin = '', billing_firm = '', billing_address = '', language = 'en',
    min_price = 0, max_price = NULL, second_factor = false
  WHERE id = ANY($1)`;

/** Marks the backup files of accounts as dropped. A job removes the files themselves. */
export const DROP_BACKUP_FILES =
  "UPDATE backup_file SET owner_id = NULL, hash = '', is_dropped = true WHERE owner_id = ANY($1)";

export const deleteByUsers = (table: string): string => `DELETE FROM ${table} WHERE user_id = ANY($1)`;

export const deleteByOwners = (table: string): string => `DELETE FROM ${table} WHERE owner_id = ANY($1)`;

export const deleteByEmails = (table: string): string => `DELETE FROM ${table} WHERE email = ANY($1)`;

export const DELETE_SIGN_IN_FAILURES = 'DELETE FROM sign_in_failure WHERE mobile_hash = ANY($1)';
export const ACCOUNT_BY_EMAIL = 'SELECT 1 FROM account WHERE lower(email) = lower($1)';
