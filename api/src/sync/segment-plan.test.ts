import { describe, expect, test } from 'vitest';
import { planRanges, type RangeState, rangeStarts } from './segment-plan.ts';
import type { StoredSegment } from './sync.entity.ts';

const file = (hash: string) => ({ hash, bytes: 1, size: 1 });
const segment = (rows: number, upTo: number | null): StoredSegment => ({
  rows,
  upTo,
  list: file(`list ${upTo}`),
  detail: file(`detail ${upTo}`),
});
const same = (rows: number): RangeState => ({ rows, isChanged: false });
const changed = (rows: number): RangeState => ({ rows, isChanged: true });
/** 'after..upTo', with '=' for a range whose stored segment stays. */
const plan = (segments: StoredSegment[], states: RangeState[]) =>
  planRanges(segments, states).map(({ after, upTo, segment }) => `${after}..${upTo ?? ''}${segment ? '=' : ''}`);

const THREE = [segment(5_000, 5_100), segment(5_000, 10_400), segment(1_000, null)];

describe('the next pack', () => {
  test('without segments is one range of all rows', () => {
    expect(planRanges([], [])).toEqual([{ after: 0, upTo: null, maxRows: 5_000 }]);
  });

  test.each<[string, RangeState[], string[]]>([
    ['no change', [same(5_000), same(5_000), same(1_000)], ['0..5100=', '5100..10400=', '10400..=']],
    ['a changed row', [same(5_000), changed(5_000), same(1_000)], ['0..5100=', '5100..10400', '10400..=']],
    ['a row that left by the clock', [same(4_999), same(5_000), same(1_000)], ['0..5100', '5100..10400=', '10400..=']],
    ['new rows', [same(5_000), same(5_000), changed(1_001)], ['0..5100=', '5100..10400=', '10400..']],
    ['an empty first range', [changed(0), same(5_000), same(1_000)], ['0..10400=', '10400..=']],
    ['an empty last range', [same(5_000), same(5_000), changed(0)], ['0..5100=', '5100..=']],
    ['small neighbours', [changed(900), same(5_000), same(1_000)], ['0..5100', '5100..10400=', '10400..=']],
    ['a small neighbour of a changed one', [same(5_000), changed(1_400), same(1_000)], ['0..5100=', '5100..']],
    ['neighbours of 2,500 rows in all', [same(5_000), changed(1_500), same(1_000)], ['0..5100=', '5100..']],
    [
      'neighbours of more than 2,500 rows',
      [same(5_000), changed(1_501), same(1_000)],
      ['0..5100=', '5100..10400', '10400..='],
    ],
    ['nothing left', [changed(0), changed(0), changed(0)], ['0..']],
  ])('with %s writes only the ranges that need it', (_, states, expected) => {
    expect(plan(THREE, states)).toEqual(expected);
  });

  test('joins a small segment with a changed one after it, and leaves small segments without a change', () => {
    const small = [segment(900, 1_000), segment(800, null)];
    expect(plan(small, [same(900), changed(801)])).toEqual(['0..']);
    expect(plan(small, [same(900), same(800)])).toEqual(['0..1000=', '1000..=']);
  });

  test('divides a range in the middle only above 6,000 rows', () => {
    const sizes = (rows: number) => planRanges(THREE, [same(5_000), changed(rows), same(1_000)])[1]?.maxRows;
    expect(sizes(6_000)).toBe(6_000);
    expect(sizes(6_001)).toBe(5_000);
    expect(planRanges(THREE, [same(5_000), same(5_000), changed(5_500)])[2]?.maxRows).toBe(5_000);
  });
});

test('ranges start after the segment before them', () => {
  expect(rangeStarts(THREE)).toEqual([5_101, 10_401]);
  expect(rangeStarts([segment(5, null)])).toEqual([]);
  expect(rangeStarts([])).toEqual([]);
});
