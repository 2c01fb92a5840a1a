import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRange } from './byte-range.ts';

const ETAG = '"one"';

test.each([
  ['bytes=0-99', { start: 0, end: 99 }],
  ['bytes=10-', { start: 10, end: 99 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  ['bytes=0-100', { start: 0, end: 99 }],
  ['bytes=90-999999999999999', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-100', { start: 0, end: 99 }],
  ['bytes=-101', { start: 0, end: 99 }],
  ['bytes=-0', 'none'],
  ['bytes=100-', 'none'],
  ['bytes=9-3', 'none'],
  ['bytes=-', undefined],
  ['bytes=0-1,5-9', undefined],
  ['items=0-9', undefined],
  [undefined, undefined],
])('the range %s of a file of 100 bytes is %j', (range, part) => {
  expect(parseRange({ range }, 100, ETAG)).toEqual(part);
});

test('a range of another version of the file is the whole file', () => {
  expect(parseRange({ range: 'bytes=10-', 'if-range': ETAG }, 100, ETAG)).toEqual({ start: 10, end: 99 });
  expect(parseRange({ range: 'bytes=10-', 'if-range': '"two"' }, 100, ETAG)).toBeUndefined();
});

test('no header gives a range outside the file', () => {
  const number = fc.option(fc.nat({ max: 3_000 }), { nil: '' });
  fc.assert(
    fc.property(number, number, fc.integer({ min: 1, max: 2_000 }), (first, last, bytes) => {
      const part = parseRange({ range: `bytes=${first}-${last}` }, bytes, ETAG);
      if (typeof part !== 'object') return;
      expect(part.start).toBeGreaterThanOrEqual(0);
      expect(part.end).toBeGreaterThanOrEqual(part.start);
      expect(part.end).toBeLessThan(bytes);
    }),
  );
});
