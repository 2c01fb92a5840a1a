/** Reads a GePNIC list that was copied from a page as text. */
import type { Charset, TablesFilePart } from '../files/table.ts';
import { readText } from '../files/text-table.ts';
import { UnreadableFileError } from '../source-tender.ts';

const MAX_LIST_BYTES = 30_000_000;
const DATE = String.raw`\d{1,4}[-/. ](?:[A-Za-z]{3,9}|\d{1,2})[-/., ]{1,2}\d{2,4}(?:,?[ \t]+\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \t]*[AaPp]\.?[Mm]\.?)?)?`;
/** Where a row begins: its number, its dates of publication, closing and opening, and the bracket of its title. */
const ROW_START = String.raw`(?:(?<![^\s])\d{1,6}\.?\s+)?(?<published>${DATE})\s+(?<closing>${DATE})\s+(?<opening>${DATE})\s+(?=\[)`;
const IS_LIST = new RegExp(`(?:^|[\\t\\n])[ \\t]*${ROW_START}`);
const HEADER = [
  'e-Published Date',
  'Closing Date',
  'Opening Date',
  'Title and Ref.No./Tender ID',
  'Organisation Chain',
];
/** A value. A shorter number after the last row is a page of the pager. */
const AMOUNT = /^(?:(?:₹|rs\.?|inr)?\s*\d[\d,]{2,}(?:\.\d+)?|0(?:\.0+)?|na|n\/a|nil|-+)$/i;
const GEPNIC_ID = /\[\s*\d{4}_[A-Za-z0-9]+_\d+_\d+\s*\]/;
/** An id of another form directly follows the brackets of the reference. */
const OTHER_ID = /(?<=\]\s*)\[[^[\]\r\n\t]*\d[^[\]\r\n\t]*\][ ]*(?=[\t\r\n]|$)/;

/** The list of a copied text, with or without its header; undefined for any other text. Throws UnreadableFileError. */
export async function readListText(
  path: string,
  sample: string,
  charset: Charset,
): Promise<Omit<TablesFilePart, 'name'> | undefined> {
  if (!IS_LIST.test(sample)) return undefined;
  const rows = listRows(await readText(path, charset, MAX_LIST_BYTES));
  const table = { name: null, first: rows.slice(0, 200), rows: () => rows };
  return { tables: [table], unknown: new UnreadableFileError('is a list without a readable row') };
}

/** A header and the rows of the list. Copied rows may be broken into lines anywhere. */
function listRows(text: string): string[][] {
  const starts = [...text.matchAll(new RegExp(ROW_START, 'g'))];
  const rows = starts.map((start, n) => {
    const { published = '', closing = '', opening = '' } = start.groups ?? {};
    const rest = text.slice(start.index + start[0].length, starts[n + 1]?.index);
    return [published, closing, opening, ...splitRest(rest)];
  });
  const values = rows.filter(([, , , , , value]) => value !== '').length;
  const hasValues = /tender\s+value/i.test(text.slice(0, starts[0]?.index)) || values > rows.length / 2;
  return hasValues ? [[...HEADER, 'Tender Value'], ...rows] : [HEADER, ...rows.map((row) => row.slice(0, -1))];
}

/** Title with reference and id, organisation and value. What follows the last row, such as a pager, is left out. */
function splitRest(rest: string): [title: string, organisation: string, value: string] {
  const id = GEPNIC_ID.exec(rest) ?? OTHER_ID.exec(rest);
  if (!id) return [rest.split(/[\t\n]/)[0] ?? '', '', ''];
  const title = rest.slice(0, id.index + id[0].length);
  // An organisation may be broken into lines before or after the bars between its levels.
  const cells = rest
    .slice(title.length)
    .replace(/\s*\|\|\s*/g, '||')
    .split(/[\t\r\n]+/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '');
  const [organisation = '', value = ''] = cells;
  return [title, organisation, AMOUNT.test(value) ? value : ''];
}
