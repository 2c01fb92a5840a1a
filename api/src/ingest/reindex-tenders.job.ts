/** Stores the search terms of all tenders again, after the rules of terms have changed. */
import type { EntityManager } from 'typeorm';
import { NEXT_SEARCHED_TENDERS, UPDATE_WORDS } from './ingest.sql.ts';
import { toTsvector } from './stored-row.ts';

/** Rows of one statement. */
const BATCH_SIZE = 1_000;

/** Nothing that a device has changes, so no tender gets a new version. */
export async function reindexTenders(manager: EntityManager): Promise<void> {
  for (let after = 0; ; ) {
    const rows: (Parameters<typeof toTsvector>[0] & { id: number })[] = await manager.query(NEXT_SEARCHED_TENDERS, [
      after,
      BATCH_SIZE,
    ]);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
    await manager.query(UPDATE_WORDS, [rows.map(({ id }) => id), rows.map(toTsvector)]);
  }
}
