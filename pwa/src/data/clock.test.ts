import { expect, test } from 'vitest';
import { clockOffset, untilNextMinute } from './clock.ts';

const DEVICE = new Date('2026-04-15T10:00:00Z');

test.each([
  ['Wed, 15 Apr 2026 10:00:40 GMT', 0],
  ['Wed, 15 Apr 2026 09:59:30 GMT', 0],
  ['Wed, 15 Apr 2026 10:05:00 GMT', 300_000],
  ['Wed, 15 Apr 2026 08:00:00 GMT', -7_200_000],
  ['soon', 0],
  [null, 0],
])('a server date of %s moves a device clock of 10:00 by %i ms', (serverDate, offset) => {
  expect(clockOffset(serverDate, DEVICE)).toBe(offset);
});

test.each([
  ['2026-04-15T10:00:00.000Z', 60_000],
  ['2026-04-15T10:00:00.001Z', 59_999],
  ['2026-04-15T10:00:59.900Z', 100],
])('after %s the labels change in %i ms', (now, wait) => {
  expect(untilNextMinute(new Date(now))).toBe(wait);
});
