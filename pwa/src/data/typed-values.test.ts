// @vitest-environment node
import { safeParse } from 'valibot';
import { expect, test } from 'vitest';
import {
  toTypedRupees,
  typedDay,
  typedInstant,
  typedPaise,
  typedPercent,
  typedReference,
  typedText,
} from './typed-values.ts';

test.each([
  ['', null],
  ['₹ 25,000.50', 2_500_050],
  ['about 25,000', 'Write rupees as a number, such as 25,00,000'],
  ['25.123', 'Write rupees as a number, such as 25,00,000'],
  ['0.29', 29],
  ['२५,००,०००', 250_000_000],
  ['২৫', 2_500],
  ['-5', 'Write rupees as a number, such as 25,00,000'],
  ['1000000000000', 100_000_000_000_000],
  ['1000000000000.01', 'Write rupees as a number, such as 25,00,000'],
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

test.each([
  ['', null],
  [' SBI, Rampur ', 'SBI, Rampur'],
  ['12345678', '12345678'],
  ['123456789', 'At most 8 letters'],
])('the text “%s” gives %s', (text, expected) => {
  const { success, output, issues } = safeParse(typedText(text.includes('SBI') ? 120 : 8), text);
  expect(success ? output : issues[0].message).toBe(expected);
});

test.each([
  ['−१०.५', -10.5],
  ['-२', -2],
  ['१२ %', 12],
])('the percent “%s” gives %s', (text, expected) => {
  expect(safeParse(typedPercent(-100), text).output).toBe(expected);
});

test.each([
  ['', null],
  [' UTR SBIN०२५१२३४५ ', 'UTR SBIN02512345'],
  ['੧੨੩/૨૦૨૫', '123/2025'],
])('the number of an instrument “%s” gives %s', (text, expected) => {
  expect(safeParse(typedReference, text).output).toBe(expected);
});

test('a stored amount is shown in rupees, and none as an empty field', () => {
  expect([toTypedRupees(2_500_050), toTypedRupees(0), toTypedRupees(undefined)]).toEqual(['25000.5', '0', '']);
});
