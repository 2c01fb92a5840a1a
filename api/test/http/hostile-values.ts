/** Values that often break servers, for generated requests. */
import * as fc from 'fast-check';

/** Texts that have broken databases, dates or numbers. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'road\0',
  '\ud800',
  'road \udfff work',
  '\u2028',
  '\u202eknab',
  '\ufeff',
  '🏗️'.repeat(60),
  'ﷺ'.repeat(40),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴',
  'a'.repeat(300),
  'à'.repeat(3_000),
  "' OR 1=1 --",
  '%_\\',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'line\r\nBcc: all@builders.example',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e309',
  '0x10',
  '१२३',
  '2147483648',
  '9223372036854775808',
  '-1',
  '1.5',
  '1970-01-01T00:00:00Z',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
  '__proto__',
  'constructor',
  'toString',
  '00000000-0000-0000-0000-000000000000',
  'a@b.c',
  '"a b"@builders.example',
  'https:/fcm.googleapis.com/x',
  'http://127.0.0.1:5432/',
  '//evil.example',
  'javascript:alert(1)',
  '(((((a|a)*)*)*',
  '-- -& | ! :*',
  '"unbalanced',
];
const NUMBERS = [0, -0, -1, 0.1, 1e308, -1e308, 2 ** 31, 2 ** 53, 99.001, 5899, Number.MIN_VALUE];

const deep = (levels: number): unknown => (levels === 0 ? [] : [deep(levels - 1)]);

/** A text that may cause an error. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  // UTF-16 units in any order.
  { weight: 1, arbitrary: fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units)) },
);

/** Any JSON value instead of the expected one. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: null }) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4, max: 12 }).map(deep) },
  { weight: 1, arbitrary: fc.constantFrom(300, 2_000).map((length) => Array<string>(length).fill('1')) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

/** A path segment as sent: any bytes except spaces. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: hostileText.map(percentEncoded) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '%00',
      '%zz',
      '%',
      '%ed%a0%80',
      '%c0%af',
      '..',
      '%2e%2e%2f',
      'a%2Fb',
      ';a=1',
      '',
      '.',
      '*',
      'é',
      'a'.repeat(5_000),
    ),
  },
);

/** Every byte of a text as %XX; half a surrogate pair becomes a replacement character. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
