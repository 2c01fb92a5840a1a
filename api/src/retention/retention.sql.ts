/** What the job `apply-retention` removes; docs/operations.md lists all tables. SQL: batches over tables of several features. */
import { BATCH_ROWS, batchedDelete, batchedUpdate } from '../database/delete-in-batches.sql.ts';

const SECURITY_EVENTS = "'^(sign-in|password-check|code|reset|session)[.]'";

/** Removes deleted records after 90 days. Devices whose cursor is older than `removed_up_to` then start again. */
const DELETE_OLD_RECORDS = `
  WITH old AS MATERIALIZED (
    SELECT owner_id, id, number FROM bid_record
    WHERE is_deleted AND updated_at < $1::timestamptz - interval '90 days' LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED
  ), removed AS (
    UPDATE bid_sync s SET removed_up_to = greatest(s.removed_up_to, o.number)
    FROM (SELECT owner_id, max(number) AS number FROM old GROUP BY owner_id) o WHERE s.owner_id = o.owner_id
  )
  DELETE FROM bid_record r USING old WHERE r.owner_id = old.owner_id AND r.id = old.id`;

/** Statements by the table that they shorten; `$1` is now. */
export const RETENTION_STATEMENTS: Readonly<Record<string, string>> = {
  // The row of the publication stays. Deltas use it to find which tenders a device can have.
  tender_history: batchedDelete(
    'tender_history',
    `t.kind = 'changed' AND t.at < $1::timestamptz - interval '2 years' AND EXISTS (
      SELECT FROM tender WHERE id = t.tender_id AND closes_at < $1::timestamptz - interval '2 years')`,
  ),
  'audit, security events': batchedDelete(
    'audit',
    `t.at < $1::timestamptz - interval '401 days' AND t.action ~ ${SECURITY_EVENTS}`,
  ),
  'audit, other events': batchedDelete('audit', "t.at < $1::timestamptz - interval '8 years 1 day'"),
  site_notice: batchedDelete('site_notice', "t.ends_at < $1::timestamptz - interval '400 days'"),
  // With the updates of the incident.
  incident: batchedDelete('incident', "t.ended_at < $1::timestamptz - interval '2 years'"),
  tender_report: batchedDelete('tender_report', "t.closed_at < $1::timestamptz - interval '400 days'"),
  thread: batchedDelete('thread', "t.updated_at < $1::timestamptz - interval '400 days'"),
  // Uploads whose message was never sent.
  attachment: batchedDelete('attachment', "t.message_id IS NULL AND t.created_at < $1::timestamptz - interval '1 day'"),
  desk_act: batchedDelete('desk_act', "t.began_at < $1::timestamptz - interval '7 days'"),
  mailing: batchedDelete('mailing', "t.started_at < $1::timestamptz - interval '400 days'"),
  act_proposal: batchedDelete('act_proposal', "t.proposed_at < $1::timestamptz - interval '400 days'"),
  // Nothing was paid, so no law requires the buyer's data. The row stays, because the database refuses to delete an order.
  orders: batchedUpdate(
    'orders',
    "buyer_name = '', buyer_email = '', buyer_mobile = '', buyer_firm = '', buyer_address = '', gstin = ''",
    `t.status IN ('FAILED', 'EXPIRED') AND t.updated_at < $1::timestamptz - interval '400 days'
      AND (t.buyer_name <> '' OR t.buyer_email <> '') AND t.next_check_at IS NULL
      AND NOT EXISTS (SELECT FROM payment p WHERE p.order_id = t.id)`,
  ),
  // The address of a person who has never registered. Nothing refers to such a gift; its event stays in the audit log.
  entitlement: batchedDelete(
    'entitlement',
    `t.is_gift AND t.user_id IS NULL AND $1::timestamptz > least(
      least(t.ends_at, t.revoked_at) + interval '90 days', t.created_at + interval '400 days')`,
  ),
  bid_record: DELETE_OLD_RECORDS,
  firm_invitation: batchedDelete('firm_invitation', "t.expires_at < $1::timestamptz - interval '30 days'"),
  // Earlier BOQs; that of a file of a package stays with it.
  read_boq: batchedDelete(
    'read_boq',
    `NOT EXISTS (SELECT FROM file_reading r JOIN package_file f ON f.id = r.package_file_id
        WHERE f.nit = t.nit AND f.tender_id = t.tender_id AND r.sha256 = t.sha256)
      AND NOT EXISTS (SELECT FROM tender WHERE id = t.tender_id AND closes_at > $1::timestamptz - interval '60 days')`,
  ),
  plan_notice: batchedDelete('plan_notice', "t.ends_at < $1::timestamptz - interval '400 days'"),
  feed: batchedDelete('feed', "t.tried_at < $1::timestamptz - interval '400 days'"),
  // A key that was found in public stays long enough to be recognised.
  api_key: batchedDelete('api_key', "t.revoked_at < $1::timestamptz - interval '400 days'"),
  sent_file: batchedDelete('sent_file', "t.sent_at < $1::timestamptz - interval '400 days'"),
  push_watch: batchedDelete(
    'push_watch',
    "EXISTS (SELECT FROM tender WHERE id = t.tender_id AND closes_at < $1::timestamptz - interval '60 days')",
  ),
  // Signed-out devices that follow no tender. They subscribe again when the user opens the app.
  push_subscription: batchedDelete(
    'push_subscription',
    `t.user_id IS NULL AND greatest(t.created_at, t.last_ok_at) < $1::timestamptz - interval '400 days'
      AND NOT EXISTS (SELECT FROM push_watch w WHERE w.subscription_id = t.id)`,
  ),
};
