import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What lists and searches of open tenders read, on pages of its own: in the table of all tenders the open ones lie between
 * closed ones, nearly one a page, and each match of a frequent word read a page. A trigger writes a tender's row here in the
 * transaction that writes the tender, and removes it when the tender is archived.
 */
export class OpenTenders1764000000056 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Reads go on; a write between the copy and the trigger would be missing.
      LOCK TABLE tender IN SHARE ROW EXCLUSIVE MODE;

      CREATE TABLE open_tender (
        -- Without a foreign key: its check would write to the row of the tender.
        id integer NOT NULL,
        state text NOT NULL,
        district text,
        department text,
        category text,
        price numeric(16,2),
        published_at timestamptz NOT NULL,
        closes_at timestamptz NOT NULL,
        origin text NOT NULL,
        words tsvector NOT NULL
      ) WITH (autovacuum_vacuum_scale_factor = 0.02);

      INSERT INTO open_tender
      SELECT id, state, district, department, category, price, published_at, closes_at, origin, words
      FROM tender WHERE NOT archived ORDER BY id;

      ALTER TABLE open_tender ADD PRIMARY KEY (id);
      CREATE INDEX open_tender_place ON open_tender (state, district, department, closes_at) INCLUDE (published_at, price, id);
      CREATE INDEX open_tender_state_closing ON open_tender (state, closes_at) INCLUDE (published_at, origin);
      CREATE INDEX open_tender_closing ON open_tender (closes_at);
      CREATE INDEX open_tender_state_price ON open_tender (state, price DESC NULLS LAST, id);
      CREATE INDEX open_tender_price ON open_tender (price DESC NULLS LAST, id);
      CREATE INDEX open_tender_words ON open_tender USING gin (words);

      CREATE FUNCTION store_open_tender() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' THEN
          DELETE FROM open_tender WHERE id = OLD.id;
        ELSIF NEW.archived THEN
          DELETE FROM open_tender WHERE id = NEW.id;
        ELSIF TG_OP = 'INSERT' OR OLD.archived
          OR (NEW.state, NEW.district, NEW.department, NEW.category, NEW.price, NEW.published_at, NEW.closes_at, NEW.origin, NEW.words)
            IS DISTINCT FROM
            (OLD.state, OLD.district, OLD.department, OLD.category, OLD.price, OLD.published_at, OLD.closes_at, OLD.origin, OLD.words)
        THEN
          INSERT INTO open_tender (id, state, district, department, category, price, published_at, closes_at, origin, words)
          VALUES (NEW.id, NEW.state, NEW.district, NEW.department, NEW.category, NEW.price, NEW.published_at, NEW.closes_at,
            NEW.origin, NEW.words)
          ON CONFLICT (id) DO UPDATE SET state = excluded.state, district = excluded.district,
            department = excluded.department, category = excluded.category, price = excluded.price,
            published_at = excluded.published_at, closes_at = excluded.closes_at, origin = excluded.origin,
            words = excluded.words;
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER tender_added AFTER INSERT ON tender FOR EACH ROW
        WHEN (NOT NEW.archived) EXECUTE FUNCTION store_open_tender();
      CREATE TRIGGER tender_updated AFTER UPDATE ON tender FOR EACH ROW
        WHEN (NOT (OLD.archived AND NEW.archived)) EXECUTE FUNCTION store_open_tender();
      CREATE TRIGGER tender_removed AFTER DELETE ON tender FOR EACH ROW
        WHEN (NOT OLD.archived) EXECUTE FUNCTION store_open_tender();

      -- Last, because it stops reads until the end of the transaction.
      DROP INDEX tender_open_words, tender_open_closing, tender_state_price, tender_price;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER tender_added ON tender;
      DROP TRIGGER tender_updated ON tender;
      DROP TRIGGER tender_removed ON tender;
      DROP FUNCTION store_open_tender;
      DROP TABLE open_tender;
      CREATE INDEX tender_open_words ON tender USING gin (words) WHERE NOT archived;
      CREATE INDEX tender_open_closing ON tender (closes_at) WHERE NOT archived;
      CREATE INDEX tender_state_price ON tender (state, price DESC NULLS LAST, id) WHERE NOT archived;
      CREATE INDEX tender_price ON tender (price DESC NULLS LAST, id) WHERE NOT archived;
    `);
  }
}
