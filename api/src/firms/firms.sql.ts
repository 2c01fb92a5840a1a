/** Statements of firms. SQL: they join tables of several features, or decide about several rows in one step. */

/** The end of a firm's plan at $2, of the latest one that follows without a gap. $3: whether test plans count. */
export const FIRM_PLAN_END = `
  WITH RECURSIVE plan AS (
    SELECT starts_at, ends_at FROM entitlement
    WHERE firm_id = $1 AND kind = 'plan' AND revoked_at IS NULL AND ends_at > $2 AND (NOT is_test OR $3)
  ), present AS (
    SELECT ends_at FROM plan WHERE starts_at <= $2
    UNION SELECT n.ends_at FROM plan n JOIN present p ON n.starts_at <= p.ends_at
  )
  SELECT max(ends_at) AS ends_at FROM present`;

/** Present and former members of a firm with their names, in the order in which they joined. */
export const MEMBERS_OF_FIRM = `
  SELECT m.user_id AS id, a.username AS name, m.role, m.joined_at, m.left_at
  FROM firm_member m JOIN account a ON a.id = m.user_id WHERE m.firm_id = $1 ORDER BY m.joined_at, m.user_id`;

/** Present owners of a firm whose accounts are open, other than $2. */
export const OTHER_OWNERS = `
  SELECT 1 FROM firm_member m JOIN account a ON a.id = m.user_id AND a.deleted_at IS NULL
  WHERE m.firm_id = $1 AND m.user_id <> $2 AND m.role = 'owner' AND m.left_at IS NULL`;

/** Names of the firms with other members in which the account $1 is the only owner. */
export const FIRMS_WITHOUT_OTHER_OWNER = `
  SELECT f.name FROM firm_member mine JOIN firm f ON f.id = mine.firm_id
  WHERE mine.user_id = $1 AND mine.left_at IS NULL AND mine.role = 'owner'
    AND EXISTS (SELECT FROM firm_member o WHERE o.firm_id = f.id AND o.user_id <> $1 AND o.left_at IS NULL)
    AND NOT EXISTS (
      SELECT FROM firm_member o JOIN account a ON a.id = o.user_id AND a.deleted_at IS NULL
      WHERE o.firm_id = f.id AND o.user_id <> $1 AND o.left_at IS NULL AND o.role = 'owner')
  ORDER BY f.name`;

export const SHARED_SEARCHES = "SELECT id FROM bid_record WHERE owner_id = $1 AND kind = 'sharedSearch'";
export const DELETE_SEARCHES = 'DELETE FROM saved_search WHERE user_id = $1 AND id = ANY($2::uuid[])';
export const DELETE_NOTICES_OF_FIRM = "DELETE FROM notice WHERE user_id = $1 AND detail->>'firmId' = $2::text";

/** What a firm owns; the firm's row goes last. $1: ids of firms. */
export const DELETE_FIRMS = [
  'DELETE FROM bid_record WHERE owner_id = ANY($1)',
  'DELETE FROM bid_sync WHERE owner_id = ANY($1)',
  'DELETE FROM file_backup WHERE owner_id = ANY($1)',
  "UPDATE backup_file SET owner_id = NULL, hash = '', is_dropped = true WHERE owner_id = ANY($1)",
  // By the members, present and former: nothing finds the notices of all by a firm.
  `DELETE FROM notice n USING firm_member m
   WHERE m.firm_id = ANY($1) AND n.user_id = m.user_id AND n.detail->>'firmId' = m.firm_id::text`,
  'DELETE FROM firm WHERE id = ANY($1)',
];

/** Erased accounts $1 leave their firms at $2. */
export const LEAVE_ALL_FIRMS =
  'UPDATE firm_member SET left_at = $2 WHERE user_id = ANY($1) AND left_at IS NULL RETURNING firm_id';

export const EMPTY_FIRMS = `
  SELECT id FROM firm f WHERE id = ANY($1)
    AND NOT EXISTS (SELECT FROM firm_member m WHERE m.firm_id = f.id AND m.left_at IS NULL)`;

/** The member who joined first becomes an owner of a firm that has none. */
export const HAND_OVER = `
  UPDATE firm_member m SET role = 'owner' FROM (
    SELECT DISTINCT ON (firm_id) firm_id, user_id FROM firm_member o
    WHERE firm_id = ANY($1) AND left_at IS NULL AND NOT EXISTS (
      SELECT FROM firm_member x WHERE x.firm_id = o.firm_id AND x.left_at IS NULL AND x.role = 'owner')
    ORDER BY firm_id, joined_at, user_id) oldest
  WHERE m.firm_id = oldest.firm_id AND m.user_id = oldest.user_id`;
