// @vitest-environment node
import { expect, test } from 'vitest';
import { minutesAndSeconds, secondsLeft } from './countdown.ts';

test.each([
  [0, 60],
  [1, 60],
  [1_000, 59],
  [59_001, 1],
  [60_000, 0],
  [3_600_000, 0],
  // the device's clock was put back
  [-3_600_000, 60],
])('%i ms after a code was sent, the next one comes in %i seconds', (after, seconds) => {
  expect(secondsLeft(1_000_000, 60, 1_000_000 + after)).toBe(seconds);
});

test.each([
  [60, '1:00'],
  [59, '0:59'],
  [9, '0:09'],
])('%i seconds are shown as %s', (seconds, text) => {
  expect(minutesAndSeconds(seconds)).toBe(text);
});
