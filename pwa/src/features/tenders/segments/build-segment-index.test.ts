import type { ListRows } from '@nivida/contract/sync/sync';
import { expect, test } from 'vitest';
import { buildSegmentIndex } from './build-segment-index.ts';
import { SegmentIndex } from './segment-index.ts';

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
