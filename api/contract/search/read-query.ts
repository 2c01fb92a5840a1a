/**
 * Parses a typed text into conditions, a place, words and corrections. It asks the index how many tenders have some words,
 * several at a time. It is a generator, so that the server can answer with SQL and the device from its packs.
 */

import { findConditions, isOfTenders, type ReadCondition } from '../conditions/conditions-in-query.ts';
import type { LiteralPart } from '../filter/tender-filter.ts';
import type { QueryPlace } from '../tenders/tender.ts';
import { correctionsOf, isCorrectable, MIN_COUNT_WITHOUT_CORRECTION, wholeLog2 } from './corrections.ts';
import { findPlaceInQuery, type PlaceContext } from './place-in-query.ts';
import { MATCH_QUALITY, parseQuery, type QueryWord } from './query-words.ts';
import { rewriteQuery, wholeIdTerm } from './terms.ts';

/** A parsed text. */
export interface QueryReading {
  words: readonly QueryWord[];
  place: QueryPlace | null;
  conditions: readonly ReadCondition[];
  /** The typed text without its conditions and its place. */
  rest: string;
  /** The text with its corrections; null when nothing was corrected. */
  showingFor: string | null;
  /** True when the text has neither words nor a place nor a condition, such as '/'. Nothing matches. */
  isEmpty: boolean;
}

/** A request for the number of tenders under the search's filter that match the words, the place and the conditions. */
export interface CountRequest extends Pick<QueryReading, 'place' | 'conditions'> {
  words: readonly QueryWord[];
  /** Counting may stop at this number, because more tenders make no difference. */
  atMost?: number;
}

/** Steps that ask for counts; the answer of `next` is the count of each request. */
type CountSteps<Result> = Generator<readonly CountRequest[], Result, readonly number[]>;

/** A reading that asks for counts. */
export type ReadingSteps = CountSteps<QueryReading>;

/** Words of at least this length are corrected next to other words even if no tender has both. */
const MIN_LETTERS_WITHOUT_MATCH = 6;
const MAX_COST_WITHOUT_MATCH = 2;
/** Maximum corrected words. Each needs up to six counts. */
const MAX_CORRECTED_WORDS = 3;

/** The reading of a text as typed at `now`, without corrections. */
export function readTypedQuery(
  text: string,
  context: PlaceContext,
  literal: LiteralPart | null,
  now: Date,
): QueryReading {
  if (wholeIdTerm(text) !== undefined)
    return { words: parseQuery(text), place: null, conditions: [], rest: text, showingFor: null, isEmpty: false };
  const { conditions, rest } =
    literal === 'conditions' || literal === 'all' ? { conditions: [], rest: text } : findConditions(text, context, now);
  const place = literal === 'place' || literal === 'all' ? null : findPlaceInQuery(rest, context);
  // 'tenders in Odisha' means all tenders there.
  const searched = place && isOfTenders(place.rest) ? '' : (place?.rest ?? rest);
  const words = parseQuery(searched, literal === 'all' ? 'always' : 'unknown');
  const isEmpty = words.length === 0 && !place && conditions.length === 0;
  return { words, place, conditions, rest: place?.rest ?? rest, showingFor: null, isEmpty };
}

/** Parses a text, given the place filters of the search. */
export function* readQuery(text: string, context: PlaceContext, literal: LiteralPart | null, now: Date): ReadingSteps {
  const typed = readTypedQuery(text, context, literal, now);
  if (literal === 'words' || literal === 'all' || typed.isEmpty) return typed;
  const replacements = yield* findReplacements(typed);
  if (replacements.size === 0) return typed;
  const corrected = new Map([...replacements].map(([word, { to }]) => [word, to]));
  const showingFor = rewriteQuery(text, corrected);
  const searched = rewriteQuery(typed.rest, corrected);
  // A corrected word may be a place.
  const newPlace = typed.place || literal === 'place' ? null : findPlaceInQuery(searched, context);
  const rest = newPlace?.rest ?? searched;
  // The corrected text is parsed like a typed one, because a saved search stores it and its alerts parse it.
  const words = withTypedWords(parseQuery(rest), replacements);
  return { ...typed, words, place: typed.place ?? newPlace, showingFor };
}

/** A correction of a typed word; with `searchesTyped` the typed word is searched too. */
interface Replacement {
  to: string;
  searchesTyped: boolean;
  /** True when another word with results, or a close spelling, supports the correction. */
  isSupported: boolean;
}

function* findReplacements({ words, place, conditions }: QueryReading): CountSteps<Map<string, Replacement>> {
  const replacements = new Map<string, Replacement>();
  const correctable = words
    .filter(({ typed, required }) => required && isCorrectable(typed) && correctionsOf(typed, 0).length > 0)
    .slice(0, MAX_CORRECTED_WORDS);
  if (correctable.length === 0) return replacements;
  const required = words.filter((word) => word.required);
  const isUnfinished = ({ alternatives }: QueryWord) =>
    alternatives.some(({ quality }) => quality === MATCH_QUALITY.prefix);
  const unfinished = correctable.find(isUnfinished);
  const numbers = yield [
    ...required.map((word) => [word]),
    ...(unfinished ? [parseQuery(unfinished.typed, 'never')] : []),
  ].map((asked) => ({ words: asked, place, conditions, atMost: MIN_COUNT_WITHOUT_CORRECTION }));
  const counts = new Map(required.map((word, at) => [word, numbers[at] ?? 0]));
  for (const word of correctable) {
    const found = (word === unfinished ? numbers[required.length] : counts.get(word)) ?? 0;
    if (word === unfinished && found === 0 && (counts.get(word) ?? 0) > 0) continue;
    const others = words.filter((each) => each !== word && each.required && (counts.get(each) ?? 0) > 0);
    let best: (Replacement & { rank: number }) | undefined;
    const corrections = correctionsOf(word.typed, found);
    if (corrections.length === 0) continue;
    const besides = yield corrections.map((correction) => ({
      words: [...parseQuery(correction.word, 'never'), ...others],
      place,
      conditions,
    }));
    for (const [at, correction] of corrections.entries()) {
      const beside = besides[at] ?? 0;
      const isClose =
        words.length > 1 && word.typed.length >= MIN_LETTERS_WITHOUT_MATCH && correction.cost <= MAX_COST_WITHOUT_MATCH;
      if (beside === 0 && !isClose) continue;
      const rank = correction.rank + 2 * wholeLog2(beside);
      const isSupported = words.length === 1 || others.length > 0 || isClose;
      if (!best || rank > best.rank) best = { to: correction.word, searchesTyped: found > 0, isSupported, rank };
    }
    if (best) replacements.set(word.typed, best);
  }
  // 'submarine hull' does not mean a hall. Next to a word that no tender has, only a close spelling is corrected.
  const isUnknown = ({ typed, required }: QueryWord, count: number) =>
    required && count === 0 && !replacements.has(typed);
  if (![...counts].some(([word, count]) => isUnknown(word, count))) return replacements;
  return new Map([...replacements].filter(([, { isSupported }]) => isSupported));
}

/** The corrected words. A typed word is an alternative if tenders contain it. */
function withTypedWords(words: readonly QueryWord[], replacements: ReadonlyMap<string, Replacement>): QueryWord[] {
  const typedByCorrected = new Map(
    [...replacements].filter(([, { searchesTyped }]) => searchesTyped).map(([typed, { to }]) => [to, typed]),
  );
  return words.map((word) => {
    const terms = word.typed.split(' ');
    if (!terms.some((term) => typedByCorrected.has(term))) return word;
    const typed = terms.map((term) => typedByCorrected.get(term) ?? term);
    return { ...word, alternatives: [...word.alternatives, { terms: typed, quality: MATCH_QUALITY.synonym }] };
  });
}
