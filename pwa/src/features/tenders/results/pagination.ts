import { type CountedTotal, formatTotal } from '@nivida/contract/format';

/**
 * The entries of the page row: page numbers, and '…' for a gap. Up to 5 pages are all listed; above that the first, the
 * last and the current one with its neighbours. A gap never replaces a single page.
 */
export function visiblePages(page: number, count: number): (number | '…')[] {
  if (count <= 5) return Array.from({ length: count }, (_, index) => index + 1);
  const near = [page - 1, page, page + 1].filter((number) => number > 1 && number < count);
  // One more neighbour at both ends, so that the row always has the same length.
  if (page <= 2) near.push(3);
  if (page >= count - 1) near.unshift(count - 2);
  const visible = [...new Set([1, ...near, count])].sort((a, b) => a - b);
  return visible.flatMap((number, index) => {
    const before = visible[index - 1] ?? number - 1;
    if (number - before === 2) return [number - 1, number];
    return number - before > 2 ? (['…', number] as const) : [number];
  });
}

/** How many pages hold `total` rows; at least 1. */
export function pageCount(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** 'Showing 41 to 50 of 353 tenders'. */
export function resultRangeText(page: number, size: number, rowsOnPage: number, list: CountedTotal): string {
  const noun = list.total === 1 ? 'tender' : 'tenders';
  if (rowsOnPage === 0) return `Showing 0 of ${formatTotal(list)} ${noun}`;
  const first = (page - 1) * size + 1;
  return `Showing ${first} to ${first + rowsOnPage - 1} of ${formatTotal(list)} ${noun}`;
}
