/**
 * The list of tenders that every GePNIC portal shows: seven columns, of which one has title, reference and id. It is copied
 * as a table or saved as a page.
 */
import { foldColumnName } from '../cells/column-names.ts';
import type { TableConverter } from '../files/table.ts';
import type { GepnicColumn } from './column-lists.ts';

/** Names of the columns that are read as they are. */
const PLAIN_COLUMNS: [column: GepnicColumn, names: readonly string[]][] = [
  ['Publish Date', ['e-Published Date', 'Published Date', 'Publish Date']],
  ['Bid Submission End Date', ['Closing Date', 'Bid Submission Closing Date', 'Submission Closing Date']],
  ['Bid Opening Date', ['Opening Date', 'Tender Opening Date', 'Bid Opening Date']],
  ['Organisation Chain', ['Organisation Chain', 'Organization Chain', 'Organisation Name']],
  ['Tender Value in ₹', ['Tender Value', 'Value', 'Tender Value in ₹']],
];
const TITLE_NAMES = [
  'Title and Ref.No./Tender ID',
  'Title and Ref.No/Tender ID',
  'Title/Ref.No./Tender ID',
  'Title and Ref.No.',
];

const folded = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(foldColumnName));
const TITLES = folded(TITLE_NAMES);

/** The converter of a list with this header; undefined for any other table. */
export function gepnicListConverter(header: readonly string[]): TableConverter | undefined {
  const names = header.map(foldColumnName);
  const title = names.findIndex((name) => TITLES.has(name));
  if (title < 0) return undefined;
  const plain = PLAIN_COLUMNS.flatMap(([column, known]) => {
    const all = folded(known);
    const position = names.findIndex((name) => all.has(name));
    return position < 0 ? [] : [{ column, position }];
  });
  const positions = [title, ...plain.map(({ position }) => position)];
  return {
    header: ['Tender ID', 'Title', 'Tender Reference Number', ...plain.map(({ column }) => column)],
    roles: new Map([[title, 'Title'], ...plain.map(({ column, position }) => [position, column] as const)]),
    convert(cells) {
      const filled = positions.filter((position) => (cells[position] ?? '').trim() !== '');
      const isHeader = TITLES.has(foldColumnName(cells[title] ?? ''));
      // A pager, a note or a repeated header.
      if (filled.length < 3 || isHeader) return null;
      return [...splitTitle(cells[title] ?? ''), ...plain.map(({ position }) => cells[position] ?? '')];
    },
  };
}

/** Id, title and reference of '[title] [reference][id]'. All three may contain brackets, but the id. */
export function splitTitle(cell: string): [id: string, title: string, reference: string] {
  const text = cell.replace(/\s+/g, ' ').trim();
  const last = /\[\s*([^[\]]*?)\s*\]$/.exec(text);
  // Without an id the row is rejected.
  if (!last) return ['', text, ''];
  const id = last[1] ?? '';
  const rest = text.slice(0, last.index).trimEnd();
  const start = startOfLastGroup(rest);
  const reference = start === undefined ? '' : rest.slice(start + 1, -1).trim();
  const title = (start === undefined ? rest : rest.slice(0, start)).trim();
  const isBracketed = title.startsWith('[') && title.endsWith(']');
  return [id, (isBracketed ? title.slice(1, -1) : title).trim(), reference];
}

/** Where the last bracketed group begins, unless it is the whole text; undefined without one. */
function startOfLastGroup(text: string): number | undefined {
  if (!text.endsWith(']')) return undefined;
  let depth = 0;
  for (let at = text.length - 1; at > 0; at--) {
    if (text[at] === ']') depth++;
    else if (text[at] === '[' && --depth === 0) return at;
  }
  // Brackets that do not match: title and reference are separated by a space, reference and id are not.
  const gap = text.lastIndexOf('] [');
  return gap < 0 ? undefined : gap + 2;
}
