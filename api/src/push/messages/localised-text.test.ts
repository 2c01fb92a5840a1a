import { expect, test } from 'vitest';
import { formatClosing, formatClosingTitle, plural, truncateGraphemes } from './localised-text.ts';

const at = (time: string) => new Date(`2026-04-15T${time}+05:30`);

test.each([
  ['00:30:00', 'रात 12:30 बजे'],
  ['03:59:59', 'रात 3:59 बजे'],
  ['04:00:00', 'सुबह 4:00 बजे'],
  ['11:59:59', 'सुबह 11:59 बजे'],
  ['12:00:00', 'दोपहर 12:00 बजे'],
  ['15:59:59', 'दोपहर 3:59 बजे'],
  ['16:00:00', 'शाम 4:00 बजे'],
  ['19:59:59', 'शाम 7:59 बजे'],
  ['20:00:00', 'रात 8:00 बजे'],
])('%s in India is in Hindi %s', (time, text) => {
  expect(formatClosing({ at: at(time), timeKnown: true }, 'hi-IN')).toBe(`15 अप्रैल 2026, ${text}`);
});

test('a closing without a time has its date only, in both languages', () => {
  const closing = { at: at('00:00:00'), timeKnown: false };
  expect(formatClosing(closing, 'en-IN')).toBe('15 Apr 2026');
  expect(formatClosing(closing, 'hi-IN')).toBe('15 अप्रैल 2026');
  expect(formatClosing({ ...closing, timeKnown: true }, 'en-IN')).toBe('15 Apr 2026, 12:00 AM');
});

test.each([
  ['2026-04-15T00:00:00+05:30', 'आज बंद होगी · सुबह 11:00 बजे'],
  ['2026-04-14T23:59:59+05:30', 'कल बंद होगी · सुबह 11:00 बजे'],
  ['2026-04-13T23:59:59+05:30', '2 दिन बाकी · सुबह 11:00 बजे'],
])('at %s the Hindi title says %s', (now, title) => {
  expect(formatClosingTitle({ at: at('11:00:00'), timeKnown: true }, new Date(now), 'hi-IN')).toBe(title);
});

test('the title names a closing without a time', () => {
  const closing = { at: at('23:59:59'), timeKnown: false };
  expect(formatClosingTitle(closing, at('09:00:00'), 'hi-IN')).toBe('आज बंद होगी · समय नहीं दिया गया');
});

test.each([
  ['abcd', 4, 'abcd'],
  ['abcde', 4, 'abc…'],
  ['ab cde', 4, 'ab…'],
  ['क्षिक्षिक्षि', 3, 'क्षिक्षिक्षि'],
  ['क्षिक्षिक्षि', 2, 'क्षि…'],
])('"%s" in at most %i letters is "%s"', (text, letters, short) => {
  expect(truncateGraphemes(text, letters)).toBe(short);
});

test('1 has the singular, every other count the plural', () => {
  expect([0, 1, 2, 1_00_000].map((count) => plural(count, '# tender', '# tenders'))).toEqual([
    '0 tenders',
    '1 tender',
    '2 tenders',
    '1,00,000 tenders',
  ]);
});
