/** SQL that matches and scores the words of a query. Terms contain neither quotes nor operators of tsquery. */

import type { FieldClass } from '@nivida/contract/search/index-terms';
import { MATCH_QUALITY, parseQuery, type QueryWord } from '@nivida/contract/search/query-words';
import { FIELD_FACTOR, type PartialRule } from '@nivida/contract/search/ranking';
import { numberKey } from '@nivida/contract/tenders/tender-list';

/** Binds a value and gives its parameter, such as '$3'. */
export type Bind = (value: unknown) => string;

/** For each class: the classes that are at least as good; '' for all. */
const CLASSES_FROM: Readonly<Record<FieldClass, string>> = { A: 'A', B: 'AB', C: '' };

/** Title and description, without offices and places. */
export const TEXT_CLASSES = CLASSES_FROM.B;

type Alternative = QueryWord['alternatives'][number];

/** One alternative: all its terms, in a field of these classes ('' for any). */
function toTsqueryAlternative({ terms, quality }: Alternative, classes: string): string {
  const parts = terms.map((term, at) => {
    const marks = (quality === MATCH_QUALITY.prefix && at === terms.length - 1 ? '*' : '') + classes;
    return `'${term}'${marks && `:${marks}`}`;
  });
  return `(${parts.join(' & ')})`;
}

/** A word: any of its alternatives. */
export function toTsqueryWord(alternatives: readonly Alternative[], classes = ''): string {
  return `(${alternatives.map((alternative) => toTsqueryAlternative(alternative, classes)).join(' | ')})`;
}

/** The required words: AND of words, OR of their alternatives, AND of an alternative's terms. */
export function toTsquery(words: readonly QueryWord[]): string {
  return words
    .filter(({ required }) => required)
    .map(({ alternatives }) => toTsqueryWord(alternatives))
    .join(' & ');
}

const NIT_PATTERN = /^\d{4}_[a-z0-9]+_\d+$/;

/** The query that the tenders of a number match: the words of the search, or of an NIT the beginning of its works' ids. */
export function numberQuery(number: string): string {
  const key = numberKey(number);
  return NIT_PATTERN.test(key) ? `'${key}_':*` : toTsquery(parseQuery(number, 'never'));
}

/** The possible scores of a row for a word, best first: quality of an alternative times factor of a field. */
const WORD_VALUES = Object.values(MATCH_QUALITY)
  .flatMap((quality) =>
    Object.entries(FIELD_FACTOR).map(([fieldClass, factor]) => ({
      quality,
      classes: CLASSES_FROM[fieldClass as FieldClass],
      value: quality * factor,
    })),
  )
  .sort((one, other) => other.value - one.value);

/**
 * The score of a row for one word, without the word's weight: the best product of quality and field factor among its
 * alternatives, else 0. The text is the same for each word, so that a cached plan fits all words. Qualities that a word
 * lacks are null.
 */
function valueExpression(word: QueryWord, bind: Bind): string {
  const whens = WORD_VALUES.map(({ quality, classes, value }) => {
    const alternatives = word.alternatives.filter((alternative) => alternative.quality === quality);
    const query = alternatives.length > 0 ? toTsqueryWord(alternatives, classes) : null;
    return `WHEN words @@ ${bind(query)}::tsquery THEN ${value}`;
  });
  return `CASE ${whens.join(' ')} ELSE 0 END`;
}

/** The score of a row: the sum over the words of weight · value. */
export function scoreExpression(words: readonly QueryWord[], bind: Bind): string {
  return words.map((word) => `${bind(word.weight)}::int * (${valueExpression(word, bind)})`).join(' + ') || '0';
}

/** The maximum score: each word as it was typed, in the best field. */
export const maxScore = (words: readonly QueryWord[]): number =>
  words.reduce((sum, { weight }) => sum + weight * MATCH_QUALITY.typed * FIELD_FACTOR.A, 0);

/** Whether a row of `source` (FROM … WHERE … AND) has each word, as one boolean column for each. */
export function foundColumns(words: readonly QueryWord[], source: string, bind: Bind): string {
  return words
    .map(
      ({ alternatives }, at) =>
        `EXISTS (SELECT FROM ${source} words @@ ${bind(toTsqueryWord(alternatives))}::tsquery) AS w${at}`,
    )
    .join(', ');
}

/** A query for rows that may have most of the words. They have a decisive word or two required ones. */
export function partialCandidates({ words, decisive }: PartialRule): string {
  const queries = words.map(({ alternatives }) => toTsqueryWord(alternatives));
  const required = queries.filter((_, at) => words[at]?.required);
  return [...queries.filter((_, at) => decisive[at]), ...anyTwoOf(required)].join(' | ');
}

/** Alternatives that match any two of the queries: one of each half, or two of one half. Listing pairs would repeat each of twelve words eleven times. */
function anyTwoOf(queries: readonly string[]): string[] {
  if (queries.length < 2) return [];
  const halves = [queries.slice(0, queries.length >> 1), queries.slice(queries.length >> 1)];
  const oneOfEach = halves.map((half) => `(${half.join(' | ')})`).join(' & ');
  return [`(${oneOfEach})`, ...halves.flatMap(anyTwoOf)];
}

/** The weight of the words that a row has. */
export function coverageExpression({ words, weights }: PartialRule, bind: Bind): string {
  return words
    .map(
      ({ alternatives }, at) =>
        `CASE WHEN words @@ ${bind(toTsqueryWord(alternatives))}::tsquery THEN ${bind(weights[at])}::int ELSE 0 END`,
    )
    .join(' + ');
}
