import { expect, test } from 'vitest';
import { truncateGraphemes } from './truncate-graphemes.ts';

test.each([
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abc…'],
  ['ab cde', 4, 'ab…'],
  ['क्षिक्षिक्षि', 3, 'क्षिक्षिक्षि'],
  ['क्षिक्षिक्षि', 2, 'क्षि…'],
])('"%s" in at most %i letters is "%s"', (text, letters, short) => {
  expect(truncateGraphemes(text, letters)).toBe(short);
});
