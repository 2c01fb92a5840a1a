import { expect, test } from 'vitest';
import { copyLine } from './copy-rows.ts';

test.each<[string, unknown, string]>([
  ['a text', 'R/Wall, 5 m', 'R/Wall, 5 m'],
  ['an empty text', '', ''],
  ['no value', null, String.raw`\N`],
  ['the text that means no value', String.raw`\N`, String.raw`\\N`],
  ['the text that ends a COPY', String.raw`\.`, String.raw`\\.`],
  ['line breaks and tabs', 'a\nb\r\tc', String.raw`a\nb\r\tc`],
  ['a number', 1.5, '1.5'],
  ['a truth value', false, 'false'],
  ['an instant', new Date('2026-11-10T06:00:00Z'), '2026-11-10T06:00:00.000Z'],
  ['a list as JSON', [{ name: 'A\\B "C"' }], String.raw`[{"name":"A\\\\B \\"C\\""}]`],
])('COPY gets %s in its own format', (_name, value, written) => {
  expect(copyLine([value, 'next'])).toBe(`${written}\tnext\n`);
});
