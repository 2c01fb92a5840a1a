import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = 'id state district department category price published_at closes_at origin words'.split(' ');

/** The trigger's function with these columns. */
const storeOpenTender = (columns: readonly string[]) => {
  const others = columns.filter((column) => column !== 'id');
  const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  const compared = (row: string) => others.map((column) => `${row}.${column}`).join(', ');
  return `
    CREATE OR REPLACE FUNCTION store_open_tender() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        DELETE FROM open_tender WHERE id = OLD.id;
      ELSIF NEW.archived THEN
        DELETE FROM open_tender WHERE id = NEW.id;
      ELSIF TG_OP = 'INSERT' OR OLD.archived OR (${compared('NEW')}) IS DISTINCT FROM (${compared('OLD')}) THEN
        INSERT INTO open_tender (${columns.join(', ')}) VALUES (${of('NEW')})
        ON CONFLICT (id) DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(', ')};
      END IF;
      RETURN NULL;
    END $$;`;
};

/** Lists of open tenders show the works of one NIT as one entry. */
export class NoticeOfOpenTenders1764000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A write between the copy and the new function would lack its value.
      LOCK TABLE tender IN SHARE ROW EXCLUSIVE MODE;
      ALTER TABLE open_tender ADD COLUMN nit_key text;
      UPDATE open_tender o SET nit_key = t.nit_key FROM tender t WHERE t.id = o.id AND t.nit_key IS NOT NULL;
      ${storeOpenTender([...COLUMNS, 'nit_key'])}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`${storeOpenTender(COLUMNS)} ALTER TABLE open_tender DROP COLUMN nit_key;`);
  }
}
