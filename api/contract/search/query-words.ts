/**
 * Parses a typed text into words with synonyms. Server and device match and rank by these words, so a query gives the same
 * tenders in the same order on both sides.
 */
import type { SearchedWord } from '../tenders/tender.ts';
import { ONE_WAY_SYNONYMS, SYNONYM_GROUPS } from './dictionary.ts';
import { isPlaceName } from './place-names.ts';
import { createWordsBySound } from './spelling/transliteration.ts';
import { REFERENCE_TENDERS, termFrequencies, termFrequency } from './term-frequencies.ts';
import { joinWardNumbers, readQueryWords, type WordReading } from './terms.ts';

/** Terms that must all be present in a tender. */
export type TermSet = readonly string[];

/** How close an alternative is to the typed word. It is a factor of the score. */
export const MATCH_QUALITY = { typed: 8, synonym: 7, oneWay: 3, prefix: 2 } as const;
export type MatchQuality = (typeof MATCH_QUALITY)[keyof typeof MATCH_QUALITY];

/** One alternative for a word of a query. With the quality `prefix` the last term also matches longer terms. */
export interface Alternative {
  terms: TermSet;
  quality: MatchQuality;
}

/** One word of a query. A tender has the word if it has one of the alternatives. The first alternative is the typed one. */
export interface QueryWord {
  /** The typed word as terms, joined by a space: 'retaining wall', 'co', '2025_pwd_109746_1'. */
  typed: string;
  alternatives: readonly Alternative[];
  /** False for words such as 'service' or 'chahiye', which only add to the score. If a query has no others, they are required. */
  required: boolean;
  /** 1 to 12: rarer words weigh more. A word that is not required weighs 1. */
  weight: number;
}

/** Words that say little about a work. They are not required. */
const SOFT_WORDS = new Set(
  [
    'service work project centre center kendra new naya nayi various etc year government govt sarkari latest all',
    'par liye chahiye hetu wala wale wali contract notice bid nit number no',
    'karna karne karwana karwane karvana lagane hona hone',
    'सेवा केंद्र नया नई सरकारी लिए लिये हेतु कार्यों करना करने करवाना लगाने होना होने वाला वाले वाली',
  ].flatMap((line) => line.split(' ').flatMap((word) => readQueryWords(word).map(({ term }) => term))),
);

const MAX_WEIGHT = 12;
/** Maximum number of searched words; each word costs a lookup. */
const MAX_QUERY_WORDS = 12;

const readingTerms = (pieces: readonly WordReading[]): string[] => pieces.map((piece) => piece.term);
const entryTerms = (entry: string): string[] => readingTerms(readQueryWords(entry));

/** The alternatives of each dictionary entry, by its terms. */
const alternativesByEntry = new Map<string, Map<string, Alternative>>();
const groupByEntry = new Map<string, readonly string[]>();
const singleTerms = new Set<string>();
const dictionaryTerms = new Set<string>();

function addAlternatives(asked: Iterable<string>, found: readonly string[], quality: MatchQuality): void {
  const sets = found.map(entryTerms);
  for (const terms of sets) addTerms(terms);
  for (const key of asked) {
    addTerms(key.split(' '));
    const alternatives = alternativesByEntry.get(key) ?? new Map<string, Alternative>();
    alternativesByEntry.set(key, alternatives);
    for (const terms of sets) {
      const found = terms.join(' ');
      if (!alternatives.has(found)) alternatives.set(found, { terms, quality });
    }
  }
}

function addTerms(terms: readonly string[]): void {
  for (const term of terms) dictionaryTerms.add(term);
  if (terms.length === 1) singleTerms.add(terms[0] as string);
}

for (const group of SYNONYM_GROUPS) {
  const keys = group.map((entry) => entryTerms(entry).join(' '));
  for (const key of keys) groupByEntry.set(key, keys);
  addAlternatives(keys, group, MATCH_QUALITY.synonym);
}
for (const [asked, found, scope] of ONE_WAY_SYNONYMS) {
  const keys = asked.map((entry) => entryTerms(entry).join(' '));
  const all = scope ? keys : keys.flatMap((key) => groupByEntry.get(key) ?? [key]);
  addAlternatives(new Set(all), found, MATCH_QUALITY.oneWay);
}
/** The longest dictionary entry in words. */
export const MAX_ENTRY_WORDS = Math.max(...[...alternativesByEntry.keys()].map((key) => key.split(' ').length));

/** Dictionary entries of one term. */
export const DICTIONARY_WORDS: ReadonlySet<string> = singleTerms;

/** True for a term of any dictionary entry. */
export function isDictionaryTerm(term: string): boolean {
  return dictionaryTerms.has(term);
}

/** True when these consecutive terms are one dictionary entry. */
export function isDictionaryEntry(terms: readonly string[]): boolean {
  return terms.length <= MAX_ENTRY_WORDS && alternativesByEntry.has(terms.join(' '));
}

const LATIN_PATTERN = /^[a-z]{3,}$/;
const findLatinWords = createWordsBySound(
  () => new Set([...singleTerms, ...termFrequencies().keys()].filter((word) => LATIN_PATTERN.test(word))),
);
/** Assumed frequency of a dictionary word that portals seldom write. */
const DICTIONARY_FREQUENCY = 64;
/** A word must be this many times more frequent for each half of a differing sound. */
const FREQUENCY_RATIO = 4;

function soundRank(word: string, cost: number): number {
  const isEntry = isDictionaryEntry([word]);
  const frequency = Math.max(termFrequency(word), isEntry ? DICTIONARY_FREQUENCY : 0);
  return (2 * frequency + Number(isEntry)) / FREQUENCY_RATIO ** cost;
}

const latinWords = new Map<string, string | undefined>();
const MAX_REMEMBERED = 1_000;

/** The Latin word, from tenders or the dictionary, that an unknown term in an Indian script stands for: 'road' for 'रोड'. */
export function latinWord(term: string): string | undefined {
  return isDictionaryTerm(term) ? undefined : wordBySound(term);
}

function wordBySound(term: string): string | undefined {
  if (!latinWords.has(term)) {
    if (latinWords.size >= MAX_REMEMBERED) latinWords.clear();
    let best: { word: string; rank: number } | undefined;
    for (const { word, cost } of findLatinWords(term)) {
      const rank = soundRank(word, cost);
      if (!best || rank > best.rank) best = { word, rank };
    }
    latinWords.set(term, best?.word);
  }
  return latinWords.get(term);
}

/** Whether a term is in tenders or the dictionary or is the name of a place. Such a term is complete and spelt correctly. */
export function isKnownTerm(term: string): boolean {
  return isDictionaryTerm(term) || termFrequency(term) > 0 || isPlaceName(term) || latinWord(term) !== undefined;
}

/**
 * The smallest weight from 1 to 12 with `frequency · 2^weight ≥ N`, where N is the number of tenders of the reference. The
 * frequency is that of the most frequent alternative. An alternative of several terms is as frequent as its rarest term.
 */
function wordWeight(alternatives: readonly Alternative[]): number {
  const frequencies = alternatives.map(({ terms }) => Math.min(...terms.map(termFrequency)));
  const most = Math.max(0, ...frequencies);
  let weight = 1;
  while (weight < MAX_WEIGHT && most * 2 ** weight < REFERENCE_TENDERS) weight += 1;
  return weight;
}

/** The dictionary entry of these words. Some may be Latin words in an Indian script. */
function entryOf(pieces: readonly WordReading[]): string | undefined {
  const terms = readingTerms(pieces);
  if (isDictionaryEntry(terms)) return terms.join(' ');
  const meant = terms.map((term) => wordBySound(term) ?? term);
  return isDictionaryEntry(meant) ? meant.join(' ') : undefined;
}

const latinTerms = (terms: TermSet): TermSet => terms.map((term) => latinWord(term) ?? term);

function toQueryWord(pieces: readonly WordReading[], isUnfinished: boolean): QueryWord {
  const terms = readingTerms(pieces);
  const typed = terms.join(' ');
  const last = pieces.at(-1) as WordReading;
  const alternatives = new Map<string, Alternative>([[typed, { terms, quality: MATCH_QUALITY.typed }]]);
  const add = (alternative: Alternative) => {
    const key = alternative.terms.join(' ');
    if (!alternatives.has(key)) alternatives.set(key, alternative);
  };
  if (pieces.length === 1 && last.parts.length > 1) add({ terms: last.parts, quality: MATCH_QUALITY.synonym });
  const meant = latinTerms(terms);
  if (meant.join(' ') !== typed) add({ terms: meant, quality: MATCH_QUALITY.synonym });
  for (const alternative of alternativesByEntry.get(entryOf(pieces) ?? typed)?.values() ?? []) add(alternative);
  const found = [...alternatives.values()];
  if (isUnfinished) found.push({ terms: [...terms.slice(0, -1), last.typed], quality: MATCH_QUALITY.prefix });
  const required = !SOFT_WORDS.has(typed) && !SOFT_WORDS.has(meant.join(' '));
  return { typed, alternatives: found, required, weight: required ? wordWeight(found) : 1 };
}

/** Maximum number of alternatives for the parts of an entry. If there would be more, none is added. */
const MAX_APART = 400;

/**
 * Alternatives that match each word of a dictionary entry separately, with its own synonyms. Searches that were saved before
 * the entry existed worked like this.
 */
function apartAlternatives(pieces: readonly WordReading[]): Alternative[] {
  let sets: TermSet[] = [[]];
  for (const piece of pieces) {
    const found = toQueryWord([piece], false).alternatives.map(({ terms }) => terms);
    sets = sets.flatMap((before) => found.map((terms) => [...before, ...terms]));
    if (sets.length > MAX_APART) return [];
  }
  return sets.map((terms) => ({ terms, quality: MATCH_QUALITY.oneWay }));
}

function withApart(word: QueryWord, pieces: readonly WordReading[]): QueryWord {
  const known = new Set(word.alternatives.map(({ terms }) => terms.join(' ')));
  const added = apartAlternatives(pieces).filter(({ terms }) => !known.has(terms.join(' ')));
  return { ...word, alternatives: [...word.alternatives, ...added] };
}

/** The words as an answer names them. */
export function toSearchedWords(words: readonly QueryWord[]): SearchedWord[] {
  return words.map(({ typed, alternatives }) => ({
    typed,
    alternatives: alternatives.map(
      ({ terms, quality }) => terms.join(' ') + (quality === MATCH_QUALITY.prefix ? '*' : ''),
    ),
  }));
}

/**
 * - 'unknown': the last word is a prefix if it is not a known term.
 * - 'always': the last word is a prefix unless it is complete, such as a whole tender id. The words of a dictionary entry
 *   match separately too. This is the rule of searches that were saved before places were read.
 * - 'never': all words are whole words.
 */
export type PrefixRule = 'unknown' | 'always' | 'never';

/**
 * The words of a typed text with their synonyms, each once, at most twelve. The longest dictionary entry is used ('retaining
 * wall' before 'wall'). Empty when the text has no term. A complete word, such as a whole tender id, 'C/o' or a single
 * digit, is never a prefix.
 */
export function parseQuery(text: string, prefixRule: PrefixRule = 'unknown'): QueryWord[] {
  const pieces = readQueryWords(joinWardNumbers(text));
  const byTyped = new Map<string, QueryWord>();
  for (let at = 0; at < pieces.length && byTyped.size < MAX_QUERY_WORDS; ) {
    let length = Math.min(MAX_ENTRY_WORDS, pieces.length - at);
    while (length > 1 && !entryOf(pieces.slice(at, at + length))) length -= 1;
    const own = pieces.slice(at, at + length);
    const isLast = at + length === pieces.length;
    const entry = toQueryWord(own, isLast && isPrefix(own, prefixRule));
    const word = prefixRule === 'always' && length > 1 ? withApart(entry, own) : entry;
    if (!byTyped.has(word.typed)) byTyped.set(word.typed, word);
    at += length;
  }
  const words = [...byTyped.values()];
  // If all words are soft, all are required.
  if (words.some(({ required }) => required)) return words;
  return words.map((word) => ({ ...word, required: true, weight: wordWeight(word.alternatives) }));
}

function isPrefix(pieces: readonly WordReading[], rule: PrefixRule): boolean {
  const last = pieces.at(-1) as WordReading;
  if (rule === 'never' || last.complete) return false;
  return rule === 'always' || (pieces.length === 1 && !isKnownTerm(last.term));
}
