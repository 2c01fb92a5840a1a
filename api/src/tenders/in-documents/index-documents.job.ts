/** Stores the search terms of what was read in official documents. */
import type { BoqItem } from '@nivida/contract/documents/boq';
import { boqSearchTexts, documentTerms } from '@nivida/contract/documents/find-in-documents';
import { INDEX_TERMS_VERSION } from '@nivida/contract/search/index-terms';
import type { DataSource, EntityManager } from 'typeorm';
import type { Job } from '../../jobs/job.ts';
import { DELETE_PARTS, INSERT_PARTS, LOCK_UNINDEXED, MARK_INDEXED, UNINDEXED_READINGS } from './document-texts.sql.ts';

/** A worker that stops waits for its run, so a run ends. */
const MAX_READINGS_OF_RUN = 200;

/** A reading without terms of this version. `items`: null for a PDF. */
interface UnindexedReading {
  id: string;
  readAt: Date;
  texts: string[];
  items: BoqItem[] | null;
}

/** Indexes readings, the newest first, one in a transaction, at most `max`. Returns their number. */
export async function indexDocuments(
  { dataSource }: { dataSource: DataSource },
  max = MAX_READINGS_OF_RUN,
): Promise<number> {
  const rows: { id: string }[] = await dataSource.query(UNINDEXED_READINGS, [INDEX_TERMS_VERSION, max]);
  let indexed = 0;
  for (const row of rows) if (await dataSource.transaction((manager) => indexReading(manager, row.id))) indexed += 1;
  return indexed;
}

/** False when the reading is gone, or another worker indexes it. */
async function indexReading(manager: EntityManager, readingId: string): Promise<boolean> {
  const [reading]: UnindexedReading[] = await manager.query(LOCK_UNINDEXED, [INDEX_TERMS_VERSION, readingId]);
  if (!reading) return false;
  const { id, readAt, texts, items } = reading;
  const parts = (items ? boqSearchTexts(items) : texts).flatMap((text, part) => {
    const terms = text === null ? [] : documentTerms(text);
    return terms.length > 0 ? [{ part, words: terms.map((term) => `'${term}'`).join(' ') }] : [];
  });
  await manager.query(DELETE_PARTS, [id]);
  await manager.query(INSERT_PARTS, [id, parts.map(({ part }) => part), parts.map(({ words }) => words)]);
  await manager.query(MARK_INDEXED, [id, readAt, INDEX_TERMS_VERSION]);
  return true;
}

export const indexDocumentsJob: Job = {
  name: 'index-documents',
  cron: '* * * * *',
  run: (context) => indexDocuments(context),
};
