/** Finds past works of one office whose title is similar to that of a tender. No schema library, because devices run it too. */

/** Similar works of one tender. */
const MAX_SIMILAR_WORKS = 5;
/** Minimum score of the same work, if the numbers are equal. On two portals 42 of 48 such pairs were the same work by their titles. */
const MIN_SAME_SCORE = 0.9;
/** Minimum score of a related work. Below it titles have little in common. */
const MIN_RELATED_SCORE = 0.7;
const MIN_REAL_WORDS = 3;
/** Maximum works with the same title. More are a series of different works. */
const MAX_SAME_WORKS = 3;
const MAX_ESTIMATE_RATIO = 4;

const STOP_WORDS = new Set(
  (
    'of the and at in to for from with on by under a an as is c/o s/h sh r/o via up no nos etc i ii iii iv v work works ' +
    'tender ward balance dist district block gp year estimate cost including'
  ).split(' '),
);

/** Whether a title has enough words to be compared. */
export const isComparableTitle = (title: string): boolean => titleWords(title).size >= MIN_REAL_WORDS;

/** Whether a chunk is a reference such as HPSEBL/TED/NIT-74/2025-26. Its parts are not words of the title. */
const isReference = (chunk: string): boolean =>
  /\p{L}/u.test(chunk) && (/\d.*[/_-]|[/_-].*\d/.test(chunk) || (chunk.match(/[/_]/g)?.length ?? 0) >= 2);

/** The real words of a title: at least three letters, no stop word, not of a reference. */
function titleWords(title: string): Set<string> {
  const words = title
    .toLowerCase()
    .split(/\s+/)
    .filter((chunk) => !isReference(chunk))
    .flatMap((chunk) => chunk.split(/[^\p{L}\p{M}\p{N}]+/u))
    .filter((word) => word.length >= 3 && /\p{L}/u.test(word) && !STOP_WORDS.has(word));
  return new Set(words);
}

/** 2025, 2025-26 or 25-26. */
const YEARS = /\b(?:(?:19|20)\d\d(?:\s*[-/_]\s*(?:20)?\d\d)?|(\d\d)\s*[-/_]\s*(\d\d))\b/g;

/** Numbers, single letters and Roman numerals of a title, without years: 'Package 2', 'Zone-A', 'Phase IV', 'RD 0/180'. */
function titleMarks(title: string): Set<string> {
  const text = title
    .toLowerCase()
    .replace(YEARS, (years, first, second) =>
      first === undefined || Number(second) === (Number(first) + 1) % 100 ? ' ' : years,
    );
  const numbers = text.match(/\d+(?:\.\d+)?/g) ?? [];
  const letters = text.match(/(?<![\p{L}\p{N}/.])(?:[a-z]|[ivx]{2,4})(?![\p{L}\p{N}/])/gu) ?? [];
  return new Set([...numbers.map((number) => String(Number(number))), ...letters]);
}

const areEqual = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));

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

/** The most similar works of an office, `let-before` first. Words that are rare in the office weigh more, because they name the place. */
export function findSimilarWorks<Past extends PastWork>(tender: Work, works: readonly Past[]): SimilarTo<Past>[] {
  const wanted = titleWords(tender.title);
  if (wanted.size < MIN_REAL_WORDS) return [];
  const titles = works.map(({ title }) => titleWords(title));
  const frequency = new Map<string, number>();
  for (const words of titles) for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const weight = (word: string) => Math.log(1 + (works.length + 1) / (1 + (frequency.get(word) ?? 0)));
  const marks = titleMarks(tender.title);
  // The numbers must be equal: package 2 or km 7 of a road is another work than package 1 or km 3.
  const isSameWork = (score: number, { title }: Past) => score >= MIN_SAME_SCORE && areEqual(marks, titleMarks(title));
  const found = works.flatMap((work, n) => {
    const words = titles[n] as Set<string>;
    if (words.size < MIN_REAL_WORDS || !isLikeEstimate(tender.estimate, work.estimate)) return [];
    const score = overlap(wanted, words, weight);
    return score >= MIN_RELATED_SCORE ? [{ work, score }] : [];
  });
  // A title that many works share, such as "Hostels at 20 colleges", does not identify any of them.
  const isSeries = found.filter(({ work, score }) => isSameWork(score, work)).length > MAX_SAME_WORKS;
  return found
    .sort((a, b) => b.score - a.score || (b.work.knownOn ?? '').localeCompare(a.work.knownOn ?? ''))
    .slice(0, MAX_SIMILAR_WORKS)
    .map(({ work, score }) => ({ ...work, likeness: !isSeries && isSameWork(score, work) ? 'let-before' : 'related' }));
}

/** Weight of the common words divided by the weight of all words of both titles. A place name on one side only lowers it. */
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
