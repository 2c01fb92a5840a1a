import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many records of each kind an account has and their bytes, kept by triggers of `bid_record`. */
export class RecordUsage1764000000068 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE record_usage (
        user_id uuid NOT NULL,
        kind text NOT NULL,
        -- with the deleted ones that are not removed yet
        stored integer NOT NULL,
        live integer NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (user_id, kind)
      );

      CREATE FUNCTION record_bytes(fields jsonb, stamps jsonb) RETURNS integer IMMUTABLE LANGUAGE sql
        AS 'SELECT octet_length(fields::text) + octet_length(stamps::text)';

      -- Once for each statement: a request changes up to 100 records. The order of rows is fixed to avoid deadlocks.
      CREATE FUNCTION count_record_usage() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'DELETE' THEN
          INSERT INTO record_usage AS u
          SELECT user_id, kind, count(*), count(*) FILTER (WHERE NOT is_deleted), sum(record_bytes(fields, stamps))
          FROM new_rows GROUP BY user_id, kind ORDER BY user_id, kind
          ON CONFLICT (user_id, kind) DO UPDATE SET
            stored = u.stored + excluded.stored, live = u.live + excluded.live, bytes = u.bytes + excluded.bytes;
        END IF;
        IF TG_OP <> 'INSERT' THEN
          INSERT INTO record_usage AS u
          SELECT user_id, kind, count(*), count(*) FILTER (WHERE NOT is_deleted), sum(record_bytes(fields, stamps))
          FROM old_rows GROUP BY user_id, kind ORDER BY user_id, kind
          ON CONFLICT (user_id, kind) DO UPDATE SET
            stored = u.stored - excluded.stored, live = u.live - excluded.live, bytes = u.bytes - excluded.bytes;
          DELETE FROM record_usage u USING (SELECT DISTINCT user_id, kind FROM old_rows) o
          WHERE u.user_id = o.user_id AND u.kind = o.kind AND u.stored = 0;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER bid_record_added AFTER INSERT ON bid_record REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_record_usage();
      CREATE TRIGGER bid_record_changed AFTER UPDATE ON bid_record
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION count_record_usage();
      CREATE TRIGGER bid_record_removed AFTER DELETE ON bid_record REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION count_record_usage();

      LOCK TABLE bid_record IN SHARE ROW EXCLUSIVE MODE;
      INSERT INTO record_usage
      SELECT user_id, kind, count(*), count(*) FILTER (WHERE NOT is_deleted), sum(record_bytes(fields, stamps))
      FROM bid_record GROUP BY user_id, kind;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER bid_record_added ON bid_record;
      DROP TRIGGER bid_record_changed ON bid_record;
      DROP TRIGGER bid_record_removed ON bid_record;
      DROP FUNCTION count_record_usage;
      DROP FUNCTION record_bytes;
      DROP TABLE record_usage;
    `);
  }
}
