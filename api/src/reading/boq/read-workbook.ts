/** Finds the BOQ in the bytes of a workbook, BIFF8 or xlsx. */

import { read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import type { Boq } from '@nivida/contract/documents/boq';
import { isItem } from '@nivida/contract/documents/boq';
import type { DocumentReading } from '../document-reading.ts';
import { findBoq, type SheetCell, type SheetGrid } from './boq-table.ts';

const MAX_ROWS = 5_000;
const MAX_SHEETS = 30;
/** The columns that a BOQ may have; those beyond are not even kept. */
const MAX_GRID_COLUMNS = 60;

/** `characters` limits the texts of the items. */
export function readWorkbook(bytes: Buffer, characters: number): Pick<DocumentReading, 'state' | 'boq' | 'texts'> {
  let book: WorkBook;
  try {
    book = read(bytes, {
      type: 'buffer',
      bookVBA: false,
      cellFormula: false,
      cellHTML: false,
      // Says which rows are hidden.
      cellStyles: true,
      sheetRows: MAX_ROWS,
    });
  } catch (error) {
    return { state: /password|encrypt/i.test(String(error)) ? 'locked' : 'broken', boq: null, texts: [] };
  }
  const boq = bestBoq(book);
  if (!boq) return { state: 'other', boq: null, texts: [] };
  if (!boq.items.some(isItem)) return { state: 'template', boq: null, texts: [] };
  const texts = boq.items.map(({ text }) => text);
  if (texts.reduce((sum, text) => sum + text.length, 0) > characters)
    return { state: 'too-large', boq: null, texts: [] };
  return { state: 'done', boq, texts };
}

/** The BOQ with the most items of the visible sheets. Beside another one its total may be that of a part. */
function bestBoq(book: WorkBook): Boq | null {
  const found = book.SheetNames.slice(0, MAX_SHEETS).flatMap((name, n) => {
    const sheet = book.Sheets[name];
    if (!sheet?.['!ref'] || book.Workbook?.Sheets?.[n]?.Hidden) return [];
    return findBoq(gridOf(name, sheet)) ?? [];
  });
  const [best] = found.toSorted((a, b) => countItems(b) - countItems(a));
  if (!best) return null;
  return found.some((other) => other !== best && countItems(other) > 0) ? { ...best, statedTotal: null } : best;
}

const countItems = ({ items }: Boq): number => items.filter(isItem).length;

function gridOf(name: string, sheet: WorkSheet): SheetGrid {
  const range = utils.decode_range(sheet['!ref'] ?? 'A1');
  const lastRow = Math.min(range.e.r, MAX_ROWS - 1);
  const lastColumn = Math.min(range.e.c, MAX_GRID_COLUMNS - 1);
  const rows: (SheetCell | undefined)[][] = [];
  for (let row = 0; row <= lastRow; row++) {
    const cells: (SheetCell | undefined)[] = [];
    for (let column = 0; column <= lastColumn; column++) {
      const cell = sheet[utils.encode_cell({ r: row, c: column })];
      if (!cell || cell.v === undefined || cell.v === null || cell.t === 'e' || cell.t === 'z') continue;
      cells[column] = {
        text: cell.t === 's' ? String(cell.v) : String(cell.w ?? cell.v),
        number: cell.t === 'n' && typeof cell.v === 'number' ? cell.v : null,
      };
    }
    rows.push(cells);
  }
  return {
    name,
    rows,
    isHidden: (row) => sheet['!rows']?.[row]?.hidden === true,
    merges: (sheet['!merges'] ?? []).map(({ s, e }) => ({ top: s.r, bottom: e.r, left: s.c, right: e.c })),
  };
}
