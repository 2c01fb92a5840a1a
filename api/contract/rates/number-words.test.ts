import type { Messages } from '@lingui/core';
import { expect, test } from 'vitest';
import { addTexts, inLanguage } from '../i18n.ts';
import { amountInWords, numberInWords } from './number-words.ts';

const [catalogue] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../../texts/hi.po', { query: '?part=server', eager: true }),
);
addTexts('hi', catalogue?.messages ?? {});

test.each([
  [0, 'zero'],
  [21, 'twenty-one'],
  [100, 'one hundred'],
  [1_001, 'one thousand one'],
  [1_00_000, 'one lakh'],
  [12_34_567, 'twelve lakh thirty-four thousand five hundred sixty-seven'],
  [9_99_99_999, 'nine crore ninety-nine lakh ninety-nine thousand nine hundred ninety-nine'],
  [12_34_00_00_000, 'one thousand two hundred thirty-four crore'],
])('%i is %s', (value, words) => {
  expect(numberInWords(value)).toBe(words);
});

test.each([
  [0, 'Rupees zero only'],
  [4_50_000_00, 'Rupees four lakh fifty thousand only'],
  [1_05, 'Rupees one and five paise only'],
])('%i paise are %s', (paise, words) => {
  expect(amountInWords(paise)).toBe(words);
});

test('each number to 99 has one word in each language, and each word is another', () => {
  for (const language of ['en', 'hi'] as const)
    inLanguage(language, () => {
      const words = Array.from({ length: 100 }, (_, value) => numberInWords(value));
      expect(new Set(words).size).toBe(100);
      expect(words.filter((word) => /\s/.test(word) || word === '')).toEqual([]);
      expect(numberInWords(100).split(' ')).toHaveLength(2);
    });
});

test.each([
  [4_50_000_00, 'चार लाख पचास हज़ार रुपये मात्र'],
  [12_34_567_89, 'बारह लाख चौंतीस हज़ार पाँच सौ सड़सठ रुपये और नवासी पैसे मात्र'],
])('%i paise have words in Hindi', (paise, words) => {
  expect(inLanguage('hi', () => amountInWords(paise))).toBe(words);
});
