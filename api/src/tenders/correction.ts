/** Correction of misspelt words, asked for only when a search found nothing. */
import { corrections, parseQuery, type QueryWord, rewriteQuery } from '@nivida/contract/search';
import type { Pool } from 'pg';
import { countStatement, type TenderFilter } from './search.sql.ts';

/** A query that finds something, and the words that were put in for the asked ones. */
export interface Correction {
  words: QueryWord[];
  replacements: Map<string, string>;
}

/**
 * Tries, word by word, what is written nearly alike in the tenders; the replacement that finds most is taken. When no
 * single word helps, all words that no tender holds are replaced together. Undefined when nothing is found so either.
 */
export async function findCorrection(pool: Pool, filter: TenderFilter, now: Date): Promise<Correction | undefined> {
  const asked = filter.words.map((word) => word.asked).filter((word) => /^\p{L}{4,}$/u.test(word));
  const candidates = new Map<string, string[]>();
  for (const word of asked) {
    const found = corrections(word, await vocabularyNear(pool, word));
    if (found.length > 0) candidates.set(word, found);
  }
  let best: (Correction & { total: number }) | undefined;
  for (const [word, options] of candidates) {
    for (const option of options) {
      const tried = await tryReplacing(pool, filter, new Map([[word, option]]), now);
      if (tried.total > (best?.total ?? 0)) best = tried;
    }
  }
  if (best || candidates.size < 2) return best;
  const all = new Map([...candidates].map(([word, options]) => [word, options[0] as string]));
  const together = await tryReplacing(pool, filter, all, now);
  return together.total > 0 ? together : undefined;
}

/** Words of the tenders with the same first letter and about the same length. */
async function vocabularyNear(pool: Pool, word: string): Promise<string[]> {
  const [first = ''] = word;
  const { rows } = await pool.query<{ word: string }>({
    name: 'words near',
    text: `SELECT word FROM search_word WHERE word >= $1 AND word < $1 || chr(1114111)
      AND length(word) BETWEEN $2::int - 2 AND $2::int + 2`,
    values: [first, word.length],
  });
  return rows.map((row) => row.word);
}

async function tryReplacing(pool: Pool, filter: TenderFilter, replacements: Map<string, string>, now: Date) {
  const text = rewriteQuery(filter.words.map((word) => word.asked).join(' '), replacements);
  const words = parseQuery(text);
  const { rows } = await pool.query<{ total: number }>(countStatement({ ...filter, words }, now));
  return { words, replacements, total: rows[0]?.total ?? 0 };
}
