import { describe, expect, test } from 'vitest';
import type { BoqItem } from './boq.ts';
import { compareBoqs } from './compare-boqs.ts';

let row = 0;
const item = (no: string, text: string, quantity: string | null, more: Partial<BoqItem> = {}): BoqItem => {
  row += 1;
  return { row, no, text, unit: 'cum', quantity, rate: '100', offered: null, ...more };
};
const boq = (...items: BoqItem[]) => ({ items });

const digging = item('1', 'Digging for the wall', '40');
const stone = item('2', 'Stone masonry', '25.5');
const bars = item('3', 'Steel bars', '900', { unit: 'kg' });

describe('a later BOQ', () => {
  test('with the same lines has no changes, however numbers and spaces are written', () => {
    const same = [
      item('1', 'Digging  for the\nwall', '40.000'),
      item('2', 'STONE MASONRY', '25.50'),
      item('3', 'Steel bars', '900', { unit: 'KG' }),
    ];
    expect(compareBoqs(boq(digging, stone, bars), boq(...same))).toEqual({ added: [], removed: [], changed: [] });
  });

  test('names what was added, removed and changed', () => {
    const moreStone = item('2', 'Stone masonry', '30');
    const pipe = item('3', 'Weep holes', '12', { unit: 'each' });
    expect(compareBoqs(boq(digging, stone, bars), boq(digging, moreStone, pipe))).toEqual({
      added: [pipe],
      removed: [bars],
      changed: [{ before: stone, after: moreStone }],
    });
  });

  test('with an inserted line has that line only, although all numbers after it moved', () => {
    const inserted = item('2', 'Shoring', '8');
    const moved = [item('3', 'Stone masonry', '25.5'), item('4', 'Steel bars', '900', { unit: 'kg' })];
    expect(compareBoqs(boq(digging, stone, bars), boq(digging, inserted, ...moved))).toEqual({
      added: [inserted],
      removed: [],
      changed: [],
    });
  });

  test('changes a rate or a unit of a line', () => {
    const rate = item('1', 'Digging for the wall', '40', { rate: '110.50' });
    const unit = item('3', 'Steel bars', '900', { unit: 'quintal' });
    expect(compareBoqs(boq(digging, stone, bars), boq(rate, stone, unit))?.changed).toEqual([
      { before: digging, after: rate },
      { before: bars, after: unit },
    ]);
  });

  test('pairs equal texts by their number', () => {
    const floors = [item('1.1', 'Concrete', '10'), item('1.2', 'Concrete', '20')];
    const later = [item('1.1', 'Concrete', '10'), item('1.2', 'Concrete', '21')];
    expect(compareBoqs(boq(...floors), boq(...later))?.changed).toEqual([{ before: floors[1], after: later[1] }]);
  });

  test('is compared without headings', () => {
    const heading = item('A', 'Civil work', null, { unit: null, rate: null });
    expect(compareBoqs(boq(digging), boq(heading, digging))).toEqual({ added: [], removed: [], changed: [] });
  });

  test('of another work is not compared', () => {
    expect(compareBoqs(boq(digging, stone), boq(bars))).toBeNull();
    expect(compareBoqs(boq(), boq(bars))).toBeNull();
  });
});
