import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the backup of files of each account uses in the file store, kept by a trigger of `backup_file`. */
export class FileUsage1764000000064 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE file_usage (
        user_id uuid PRIMARY KEY,
        -- with the dropped ones that are not removed yet
        parts integer NOT NULL,
        bytes bigint NOT NULL
      );

      CREATE FUNCTION count_file_usage() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP <> 'INSERT' AND OLD.user_id IS NOT NULL THEN
          UPDATE file_usage SET parts = parts - 1, bytes = bytes - OLD.bytes WHERE user_id = OLD.user_id;
          DELETE FROM file_usage WHERE user_id = OLD.user_id AND parts = 0;
        END IF;
        IF TG_OP <> 'DELETE' AND NEW.user_id IS NOT NULL THEN
          INSERT INTO file_usage AS u (user_id, parts, bytes) VALUES (NEW.user_id, 1, NEW.bytes)
          ON CONFLICT (user_id) DO UPDATE SET parts = u.parts + 1, bytes = u.bytes + excluded.bytes;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER backup_file_usage AFTER INSERT OR DELETE OR UPDATE OF user_id, bytes ON backup_file
        FOR EACH ROW EXECUTE FUNCTION count_file_usage();

      INSERT INTO file_usage SELECT user_id, count(*), sum(bytes) FROM backup_file WHERE user_id IS NOT NULL GROUP BY user_id;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TRIGGER backup_file_usage ON backup_file; DROP FUNCTION count_file_usage; DROP TABLE file_usage',
    );
  }
}
