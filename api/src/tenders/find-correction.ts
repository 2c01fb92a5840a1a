/** Correction of misspelt words on the server's tenders; the contract says what is tried. */
import { correctableWords, correctionRounds, type QueryCorrection } from '@nivida/contract/search/correction';
import { spellingCorrections } from '@nivida/contract/search/search';
import type { ReplicaReader } from '../database/replica-reader.ts';
import { countStatement, type TenderSqlFilter } from './tenders.sql.ts';

/** The correction of the filter's words that finds most; undefined when none finds anything. */
export async function findCorrection(
  reader: ReplicaReader,
  filter: TenderSqlFilter,
  now: Date,
): Promise<QueryCorrection | undefined> {
  const candidates = new Map<string, string[]>();
  for (const word of correctableWords(filter.words)) {
    candidates.set(word, spellingCorrections(word, await similarVocabulary(reader, word)));
  }
  for (const round of correctionRounds(filter.words, candidates)) {
    let best: { correction: QueryCorrection; total: number } | undefined;
    for (const correction of round) {
      const total = await countMatches(reader, { ...filter, words: correction.words }, now);
      if (total > (best?.total ?? 0)) best = { correction, total };
    }
    if (best) return best.correction;
  }
  return undefined;
}

/** Words of the tenders with the same first letter and about the same length, in the order that the device gives too. */
async function similarVocabulary(reader: ReplicaReader, word: string): Promise<string[]> {
  const [first = ''] = word;
  const { rows } = await reader.query<{ word: string }>({
    name: 'words near',
    text: `SELECT word FROM search_word WHERE word >= $1 AND word < $1 || chr(1114111)
      AND length(word) BETWEEN $2::int - 2 AND $2::int + 2 ORDER BY word`,
    values: [first, word.length],
  });
  return rows.map((row) => row.word);
}

async function countMatches(reader: ReplicaReader, filter: TenderSqlFilter, now: Date): Promise<number> {
  const { rows } = await reader.query<{ total: number }>(countStatement(filter, now));
  return rows[0]?.total ?? 0;
}
