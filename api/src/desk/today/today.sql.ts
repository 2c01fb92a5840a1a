/** What waits at the desk. SQL: one row of sums over tables of several features. */

import { openForBidsCondition } from '../../tenders/tender.entity.ts';

export const WAITING_ORDERS = `
  SELECT count(*)::int AS count, min(updated_at) AS oldest FROM orders WHERE status = 'REVIEW'`;

export const WAITING_REQUESTS = `
  SELECT count(DISTINCT r.tender_id)::int AS count, min(r.requested_at) AS oldest
  FROM document_request r JOIN tender t ON t.id = r.tender_id WHERE r.answered_at IS NULL AND ${openForBidsCondition('t', '$1')}`;

export const OPEN_REPORTS = `
  SELECT count(*)::int AS count, min(created_at) AS oldest FROM tender_report WHERE closed_at IS NULL`;

/** Corrections that a source has ended in the week before $1. */
export const ENDED_CORRECTIONS = `
  SELECT count(*)::int AS count, min(ended_at) AS oldest FROM tender_correction
  WHERE ended_because = 'source' AND ended_at > $1::timestamptz - interval '7 days'`;
