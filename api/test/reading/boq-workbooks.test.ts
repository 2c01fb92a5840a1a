/** Bills of quantities in many forms of workbooks. */

import { CFB, utils, write } from '@e965/xlsx';
import { type Boq, boqTotalPaise, isItem, isLumpSum, totalState } from '@nivida/contract/documents/boq';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readWorkbook } from '../../src/reading/boq/read-workbook.ts';
import { type BoqOptions, boqWorkbook } from '../support/generated-documents/boq-workbook.ts';

const FORMATS = ['biff8', 'xlsx'] as const;
const read = (bytes: Buffer) => readWorkbook(bytes, 3_000_000);

function boqOf(options: Omit<BoqOptions, 'format'>, format: BoqOptions['format'] = 'biff8'): Boq {
  const { state, boq } = read(boqWorkbook({ ...options, format }));
  expect([state, JSON.stringify(boq).includes('Left-over')]).toEqual(['done', false]);
  return boq as Boq;
}
const quantities = ({ items }: Boq) => items.filter(isItem).map(({ quantity }) => quantity);

test('the sum of a percentage BOQ is the total of its file, to the rupee', () => {
  const amounts = fc.tuple(
    fc.integer({ min: 1, max: 99_999_999 }).map((n) => n / 1_000),
    fc.integer({ min: 1, max: 99_999_999 }).map((n) => n / 100),
  );
  fc.assert(
    fc.property(fc.array(amounts, { minLength: 1, maxLength: 12 }), fc.constantFrom(...FORMATS), (items, format) => {
      const boq = boqOf({ items }, format);
      expect([boq.kind, boq.items.filter(isItem).length, totalState(boq)]).toEqual([
        'percentage',
        items.length,
        'agrees',
      ]);
      expect(isLumpSum(boq)).toBe(items.length === 1);
      const exact = items.reduce(
        (sum, [quantity, rate]) => sum + Math.round(quantity * 1_000) * Math.round(rate * 100),
        0,
      );
      expect(Math.abs((boqTotalPaise(boq) ?? 0) - exact / 1_000)).toBeLessThanOrEqual(0.51);
    }),
    { numRuns: 25 },
  );
});

test('another total differs', () => {
  const boq = boqOf({
    items: [
      [10, 20],
      [5, 7],
    ],
    total: 237,
  });
  expect([boq.statedTotal, boqTotalPaise(boq), totalState(boq)]).toEqual(['237', 23_500, 'differs']);
});

describe('names of columns', () => {
  const LABELS: NonNullable<BoqOptions['labels']>[] = [
    ['Sl.No', 'Description of work', 'Qty', 'Unit', 'Rate'],
    ['S. No.', 'Item Description', 'Quantity', 'Units', 'Estimated Rate'],
    ['Sr. No.', 'Name of Item', 'Estimated Quantity', 'UOM', 'Estimated Rate in Rs.'],
    ['Serial No.', 'Particulars of item', 'QTY.', 'Unit of measurement', 'Basic rate'],
    ['Sl. No', 'ITEM DESCRIPTION', 'QUANTITY', 'UNITS', 'ESTIMATED RATE In Figures Rs. P'],
  ];
  test.each(LABELS)('%s, %s, %s, %s, %s', (...labels) => {
    for (const format of FORMATS) {
      const boq = boqOf({ items: [[12, 3.5]], labels }, format);
      expect(boq.items.find(isItem)).toMatchObject({
        no: '1.01',
        text: 'Invented item 1',
        unit: 'Cum',
        quantity: '12',
        rate: '3.5',
      });
      expect(totalState(boq)).toBe('agrees');
    }
  });
  test('merged over two rows, with a strip whose numbers repeat', () => {
    const cells = { A10: 'Sl. No.', A11: '', D10: 'Work', D11: 'Quantity', E11: 'Units', E12: 4, F12: 5, G12: 5 };
    const boq = boqOf({ items: [[12, 3.5]], cells, merges: ['A10:A11', 'D10:E10'] });
    expect(boq.items.find(isItem)).toMatchObject({ quantity: '12', unit: 'Cum', rate: '3.5' });
  });
});

test('quantities are exact: noise of fractions, thousands, texts', () => {
  const boq = boqOf({
    items: [
      [0.1 + 0.2, 1],
      ['1,23,456.789', 1],
      [' 12.50 ', 1],
      [1e-7, 1],
      [100 / 3, 1],
      ['as required', 1],
    ],
  });
  expect(quantities(boq)).toEqual(['0.3', '123456.789', '12.5', '0.0000001', '33.333333333']);
});

describe('the total of a BOQ', () => {
  const boq = (...rows: (string | number | null)[][]) => {
    const labels = ['Item No', 'Qty.', 'Unit', 'Particulars', 'Rate (Rs.)', 'Amount (Rs.)'];
    const sheet = utils.aoa_to_sheet([
      ['Percentage BoQ'],
      labels,
      [1, 10, 'cum', 'Invented earth work', 50, 500],
      ...rows,
    ]);
    const found = read(write({ SheetNames: ['BoQ1'], Sheets: { BoQ1: sheet } }, { type: 'buffer', bookType: 'biff8' }));
    if (!found.boq) throw new Error('no BOQ');
    return found.boq;
  };
  const credit = [2, -4, 'kg', 'Credit for invented steel', 20, -80];
  test('subtracts the credit of a negative quantity', () => {
    expect(totalState(boq(credit, ['Total', null, null, null, null, 420]))).toBe('agrees');
    expect(totalState(boq(credit, ['Total', null, null, null, null, 500]))).toBe('differs');
  });
  test('is the one before a tax', () => {
    const after = [
      ['Add GST @ 18%', null, null, null, null, 90],
      ['Grand Total', null, null, null, null, 590],
    ];
    const found = boq(['Total', null, null, null, null, 500], ...after);
    expect([found.statedTotal, totalState(found), found.items.length]).toEqual(['500', 'agrees', 1]);
  });
});

test('a row whose quantity cannot be read leaves the sum unknown', () => {
  const boq = boqOf({
    items: [
      [10, 20],
      ['12,5', 7],
    ],
    total: 200,
  });
  expect([boqTotalPaise(boq), totalState(boq)]).toEqual([null, 'unknown']);
});

test('a BOQ by item rates has no total of the office, and the rates of a bidder are offered', () => {
  const boq = boqOf({
    kind: 'Item Rate BoQ',
    items: [
      [10, null],
      [4, null],
    ],
    cells: { M14: 55.25 },
    total: 552.5,
  });
  expect([boq.kind, boq.statedTotal, boqTotalPaise(boq)]).toEqual(['item-rate', null, null]);
  expect(boq.items.filter(isItem).map(({ rate, offered }) => [rate, offered])).toEqual([
    [null, '55.25'],
    [null, null],
  ]);
});

test('a BOQ for single items is one', () =>
  expect(boqOf({ kind: 'Item Wise BoQ', items: [[1, null]] }).kind).toBe('item-wise'));

test.each([
  ['Select', 4.5, null],
  ['Less (-)', 4.5, '-4.5'],
  ['Excess (+)', 12, '12'],
  ['Excess (+)', 0, null],
  ['At Par', 0, '0'],
])('the per cent of "%s" %d is %s', (choice, size, percent) => {
  expect(boqOf({ items: [[1, 100]], cells: { D16: choice, E16: size } }).offeredPercent).toBe(percent);
});

test('rows after the total, hidden rows and empty rows are no items', () => {
  const items: BoqOptions['items'] = [
    [1, 100],
    [2, 100],
    [3, 100],
  ];
  const boq = boqOf(
    {
      items,
      hiddenRows: [15],
      cells: { B16: '', D16: '', E16: '', F16: '', A25: '9', B25: 'After the total', D25: 9, F25: 9 },
    },
    'xlsx',
  );
  expect(quantities(boq)).toEqual(['1']);
});

test.each([308, 5_001])('of %i rows at most 5,000 are read', (rows) => {
  const sheet = utils.aoa_to_sheet([
    ['Percentage BoQ'],
    ['Sl. No.', 'Item Description', 'Quantity', 'Estimated Rate', 'Total Amount'],
    ...Array.from({ length: rows }, (_, n) => [n + 1, 'Invented item', 2, 10, 20]),
    ['Total in Figures', '', '', '', rows * 20],
  ]);
  const { boq } = read(write({ SheetNames: ['BoQ1'], Sheets: { BoQ1: sheet } }, { type: 'buffer', bookType: 'biff8' }));
  if (!boq) throw new Error('no BOQ');
  expect(boq.items.filter(isItem).length).toBe(Math.min(rows, 5_000 - 2));
  expect(totalState(boq)).toBe(rows === 308 ? 'agrees' : 'unknown');
});

test('the sheet with the BOQ is read, and a hidden one is not', () => {
  const table = (text: string, rows: number) =>
    utils.aoa_to_sheet([
      ['Sl. No.', 'Item Description', 'Quantity', 'Units', 'Estimated Rate'],
      ...Array.from({ length: rows }, (_, n) => [n + 1, text, 5, 'Nos', 10]),
    ]);
  const book = {
    SheetNames: ['Help', 'BoQ1', 'Old'],
    Sheets: {
      Help: utils.aoa_to_sheet([['How to fill in']]),
      BoQ1: table('Own item', 2),
      Old: table('Hidden item', 9),
    },
    Workbook: { Sheets: [{}, {}, { Hidden: 1 as const }] },
  };
  for (const bookType of FORMATS)
    expect(read(write(book, { type: 'buffer', bookType })).boq).toMatchObject({
      sheet: 'BoQ1',
      items: [{ text: 'Own item' }, { text: 'Own item' }],
    });
});

test('beside another BOQ in the file a total may be that of a part', () => {
  const table = (rows: number) =>
    utils.aoa_to_sheet([
      ['Percentage BoQ'],
      ['Sl. No.', 'Item Description', 'Quantity', 'Units', 'Estimated Rate', 'Total Amount'],
      ...Array.from({ length: rows }, (_, n) => [n + 1, 'Invented item', 5, 'Nos', 10, 50]),
      ['Total in Figures', '', '', '', '', rows * 50],
    ]);
  const stated = (second: number) => {
    const book = { SheetNames: ['BoQ1', 'BoQ2'], Sheets: { BoQ1: table(3), BoQ2: table(second) } };
    return read(write(book, { type: 'buffer', bookType: 'biff8' })).boq?.statedTotal;
  };
  expect([stated(2), stated(0)]).toEqual([null, '150']);
});

test('a template has no items, another workbook no BOQ, and a locked one is not opened', () => {
  for (const format of FORMATS) expect(read(boqWorkbook({ format, items: [] })).state).toBe('template');
  const other = write(
    { SheetNames: ['a'], Sheets: { a: utils.aoa_to_sheet([['Name', 'Age']]) } },
    { type: 'buffer', bookType: 'xlsx' },
  );
  expect(read(other)).toEqual({ state: 'other', boq: null, texts: [] });
  expect(read(Buffer.from('not a workbook at all'.repeat(50)).fill('d0cf11e0a1b11ae1', 0, 8, 'hex')).state).toBe(
    'broken',
  );
  expect(read(lockedWorkbook()).state).toBe('locked');
});

/** What Excel writes for a workbook with a password: an OLE2 file with the encrypted workbook and how it was encrypted. */
function lockedWorkbook(): Buffer {
  const file = CFB.utils.cfb_new();
  const information = Buffer.alloc(200, 1);
  information.writeUInt16LE(4, 0);
  information.writeUInt16LE(4, 2);
  CFB.utils.cfb_add(file, '/EncryptionInfo', information);
  CFB.utils.cfb_add(file, '/EncryptedPackage', Buffer.alloc(5_000, 7));
  return CFB.write(file, { type: 'buffer' }) as Buffer;
}
