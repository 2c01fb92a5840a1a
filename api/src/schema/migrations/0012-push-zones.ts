import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Quiet hours for time zones that this database may not know, since browsers have more names. And the instant since when
 * a push service reports a device as unknown, while it reports many.
 */
export class PushZones1764000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The zone of the preferences, or India's: a database that was moved may have come to one with fewer names.
      CREATE FUNCTION push_zone(preferences jsonb) RETURNS text LANGUAGE plpgsql STABLE AS $$
      DECLARE
        zone text := preferences ->> 'zone';
      BEGIN
        IF zone = 'Asia/Kolkata' THEN RETURN zone; END IF;
        PERFORM now() AT TIME ZONE zone;
        RETURN coalesce(zone, 'Asia/Kolkata');
      EXCEPTION WHEN invalid_parameter_value THEN
        RETURN 'Asia/Kolkata';
      END $$;
    `);
    await runner.query(AFTER_QUIET);
    await runner.query(`
      UPDATE push_subscription SET preferences = jsonb_set(preferences, '{zone}', '"Asia/Kolkata"')
        WHERE preferences ->> 'zone' = 'Asia/Calcutta' OR preferences ->> 'zone' <> push_zone(preferences)
    `);
    await runner.query('ALTER TABLE push_subscription ADD gone_since timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE push_subscription DROP gone_since');
    await runner.query(AFTER_QUIET.replace('push_zone(preferences)', "preferences ->> 'zone'"));
    await runner.query('DROP FUNCTION push_zone');
  }
}

/** The instant itself, or the end of the quiet hours that it falls into. */
export const AFTER_QUIET = `
  CREATE OR REPLACE FUNCTION after_quiet(at timestamptz, preferences jsonb) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE
      WHEN q.begins IS NULL OR q.begins = q.ends THEN at
      WHEN q.begins < q.ends AND q.clock >= q.begins AND q.clock < q.ends
        THEN (q.day + q.ends) AT TIME ZONE q.zone
      WHEN q.begins > q.ends AND q.clock >= q.begins THEN (q.day + 1 + q.ends) AT TIME ZONE q.zone
      WHEN q.begins > q.ends AND q.clock < q.ends THEN (q.day + q.ends) AT TIME ZONE q.zone
      ELSE at END
    FROM (
      SELECT z.zone, (preferences #>> '{quiet,from}')::time AS begins, (preferences #>> '{quiet,until}')::time AS ends,
        (at AT TIME ZONE z.zone)::time AS clock, (at AT TIME ZONE z.zone)::date AS day
      -- OFFSET 0: looked up once.
      FROM (SELECT push_zone(preferences) AS zone OFFSET 0) z
    ) q
  $$
`;
