/** Statements of the OCDS export. SQL: one row has a tender with its history, corrigenda, BOQ and award as JSON. */
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import type { FieldChange } from '../../tenders/tender.entity.ts';

/** A row of `exportStatement`. Columns of the tender are values as `pg` reads them. */
export interface ExportedRow {
  id: number;
  portal: string;
  source_id: string;
  updated_at: Date;
  /** The columns that the history has too. */
  [column: string]: unknown;
  history: { no: string; kind: string; at: string; changes: FieldChange[] }[] | null;
  corrigenda: { id: number; title: string; type: string | null; at: string; moves: boolean }[] | null;
  boq: { no: number; description: string; quantity: string | null; unit: string | null }[] | null;
  award: { id: number; on: string; at: string; value: string | null; bidders: number } | null;
}

/** Which tenders are exported. */
export interface ExportFilter {
  state: string | null;
  /** Published from this instant on, and before `publishedBefore`. */
  publishedFrom: Date | null;
  publishedBefore: Date | null;
  changedSince: Date | null;
  /** Only tenders with a larger id. */
  after: number;
  limit: number;
}

/**
 * Tenders that may leave: of a portal, with their own dates, and published. Demonstrations, drafts and hidden tenders do not.
 */
const LEAVES = "t.origin = 'portal' AND t.published_at <= $1";

/** Columns that a release shows, by their names in the history. */
export const STATE_COLUMNS: readonly string[] = [
  ...['title', 'description', 'reference', 'organisation_chain', 'state', 'category', 'price', 'price_text', 'emd'],
  ...[
    'published_at',
    'bid_start_at',
    'closes_at',
    'closing_time_known',
    'opens_at',
    'pre_bid_at',
    'documents',
    'stage',
  ],
  ...TENDER_FIELD_LIST.map(({ name }) => name),
];

export function exportStatement(filter: ExportFilter, now: Date): { text: string; values: unknown[] } {
  const values: unknown[] = [now];
  const conditions = [LEAVES];
  const where = (condition: string, value: unknown) => {
    if (value !== null) conditions.push(`${condition} $${values.push(value)}`);
  };
  where('t.state =', filter.state);
  where('t.published_at >=', filter.publishedFrom);
  where('t.published_at <', filter.publishedBefore);
  where('t.updated_at >=', filter.changedSince);
  where('t.id >', filter.after);
  const text = `SELECT t.id, t.portal, t.source_id, t.is_listed, t.updated_at, ${STATE_COLUMNS.map((name) => `t.${name}`).join(', ')},
      (SELECT json_agg(json_build_object('no', h.change_no::text, 'kind', h.kind, 'at', h.at, 'changes', h.changes) ORDER BY h.change_no)
        FROM tender_history h WHERE h.tender_id = t.id AND h.kind <> 'removed') AS history,
      (SELECT json_agg(json_build_object('id', c.id, 'title', c.title, 'type', c.type, 'at', c.noticed_at,
        'moves', c.changes @> '[{"field": "closing_date"}]') ORDER BY c.id)
        FROM corrigendum c WHERE c.tender_id = t.id) AS corrigenda,
      (SELECT json_agg(json_build_object('no', b.no, 'description', b.description, 'quantity', b.quantity::text, 'unit', b.unit) ORDER BY b.no)
        FROM boq_item b WHERE b.tender_id = t.id) AS boq,
      (SELECT json_build_object('id', a.id, 'on', a.contract_on, 'at', a.imported_at, 'value', a.awarded_value::text, 'bidders', a.bidders)
        FROM award a WHERE a.portal = t.portal AND a.source_id = t.source_id AND a.origin = 'portal' AND a.contract_on IS NOT NULL) AS award
    FROM tender t WHERE ${conditions.join(' AND ')} ORDER BY t.id LIMIT $${values.push(filter.limit)}`;
  return { text, values };
}

/** States and Indian years of tenders that may leave, each with its last change. */
export const EXPORTED_YEARS = `
  SELECT t.state, extract(year FROM t.published_at AT TIME ZONE 'Asia/Kolkata')::int AS year, max(t.updated_at) AS "changedAt"
  FROM tender t WHERE ${LEAVES} GROUP BY 1, 2 ORDER BY 1, 2`;
