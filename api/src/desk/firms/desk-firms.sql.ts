/** Statements of firms at the desk. SQL: the owner and the number of members are of other tables. */

/** The newest 50 firms with the id or name $1, or a present or former member among $2; of all when both are null. */
export const FOUND_FIRMS = `
  SELECT f.id, f.name, f.created_at AS "createdAt",
    (SELECT count(*)::int FROM firm_member m WHERE m.firm_id = f.id AND m.left_at IS NULL) AS "memberCount",
    coalesce((SELECT a.username FROM firm_member m JOIN account a ON a.id = m.user_id
      WHERE m.firm_id = f.id AND m.left_at IS NULL AND m.role = 'owner' ORDER BY m.joined_at LIMIT 1), '') AS owner
  FROM firm f
  WHERE $1::text IS NULL OR f.id::text = lower($1) OR lower(f.name) = lower($1)
    OR f.id IN (SELECT firm_id FROM firm_member WHERE user_id = ANY($2::uuid[]))
  ORDER BY f.created_at DESC, f.id LIMIT 50`;
