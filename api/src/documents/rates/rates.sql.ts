/** Statements of schedules of rates. SQL: a schedule has thousands of rows, which no code changes one by one. */

export const DELETE_SCHEDULE = 'DELETE FROM rate_schedule WHERE state = $1 AND name = $2';

export const INSERT_SCHEDULE = `
  INSERT INTO rate_schedule (state, name, valid_from, imported_at) VALUES ($1, $2, $3, $4) RETURNING id`;

/** $2: the items as JSON. */
export const INSERT_RATE_ITEMS = `
  INSERT INTO rate_item (schedule_id, no, code, description, unit, normal_unit, rate)
  SELECT $1, i.no, i.code, i.description, i.unit, i.normal_unit, i.rate FROM jsonb_to_recordset($2)
    AS i(no integer, code text, description text, unit text, normal_unit text, rate numeric)`;

export const LIST_SCHEDULES = `
  SELECT s.id, s.state, s.name, s.valid_from::text AS "from", s.imported_at AS "importedAt",
    (SELECT count(*)::int FROM rate_item i WHERE i.schedule_id = s.id) AS items
  FROM rate_schedule s ORDER BY s.state, s.name`;

export const DELETE_SCHEDULE_BY_ID = 'DELETE FROM rate_schedule WHERE id = $1 RETURNING state, name';

/** The schedules of the state $1, the newest first. */
export const SCHEDULES_OF_STATE = `
  SELECT id, name, valid_from::text AS "from" FROM rate_schedule WHERE state = $1
  ORDER BY valid_from DESC NULLS LAST, id DESC`;

/** The items of the schedules $1 in the units $2. */
export const ITEMS_OF_UNITS = `
  SELECT schedule_id AS "scheduleId", no, normal_unit AS "normalUnit", description AS text
  FROM rate_item WHERE schedule_id = ANY($1) AND normal_unit = ANY($2) ORDER BY schedule_id, no`;

/** The items of the schedules $1 with the numbers $2, pair by pair. */
export const ITEMS_BY_NUMBER = `
  SELECT i.schedule_id AS "scheduleId", i.no, i.code, i.description AS text, i.unit, trim_scale(i.rate)::text AS rate
  FROM unnest($1::bigint[], $2::int[]) asked(schedule_id, no) JOIN rate_item i USING (schedule_id, no)`;
