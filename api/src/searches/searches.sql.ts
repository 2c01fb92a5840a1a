/** Statement of the saved searches. SQL: it stores the greater of two values in one step. */

export const UPDATE_SEARCH = `
  UPDATE saved_search SET name = coalesce($3, name), opened_up_to = greatest(opened_up_to, $4)
  WHERE id = $2 AND user_id = $1
  RETURNING id, name, filter, opened_up_to AS "openedUpTo", created_at AS "createdAt"`;
