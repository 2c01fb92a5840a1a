/** Reads the tables of a saved page. */
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse } from 'parse5';
import { UnreadableFileError } from '../source-tender.ts';
import { archivedPage } from './page-archive.ts';
import type { Charset, SourceTable, TablesFilePart } from './table.ts';
import { readText } from './text-table.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const MAX_PAGE_BYTES = 30_000_000;
const PAGE = /^\ufeff?\s*<(?:!doctype|!--|html|head|meta|style|table|body|div|\?xml)/i;
const PAGE_ARCHIVE = /^(?:[\w-]+:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*)*?content-type:\s*multipart\/related/i;
/** The comment of browsers that save a page, and the header of their archives. */
const SAVED_FROM = /<!--\s*saved from url=\(\d+\)(https?:\/\/[^\s>]+)/i;
const ARCHIVED_FROM = /^Snapshot-Content-Location:\s*(https?:\/\/\S+)/im;
/** Texts that are not shown. */
const HIDDEN = new Set(['script', 'style', 'template', 'noscript', 'select', 'head']);
const FIRST_ROWS = 200;

/** The tables of a page; undefined for a file that is no page. Throws UnreadableFileError. */
export async function readPage(
  path: string,
  sample: string,
  charset: Charset,
): Promise<Omit<TablesFilePart, 'name'> | undefined> {
  const isArchive = PAGE_ARCHIVE.test(sample.slice(0, 4_000));
  if (!isArchive && !PAGE.test(sample)) return undefined;
  const text = await readText(path, charset, MAX_PAGE_BYTES);
  const html = isArchive ? archivedPage(text) : text;
  const address = SAVED_FROM.exec(html)?.[1] ?? (isArchive ? ARCHIVED_FROM.exec(text)?.[1] : undefined);
  return {
    tables: pageTables(html),
    portal: address === undefined ? undefined : portalOfAddress(address),
    unknown: new UnreadableFileError(
      'is a web page or XML, also if its name says .xls or .csv, without a list of tenders that is known: open it in a spreadsheet program and save it as .xlsx or CSV UTF-8',
    ),
  };
}

/** The short name of a portal by its address, such as hptenders; undefined for an address that does not say it. */
export function portalOfAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const [name = ''] = new URL(address).hostname.replace(/^www\./, '').split('.');
  // Portals named 'etenders' or 'eproc' exist in several states.
  return /^(?!e?tenders?$)[a-z]+tenders?$/.test(name) ? name : undefined;
}

/** Every table with rows. The text of a table within a cell belongs to that table alone. */
function pageTables(html: string): SourceTable[] {
  const found: SourceTable[] = [];
  // Without recursion: a page may be nested deeply.
  const open: Node[] = [...parse(html).childNodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    if (!defaultTreeAdapter.isElementNode(node)) continue;
    if (node.tagName === 'table') {
      const rows = tableRows(node);
      if (rows.length > 0)
        found.push({ name: null, isPiece: true, first: rows.slice(0, FIRST_ROWS), rows: () => rows });
    }
    open.push(...[...node.childNodes].reverse());
  }
  return found;
}

/** The rows of a table, without those of tables within its cells. A cell over several columns fills the first of them. */
function tableRows(table: Element): string[][] {
  const rows: string[][] = [];
  for (const row of ownElements(table, new Set(['tr']))) {
    const cells: string[] = [];
    for (const cell of ownElements(row, new Set(['td', 'th']))) {
      cells.push(cellText(cell));
      const span = Number(cell.attrs.find(({ name }) => name === 'colspan')?.value ?? 1);
      for (let n = 1; n < Math.min(span, 50); n++) cells.push('');
    }
    if (cells.some((cell) => cell !== '')) rows.push(cells);
  }
  return rows;
}

/** Elements of these names within `parent`, but not within a table or another of them in it. */
function ownElements(parent: Element, names: ReadonlySet<string>): Element[] {
  const found: Element[] = [];
  const open: Node[] = [...parent.childNodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    if (!defaultTreeAdapter.isElementNode(node) || node.tagName === 'table') continue;
    if (names.has(node.tagName)) found.push(node);
    else open.push(...[...node.childNodes].reverse());
  }
  return found;
}

/** The shown text of a cell. */
function cellText(cell: Element): string {
  let text = '';
  const open: Node[] = [...cell.childNodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    if (defaultTreeAdapter.isTextNode(node)) text += node.value;
    else if (defaultTreeAdapter.isElementNode(node) && node.tagName !== 'table' && !HIDDEN.has(node.tagName)) {
      if (node.tagName === 'br' || node.tagName === 'p' || node.tagName === 'div') text += ' ';
      open.push(...[...node.childNodes].reverse());
    }
  }
  return text.replace(/\s+/g, ' ').trim();
}
