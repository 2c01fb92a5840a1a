import type { Messages } from '@lingui/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  amountText,
  formatDate,
  formatDay,
  formatDayOfYear,
  formatExactRupees,
  formatHour,
  formatRupees,
  formatTime,
  formatWeekday,
  fromIndianTime,
  moreWorksText,
} from './format.ts';
import { addTexts, inLanguage, setLanguage } from './i18n.ts';
import { closingLabel, closingOnWeekday, closingText } from './tenders/closing.ts';

const [catalogue] = Object.values(
  import.meta.glob<{ messages: Messages }>('../../texts/hi.po', { query: '?part=server', eager: true }),
);
addTexts('hi', catalogue?.messages ?? {});

const NOW = fromIndianTime(2026, 11, 25, 12);
const CLOSING = { at: fromIndianTime(2026, 11, 26, 11), timeKnown: true };

describe('in Hindi', () => {
  beforeAll(() => setLanguage('hi'));
  afterAll(() => setLanguage('en'));

  test.each([
    ['रात', [0, 1, 2, 3, 20, 21, 22, 23]],
    ['सुबह', [4, 5, 6, 7, 8, 9, 10, 11]],
    ['दोपहर', [12, 13, 14, 15]],
    ['शाम', [16, 17, 18, 19]],
  ])('%s is the part of the day at the hours %j', (part, hours) => {
    const times = hours.map((hour) => formatTime(fromIndianTime(2026, 11, 26, hour, 5)));
    expect(times).toEqual(hours.map((hour) => `${part} ${hour % 12 || 12}:05 बजे`));
  });

  test('a closing has its weekday, day, part of the day and hour, and says until', () => {
    expect(closingOnWeekday(CLOSING.at, NOW)).toBe('गुरुवार, 26 नवंबर, सुबह 11:00 बजे तक');
    expect(closingOnWeekday(fromIndianTime(2025, 11, 26, 11), fromIndianTime(2025, 11, 1))).toBe(
      'बुधवार, 26 नवंबर, सुबह 11:00 बजे तक',
    );
    expect(closingText(CLOSING)).toBe('26 नवंबर 2026, सुबह 11:00 बजे तक');
    expect(closingLabel(CLOSING, NOW)).toMatch(/ · सुबह 11:00 बजे तक$/);
  });

  test('other instants do not say until', () => {
    expect(formatDay(CLOSING.at, NOW)).toBe('गुरुवार, 26 नवंबर, सुबह 11:00 बजे');
    expect(formatDayOfYear(CLOSING.at, NOW)).toBe('26 नवंबर, सुबह 11:00 बजे');
    expect(formatWeekday(fromIndianTime(2027, 1, 1), NOW)).toBe('शुक्रवार, 1 जनवरी 2027');
  });

  test('months and weekdays have their full names', () => {
    const months = Array.from({ length: 12 }, (_, month) => formatDate(fromIndianTime(2026, month + 1, 10)));
    expect(months.map((text) => text.split(' ')[1])).toEqual(
      'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' '),
    );
    const week = Array.from({ length: 7 }, (_, day) => formatWeekday(fromIndianTime(2026, 11, 22 + day), NOW));
    expect(week.map((text) => text.split(',')[0])).toEqual('रविवार सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार'.split(' '));
  });

  test.each([
    [99_999, '₹99,999.00'],
    [100_000, '₹1.00 लाख'],
    [9_999_999, '₹100.00 लाख'],
    [10_000_000, '₹1.00 करोड़'],
    [-450_000, '-₹4.50 लाख'],
  ])('%d rupees are %s, with Latin digits', (rupees, text) => {
    expect(formatRupees(rupees)).toBe(text);
  });

  test('amounts keep their Indian groups', () => {
    expect(formatExactRupees(450_000)).toBe('₹4.50 लाख (₹4,50,000)');
    expect(amountText('150000.00')).toBe('₹1.50 लाख');
  });
});

test('the language changes the format at once', () => {
  expect(inLanguage('hi', () => formatTime(CLOSING.at))).toBe('सुबह 11:00 बजे');
  expect(formatTime(CLOSING.at)).toBe('11:00 AM');
});

test.each([
  [0, '12:00 to 12:59 AM'],
  [11, '11:00 to 11:59 AM'],
  [12, '12:00 to 12:59 PM'],
  [23, '11:00 to 11:59 PM'],
])('the minutes of hour %d are %s', (hour, text) => {
  expect(formatHour(hour)).toBe(text);
});

test.each([
  [1, 'and 1 more work of this NIT'],
  [2, 'and 2 more works of this NIT'],
  [1234, 'and 1,234 more works of this NIT'],
])('%d more works are "%s"', (more, text) => {
  expect(moreWorksText(more)).toBe(text);
});
