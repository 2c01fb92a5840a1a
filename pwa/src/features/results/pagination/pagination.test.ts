// @vitest-environment node
import { expect, test } from 'vitest';
import { noticesText, pageCount, resultRangeText, visiblePages } from './pagination.ts';

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

const rows = (count: number) => Array.from({ length: count }, () => ({}));

test.each([
  [1, 10, 353, 'Showing 1 to 10 of 353 tenders'],
  [5, 10, 353, 'Showing 41 to 50 of 353 tenders'],
  [36, 3, 353, 'Showing 351 to 353 of 353 tenders'],
  [1, 1, 1, 'Showing 1 to 1 of 1 tender'],
  [1, 0, 0, 'Showing 0 of 0 tenders'],
])('page %i with %i of %i rows reads "%s"', (page, shown, total, line) => {
  expect(resultRangeText({ page, total, tenders: rows(shown) }, 10)).toBe(line);
  expect(resultRangeText({ page, total, notices: total, tenders: rows(shown) }, 10)).toBe(line);
});

test('an entry counts as all works of its NIT, and the notices are named', () => {
  const works = ['2', '3', '4'];
  const list = { total: 27, notices: 14 };
  const textOf = (shown: Parameters<typeof resultRangeText>[0]) =>
    `${resultRangeText(shown, 10)} ${noticesText(shown)}`;
  const first = { ...list, page: 1, before: 0, tenders: [{ works }, ...rows(9)] };
  expect(textOf(first)).toBe('Showing 1 to 13 of 27 tenders in 14 notices');
  const second = { ...list, page: 2, before: 13, tenders: [{ works: [...works, ...works] }, ...rows(3), { works }] };
  expect(textOf(second)).toBe('Showing 14 to 27 of 27 tenders in 14 notices');
  expect(textOf({ ...list, page: 3, before: 0, tenders: [] })).toBe('Showing 0 of 27 tenders in 14 notices');
  const one = { total: 4, notices: 1, page: 1, before: 0, tenders: [{ works }] };
  expect(textOf(one)).toBe('Showing 1 to 4 of 4 tenders in 1 notice');
  expect(noticesText({ total: 4, notices: 4 })).toBe('');
});

test('where counting stopped the line says that there are more', () => {
  const list = { page: 3, total: 10_000, has_more: true };
  expect(resultRangeText({ ...list, tenders: rows(10) }, 10)).toBe('Showing 21 to 30 of 10,000+ tenders');
  expect(resultRangeText({ ...list, tenders: [] }, 10)).toBe('Showing 0 of 10,000+ tenders');
});
