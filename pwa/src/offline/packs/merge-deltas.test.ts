// @vitest-environment node
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MergedDelta, mergeDeltas } from './merge-deltas.ts';

/** Only id and title matter here. */
function mergedDelta(rows: readonly [id: number, title: string][], removed: number[]): MergedDelta {
  const columns = { id: rows.map(([id]) => id), title: rows.map(([, title]) => title) };
  return {
    list: columns as unknown as MergedDelta['list'],
    details: columns as unknown as MergedDelta['details'],
    removed,
  };
}

const id = fc.integer({ min: 1, max: 9 });
const delta = fc
  .record({ rows: fc.uniqueArray(fc.tuple(id, fc.string()), { selector: ([each]) => each }), gone: fc.uniqueArray(id) })
  .map(({ rows, gone }) =>
    mergedDelta(
      rows,
      gone.filter((each) => !rows.some(([row]) => row === each)),
    ),
  );

/** The tenders of the segments after applying all deltas in order. */
function tendersAfter(deltas: readonly MergedDelta[]): Map<number, string> {
  const tenders = new Map([1, 2, 3, 4, 5].map((each) => [each, 'segment']));
  for (const { list, removed } of deltas) {
    for (const each of removed) tenders.delete(each);
    for (const [at, each] of list.id.entries()) tenders.set(each, list.title[at] as string);
  }
  return tenders;
}

test('merged deltas give the same tenders as the deltas applied in order', () => {
  fc.assert(
    fc.property(fc.array(delta, { minLength: 1, maxLength: 6 }), (deltas) => {
      const merged = deltas.reduce<MergedDelta | null>(mergeDeltas, null) as MergedDelta;
      expect(tendersAfter([merged])).toEqual(tendersAfter(deltas));
      expect(new Set(merged.list.id).size).toBe(merged.list.id.length);
      expect(merged.details.id).toEqual(merged.list.id);
      // The engine hides removed tenders in all packs, including the delta's.
      expect(merged.removed.filter((each) => merged.list.id.includes(each))).toEqual([]);
    }),
  );
});
