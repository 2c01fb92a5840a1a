/** Schedules of rates that the operator imports. */

export const RATES = `
  -- A schedule of rates that the operator imported. Another import of the name replaces it.
  CREATE TABLE rate_schedule (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state text NOT NULL,
    name text NOT NULL,
    -- The Indian day from which its rates hold; null when the operator did not say.
    valid_from date,
    imported_at timestamptz NOT NULL,
    UNIQUE (state, name)
  );

  CREATE TABLE rate_item (
    schedule_id bigint NOT NULL REFERENCES rate_schedule ON DELETE CASCADE,
    no integer NOT NULL,
    code text NOT NULL,
    -- With the texts of its headings.
    description text NOT NULL,
    unit text NOT NULL,
    -- The unit in one spelling.
    normal_unit text NOT NULL,
    -- Rupees for one unit.
    rate numeric(16,4) NOT NULL CHECK (rate > 0),
    PRIMARY KEY (schedule_id, no)
  );
  CREATE INDEX rate_item_unit ON rate_item (schedule_id, normal_unit);
`;
