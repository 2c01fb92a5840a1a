/** Stores the search terms of all tenders again, after the rules of terms have changed. */
import type { EntityManager } from 'typeorm';
import { toTsvector } from './stored-row.ts';

/** Rows of one statement. */
const BATCH_SIZE = 1_000;

/** Nothing that a device has changes, so no tender gets a new version. */
export async function reindexTenders(manager: EntityManager): Promise<void> {
  for (let after = 0; ; ) {
    const rows: (Parameters<typeof toTsvector>[0] & { id: number })[] = await manager.query(
      `SELECT id, title, description, source_id AS source_tender_id, reference AS reference_number, organisation_chain,
         district, department, place, pincode FROM tender WHERE id > $1 ORDER BY id LIMIT ${BATCH_SIZE}`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    await manager.query(
      `UPDATE tender t SET words = r.words::tsvector FROM unnest($1::int[], $2::text[]) r(id, words) WHERE t.id = r.id`,
      [rows.map(({ id }) => id), rows.map(toTsvector)],
    );
  }
}
