/** The words of a query as PostgreSQL matches and scores them. Terms hold neither quotes nor signs of its query language. */

import type { FieldClass } from '@nivida/contract/search/index-terms';
import { MATCH_QUALITY, type QueryWord } from '@nivida/contract/search/query-words';
import { FIELD_FACTOR, type PartialRule } from '@nivida/contract/search/ranking';

/** Binds a value and gives its parameter, such as '$3'. */
export type Bind = (value: unknown) => string;

/** The classes that a term may have so that its best one is at least the first. */
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

/** What a row may score for a word, best first: the product of the quality of an alternative and the factor of a field. */
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
 * The score of a row for one word, without its weight: the best of quality · field factor of its alternatives, else 0. Each
 * word has the same text, so that a statement's plan serves all words; qualities that a word lacks are null.
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

/** The score of a row that has each word as it was typed, in the best field: no row has more. */
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

/** Rows that may have most of the words: one that decides, or two required ones. */
export function partialCandidates({ words, decisive }: PartialRule): string {
  const queries = words.map(({ alternatives }) => toTsqueryWord(alternatives));
  const required = queries.filter((_, at) => words[at]?.required);
  return [...queries.filter((_, at) => decisive[at]), ...anyTwoOf(required)].join(' | ');
}

/** Any two of the queries: one of each half, or two of one half. Pairs would repeat each of twelve words eleven times. */
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
