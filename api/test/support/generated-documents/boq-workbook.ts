import { utils, type WorkSheet, write } from '@e965/xlsx';

export interface BoqOptions {
  format: 'biff8' | 'xlsx';
  /** Quantity and rate of each item; a null rate is left to the bidder. */
  items: readonly [quantity: number | string, rate: number | null][];
  kind?: 'Percentage BoQ' | 'Item Rate BoQ' | 'Item Wise BoQ';
}

const FIRST_ITEM_ROW = 14;

/** A BOQ in the layout of GePNIC portals: 55 columns, a strip with their numbers, and left-overs far beyond it. */
export function boqWorkbook({ format, items, kind = 'Percentage BoQ' }: BoqOptions): Buffer {
  const sheet: WorkSheet = { '!ref': `A1:II${FIRST_ITEM_ROW + items.length + 10}` };
  const put = (address: string, value: string | number) => {
    sheet[address] = { t: typeof value === 'number' ? 'n' : 's', v: value };
  };
  put('A1', kind);
  put('A4', 'Tender Inviting Authority: Invented Office');
  put('A10', 'NUMBER #');
  put('A11', 'Sl.\nNo.');
  put('B11', 'Item Description');
  put('D11', 'Quantity');
  put('E11', 'Units');
  put('F11', 'Estimated Rate in\nRs. P');
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
  put(`BA${last}`, total);
  put(`A${last + 1}`, 'Quoted Rate in Figures');
  put(`D${last + 1}`, 'Select');
  put(`BA${last + 1}`, 0);
  put(`A${last + 2}`, 'Quoted Rate in Words');
  return write({ SheetNames: ['BoQ1'], Sheets: { BoQ1: sheet } }, { type: 'buffer', bookType: format }) as Buffer;
}
