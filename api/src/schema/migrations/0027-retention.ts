import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Old audit events can be deleted, security events after 400 days and others after 8 years. Indexes find old rows. */
export class Retention1764000000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit_stays ON audit;
      CREATE TRIGGER audit_stays BEFORE UPDATE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      CREATE FUNCTION refuse_early_removal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF OLD.at > now() - interval '400 days' OR (OLD.at > now() - interval '8 years'
          AND OLD.action !~ '^(sign-in|password-check|code|reset|session)[.]') THEN
          RAISE EXCEPTION 'Rows of % are never changed or removed', TG_TABLE_NAME;
        END IF;
        RETURN OLD;
      END $$;
      CREATE TRIGGER audit_removal BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION refuse_early_removal();
      CREATE INDEX audit_at ON audit (at);

      CREATE INDEX tender_history_changed ON tender_history (at) WHERE kind = 'changed';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX tender_history_changed, audit_at;
      DROP TRIGGER audit_removal ON audit;
      DROP TRIGGER audit_stays ON audit;
      CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      DROP FUNCTION refuse_early_removal;
    `);
  }
}
