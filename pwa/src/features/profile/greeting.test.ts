import { expect, test } from 'vitest';
import { greetingFor } from './greeting.ts';

test.each([
  ['2026-11-21T00:00:00+05:30', 'Good morning'],
  ['2026-11-21T11:59:59+05:30', 'Good morning'],
  ['2026-11-21T12:00:00+05:30', 'Good afternoon'],
  ['2026-11-21T17:59:59+05:30', 'Good afternoon'],
  ['2026-11-21T18:00:00+05:30', 'Good evening'],
  ['2026-11-21T23:59:59+05:30', 'Good evening'],
])('at %s the dashboard says %s', (instant, greeting) => {
  expect(greetingFor(new Date(instant))).toBe(greeting);
});
