import { describe, expect, test } from 'vitest';
import { parseQuery, type QueryWord } from './query-words.ts';
import {
  FIELD_FACTOR,
  MAX_PARTIAL_MATCHES,
  MAX_RANKED,
  needsPartialMatches,
  partialRule,
  partialWords,
} from './ranking.ts';
import { REFERENCE_TENDERS, termFrequency } from './term-frequencies.ts';

const word = (typed: string, weight: number, required = true): QueryWord => ({
  typed,
  alternatives: [{ terms: typed.split(' '), quality: 8 }],
  required,
  weight,
});

test('the factors and limits of the order', () => {
  expect(FIELD_FACTOR).toEqual({ A: 8, B: 4, C: 2 });
  expect([MAX_RANKED, MAX_PARTIAL_MATCHES]).toEqual([20_000, 20]);
});

test.each(['road', 'culvert', 'parapet', 'helipad', 'xyzzy'])(
  'the weight of %s is the smallest that its frequency in the table allows, at most 12',
  (text) => {
    const [{ weight, alternatives }] = parseQuery(text, 'never') as [QueryWord];
    const most = Math.max(...alternatives.map(({ terms }) => Math.min(...terms.map(termFrequency))));
    const isEnough = (each: number) => most * 2 ** each >= REFERENCE_TENDERS;
    expect(weight === 12 || isEnough(weight)).toBe(true);
    expect(weight === 1 || !isEnough(weight - 1)).toBe(true);
  },
);

describe('tenders with most of the words', () => {
  test('follow fewer than five with all of at least two words; a phrase counts as several', () => {
    expect(needsPartialMatches([word('road', 2), word('drain', 4)], 4)).toBe(true);
    expect(needsPartialMatches([word('road', 2), word('drain', 4)], 5)).toBe(false);
    expect(needsPartialMatches([word('road', 2)], 0)).toBe(false);
    expect(needsPartialMatches([word('bailey bridge', 9)], 0)).toBe(true);
  });

  test('have half of the weight; a word without any match weighs at most 4, the heaviest with one decides', () => {
    const rule = partialRule([word('helipad', 12), word('culvert', 6), word('road', 2)], [false, true, true]);
    expect(rule).toMatchObject({ weights: [4, 6, 2], decisive: [false, true, false], total: 12 });
    for (const weight of [2, 4])
      expect(partialRule([word('helipad', 12), word('road', weight)], [false, true])?.decisive).toEqual([false, true]);
  });

  test('are not searched for one word, or when no tender has any of the words', () => {
    expect(partialRule([word('road', 2)], [true])).toBeUndefined();
    expect(partialRule([word('helipad', 12), word('hull', 12)], [false, false])).toBeUndefined();
  });

  test('have the words of a phrase that no tender has, but not its place', () => {
    const typed = (text: string, isFound: boolean) =>
      partialWords(parseQuery(text, 'never'), [isFound]).map((each) => each.typed);
    expect(typed('retaining wall', true)).toEqual(['retaining wall']);
    expect(typed('retaining wall', false)).toEqual(['retaining', 'wall']);
    expect(typed('sabzi mandi', false)).toEqual(['sabzi']);
  });
});
