import { plural } from '@lingui/core/macro';
import { formatTotal } from '@nivida/contract/format';
import type { ListedTender, TenderListResponse } from '@nivida/contract/tenders/tender';

/**
 * The entries of the page row: page numbers, and '…' for a gap. Up to 5 pages, all are listed. Above that,
 * the first, the last and the current page with its neighbours. A gap never replaces a single page.
 */
export function visiblePages(page: number, count: number): (number | '…')[] {
  if (count <= 5) return Array.from({ length: count }, (_, index) => index + 1);
  const near = [page - 1, page, page + 1].filter((number) => number > 1 && number < count);
  // At both ends one more neighbour is listed, so that the row always has the same length.
  if (page <= 2) near.push(3);
  if (page >= count - 1) near.unshift(count - 2);
  const visible = [...new Set([1, ...near, count])].sort((a, b) => a - b);
  return visible.flatMap((number, index) => {
    const before = visible[index - 1] ?? number - 1;
    if (number - before === 2) return [number - 1, number];
    return number - before > 2 ? (['…', number] as const) : [number];
  });
}

/** How many pages hold `total` entries; at least 1. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

type ListedRange = Pick<TenderListResponse, 'page' | 'total' | 'has_more' | 'notices' | 'before'> & {
  tenders: readonly Pick<ListedTender, 'works'>[];
};

/** 'Showing 41 to 50 of 353 tenders'. An entry stands for all works of its NIT. */
export function resultRangeText(list: ListedRange, size: number): string {
  const { page, total, before = (page - 1) * size, tenders } = list;
  const count = formatTotal(list);
  if (tenders.length === 0)
    return plural(total, { one: `Showing 0 of ${count} tender`, other: `Showing 0 of ${count} tenders` });
  const from = before + 1;
  const to = before + tenders.reduce((sum, { works = [] }) => sum + 1 + works.length, 0);
  return plural(total, {
    one: `Showing ${from} to ${to} of ${count} tender`,
    other: `Showing ${from} to ${to} of ${count} tenders`,
  });
}

/** 'in 14 notices', shown after the number of tenders. '' where each tender is an entry of its own. */
export function noticesText({ total, notices = total }: Pick<TenderListResponse, 'total' | 'notices'>): string {
  return notices === total ? '' : plural(notices, { one: 'in # notice', other: 'in # notices' });
}
