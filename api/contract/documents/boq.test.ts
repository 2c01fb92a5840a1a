import { describe, expect, test } from 'vitest';
import { type BoqItem, boqTotalPaise, isLumpSum, itemPaise, totalState } from './boq.ts';
import { billionths, decimalOf, paiseOf, product } from './decimals.ts';

const item = (quantity: string | null, rate: string | null): BoqItem => ({
  row: 12,
  no: '1',
  text: 'Earth work in excavation',
  unit: 'cum',
  quantity,
  rate,
  offered: null,
});

test.each(['0', '12', '0.000000001', '-4.2', '123456789012345.123456789'])('%s stays what it is', (decimal) => {
  expect(decimalOf(billionths(decimal))).toBe(decimal);
});

test.each(['', '1e5', '1,000', '.5', '1.', '1.0000000001', '1234567890123456'])('"%s" is no decimal', (text) => {
  expect(() => billionths(text)).toThrow(SyntaxError);
});

test('half a paisa is rounded away from zero', () => {
  expect(paiseOf(billionths('1.005'))).toBe(101);
  expect(paiseOf(billionths('-1.005'))).toBe(-101);
  expect(decimalOf(product('0.000000001', '0.5'))).toBe('0.000000001');
});

describe('the total', () => {
  test('is exact where floating-point numbers are not', () => {
    const items = Array.from({ length: 1_000 }, () => item('0.1', '1.1'));
    expect(boqTotalPaise({ items, statedTotal: null })).toBe(110_00);
  });

  test('skips headings and is unknown when an item has no rate', () => {
    expect(boqTotalPaise({ items: [item(null, null), item('2', '10.5')], statedTotal: null })).toBe(21_00);
    expect(boqTotalPaise({ items: [item('1', '10'), item('2', null)], statedTotal: null })).toBeNull();
    expect(boqTotalPaise({ items: [item(null, null)], statedTotal: null })).toBeNull();
  });

  test('agrees with the total of the file within a rupee', () => {
    const items = [item('3', '33.333')];
    expect(totalState({ items, statedTotal: '100' })).toBe('agrees');
    expect(totalState({ items, statedTotal: '101' })).toBe('agrees');
    expect(totalState({ items, statedTotal: '101.01' })).toBe('differs');
    expect(totalState({ items, statedTotal: null })).toBe('unknown');
  });

  test('is unknown where an item has a rate and no quantity that can be read', () => {
    expect(boqTotalPaise({ items: [item('1', '10'), item(null, '7')], statedTotal: '10' })).toBeNull();
  });

  test.each([
    [{ unit: '100 sqm' }],
    [{ unit: '% sqm' }],
    [{ unit: 'per hundred cum' }],
    [{ unit: '1000 nos' }],
    [{ text: 'Deduct for openings' }],
    [{ text: 'Recovery of dismantled steel' }],
    [{ text: '(-) Less cost of old steel' }],
  ])('of %j is known only where the file states the same', (part) => {
    const items = [item('1', '10'), { ...item('200', '5'), ...part }];
    const stated = (statedTotal: string | null) => {
      const boq = { items, statedTotal };
      return [boqTotalPaise(boq), totalState(boq)];
    };
    expect(stated('1010')).toEqual([1010_00, 'agrees']);
    expect(stated('20')).toEqual([null, 'unknown']);
    expect(stated(null)).toEqual([null, 'unknown']);
  });
});

test('an amount needs a quantity and a rate', () => {
  expect(itemPaise(item('2.5', null), '100')).toBe(250_00);
  expect(itemPaise(item(null, null), '100')).toBeNull();
  expect(itemPaise(item('2', null), null)).toBeNull();
});

test('one item is a lump sum', () => {
  expect(isLumpSum({ items: [item(null, null), item('1', null)] })).toBe(true);
  expect(isLumpSum({ items: [item('1', null), item('1', null)] })).toBe(false);
});
