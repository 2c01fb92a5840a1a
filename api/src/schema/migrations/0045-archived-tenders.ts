import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes of open tenders alone, so that searches and lists of them cost nothing for closed ones. A tender is archived by a
 * job some time after it has closed; whether it is open is decided by its closing instant alone.
 */
export class ArchivedTenders1764000000045 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The default of existing rows is stored once, not in each of them.
      ALTER TABLE tender ADD COLUMN archived boolean NOT NULL DEFAULT true;
      UPDATE tender SET archived = false WHERE closes_at > now() - interval '1 day';
      ALTER TABLE tender ALTER COLUMN archived SET DEFAULT false;

      CREATE INDEX tender_open_words ON tender USING gin (words) WHERE NOT archived;
      CREATE INDEX tender_open_closing ON tender (closes_at) WHERE NOT archived;
      DROP INDEX tender_state_price;
      DROP INDEX tender_price;
      CREATE INDEX tender_state_price ON tender (state, price DESC NULLS LAST, id) WHERE NOT archived;
      CREATE INDEX tender_price ON tender (price DESC NULLS LAST, id) WHERE NOT archived;

      -- Indexes of open tenders hold archived ones until the next vacuum, which by default waits for a fifth of the table.
      ALTER TABLE tender SET (autovacuum_vacuum_scale_factor = 0.02);

      -- A tender whose closing is moved may be open again. A trigger covers every statement that moves it.
      CREATE FUNCTION unarchive_tender() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.archived := false;
        RETURN NEW;
      END $$;
      CREATE TRIGGER tender_closing_moved BEFORE UPDATE OF closes_at ON tender FOR EACH ROW
        WHEN (OLD.archived AND NEW.closes_at > OLD.closes_at) EXECUTE FUNCTION unarchive_tender();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tender_closing_moved ON tender;
      DROP FUNCTION unarchive_tender;
      ALTER TABLE tender RESET (autovacuum_vacuum_scale_factor);
      DROP INDEX tender_open_words, tender_open_closing, tender_state_price, tender_price;
      CREATE INDEX tender_state_price ON tender (state, price DESC NULLS LAST, id);
      CREATE INDEX tender_price ON tender (price DESC NULLS LAST, id);
      ALTER TABLE tender DROP COLUMN archived;
    `);
  }
}
