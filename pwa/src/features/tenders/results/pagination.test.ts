// @vitest-environment node
import { expect, test } from 'vitest';
import { pageCount, resultRangeText, visiblePages } from './pagination.ts';

test.each([
  [1, 1, '1'],
  [1, 2, '1 2'],
  [3, 5, '1 2 3 4 5'],
  [1, 6, '1 2 3 … 6'],
  [2, 6, '1 2 3 … 6'],
  [3, 6, '1 2 3 4 5 6'],
  [4, 6, '1 2 3 4 5 6'],
  [5, 6, '1 … 4 5 6'],
  [6, 6, '1 … 4 5 6'],
  [4, 7, '1 2 3 4 5 6 7'],
  [4, 36, '1 2 3 4 5 … 36'],
  [5, 36, '1 … 4 5 6 … 36'],
  [33, 36, '1 … 32 33 34 35 36'],
  [36, 36, '1 … 34 35 36'],
])('on page %i of %i the row shows %s', (page, count, row) => {
  expect(visiblePages(page, count).join(' ')).toBe(row);
});

test.each([
  [0, 1],
  [1, 1],
  [10, 1],
  [11, 2],
  [353, 36],
])('%i tenders fill %i pages of ten', (total, pages) => {
  expect(pageCount(total, 10)).toBe(pages);
});

test.each([
  [1, 10, 353, 'Showing 1 to 10 of 353 tenders'],
  [5, 10, 353, 'Showing 41 to 50 of 353 tenders'],
  [36, 3, 353, 'Showing 351 to 353 of 353 tenders'],
  [1, 1, 1, 'Showing 1 to 1 of 1 tender'],
  [1, 0, 0, 'Showing 0 of 0 tenders'],
])('page %i with %i of %i rows reads "%s"', (page, shown, total, line) => {
  expect(resultRangeText(page, 10, shown, { total })).toBe(line);
});

test('where counting stopped the line says that there are more', () => {
  const list = { total: 10_000, has_more: true };
  expect(resultRangeText(3, 10, 10, list)).toBe('Showing 21 to 30 of 10,000+ tenders');
  expect(resultRangeText(3, 10, 0, list)).toBe('Showing 0 of 10,000+ tenders');
});
