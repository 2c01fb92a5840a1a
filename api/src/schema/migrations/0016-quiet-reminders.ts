import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The send time of a push that would be useless after the quiet hours. */
export class QuietReminders1764000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The beginning of the quiet hours that an instant falls into; null outside of them.
      CREATE FUNCTION quiet_begin(at timestamptz, preferences jsonb) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
      DECLARE
        begins time := preferences #>> '{quiet,from}';
        ends time := preferences #>> '{quiet,until}';
        zone text;
        clock timestamp;
      BEGIN
        IF begins IS NULL OR begins = ends THEN RETURN NULL; END IF;
        zone := push_zone(preferences);
        clock := at AT TIME ZONE zone;
        IF begins < ends AND clock::time >= begins AND clock::time < ends OR begins > ends AND clock::time >= begins THEN
          RETURN (clock::date + begins) AT TIME ZONE zone;
        ELSIF begins > ends AND clock::time < ends THEN
          RETURN (clock::date - 1 + begins) AT TIME ZONE zone;
        END IF;
        RETURN NULL;
      END $$;

      -- When a push that is due at an instant is sent: then, or when the quiet hours end. If they end less than an hour
      -- before the tender closes, or later: in the last minute before they begin, or now if that has passed.
      CREATE FUNCTION push_send_at(due timestamptz, now timestamptz, closes_at timestamptz, preferences jsonb)
      RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
      DECLARE
        planned timestamptz := greatest(due, now);
        released timestamptz := after_quiet(planned, preferences);
      BEGIN
        IF released = planned OR released <= closes_at - interval '1 hour' THEN RETURN released; END IF;
        RETURN greatest(now, quiet_begin(planned, preferences) - interval '1 minute');
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION push_send_at, quiet_begin');
  }
}
