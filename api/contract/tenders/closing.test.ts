import { describe, expect, test } from 'vitest';
import {
  type Closing,
  closingCountdownText,
  closingLabel,
  closingText,
  closingTone,
  daysLeft,
  endOfClosingWindow,
  isClosed,
  startOfPublicationWindow,
} from './closing.ts';

/** 15 April 2026, 11:00 AM in India. */
const ELEVEN: Closing = { at: new Date('2026-04-15T11:00:00+05:30'), timeKnown: true };
/** 15 April 2026, of which the source gave no hour. */
const DAY_ONLY: Closing = { at: new Date('2026-04-15T23:59:59+05:30'), timeKnown: false };

describe('the badge of a tender that closes on 15 April at 11:00 AM', () => {
  test.each([
    ['2026-04-15T10:59:59.999+05:30', 'Closing today · 11:00 AM'],
    ['2026-04-15T00:00:00+05:30', 'Closing today · 11:00 AM'],
    ['2026-04-14T23:59:59.999+05:30', 'Closing tomorrow · 11:00 AM'],
    ['2026-04-14T00:00:00+05:30', 'Closing tomorrow · 11:00 AM'],
    ['2026-04-13T23:59:59+05:30', '2 days left · 11:00 AM'],
    ['2026-04-12T12:00:00+05:30', '3 days left · 11:00 AM'],
    ['2026-04-11T12:00:00+05:30', '4 days left · 11:00 AM'],
    ['2026-04-08T00:00:00+05:30', '7 days left · 11:00 AM'],
    ['2026-04-07T23:59:59+05:30', '8 days remaining · 11:00 AM'],
    ['2026-03-31T12:00:00+05:30', '15 days remaining · 11:00 AM'],
    ['2025-04-15T12:00:00+05:30', '365 days remaining · 11:00 AM'],
  ])('at %s says %s', (now, label) => {
    expect(closingLabel(ELEVEN, new Date(now))).toBe(label);
  });

  test.each([
    '2026-04-15T11:00:00.000+05:30',
    '2026-04-15T11:00:00.001+05:30',
    '2026-04-15T23:59:59+05:30',
    '2026-04-16T00:00:00+05:30',
    '2027-01-01T00:00:00+05:30',
  ])('at %s says Closed, without the hour', (now) => {
    expect(closingLabel(ELEVEN, new Date(now))).toBe('Closed');
  });
});

describe('a closing date without an hour', () => {
  test.each([
    ['2026-04-07T12:00:00+05:30', '8 days remaining · time not stated'],
    ['2026-04-12T12:00:00+05:30', '3 days left · time not stated'],
    ['2026-04-14T12:00:00+05:30', 'Closing tomorrow · time not stated'],
    ['2026-04-15T00:00:00+05:30', 'Closing today · time not stated'],
    ['2026-04-15T23:59:58+05:30', 'Closing today · time not stated'],
    ['2026-04-15T23:59:59+05:30', 'Closed'],
    ['2026-04-16T00:00:00+05:30', 'Closed'],
  ])('at %s says %s', (now, label) => {
    expect(closingLabel(DAY_ONLY, new Date(now))).toBe(label);
  });
});

describe('days are counted on the Indian calendar', () => {
  test.each<[string, string, string, number]>([
    ['UTC is still on the day before', '2026-04-15T09:00:00+05:30', '2026-04-14T18:30:00Z', 0],
    ['UTC has the day of India a second later', '2026-04-15T09:00:00+05:30', '2026-04-14T18:29:59Z', 1],
    ['California is a day behind', '2026-04-15T09:00:00+05:30', '2026-04-14T13:00:00-07:00', 0],
    ['Kiribati is a day ahead', '2026-04-15T09:00:00+05:30', '2026-04-15T00:30:00+14:00', 1],
    ['one minute may be a day', '2026-04-15T00:00:30+05:30', '2026-04-14T23:59:30+05:30', 1],
    ['almost two days may be one', '2026-04-15T23:59:00+05:30', '2026-04-14T00:00:00+05:30', 1],
    ['a month ends', '2026-05-01T10:00:00+05:30', '2026-04-30T18:00:00+05:30', 1],
    ['a short February ends', '2026-03-01T10:00:00+05:30', '2026-02-27T10:00:00+05:30', 2],
    ['a leap day lies between', '2028-03-01T10:00:00+05:30', '2028-02-28T10:00:00+05:30', 2],
    ['a year ends', '2026-01-01T09:00:00+05:30', '2025-12-31T23:59:00+05:30', 1],
    ['clocks change elsewhere', '2026-03-09T10:00:00+05:30', '2026-03-07T10:00:00+05:30', 2],
  ])('%s', (_why, closes, now, days) => {
    expect(daysLeft({ at: new Date(closes), timeKnown: true }, new Date(now))).toBe(days);
  });

  test('after the closing instant there is no count', () => {
    expect(daysLeft(ELEVEN, new Date('2026-04-15T11:00:00+05:30'))).toBe(-1);
    expect(daysLeft(ELEVEN, new Date('2026-06-15T11:00:00+05:30'))).toBe(-1);
  });
});

test.each([
  [-30, 'Closed'],
  [-1, 'Closed'],
  [0, 'Closing today'],
  [1, 'Closing tomorrow'],
  [2, '2 days left'],
  [7, '7 days left'],
  [8, '8 days remaining'],
  [400, '400 days remaining'],
])('%i days left: "%s"', (days, text) => {
  expect(closingCountdownText(days)).toBe(text);
});

describe('the weight of the badge', () => {
  test.each([
    ['2026-04-15T11:00:00+05:30', 'gray'],
    ['2026-04-15T10:59:59+05:30', 'today'],
    ['2026-04-15T00:00:00+05:30', 'today'],
    ['2026-04-14T12:00:00+05:30', 'red'],
    ['2026-04-12T00:00:00+05:30', 'red'],
    ['2026-04-11T23:59:59+05:30', 'amber'],
    ['2026-04-08T00:00:00+05:30', 'amber'],
    ['2026-04-07T23:59:59+05:30', 'green'],
    ['2026-01-01T00:00:00+05:30', 'green'],
  ])('at %s is %s', (now, tone) => {
    expect(closingTone(ELEVEN, new Date(now))).toBe(tone);
  });
});

test.each([
  [0, '2026-04-16T00:00:00+05:30'],
  [3, '2026-04-19T00:00:00+05:30'],
  [7, '2026-04-23T00:00:00+05:30'],
])('what closes within %i days of 15 April closes before %s', (days, end) => {
  expect(endOfClosingWindow(days, new Date('2026-04-15T00:00:00+05:30'))).toEqual(new Date(end));
  expect(endOfClosingWindow(days, new Date('2026-04-15T23:59:59+05:30'))).toEqual(new Date(end));
});

test.each([
  [0, '2026-04-15T00:00:00+05:30'],
  [1, '2026-04-14T00:00:00+05:30'],
  [30, '2026-03-16T00:00:00+05:30'],
])('what was published within %i days before 15 April was published from %s on', (days, start) => {
  expect(startOfPublicationWindow(days, new Date('2026-04-15T00:00:00+05:30'))).toEqual(new Date(start));
  expect(startOfPublicationWindow(days, new Date('2026-04-15T23:59:59+05:30'))).toEqual(new Date(start));
});

test('a tender is closed from its closing instant on, not before', () => {
  expect(isClosed(ELEVEN, new Date('2026-04-15T05:29:59.999Z'))).toBe(false);
  expect(isClosed(ELEVEN, new Date('2026-04-15T05:30:00.000Z'))).toBe(true);
  expect(isClosed(ELEVEN, new Date('2026-04-15T05:30:00.001Z'))).toBe(true);
});

test.each([
  ['2026-04-15T11:00:00+05:30', true, '15 Apr 2026, 11:00 AM'],
  ['2026-04-15T23:59:59+05:30', false, '15 Apr 2026, time not stated'],
])('a closing at %s (hour known: %s) is written %s', (at, timeKnown, text) => {
  expect(closingText({ at: new Date(at), timeKnown })).toBe(text);
});
