/** Texts of BOQ items: their words, for search and for similarity. */
import { asciiDigits } from '../digits.ts';
import type { BoqItem } from '../documents/boq.ts';

/** Words and numbers of a text in small letters; digits of Indian scripts become 0 to 9. */
export const itemWords = (text: string): string[] =>
  asciiDigits(text.normalize('NFKC'))
    .toLowerCase()
    .match(/[\p{L}\p{M}]+|\d+(?:\.\d+)?/gu) ?? [];

/** The text that a search looks through: number, text and unit of a line. */
export const searchedText = ({ no, text, unit }: Pick<BoqItem, 'no' | 'text' | 'unit'>): string =>
  ` ${no} ${[...itemWords(text), ...itemWords(unit ?? '')].join(' ')}`;

/** Whether a line has all words of a search, each at the start of one of its words. */
export function hasSearchedWords(searched: string, words: readonly string[]): boolean {
  return words.every((word) => searched.includes(` ${word}`));
}

/** Frequent words that say nothing about the work. */
const COMMON = new Set(
  'a an the of in on for to and or with by at as per all any each including complete etc providing laying is are be'.split(
    ' ',
  ),
);

const meaningful = (text: string): Set<string> => new Set(itemWords(text).filter((word) => !COMMON.has(word)));

/** How much two item texts share, 0 to 1: common words by all words. A number counts like a word, so 1:2:4 is not 1:3:6. */
export function textLikeness(one: string, other: string): number {
  const [first, second] = [meaningful(one), meaningful(other)];
  if (first.size === 0 || second.size === 0) return 0;
  const common = [...first].filter((word) => second.has(word)).length;
  return common / (first.size + second.size - common);
}

/** Characters of an item's text that a record of a rate stores. */
export const MAX_RATE_TEXT = 200;
export const MAX_RATE_UNIT = 40;

/** The start of a text, without half of a surrogate pair at its end. */
export const cutText = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

/** Text and unit by which an item of an earlier file is known again. */
export const itemKey = ({ text, unit }: { text: string; unit: string | null | undefined }): string =>
  `${itemWords(cutText(text, MAX_RATE_TEXT)).join(' ')}|${(unit ?? '').trim().toLowerCase()}`;

/** `Map.groupBy`, which the oldest supported browsers lack. */
export function groupByKey<T>(values: Iterable<T>, keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}
