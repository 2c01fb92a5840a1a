/** How tables of portals are read. */

export const MAPPINGS = [
  `
  -- Every version stays, because a portal may use several forms. A file is read by the newest that has its columns.
  CREATE TABLE portal_mapping (
    portal text NOT NULL,
    version integer NOT NULL CHECK (version > 0),
    columns jsonb NOT NULL,
    -- Account of the member of staff; null for a command.
    made_by uuid,
    at timestamptz NOT NULL,
    PRIMARY KEY (portal, version)
  )`,
];
