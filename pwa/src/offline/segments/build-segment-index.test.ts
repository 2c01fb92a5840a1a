// @vitest-environment node
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { expect, test } from 'vitest';
import { buildSegmentIndex } from './build-segment-index.ts';
import { toCompactNumbers } from './compact-numbers.ts';
import { encodeText } from './packed-texts.ts';
import { CLASS_BITS, SegmentIndex } from './segment-index.ts';

/** Rows whose titles all differ. */
function toRows(count: number): ListRows {
  const all = <T>(value: T): T[] => new Array<T>(count).fill(value);
  const ids = Array.from({ length: count }, (_, row) => row + 1);
  return {
    id: ids,
    title: ids.map((id) => `Road ${id}`),
    orgName: all('PWD'),
    state: all('Himachal Pradesh'),
    district: all(null),
    secondDistrict: all(null),
    isListed: all(null),
    department: all('PWD'),
    category: all('Works'),
    price: all(null),
    priceText: all(null),
    emd: all(null),
    publishedAt: all(0),
    bidStartAt: all(null),
    closesAt: all(0),
    closingTimeKnown: all(true),
    stage: all('published'),
    lastCorrigendum: all(null),
    demonstration: all(false),
    portal: all('hptenders'),
    sourceTenderId: all('2026_PWD_1_1'),
    nitWorks: all(1),
  };
}

test('every number of distinct values is stored in a type that holds it', () => {
  for (let count = 245; count <= 260; count += 1) {
    const rows = toRows(count);
    const index = SegmentIndex.open(buildSegmentIndex(rows, null));
    expect(rows.title.map((_, row) => index.valueAt('title', row))).toEqual(rows.title);
  }
});

test('numbers are stored in a type that holds the largest of them', () => {
  for (const largest of [255, 256, 65_535, 65_536])
    expect([...toCompactNumbers([largest], largest + 1)]).toEqual([largest]);
});

test('a word of any row is found, also in a segment whose rows fit into a byte', () => {
  const rows = toRows(200);
  const index = SegmentIndex.open(buildSegmentIndex(rows, null));
  const found = (id: number) => [...index.postingsOf(index.find(encodeText(String(id)), false))];
  // '1' is in every tender id
  for (let row = 1; row < 200; row += 1) expect(found(row + 1)).toEqual([row << CLASS_BITS]);
});

test('a word is found by rare letters too, which UTF-16 sorts before others and UTF-8 after them', () => {
  const words = ['\ufa0e\ufa0e', '\u{11005}\u{11005}', '\ufa11\ufa11', '\u{20000}\u{20000}'];
  const rows = { ...toRows(words.length), title: words };
  const index = SegmentIndex.open(buildSegmentIndex(rows, null));
  for (const [row, word] of words.entries())
    expect([...index.postingsOf(index.find(encodeText(word), false))]).toEqual([row << CLASS_BITS]);
});

test('details of other tenders are refused, also when some are missing at the end', () => {
  const details = (...id: number[]) => ({ id }) as DetailRows;
  for (const ids of [[1, 3], [1], [1, 2, 3]])
    expect(() => buildSegmentIndex(toRows(2), details(...ids))).toThrow('The details are those of other tenders');
});
