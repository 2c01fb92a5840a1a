/** Statements of the followed offices. SQL: the name of an office is in the JSON of its statistics. */

/** Only offices can be followed, not departments: for a department the user saves a search. */
export const COUNT_FOLLOWED = `
  SELECT (SELECT count(*)::int FROM followed_office WHERE user_id = $1 AND office_id <> $2) AS others,
    EXISTS (SELECT FROM followed_office WHERE user_id = $1 AND office_id = $2) OR EXISTS (
      SELECT FROM office_statistics WHERE office_id = $2 AND statistics->'office'->>'kind' <> 'department') AS "isKnown"`;

export const FOLLOW_OFFICE = `
  INSERT INTO followed_office (user_id, office_id, office, created_at)
  SELECT $1, office_id, statistics->'office', $3 FROM office_statistics WHERE office_id = $2 ON CONFLICT DO NOTHING`;

export const UNFOLLOW_OFFICE = 'DELETE FROM followed_office WHERE user_id = $1 AND office_id = $2';

export const FOLLOWED_OFFICES = `
  SELECT f.office->>'id' AS id, f.office->>'key' AS key, f.office->>'name' AS name, f.office->>'kind' AS kind,
    f.office->>'department' AS department, f.office->>'state' AS state, to_json(f.created_at)#>>'{}' AS "followedAt"
  FROM followed_office f WHERE f.user_id = $1 ORDER BY f.created_at DESC, f.office_id`;
