/** One fact that stands in several columns of a row. */
import { indianDay } from '@nivida/contract/format';
import { ContradictionError } from '../source-tender.ts';
import { cleanText, isEmptyText, parseDate, readRupees } from './normalise.ts';

/** The filled cell that says the most. Throws ContradictionError when the cells contradict each other. */
export function agreedCell(column: string, cells: readonly string[]): string {
  const stated = cells.filter((cell) => !isEmptyText(cell));
  // 'Refer NIT' beside an amount is no other fact; a number is none in the title.
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
  // A day without an hour does not contradict one with an hour.
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
