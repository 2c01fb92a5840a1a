/** Past works of one office whose title resembles that of a tender. Without the schema library: devices compute it too. */

/** Similar works of one tender. */
const MAX_SIMILAR_WORKS = 5;
/** Of 26 pairs with this score or more, judged by hand, 23 were the same work. */
const MIN_SAME_SCORE = 0.9;
/** Of 50 pairs with this score or more, 50 were the same or a related work. */
const MIN_RELATED_SCORE = 0.7;
const MIN_REAL_WORDS = 3;
const MAX_ESTIMATE_RATIO = 4;

const STOP_WORDS = new Set(
  (
    'of the and at in to for from with on by under a an as is c/o s/h sh r/o via up no nos etc i ii iii iv v work works ' +
    'tender ward balance dist district block gp year estimate cost including'
  ).split(' '),
);

/** Whether a title has enough words to be compared. */
export const isComparableTitle = (title: string): boolean => titleWords(title).size >= MIN_REAL_WORDS;

/** Words with letters; a real word has at least three letters and is no stop word. */
function titleWords(title: string): Set<string> {
  const words = title
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3 && /\p{L}/u.test(word) && !STOP_WORDS.has(word));
  return new Set(words);
}

/** A tender or an award. */
interface Work {
  title: string;
  estimate: number | null;
}

interface PastWork extends Work {
  knownOn: string | null;
}

/** A past work with its likeness to a tender. */
export type SimilarTo<Past> = Past & { likeness: 'let-before' | 'related' };

/** The most alike works of an office, `let-before` first. Rare words of the office weigh more: they name the place. */
export function findSimilarWorks<Past extends PastWork>(tender: Work, works: readonly Past[]): SimilarTo<Past>[] {
  const wanted = titleWords(tender.title);
  if (wanted.size < MIN_REAL_WORDS) return [];
  const titles = works.map(({ title }) => titleWords(title));
  const frequency = new Map<string, number>();
  for (const words of titles) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weight = (word: string) => Math.log(1 + (works.length + 1) / (1 + (frequency.get(word) ?? 0)));
  const found = works.flatMap((work, n) => {
    const words = titles[n] as Set<string>;
    if (words.size < MIN_REAL_WORDS || !isLikeEstimate(tender.estimate, work.estimate)) return [];
    const score = overlap(wanted, words, weight);
    return score >= MIN_RELATED_SCORE ? [{ work, score }] : [];
  });
  return found
    .sort((a, b) => b.score - a.score || (b.work.knownOn ?? '').localeCompare(a.work.knownOn ?? ''))
    .slice(0, MAX_SIMILAR_WORKS)
    .map(({ work, score }) => ({ ...work, likeness: score >= MIN_SAME_SCORE ? 'let-before' : 'related' }));
}

/** Weight of the common words as a part of all words of both titles. A missing place name on one side counts against it. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>, weight: (word: string) => number): number {
  let common = 0;
  let all = 0;
  for (const word of one) {
    all += weight(word);
    if (other.has(word)) common += weight(word);
  }
  for (const word of other) if (!one.has(word)) all += weight(word);
  return all === 0 ? 0 : common / all;
}

const isLikeEstimate = (one: number | null, other: number | null): boolean =>
  one !== null && other !== null && Math.max(one, other) <= MAX_ESTIMATE_RATIO * Math.min(one, other);
