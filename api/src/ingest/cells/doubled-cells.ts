/** Merges cells of a row that state the same fact. */
import { indianDay } from '@nivida/contract/format';
import { ContradictionError } from '../source-tender.ts';
import { cleanText, isEmptyText, parseDate, readRupees } from './normalise.ts';

/** The most exact of the filled cells. Throws ContradictionError when the cells contradict each other. */
export function agreedCell(column: string, cells: readonly string[]): string {
  const stated = cells.filter((cell) => !isEmptyText(cell));
  // In a column of amounts or dates, a text like 'Refer NIT' is ignored if another cell has a value.
  const values = stated.filter((cell) => readRupees(cleanText(cell)) !== null || readDate(cell) !== null);
  const filled = /date|amount|value|fee/i.test(column) && values.length > 0 ? values : stated;
  const [first = cells[0] ?? '', ...others] = filled;
  for (const other of others)
    if (!isSameFact(first, other))
      throw new ContradictionError(
        column,
        filled.map(cleanText).join(' | '),
        'stands in several columns that contradict each other',
      );
  return others.reduce((best, other) => (cleanText(other).length > cleanText(best).length ? other : best), first);
}

function isSameFact(first: string, second: string): boolean {
  const [a, b] = [foldCell(first), foldCell(second)];
  if (a === b) return true;
  const [price, otherPrice] = [first, second].map((cell) => readRupees(cleanText(cell)));
  if (price != null && price === otherPrice) return true;
  const [date, otherDate] = [readDate(first), readDate(second)];
  if (!date || !otherDate) return false;
  // A date without an hour agrees with the same day at any hour.
  if (!date.timeKnown || !otherDate.timeKnown) return indianDay(date.at) === indianDay(otherDate.at);
  return date.at.getTime() === otherDate.at.getTime();
}

/** The letters, marks and digits of a text in lower case, with single spaces between words. */
export const foldCell = (cell: string) =>
  cleanText(cell)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

function readDate(cell: string) {
  try {
    return parseDate('', cell);
  } catch {
    return null;
  }
}
