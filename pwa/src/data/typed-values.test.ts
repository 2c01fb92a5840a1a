// @vitest-environment node
import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import { typedDay, typedInstant, typedPaise } from './typed-values.ts';

test.each([
  ['', null],
  ['₹ 25,000.50', 2_500_050],
  ['about 25,000', 'Write rupees as a number, such as 25,00,000'],
  ['25.123', 'Write rupees as a number, such as 25,00,000'],
])('the amount “%s” gives %s', (text, expected) => {
  const { success, output, issues } = safeParse(typedPaise, text);
  expect(success ? output : issues[0].message).toBe(expected);
});

test.each([
  ['', null],
  ['2026-04-15', '2026-04-15'],
  ['2026-04', 'Choose the day'],
  ['0202-04-15', 'Check the year'],
  ['2202-04-15', 'Check the year'],
])('the day “%s” gives %s', (text, expected) => {
  const { success, output, issues } = safeParse(typedDay, text);
  expect(success ? output : issues[0].message).toBe(expected);
});

test.each([
  ['', null],
  ['2026-04-15T11:00', '2026-04-15T05:30:00.000Z'],
  ['2026-04-15T11:00:30', '2026-04-15T05:30:00.000Z'],
  ['2026-04-15', 'Choose the day and the hour'],
  ['0026-04-15T11:00', 'Check the year'],
  ['20260-04-15T11:00', 'Check the year'],
])('the Indian time “%s” gives %s', (text, expected) => {
  const { success, output, issues } = safeParse(typedInstant, text);
  expect(success ? output : issues[0].message).toBe(expected);
});
