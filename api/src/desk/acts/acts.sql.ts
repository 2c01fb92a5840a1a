/** Statements of acts that are done once. SQL: a conditional insert decides which of two calls acts; the table has no entity. */

export const BEGIN_ACT = `
  INSERT INTO desk_act (actor_id, key, request_sha256, began_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT DO NOTHING RETURNING key`;

export const FINISH_ACT = 'UPDATE desk_act SET answer = $3 WHERE actor_id = $1 AND key = $2';

export const FORGET_ACT = 'DELETE FROM desk_act WHERE actor_id = $1 AND key = $2 AND answer IS NULL';

export const STORED_ACT = 'SELECT request_sha256 AS digest, answer FROM desk_act WHERE actor_id = $1 AND key = $2';
