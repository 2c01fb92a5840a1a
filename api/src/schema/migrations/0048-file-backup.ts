import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Backups of the files of users' documents. */
export class FileBackup1764000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE file_backup (
        user_id uuid PRIMARY KEY REFERENCES account ON DELETE CASCADE,
        -- Seals the user's files. Without the row they cannot be read.
        key bytea NOT NULL CHECK (octet_length(key) = 32),
        created_at timestamptz NOT NULL
      );

      CREATE TABLE backup_file (
        file_key text PRIMARY KEY,
        -- null: of an erased account
        user_id uuid REFERENCES account ON DELETE SET NULL,
        -- SHA-256 of the whole content, in hexadecimal digits
        hash text NOT NULL,
        part smallint NOT NULL,
        -- how many parts the file has
        parts smallint NOT NULL,
        -- of the part's content
        bytes integer NOT NULL,
        created_at timestamptz NOT NULL,
        -- The file belongs to a backup that was switched off, or to an erased account. A job removes it.
        is_dropped boolean NOT NULL DEFAULT false
      );
      CREATE UNIQUE INDEX backup_file_part ON backup_file (user_id, hash, part) WHERE NOT is_dropped;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE backup_file; DROP TABLE file_backup');
  }
}
