/** Start of a cell that a spreadsheet may read as a formula, with the full-width forms. */
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER_PATTERN = /^-?\d+(?:\.\d+)?$/;

/** One line of CSV; numbers are not quoted. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(',')}\r\n`;

function toCell(text: string): string {
  if (NUMBER_PATTERN.test(text)) return text;
  return /[",\r\n]|^\s|\s$/.test(text) || FORMULA_START.test(text) ? quotedCell(text) : text;
}

/** A quoted cell. A text that could be a formula, such as '+91 98…', gets an apostrophe before it. */
export function quotedCell(text: string): string {
  const inert = FORMULA_START.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}
