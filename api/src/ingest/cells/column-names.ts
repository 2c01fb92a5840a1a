/** Comparable names of columns. */

/** Lower case without punctuation, currency, and the number that a spreadsheet library adds to a repeated name. */
export function foldColumnName(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.\d+$/, '')
    .replaceAll('%', ' percent ')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(?:inr|rs|rupees?)\b/g, ' ')
    .replace(/\bdate (?:and )?time\b/g, 'date')
    .replace(/\bin\s*$/, ' ')
    .replace(/\s+/g, '');
}
