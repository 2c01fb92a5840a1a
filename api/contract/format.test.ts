import { describe, expect, test } from 'vitest';
import {
  amountText,
  formatAge,
  formatBytes,
  formatDate,
  formatDateTime,
  formatDay,
  formatExactRupees,
  formatFullRupees,
  formatRupees,
  formatTime,
  fromIndianTime,
  groupIndian,
  indianDay,
  indianHour,
  truncateText,
} from './format.ts';

test('the tests run in a zone far from India', () => {
  expect(new Date('2026-04-15T00:00:00Z').getTimezoneOffset()).toBe(420);
});

describe('dates', () => {
  test.each([
    ['2026-04-15T05:30:00.000Z', '15 Apr 2026', '15 Apr 2026, 11:00 AM'],
    ['2026-04-14T18:29:59.999Z', '14 Apr 2026', '14 Apr 2026, 11:59 PM'],
    ['2026-04-14T18:30:00.000Z', '15 Apr 2026', '15 Apr 2026, 12:00 AM'],
    ['2026-04-15T06:30:00.000Z', '15 Apr 2026', '15 Apr 2026, 12:00 PM'],
    ['2026-04-15T06:29:00.000Z', '15 Apr 2026', '15 Apr 2026, 11:59 AM'],
    ['2026-04-15T07:35:00.000Z', '15 Apr 2026', '15 Apr 2026, 1:05 PM'],
    ['2026-04-15T23:30:00.000+05:30', '15 Apr 2026', '15 Apr 2026, 11:30 PM'],
    ['2025-12-31T18:29:00.000Z', '31 Dec 2025', '31 Dec 2025, 11:59 PM'],
    ['2025-12-31T18:30:00.000Z', '1 Jan 2026', '1 Jan 2026, 12:00 AM'],
    ['2026-02-28T18:30:00.000Z', '1 Mar 2026', '1 Mar 2026, 12:00 AM'],
    ['2028-02-28T18:30:00.000Z', '29 Feb 2028', '29 Feb 2028, 12:00 AM'],
    ['2026-04-15', '15 Apr 2026', '15 Apr 2026, 5:30 AM'],
  ])('%s is %s, with its time %s', (value, date, dateTime) => {
    expect(formatDate(value)).toBe(date);
    expect(formatDate(new Date(value))).toBe(date);
    expect(formatDateTime(value)).toBe(dateTime);
    expect(formatDateTime(new Date(value))).toBe(dateTime);
  });

  test('every month has its three letters', () => {
    const months = Array.from({ length: 12 }, (_, month) => formatDate(new Date(Date.UTC(2026, month, 10))));
    expect(months).toEqual([
      '10 Jan 2026',
      '10 Feb 2026',
      '10 Mar 2026',
      '10 Apr 2026',
      '10 May 2026',
      '10 Jun 2026',
      '10 Jul 2026',
      '10 Aug 2026',
      '10 Sep 2026',
      '10 Oct 2026',
      '10 Nov 2026',
      '10 Dec 2026',
    ]);
  });

  test.each([
    ['null', null, 'Not specified'],
    ['undefined', undefined, 'Not specified'],
    ['an empty text', '', 'Not specified'],
    ['a text that is no date', 'soon', 'Invalid date'],
    ['a month that does not exist', '2026-13-01', 'Invalid date'],
    ['an invalid Date', new Date(Number.NaN), 'Invalid date'],
  ])('%s is shown as a text instead of a date', (_name, value, text) => {
    expect(formatDate(value)).toBe(text);
    expect(formatDateTime(value)).toBe(text);
    expect(formatDay(value, new Date('2026-04-15T00:00:00Z'))).toBe(text);
  });

  test.each([
    ['2026-04-15T05:30:00Z', '2026-01-01T00:00:00+05:30', 'Wed 15 Apr, 11:00 AM'],
    ['2026-04-14T18:30:00Z', '2026-12-31T23:59:59+05:30', 'Wed 15 Apr, 12:00 AM'],
    ['2026-04-15T05:30:00Z', '2025-12-31T23:59:59+05:30', 'Wed 15 Apr 2026, 11:00 AM'],
    ['2025-12-31T18:00:00Z', '2025-12-31T18:30:00Z', 'Wed 31 Dec 2025, 11:30 PM'],
    ['2025-12-31T18:30:00Z', '2025-12-31T18:31:00Z', 'Thu 1 Jan, 12:00 AM'],
  ])('%s seen at %s is %s', (value, now, text) => {
    expect(formatDay(value, new Date(now))).toBe(text);
  });

  test.each([
    ['2026-04-15T00:00:00+05:30', '12:00 AM', 0],
    ['2026-04-15T00:30:00+05:30', '12:30 AM', 0],
    ['2026-04-15T09:05:00+05:30', '9:05 AM', 9],
    ['2026-04-15T12:00:00+05:30', '12:00 PM', 12],
    ['2026-04-15T12:59:59+05:30', '12:59 PM', 12],
    ['2026-04-15T13:00:00+05:30', '1:00 PM', 13],
    ['2026-04-15T23:59:59+05:30', '11:59 PM', 23],
  ])('%s is %s on the clock', (value, time, hour) => {
    expect(formatTime(new Date(value))).toBe(time);
    expect(indianHour(new Date(value))).toBe(hour);
  });

  test('an Indian wall time is one instant', () => {
    expect(fromIndianTime(2026, 4, 15, 11, 0)).toEqual(new Date('2026-04-15T05:30:00Z'));
    expect(fromIndianTime(2026, 1, 1)).toEqual(new Date('2025-12-31T18:30:00Z'));
    expect(fromIndianTime(2026, 4, 15, 23, 59, 59)).toEqual(new Date('2026-04-15T18:29:59Z'));
  });

  test('an Indian day begins at 18:30 UTC', () => {
    const day = indianDay(new Date('2026-04-15T05:30:00Z'));
    expect(indianDay(new Date('2026-04-14T18:30:00Z'))).toBe(day);
    expect(indianDay(new Date('2026-04-15T18:29:59.999Z'))).toBe(day);
    expect(indianDay(new Date('2026-04-15T18:30:00Z'))).toBe(day + 1);
    expect(indianDay(new Date('1970-01-01T00:00:00Z'))).toBe(0);
  });
});

describe('age', () => {
  test.each([
    ['2026-04-15T11:59:01Z', 'just now'],
    ['2026-04-15T12:00:30Z', 'just now'],
    ['2026-04-15T11:59:00Z', '1 min ago'],
    ['2026-04-15T11:00:01Z', '59 min ago'],
    ['2026-04-15T11:00:00Z', '1 h ago'],
    ['2026-04-14T22:00:00Z', '14 h ago'],
    ['2026-04-13T12:00:01Z', '47 h ago'],
    ['2026-04-13T12:00:00Z', '2 days ago'],
    ['2026-04-12T13:00:00Z', '2 days ago'],
    ['2026-04-05T12:00:00Z', '10 days ago'],
  ])('%s is %s at noon of 15 April', (since, text) => {
    expect(formatAge(new Date(since), new Date('2026-04-15T12:00:00Z'))).toBe(text);
  });
});

describe('rupees', () => {
  test.each<[number | string | null | undefined, string]>([
    [null, '₹0'],
    [undefined, '₹0'],
    ['', '₹0'],
    [0, '₹0'],
    [-0, '₹0'],
    ['0', '₹0'],
    ['0.00', '₹0'],
    [Number.NaN, '₹0'],
    ['nothing', '₹0'],
    [1, '₹1.00'],
    [0.5, '₹0.50'],
    [99, '₹99.00'],
    [999, '₹999.00'],
    [1000, '₹1,000.00'],
    [12345, '₹12,345.00'],
    ['12345', '₹12,345.00'],
    ['12345.6', '₹12,345.60'],
    ['12345.678', '₹12,345.68'],
    [99_999.99, '₹99,999.99'],
    [99_999.999, '₹1,00,000.00'],
    [100_000, '₹1.00 Lakh'],
    ['100000.00', '₹1.00 Lakh'],
    [450_000, '₹4.50 Lakh'],
    ['450000', '₹4.50 Lakh'],
    [9_994_999, '₹99.95 Lakh'],
    [9_999_999, '₹100.00 Lakh'],
    [9_999_999.99, '₹100.00 Lakh'],
    [10_000_000, '₹1.00 Cr'],
    ['10000000', '₹1.00 Cr'],
    [12_500_000, '₹1.25 Cr'],
    [1_234_500_000, '₹123.45 Cr'],
    [-12_345, '-₹12,345.00'],
    ['-450000', '-₹4.50 Lakh'],
    [-99_999.99, '-₹99,999.99'],
    [-10_000_000, '-₹1.00 Cr'],
  ])('%s is shown as %s', (value, text) => {
    expect(formatRupees(value)).toBe(text);
  });

  test.each([
    ['', ''],
    ['1', '1'],
    ['123', '123'],
    ['1234', '1,234'],
    ['12345', '12,345'],
    ['123456', '1,23,456'],
    ['1234567', '12,34,567'],
    ['12345678', '1,23,45,678'],
    ['123456789', '12,34,56,789'],
  ])('the digits %s are grouped as %s', (digits, grouped) => {
    expect(groupIndian(digits)).toBe(grouped);
  });
});

describe('earnest money', () => {
  test.each([
    ['150000.00', '₹1.50 Lakh'],
    ['0.00', 'Not required'],
    [null, 'Not specified'],
  ])('%s is %s', (emd, text) => {
    expect(amountText(emd)).toBe(text);
  });
});

describe('a text cut to 12 characters', () => {
  test.each([
    ['', ''],
    ['twelve chars', 'twelve chars'],
    ['thirteen char', 'thirteen…'],
    ['a thirteenchar', 'a thirteenc…'],
    ['abcdefghijklmnop', 'abcdefghijk…'],
    [`${'क'.repeat(10)}किक`, `${'क'.repeat(10)}…`],
    [`${'क'.repeat(9)}किकक`, `${'क'.repeat(9)}कि…`],
    ['🏗🏗🏗🏗🏗🏗🏗', '🏗🏗🏗🏗🏗…'],
  ])('%s is %s', (text, cut) => {
    expect(truncateText(text, 12)).toBe(cut);
  });
});

test.each([
  ['500', '₹500.00'],
  [99_999.99, '₹99,999.99'],
  [100_000, '₹1.00 Lakh (₹1,00,000)'],
  ['133740.00', '₹1.34 Lakh (₹1,33,740)'],
  ['12345678.50', '₹1.23 Cr (₹1,23,45,678.50)'],
  [-450_000, '-₹4.50 Lakh (-₹4,50,000)'],
])('%s has the exact amount beside the short form: %s', (value, text) => {
  expect(formatExactRupees(value)).toBe(text);
});

test('rupees in full have paise only when they are not zero', () => {
  expect([12_345_678, 0, 0.5].map(formatFullRupees)).toEqual(['₹1,23,45,678', '₹0', '₹0.50']);
});

test.each([
  [200, '1 KB'],
  [1_499, '1 KB'],
  [1_500, '2 KB'],
  [48_000, '48 KB'],
  [999_999, '1000 KB'],
  [1_000_000, '1.0 MB'],
  [999_999_999, '1000.0 MB'],
  [1_000_000_000, '1.0 GB'],
  [1_840_000, '1.8 MB'],
  [10_700_000_000, '10.7 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
