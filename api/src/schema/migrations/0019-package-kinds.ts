import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The kind of each package file, the tenders with a package for sale, and the requests for missing documents. */
export class PackageKinds1764000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(KINDS);
    await runner.query(TENDERS);
    await runner.query(REQUESTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE document_request;
      ALTER TABLE tender DROP COLUMN package_kind, DROP COLUMN package_works;
      ALTER TABLE package_file DROP COLUMN kind, DROP COLUMN all_works;
    `);
  }
}

const KINDS = `
  ALTER TABLE package_file
    ADD COLUMN kind text NOT NULL DEFAULT 'other' CHECK (kind IN ('nit', 'boq', 'other')),
    -- The file belongs to every work of its notice, not to tender_id alone.
    ADD COLUMN all_works boolean NOT NULL DEFAULT false;
  -- The names that portals give: Tendernotice_1.pdf, BOQ_12345.xls.
  UPDATE package_file SET kind = CASE
    WHEN name ~* '(^|[^a-z])boq([^a-z]|$)|bills?[ _-]*of[ _-]*quantit' THEN 'boq'
    WHEN name ~* '(^|[^a-z])nit([^a-z]|$)|notice' THEN 'nit' ELSE 'other' END;
`;

const TENDERS = `
  -- What is sold for this tender: null without its NIT. Written with the files of its notice; see documents/contents.ts.
  ALTER TABLE tender ADD COLUMN package_kind text CHECK (package_kind IN ('nit', 'nit-boq')),
    -- How many published works of the notice have their NIT in the package.
    ADD COLUMN package_works integer, ADD CHECK ((package_kind IS NULL) = (package_works IS NULL));
  WITH there AS (
    SELECT f.nit, t.id, bool_or(f.kind = 'boq') OR EXISTS (SELECT FROM boq_item b WHERE b.tender_id = t.id) AS boq,
      count(*) OVER (PARTITION BY f.nit)::integer AS works
    FROM package_file f JOIN tender t ON t.id = f.tender_id
    WHERE f.state = 'ready' AND t.origin = 'portal' GROUP BY f.nit, t.id HAVING bool_or(f.kind = 'nit')
  )
  UPDATE tender t SET package_kind = CASE WHEN there.boq THEN 'nit-boq' ELSE 'nit' END, package_works = there.works,
    change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
  FROM there WHERE t.id = there.id;
`;

const REQUESTS = `
  -- A request for the documents of a tender that has no package yet.
  CREATE TABLE document_request (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tender_id integer NOT NULL REFERENCES tender ON DELETE CASCADE,
    -- Of an account; else the e-mail address, in lower case.
    user_id uuid REFERENCES account ON DELETE CASCADE,
    email text CHECK (email = lower(email)),
    requested_at timestamptz NOT NULL,
    -- When the notice and the mail were made.
    answered_at timestamptz,
    CHECK ((user_id IS NULL) <> (email IS NULL))
  );
  CREATE UNIQUE INDEX document_request_user ON document_request (tender_id, user_id) WHERE user_id IS NOT NULL;
  CREATE UNIQUE INDEX document_request_email ON document_request (tender_id, email) WHERE email IS NOT NULL;
  CREATE INDEX document_request_open ON document_request (tender_id) WHERE answered_at IS NULL;
  CREATE INDEX document_request_account ON document_request (user_id);
`;
