/** Finds the bill of quantities in the cells of a sheet, in the layout of GePNIC portals. */
import type { Boq, BoqItem, BoqKind } from '@nivida/contract/documents/boq';
import { cellDecimal } from './cell-decimal.ts';

export interface SheetCell {
  /** As shown. */
  text: string;
  /** The stored number of a number cell. */
  number: number | null;
}

export interface SheetGrid {
  name: string;
  /** Rows from the first row of the sheet. A merged cell is in its first row and column. */
  rows: readonly (readonly (SheetCell | undefined)[] | undefined)[];
  isHidden: (row: number) => boolean;
  merges: readonly { top: number; bottom: number; left: number; right: number }[];
}

const HEADER_SEARCH_ROWS = 60;
const HEADER_ROWS = 3;
/** The strip has 55 columns. Left-over items of the template are far beyond it, in columns 239 to 243. */
const MAX_COLUMNS = 60;

const NUMBER_LABEL = /^(?:s\W*l|s\W*r|serial|s|item)\W*(?:no|nos|num|number)?\b\W*$/;
const TEXT_LABEL =
  /description|particulars|name of (?:the )?(?:item|work)|\bitems?\b(?!\W*(?:code|no\b))|nature of work/;
const QUANTITY_LABEL = /\bqty\b|\bquantity\b|\bquantities\b/;
const UNIT_LABEL = /^(?:units?|uom|unit of (?:measure(?:ment)?|quantity))\W*$/;
const OFFICE_RATE_LABEL =
  /(?:estimated|schedule|departmental|s\W?o\W?r|d\W?s\W?r|basic|sanctioned)\W*(?:unit )?rates?\b|^rates?\W*(?:(?:in )?(?:rs|inr|rupees)\W*(?:p\W*)?)?$/;
const BIDDER_RATE_LABEL =
  /rates?\b.*\b(?:bidder|quoted|entered|offered|figures?)|\b(?:bidder|quoted|offered)\b.*\brates?\b|basic rate in figures/;
const BIDDER_WORDS = /\b(?:bidder|quoted|entered|offered)\b/;
const AMOUNT_LABEL = /\bamounts?\b|\btotal\b/;
const WORDS_LABEL = /\bwords?\b/;

interface Columns {
  no: number;
  text: number;
  quantity: number;
  unit: number | undefined;
  rate: number | undefined;
  offered: number | undefined;
  amounts: number[];
  /** Columns from this one on are never read. */
  end: number;
  firstRow: number;
}

/** The BOQ of a sheet; null when the sheet has no header of one. A template gives a BOQ without items. */
export function findBoq(sheet: SheetGrid): Boq | null {
  const columns = findColumns(sheet);
  if (!columns) return null;
  const items: BoqItem[] = [];
  let totalRow: number | undefined;
  let quotedRow: number | undefined;
  for (let row = columns.firstRow; row < sheet.rows.length; row++) {
    const label = firstText(sheet, row, columns.end);
    if (QUOTED_LABEL.test(label)) {
      quotedRow = row;
      break;
    }
    if (quantityOf(sheet, row, columns) === null && TOTAL_LABEL.test(label)) {
      totalRow = row;
      if (FINAL_TOTAL_LABEL.test(label)) {
        quotedRow = nextQuotedRow(sheet, row, columns.end);
        break;
      }
      continue;
    }
    // The total before a tax is that of the items.
    if (row - 1 === totalRow && ADDITION_LABEL.test(label) && quantityOf(sheet, row, columns) === null) {
      quotedRow = nextQuotedRow(sheet, row, columns.end);
      break;
    }
    const item = sheet.isHidden(row) ? null : itemOf(sheet, row, columns);
    if (item) items.push(item);
  }
  const kind = kindOf(sheet, columns, quotedRow);
  const isPercentage = kind === 'percentage';
  return {
    kind,
    sheet: sheet.name,
    items: items.map((item) => (isPercentage ? { ...item, offered: null } : item)),
    // Where bidders fill in rates, the total of the file is theirs.
    statedTotal: isPercentage && totalRow !== undefined ? statedTotal(sheet, totalRow, columns) : null,
    offeredPercent: isPercentage && quotedRow !== undefined ? offeredPercent(sheet, quotedRow, columns) : null,
  };
}

const TOTAL_LABEL =
  /^(?:(?:grand|sub|net|over ?all)\W*)?total\W*(?:(?:amount|cost|value|estimated cost)\W*)?(?:in (?:figures?|rs|rupees|inr)\W*)?(?:\(?(?:rs|rupees|inr)\W*)?$/;
const FINAL_TOTAL_LABEL = /^total in figures?\W*$/;
const ADDITION_LABEL = /^(?:add\b.*|plus\b.*)?(?:\b(?:gst|tax|cess|contingenc(?:y|ies)|labour cess)\b)/;
const QUOTED_LABEL = /^quoted rates? in (?:figures?|words?)\b/;
const AFTER_TOTAL_ROWS = 6;

function nextQuotedRow(sheet: SheetGrid, after: number, end: number): number | undefined {
  for (let row = after + 1; row <= after + AFTER_TOTAL_ROWS; row++)
    if (QUOTED_LABEL.test(firstText(sheet, row, end))) return row;
  return undefined;
}

const cellAt = (sheet: SheetGrid, row: number, column: number | undefined): SheetCell | undefined =>
  column === undefined ? undefined : sheet.rows[row]?.[column];
const textAt = (sheet: SheetGrid, row: number, column: number | undefined): string =>
  (cellAt(sheet, row, column)?.text ?? '').replace(/\s+/g, ' ').trim();
const labelAt = (sheet: SheetGrid, row: number, column: number): string =>
  textAt(sheet, row, column).normalize('NFKC').toLowerCase();

function firstText(sheet: SheetGrid, row: number, end: number): string {
  for (let column = 0; column < end; column++) {
    const label = labelAt(sheet, row, column);
    if (label !== '') return label;
  }
  return '';
}

function findColumns(sheet: SheetGrid): Columns | null {
  const last = Math.min(HEADER_SEARCH_ROWS, sheet.rows.length);
  for (let top = 0; top < last; top++) {
    const strip = findStrip(sheet, top);
    const bottom = strip ? strip.row - 1 : top;
    for (let row = bottom; row >= Math.max(0, bottom - HEADER_ROWS + 1); row--) {
      const found = columnsOf(sheet, row, bottom, strip);
      if (found) return found;
    }
    // Without a strip the header may have a second row, with units or parts of its columns.
    for (let next = top + 1; next < top + HEADER_ROWS && !strip; next++) {
      const found = columnsOf(sheet, top, next, null);
      if (found) return found;
    }
  }
  return null;
}

type Strip = { row: number; end: number };

/** The strip 1, 2, 3 … within the rows below the start of a header. Numbers may repeat and columns may be empty. */
function findStrip(sheet: SheetGrid, top: number): Strip | null {
  for (let row = top; row <= top + HEADER_ROWS && row < sheet.rows.length; row++) {
    let last = 0;
    let count = 0;
    let end = 0;
    for (let column = 0; column < MAX_COLUMNS; column++) {
      const text = textAt(sheet, row, column);
      if (text === '') continue;
      const number = /^\d{1,2}$/.test(text) ? Number(text) : 0;
      if (number < last || number > column + 1 || (count === 0 && number !== 1) || number === 0) {
        count = 0;
        break;
      }
      last = number;
      count += 1;
      end = column + 1;
    }
    if (count >= 4 && last >= 4) return { row, end };
  }
  return null;
}

function columnsOf(sheet: SheetGrid, top: number, bottom: number, strip: Strip | null): Columns | null {
  const labels = headerLabels(sheet, top, bottom, strip?.end ?? MAX_COLUMNS);
  const find = (...patterns: RegExp[]) => {
    for (const pattern of patterns) {
      const column = labels.findIndex((label) => pattern.test(label) && !WORDS_LABEL.test(label));
      if (column !== -1) return column;
    }
    return undefined;
  };
  const no = find(NUMBER_LABEL);
  const quantity = find(QUANTITY_LABEL);
  if (no === undefined || quantity === undefined || no === quantity) return null;
  const text = labels.findIndex((label, column) => column !== no && column !== quantity && TEXT_LABEL.test(label));
  if (text === -1) return null;
  const isBidders = (label: string) => BIDDER_WORDS.test(label) || !OFFICE_RATE_LABEL.test(label);
  const offered = labels.findIndex((l) => BIDDER_RATE_LABEL.test(l) && !WORDS_LABEL.test(l) && isBidders(l));
  const rate = labels.findIndex((l) => OFFICE_RATE_LABEL.test(l) && !WORDS_LABEL.test(l) && !BIDDER_WORDS.test(l));
  const isRate = (column: number) => column === rate || column === offered;
  const amounts = labels.flatMap((label, column) =>
    AMOUNT_LABEL.test(label) && !WORDS_LABEL.test(label) && !isRate(column) && column > quantity ? [column] : [],
  );
  return {
    no,
    text,
    quantity,
    unit: find(UNIT_LABEL),
    rate: rate === -1 ? undefined : rate,
    offered: offered === -1 ? undefined : offered,
    amounts,
    end: strip?.end ?? labels.findLastIndex((label) => label !== '') + 1,
    firstRow: (strip?.row ?? bottom) + 1,
  };
}

/** The label of each column, joined over the rows of the header; a merged cell counts for all its columns. */
function headerLabels(sheet: SheetGrid, top: number, bottom: number, end: number): string[] {
  const labels: string[] = [];
  for (let column = 0; column < end; column++) {
    const parts = new Set<string>();
    for (let row = top; row <= bottom; row++) {
      const merge = sheet.merges.find(
        (each) => row >= each.top && row <= each.bottom && column >= each.left && column <= each.right,
      );
      const label = merge ? labelAt(sheet, merge.top, merge.left) : labelAt(sheet, row, column);
      if (label !== '' && (!merge || merge.right - merge.left < 8)) parts.add(label);
    }
    labels.push([...parts].join(' '));
  }
  return labels;
}

const quantityOf = (sheet: SheetGrid, row: number, { quantity }: Columns) => cellDecimal(cellAt(sheet, row, quantity));

function itemOf(sheet: SheetGrid, row: number, columns: Columns): BoqItem | null {
  const quantity = quantityOf(sheet, row, columns);
  const no = textAt(sheet, row, columns.no);
  const text = longText(sheet, row, columns);
  if (text === '') return null;
  const isFilled = quantity !== null;
  const isUnread = !isFilled && /[\p{L}\d]/u.test(textAt(sheet, row, columns.quantity));
  return {
    row: row + 1,
    no,
    text,
    unit: textAt(sheet, row, columns.unit) || null,
    quantity: isFilled ? quantity : null,
    rate: isFilled || isUnread ? cellDecimal(cellAt(sheet, row, columns.rate)) : null,
    offered: isFilled ? positive(cellDecimal(cellAt(sheet, row, columns.offered))) : null,
  };
}

/** The text of an item keeps its lines. Text may stand beside its column, in a cell that was merged to the left. */
function longText(sheet: SheetGrid, row: number, { text, no, quantity }: Columns): string {
  const own = cellAt(sheet, row, text)?.text.trim() ?? '';
  if (own !== '') return own;
  for (let column = no + 1; column < quantity; column++) {
    const other = cellAt(sheet, row, column)?.text.trim() ?? '';
    if (/\p{L}{3}/u.test(other)) return other;
  }
  const first = cellAt(sheet, row, no)?.text.trim() ?? '';
  return /\p{L}{3}/u.test(first) ? first : '';
}

const positive = (decimal: string | null): string | null =>
  decimal === null || decimal.startsWith('-') || /^0(?:\.0+)?$/.test(decimal) ? null : decimal;

/** The amount of the total's row: the first column of amounts with a number. */
function statedTotal(sheet: SheetGrid, row: number, { amounts }: Columns): string | null {
  for (const column of amounts) {
    const amount = positive(cellDecimal(cellAt(sheet, row, column)));
    if (amount !== null) return amount;
  }
  return null;
}

/** The per cent beside "Excess (+)" or "Less (-)"; null when nothing was chosen or filled in. */
function offeredPercent(sheet: SheetGrid, row: number, { amounts, end }: Columns): string | null {
  const amountColumn = amounts[0] ?? end;
  let sign: string | undefined;
  for (let column = 0; column < amountColumn; column++) {
    const label = labelAt(sheet, row, column);
    if (/^at par\b/.test(label)) return '0';
    if (/^excess\b/.test(label)) sign = '';
    else if (/^less\b/.test(label)) sign = '-';
    else if (sign !== undefined && label !== '') {
      const cell = cellAt(sheet, row, column);
      const isShare = cell?.number !== null && label.endsWith('%');
      const size = positive(
        cellDecimal(
          isShare && cell
            ? { text: '', number: (cell.number ?? 0) * 100 }
            : { text: label.replace(/\s*%$/, ''), number: cell?.number ?? null },
        ),
      );
      return size === null ? null : `${sign}${size}`;
    }
  }
  return null;
}

function kindOf(sheet: SheetGrid, columns: Columns, quotedRow: number | undefined): BoqKind {
  for (let row = 0; row < columns.firstRow; row++)
    for (let column = 0; column < columns.end; column++) {
      const label = labelAt(sheet, row, column);
      if (label.length > 60) continue;
      if (/\bpercentage\b/.test(label)) return 'percentage';
      if (/\bitem\W?wise\b/.test(label)) return 'item-wise';
      if (/\bitem\W?rate\b/.test(label)) return 'item-rate';
    }
  return quotedRow !== undefined && columns.rate !== undefined ? 'percentage' : 'item-rate';
}
