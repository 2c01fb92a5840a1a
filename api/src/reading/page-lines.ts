/** Puts the text items of a page into lines and cells. */

/** An upright text item. The origin is the upper left corner of the page; `y` is the baseline. Unit: points. */
export interface TextItem {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Cell {
  text: string;
  left: number;
  right: number;
}

export interface Line {
  /** The cells, joined by a space. */
  text: string;
  cells: Cell[];
  y: number;
  height: number;
  /** Text is printed over other text, struck out, covered or not visible: its figures may be wrong. */
  isDoubtful: boolean;
}

/** Shares of the height of the text. */
const SAME_LINE = 0.4;
const WORD_GAP = 0.15;
const CELL_GAP = 1;
const OVERLAP = 0.2;

export function pageLines(items: readonly TextItem[]): Line[] {
  const sorted = items.filter(({ text }) => text.trim() !== '').toSorted((a, b) => a.y - b.y || a.x - b.x);
  const rows: TextItem[][] = [];
  for (const item of sorted) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row && first && item.y - first.y <= SAME_LINE * Math.min(first.height, item.height)) row.push(item);
    else rows.push([item]);
  }
  const overprinted = overprintedItems(rows);
  return rows.map((row) => lineOf(row, overprinted)).filter(({ text }) => text !== '');
}

/** Items that cover others, in their own row or the next ones. */
function overprintedItems(rows: readonly TextItem[][]): Set<TextItem> {
  const found = new Set<TextItem>();
  for (const [n, row] of rows.entries()) {
    row.sort((a, b) => a.x - b.x);
    for (const [m, item] of row.entries())
      for (let next = m + 1; next < row.length; next++) {
        const other = row[next] as TextItem;
        if (other.x >= item.x + item.width) continue;
        if (overlaps(item, other)) found.add(item).add(other);
      }
    // Rows are closer than the height of their text when one is printed over the other.
    for (let next = n + 1; next < Math.min(rows.length, n + 3); next++)
      for (const item of row)
        for (const other of rows[next] ?? [])
          if (other.y - item.y < 0.6 * Math.min(item.height, other.height) && overlaps(item, other))
            found.add(item).add(other);
  }
  return found;
}

function overlaps(a: TextItem, b: TextItem): boolean {
  const shared = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  return shared > OVERLAP * Math.min(a.height, b.height, a.width * 2, b.width * 2);
}

function lineOf(row: readonly TextItem[], overprinted: Set<TextItem>): Line {
  const cells: Cell[] = [];
  let last: TextItem | undefined;
  for (const item of row) {
    if (last && isCopy(last, item)) continue;
    const cell = cells.at(-1);
    const gap = last && cell ? item.x - cell.right : 0;
    const right = Math.max(cell?.right ?? 0, item.x + item.width);
    if (!cell || gap > CELL_GAP * item.height) cells.push({ text: item.text, left: item.x, right });
    else {
      cell.text += `${gap > WORD_GAP * item.height ? ' ' : ''}${item.text}`;
      cell.right = right;
    }
    last = item;
  }
  const split = cells.flatMap(splitAtSpaces);
  return {
    text: split.map(({ text }) => text).join(' '),
    cells: split,
    y: row[0]?.y ?? 0,
    height: Math.max(...row.map(({ height }) => height)),
    isDoubtful: row.some((item) => overprinted.has(item)),
  };
}

/** Bold that is made by printing a text twice. */
const isCopy = (a: TextItem, b: TextItem): boolean =>
  a.text === b.text && Math.abs(a.x - b.x) < 0.25 * a.height && Math.abs(a.y - b.y) < 0.25 * a.height;

/** Columns may be made of spaces. */
function splitAtSpaces(cell: Cell): Cell[] {
  const parts = [...cell.text.matchAll(/\S+(?:\s{1,2}\S+)*/g)];
  const width = (cell.right - cell.left) / Math.max(1, cell.text.length);
  return parts.map(({ 0: text, index }) => ({
    text: text.replace(/\s+/g, ' '),
    left: cell.left + index * width,
    right: cell.left + (index + text.length) * width,
  }));
}
