import { utils, type WorkSheet, write } from '@e965/xlsx';

export interface BoqOptions {
  format: 'biff8' | 'xlsx';
  /** Quantity and rate of each item; a null rate is left to the bidder. */
  items: readonly [quantity: number | string, rate: number | null][];
  kind?: 'Percentage BoQ' | 'Item Rate BoQ' | 'Item Wise BoQ';
  /** Labels of the columns of number, text, quantity, unit and the office's rate. */
  labels?: readonly [no: string, text: string, quantity: string, unit: string, rate: string];
  /** Cells that are written at the end, over the others. */
  cells?: Readonly<Record<string, string | number>>;
  hiddenRows?: readonly number[];
  merges?: readonly string[];
  total?: number;
}

const FIRST_ITEM_ROW = 14;

/** A BOQ in the layout of GePNIC portals: 55 columns, a strip with their numbers, and left-overs far beyond it. */
const LABELS = ['Sl.\nNo.', 'Item Description', 'Quantity', 'Units', 'Estimated Rate in\nRs. P'] as const;

export function boqWorkbook(options: BoqOptions): Buffer {
  const { format, items, kind = 'Percentage BoQ', labels = LABELS, cells = {}, hiddenRows = [], merges = [] } = options;
  const sheet: WorkSheet = { '!ref': `A1:II${FIRST_ITEM_ROW + items.length + 10}` };
  const put = (address: string, value: string | number) => {
    sheet[address] = { t: typeof value === 'number' ? 'n' : 's', v: value };
  };
  put('A1', kind);
  put('A4', 'Tender Inviting Authority: Invented Office');
  put('A10', 'NUMBER #');
  for (const [n, column] of ['A', 'B', 'D', 'E', 'F'].entries()) put(`${column}11`, labels[n] ?? '');
  put('M11', 'RATE In Figures To be entered by the Bidder in Rs. P');
  put('BA11', 'TOTAL AMOUNT\nRs. P');
  put('BC11', 'TOTAL AMOUNT In Words');
  for (let column = 0; column < 55; column++) put(utils.encode_cell({ r: 11, c: column }), column + 1);
  put('A13', 1);
  put('B13', 'Invented works');
  let total = 0;
  for (const [n, [quantity, rate]] of items.entries()) {
    const row = FIRST_ITEM_ROW + n;
    put(`A${row}`, `1.${String(n + 1).padStart(2, '0')}`);
    put(`B${row}`, `Invented item ${n + 1}`);
    put(`D${row}`, quantity);
    put(`E${row}`, 'Cum');
    put(`IE${row}`, n + 1);
    put(`IF${row}`, 'Left-over item of the template');
    put(`IG${row}`, 77);
    if (rate === null) continue;
    const amount = Number(String(quantity).replaceAll(',', '')) * rate;
    put(`F${row}`, rate);
    put(`BA${row}`, amount);
    total += amount;
  }
  const last = FIRST_ITEM_ROW + items.length;
  put(`A${last}`, 'Total in Figures');
  put(`BA${last}`, options.total ?? total);
  put(`A${last + 1}`, 'Quoted Rate in Figures');
  put(`D${last + 1}`, 'Select');
  put(`BA${last + 1}`, 0);
  put(`A${last + 2}`, 'Quoted Rate in Words');
  for (const [address, value] of Object.entries(cells)) put(address, value);
  sheet['!merges'] = merges.map((range) => utils.decode_range(range));
  sheet['!rows'] = Array.from({ length: last }, (_, n) => ({ hidden: hiddenRows.includes(n + 1) }));
  return write({ SheetNames: ['BoQ1'], Sheets: { BoQ1: sheet } }, { type: 'buffer', bookType: format }) as Buffer;
}
