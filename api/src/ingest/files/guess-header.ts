/** Finds the header of a table that is not known. */
import { readRupees } from '../cells/normalise.ts';
import { MAX_TITLE_LINES } from './text-table.ts';

const DATE_OR_NUMBER = /^\s*(?:[\d.,:/ -]+|\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{4}.*)\s*$/;

/** Whether a text looks like a value and not like the name of a column. */
const isValue = (text: string): boolean => DATE_OR_NUMBER.test(text) || readRupees(text.trim()) !== null;

/** The names of the columns, and the number of rows above them: the first row of names that is as wide as the table. */
export function guessHeader(rows: readonly (readonly string[])[]): { titleLines: number; names: readonly string[] } {
  const filled = (row: readonly string[]) => row.filter((cell) => cell.trim() !== '');
  const widths = rows.map((row) => filled(row).length);
  const width = Math.max(1, ...widths);
  const titleLines = rows.slice(0, MAX_TITLE_LINES + 1).findIndex((row, n) => {
    const names = filled(row);
    return (widths[n] ?? 0) >= width * 0.7 && new Set(names).size === names.length && !names.some(isValue);
  });
  const line = Math.max(0, titleLines);
  return { titleLines: line, names: rows[line] ?? [] };
}
