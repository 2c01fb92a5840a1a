/** Statements of corrections. SQL: the change number comes from the sequence in the statement that writes the row. */

/** Columns that a correction may change, with those that follow from them. */
const CORRECTED_COLUMNS = [
  ...'title description closes_at closing_time_known opens_at bid_start_at pre_bid_at price emd tender_fee pincode'.split(
    ' ',
  ),
  ...'district second_district district_confidence department words'.split(' '),
];

/** Stores the row $1 at $2; $3 is the mark of its card, null when it stays. */
export const UPDATE_CORRECTED_TENDER = `
  UPDATE tender t SET ${CORRECTED_COLUMNS.map((column) => `${column} = r.${column}`).join(', ')},
    version = t.version + 1, updated_at = $2, last_corrigendum = coalesce($3, t.last_corrigendum),
    change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
  FROM json_populate_record(NULL::tender, $1) r WHERE t.id = r.id`;
