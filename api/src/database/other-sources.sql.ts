/** A part of the statements that read tenders for the API and for devices. */

/** The attached sources of the tender `t` as JSON with the contract's names; null without any. */
export const OTHER_SOURCES = `(SELECT json_agg(o) FROM (
  SELECT s.portal, s.closes_at + t.shift_days * interval '24 hours' AS closing_date, s.closing_time_known, s.stage
  FROM attached_source s WHERE s.tender_id = t.id ORDER BY s.attached_at, s.portal) o)`;
