/** Stores the search terms of what was read in official documents. */
import type { BoqItem } from '@nivida/contract/documents/boq';
import { boqSearchTexts, documentTerms } from '@nivida/contract/documents/find-in-documents';
import { INDEX_TERMS_VERSION } from '@nivida/contract/search/index-terms';
import type { DataSource, EntityManager } from 'typeorm';
import type { Job } from '../../jobs/job.ts';
import { DELETE_PARTS, INSERT_PARTS, MARK_INDEXED, NEXT_UNINDEXED } from './document-texts.sql.ts';

/** A reading without terms of this version. `items`: null for a PDF. */
interface UnindexedReading {
  id: string;
  readAt: Date;
  texts: string[];
  items: BoqItem[] | null;
}

/** Indexes readings, the newest first, one in a transaction. Returns their number. */
export async function indexDocuments({ dataSource }: { dataSource: DataSource }): Promise<number> {
  for (let indexed = 0; ; indexed += 1) if (!(await dataSource.transaction(indexNext))) return indexed;
}

/** Indexes the newest reading that has no terms of this version. False when there is none. */
async function indexNext(manager: EntityManager): Promise<boolean> {
  const [reading]: UnindexedReading[] = await manager.query(NEXT_UNINDEXED, [INDEX_TERMS_VERSION]);
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

export const indexDocumentsJob: Job = { name: 'index-documents', cron: '* * * * *', run: indexDocuments };
