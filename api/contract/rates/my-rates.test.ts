import { describe, expect, test } from 'vitest';
import type { Boq, BoqItem } from '../documents/boq.ts';
import { carriedRates, costOfChanges } from './boq-rate-changes.ts';
import { compareFilledCopy } from './filled-copy.ts';
import { hasSearchedWords, itemWords, searchedText } from './item-words.ts';
import {
  isSameDecimal,
  onePercentOf,
  percentOf,
  ratedTotal,
  totalAtPercent,
  typedRate,
  typedRatePercent,
} from './my-rates.ts';
import { ownCandidates, type PastRate, ratesByUnit, shownCandidates } from './rate-book.ts';

const item = (row: number, fields: Partial<BoqItem> = {}): BoqItem => ({
  ...{ row, no: `${row}`, text: `Work ${row}`, unit: 'cum', quantity: '2', rate: null, offered: null },
  ...fields,
});
const heading = (row: number): BoqItem => item(row, { text: 'Earth works', unit: null, quantity: null });
const boq = (items: BoqItem[], fields: Partial<Boq> = {}): Boq => ({
  ...{ kind: 'item-rate', sheet: 'BoQ1', items, statedTotal: null, offeredPercent: null },
  ...fields,
});

test.each([
  ['110', '110'],
  ['1,10,000.50', '110000.5'],
  ['₹ 110.', '110'],
  ['.5', '0.5'],
  ['१२०.५', '120.5'],
  ['', null],
  ['-5', undefined],
  ['1.00001', undefined],
  ['abc', undefined],
  ['1234567890123', undefined],
])('a typed rate "%s" is %s', (text, rate) => {
  expect(typedRate(text)).toBe(rate);
});

test.each([
  ['-4.2', '-4.2'],
  ['−4.2 %', '-4.2'],
  ['+5', '5'],
  ['-100', '-100'],
  ['-100.5', undefined],
  ['', null],
  ['five', undefined],
])('a typed per cent "%s" is %s', (text, percent) => {
  expect(typedRatePercent(text)).toBe(percent);
});

test('the total of my rates is exact, and names the rows without a rate', () => {
  const items = [heading(3), item(4, { quantity: '0.1' }), item(5, { quantity: '0.2' }), item(6)];
  const rates = new Map([
    [4, '1.1'],
    [5, '1.1'],
  ]);
  expect(ratedTotal({ items }, rates)).toEqual({ paise: 33, items: 3, blanks: [6] });
});

test('a per cent below the office makes the total smaller, to the paisa', () => {
  expect(totalAtPercent(1_000_000_01, '-4.2')).toBe(958_000_01);
  expect(totalAtPercent(1_000_000_00, '10.5')).toBe(1_105_000_00);
  expect(totalAtPercent(100, '-100')).toBe(0);
});

test('the distance from the estimate has two places; without an estimate there is none', () => {
  expect(percentOf(958_000_00, 1_000_000_00)).toBe('-4.2');
  expect(percentOf(1_000_000_00, 999_999_00)).toBe('0');
  expect(percentOf(4, 3)).toBe('33.33');
  expect(percentOf(4, null)).toBeNull();
  expect(percentOf(4, 0)).toBeNull();
  expect(onePercentOf(1_234_56)).toBe(12_35);
});

test('decimals of the same value are equal', () => {
  expect([isSameDecimal('110.50', '110.5'), isSameDecimal('110', '101')]).toEqual([true, false]);
});

describe('the search in a BOQ', () => {
  const line = searchedText(item(12, { no: '1.02', text: 'Cement concrete 1:2:4, M20', unit: 'Cum' }));
  test.each([
    ['cem conc', true],
    ['M२०', true],
    ['M३०', false],
    ['२', true],
    ['1.02', true],
    ['cum', true],
    ['crete', false],
    ['concrete steel', false],
    ['', true],
  ])('finds "%s": %s', (query, found) => {
    expect(hasSearchedWords(line, itemWords(query))).toBe(found);
  });
});

describe('candidates from past rates', () => {
  const past = (rate: string, text: string, unit: string, ratedAt = '2026-01-05T06:00:00.000Z'): PastRate => ({
    ...{ id: `${rate} ${ratedAt}`, tenderId: '7', file: 'a'.repeat(64), row: 3, source: 'Road to Kaza' },
    ...{ rate, text, unit, ratedAt },
  });
  const of = (text: string, unit: string, ...book: PastRate[]) =>
    ownCandidates(item(1, { text, unit }), ratesByUnit(book)).map(({ rate }) => rate);

  test('have the same unit in any spelling, and the most alike text first', () => {
    const found = of(
      'Earth work in excavation in ordinary soil',
      'cu.m',
      past('300', 'Earth work in excavation in hard rock', 'Cum'),
      past('210', 'Earth work in excavation in ordinary soil', 'm³'),
      past('9', 'Earth work in excavation in ordinary soil', 'sqm'),
      past('5000', 'Cement concrete', 'cum'),
    );
    expect(found).toEqual(['210', '300']);
  });

  test('are at most three, the latest of equal ones, and name no rate twice', () => {
    const text = 'Stone masonry in cement mortar';
    const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'];
    const book = days.map((day, at) => past(`${100 + at}`, text, 'cum', `${day}T00:00:00.000Z`));
    expect(of(text, 'Cum', ...book, past('104', text, 'Cum'))).toEqual(['104', '103', '102']);
  });

  test('stand before those of the schedules of rates, each with its source and day', () => {
    const schedules = {
      schedules: [{ id: 's', name: 'Schedule 2025', from: '2025-04-01' }],
      lines: [
        {
          fileId: 'f',
          row: 4,
          items: [{ scheduleId: 's', code: '2.8', text: 'Earth work', unit: 'cum', rate: '199' }],
        },
      ],
    };
    const shown = shownCandidates([past('210', 'Earth work', 'cum')], schedules, { fileId: 'f', row: 4 });
    expect(shown.map(({ from, rate, source, on }) => [from, rate, source, on])).toEqual([
      ['own', '210', 'Road to Kaza', '2026-01-05T06:00:00.000Z'],
      ['schedule', '199', 'Schedule 2025, 2.8', '2025-04-01'],
    ]);
    expect(shownCandidates([], schedules, { fileId: 'f', row: 5 })).toEqual([]);
    expect(shownCandidates([], null, { fileId: 'f', row: 4 })).toEqual([]);
  });
});

describe('a changed BOQ', () => {
  const changes = {
    added: [item(9, { quantity: '3' }), heading(8)],
    removed: [item(5)],
    changed: [{ before: item(4), after: item(4, { quantity: '5' }) }],
  };

  test('costs the difference at my rates', () => {
    const rates = new Map([
      [4, '10'],
      [9, '100'],
    ]);
    expect(costOfChanges(changes, rates, new Map([[5, '50']]))).toBe(300_00 - 100_00 + 50_00 - 20_00);
    expect(costOfChanges(changes, rates, new Map())).toBeNull();
  });

  test('offers earlier rates for items that are the same and occur once, and never where there is a rate', () => {
    const earlier = (text: string, rate: string) => ({ text, unit: 'cum', rate, ratedAt: '2026-01-05T06:00:00.000Z' });
    const items = [item(1), item(2), item(3, { text: 'Twice' }), item(4, { text: 'Twice' }), item(5), item(6)];
    const found = carriedRates({ items }, new Map([[2, '7']]), [
      earlier('Work 1', '11'),
      earlier('Work 2', '22'),
      earlier('Twice', '33'),
      earlier('Work 5', '55'),
      earlier('Work 5', '56'),
      earlier('Another work', '99'),
    ]);
    expect([...found]).toEqual([[1, '11']]);
  });
});

describe('a filled copy', () => {
  const original = boq([heading(12), item(13), item(14), item(20)]);
  const rates = new Map([
    [13, '100'],
    [14, '50.50'],
    [20, '101'],
  ]);
  const own = { rates, percent: null };
  const filledWith = (fields: Record<number, Partial<BoqItem>>) =>
    boq(original.items.map((each) => ({ ...each, ...fields[each.row] })));
  const allFilled = { 13: { offered: '100.00' }, 14: { offered: '50.5' }, 20: { offered: '101' } };

  test('that has my rates agrees', () => {
    expect(compareFilledCopy(original, filledWith(allFilled), own)).toEqual({ findings: [], items: 3, agreeing: 3 });
  });

  test.each<[string, Record<number, Partial<BoqItem>>, object]>([
    ['quantity', { 14: { quantity: '3' } }, { original: '2', filled: '3' }],
    ['text', { 14: { text: 'Other' } }, { original: 'Work 14', filled: 'Other' }],
    ['unit', { 14: { unit: null } }, { original: 'cum', filled: '' }],
    ['no', { 14: { no: '14a' } }, { original: '14', filled: '14a' }],
  ])('whose template was changed in its %s is named first', (part, change, values) => {
    const filled = filledWith({ ...allFilled, 14: { ...allFilled[14], ...change[14] }, 20: { offered: '110' } });
    expect(compareFilledCopy(original, filled, own).findings).toEqual([
      { kind: 'changed', row: 14, part, ...values },
      { kind: 'other-rate', row: 20, own: '101', filled: '110' },
    ]);
  });

  test('with another sheet, a missing and an added row is another template', () => {
    const filled = boq([heading(12), item(13, { offered: '100' }), item(14, { offered: '50.5' }), item(21)], {
      sheet: 'Sheet2',
    });
    expect(compareFilledCopy(original, filled, own)).toEqual({
      findings: [
        { kind: 'changed', row: 0, part: 'sheet', original: 'BoQ1', filled: 'Sheet2' },
        { kind: 'removed', row: 20 },
        { kind: 'added', row: 21 },
      ],
      items: 3,
      agreeing: 2,
    });
  });

  test('names blanks, and rates that I do not have', () => {
    const filled = filledWith({ ...allFilled, 13: { offered: null }, 20: { offered: '9' } });
    const withoutLast = { rates: new Map([...rates].filter(([row]) => row !== 20)), percent: null };
    expect(compareFilledCopy(original, filled, withoutLast).findings).toEqual([
      { kind: 'blank', row: 13, own: '100' },
      { kind: 'not-mine', row: 20, filled: '9' },
    ]);
  });

  test('of a percentage BOQ is compared by its per cent', () => {
    const percentage = boq([item(13, { rate: '10' })], { kind: 'percentage' });
    const check = (offeredPercent: string | null, percent: string | null) =>
      compareFilledCopy(percentage, { ...percentage, offeredPercent }, { rates: new Map(), percent }).findings;
    expect(check('-4.20', '-4.2')).toEqual([]);
    expect(check('4.2', '-4.2')).toEqual([{ kind: 'other-rate', row: 0, own: '-4.2', filled: '4.2' }]);
    expect(check(null, '-4.2')).toEqual([{ kind: 'blank', row: 0, own: '-4.2' }]);
  });
});
