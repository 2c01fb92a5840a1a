/** Stores the search terms of all tenders again after the rules of terms have changed. */
import { MAX_INTEGER_ID } from '@nivida/contract/limits';
import { INDEX_TERMS_VERSION, type SearchedTender } from '@nivida/contract/search/index-terms';
import type { DataSource, EntityManager } from 'typeorm';
import { takeChangeLock } from '../database/locks.sql.ts';
import { SettingEntity } from '../database/setting.entity.ts';
import { TERM_INDEX_KEY, type TermIndexProgress } from '../database/term-index.sql.ts';
import type { Job } from '../jobs/job.ts';
import { NEXT_SEARCHED_TENDERS, UPDATE_WORDS } from './ingest.sql.ts';
import { toTsvector } from './stored-row.ts';

/** Rows of one transaction. */
const BATCH_SIZE = 500;

/**
 * Stores the newest tenders first, because most of them are open. Each batch stores its progress, so an interrupted run
 * continues where it stopped. Until a tender is stored again, searches find it by its earlier terms, and their answers say
 * so. Devices do not receive these terms, so no tender gets a new version. Returns the number of tenders read.
 */
export async function reindexTenders({ dataSource }: { dataSource: DataSource }): Promise<number> {
  for (let read = 0; ; ) {
    const batch = await dataSource.transaction((manager) => reindexBatch(manager));
    read += batch;
    if (batch === 0) return read;
  }
}

/** The next tenders in one transaction; 0 when all have the terms of this version. */
export async function reindexBatch(manager: EntityManager, size = BATCH_SIZE): Promise<number> {
  if ((await readProgress(manager)).below === null) return 0;
  // Under the lock a concurrent import cannot lose changes, and another worker continues after this batch.
  await takeChangeLock(manager);
  const { below } = await readProgress(manager);
  if (below === null) return 0;
  const rows: (SearchedTender & { id: number })[] = await manager.query(NEXT_SEARCHED_TENDERS, [below, size]);
  await manager.query(UPDATE_WORDS, [rows.map(({ id }) => id), rows.map(toTsvector)]);
  const value: TermIndexProgress = { version: INDEX_TERMS_VERSION, below: rows.at(-1)?.id ?? null };
  await manager.save(SettingEntity, { key: TERM_INDEX_KEY, value });
  return rows.length;
}

/** The progress of this version. If a newer version of the program has stored its terms, nothing is left to do. */
async function readProgress(manager: EntityManager): Promise<Pick<TermIndexProgress, 'below'>> {
  const stored = await manager.findOneBy(SettingEntity, { key: TERM_INDEX_KEY });
  const progress = stored?.value as TermIndexProgress | undefined;
  if (!progress || progress.version < INDEX_TERMS_VERSION) return { below: MAX_INTEGER_ID };
  return progress.version > INDEX_TERMS_VERSION ? { below: null } : progress;
}

export const reindexTendersJob: Job = { name: 'reindex-tenders', everySeconds: 60, run: reindexTenders };
