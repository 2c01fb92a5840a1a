// @vitest-environment node
import type { ClosingMinutes } from '@nivida/contract/tenders/tender';
import { describe, expect, test } from 'vitest';
import { hourLabel, mergeClosings, todayFacts } from './today.ts';

/** 7 at 10:00, 2 at 10:45, 28 at 11:00, 34 at 6 PM, 3 without an hour. */
const CLOSING: ClosingMinutes = [
  [600, 7],
  [645, 2],
  [660, 28],
  [1080, 34],
  [1440, 3],
];
const at = (time: string) => new Date(`2025-12-15T${time}+05:30`);
const barOf = (time: string, hour: number) => todayFacts(CLOSING, at(time)).bars.find((bar) => bar.hour === hour);

describe('the closings of today', () => {
  test.each([
    ['09:59:59', 74, 9, 600],
    ['10:00', 67, 30, 645],
    ['10:40', 67, 30, 645],
    ['11:00', 37, 0, 1080],
    ['18:00', 3, 0, null],
  ])('at %s', (time, left, nextHour, nextMinute) => {
    expect(todayFacts(CLOSING, at(time))).toMatchObject({ left, nextHour, nextMinute });
  });

  test('an hour in which some have closed shows those that are left', () => {
    expect(barOf('10:40', 10)).toEqual({ hour: 10, total: 9, left: 2, isNext: true });
    expect(barOf('10:45', 10)).toEqual({ hour: 10, total: 9, left: 0, isNext: false });
    expect(barOf('10:45', 11)).toEqual({ hour: 11, total: 28, left: 28, isNext: true });
  });

  test('the chart has the hours from 9 AM to 6 PM, and others that have closings', () => {
    const hours = (closing: ClosingMinutes) => todayFacts(closing, at('08:00')).bars.map(({ hour }) => hour);
    expect(hours([])).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    expect(hours([[1200, 1]])).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20]);
    expect([hourLabel(9, true), hourLabel(12, false), hourLabel(13, false), hourLabel(18, true)]).toEqual([
      '9 AM',
      'noon',
      '1',
      '6 PM',
    ]);
  });

  test('those of several states are added', () => {
    expect(
      mergeClosings([
        CLOSING,
        [
          [540, 1],
          [600, 5],
        ],
      ]),
    ).toEqual([[540, 1], [600, 12], ...CLOSING.slice(1)]);
  });
});
