/** What a spreadsheet may take for a formula, also in its full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;

/** One line of CSV; numbers stand bare. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(toCell).join(',')}\r\n`;

function toCell(text: string): string {
  if (NUMBER.test(text)) return text;
  return /[",\r\n]|^\s|\s$/.test(text) || FORMULA.test(text) ? quoted(text) : text;
}

/** A quoted cell. One that could be a formula begins with an apostrophe: '+91 98… too. */
export function quoted(text: string): string {
  const inert = FORMULA.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}
