import { expect, test } from 'vitest';
import { readRateFile } from './read-rate-file.ts';

const read = (text: string, stated?: Parameters<typeof readRateFile>[1]) => readRateFile(Buffer.from(text), stated);
const HEADER = 'Code,Description,Unit,Rate';
const items = (text: string) => read(text).items.map(({ code, text: own, unit, rate }) => [code, own, unit, rate]);

test('columns are found by many names, below titles, in any order and dialect', () => {
  const expected = [['3.1', 'Stone masonry in cement mortar', 'Cu.M', '4520.50']];
  for (const file of [
    'Code,Description,Unit,Rate\n3.1,Stone masonry in cement mortar,Cu.M,4520.50',
    '\ufeffSchedule of rates 2026,,,\n,,,\nItem No.,Particulars,Rate (Rs.),Per\n3.1,Stone masonry in cement mortar,"4,520.50",Cu.M',
    'S.No;Item Code;Description of Item;UOM;Rate in ₹\n1;3.1;Stone masonry in cement mortar;Cu.M;Rs. 4,520.50/-',
    'Unit\tAmount (Rs)\tName of work\tSOR No\nCu.M\t₹ 4520.50\tStone masonry   in cement mortar \t3.1',
    'कोड,विवरण,इकाई,दर\n3.1,Stone masonry in cement mortar,Cu.M,४५२०.५०',
  ])
    expect(items(file)).toEqual(expected);
});

test('UTF-16 of spreadsheets is read', () => {
  const bytes = Buffer.from(`\ufeff${HEADER}\n1,Brick work in mud,cum,10`, 'utf16le');
  expect(readRateFile(bytes).items).toHaveLength(1);
});

test('sub-items carry the texts of the headings whose codes begin their codes', () => {
  const file = `${HEADER}
2,EARTH WORK,,
2.8,Excavation in trenches for foundations,,
2.8.1,All kinds of soil,cum,180
2.8.2,Hard rock,,
2.8.2.1,blasting prohibited,cum,"1,250"
2.10,Filling of plinth with sand,cum,900
21.1,Door frames of deodar wood,cum,90000`;
  expect(items(file)).toEqual([
    ['2.8.1', 'EARTH WORK: Excavation in trenches for foundations: All kinds of soil', 'cum', '180'],
    ['2.8.2.1', 'EARTH WORK: Excavation in trenches for foundations: Hard rock: blasting prohibited', 'cum', '1250'],
    ['2.10', 'EARTH WORK: Filling of plinth with sand', 'cum', '900'],
    ['21.1', 'Door frames of deodar wood', 'cum', '90000'],
  ]);
});

test('letters and rows without a code continue the heading above them', () => {
  const file = `${HEADER}
4.1,Cement concrete in foundation,,
(a),1:3:6,cum,5200
(b),with stone aggregate,,
(i),20 mm,cum,5300
(ii),40 mm,cum,5250
(c),1:4:8,cum,4800
,in retaining walls,cum,5500
4.2,Damp proof course,sqm,310`;
  expect(items(file)).toEqual([
    ['4.1 (a)', 'Cement concrete in foundation: 1:3:6', 'cum', '5200'],
    ['4.1 (i)', 'Cement concrete in foundation: with stone aggregate: 20 mm', 'cum', '5300'],
    ['4.1 (ii)', 'Cement concrete in foundation: with stone aggregate: 40 mm', 'cum', '5250'],
    ['4.1 (c)', 'Cement concrete in foundation: 1:4:8', 'cum', '4800'],
    ['', 'Cement concrete in foundation: with stone aggregate: in retaining walls', 'cum', '5500'],
    ['4.2', 'Damp proof course', 'sqm', '310'],
  ]);
});

test('an unclear row is refused with its line, and the others are read', () => {
  const good = Array.from({ length: 12 }, (_, n) => `7.${n},Item of work ${n},cum,${n + 1}`).join('\n');
  const {
    items: stored,
    refused,
    repeated,
  } = read(`${HEADER}
2,Earth work in hard rock,cum,as per market
4,Dry stone pitching,,900
5,,cum,900
(a),without any heading,cum,50
9,1:2:4,cum,5000
10,Painting two coats,sqm,"1.234,50"
13,Steel reinforcement bars,kg,-80
14,Centering and shuttering,sqm,0
15,Stone pitching by hand,sqm,"1,2345"
11,Tar felt roofing,sqm,85
11,Tar felt roofing,sqm,95
12,Pipe of class B,m,300
12,Pipe of class B,m,300.00
${good}`);
  expect(stored.map(({ code }) => code)).toEqual(expect.arrayContaining(['12', '7.0', '7.11']));
  expect([stored.length, repeated]).toEqual([13, 1]);
  expect(refused).toEqual([
    { line: 2, reason: 'has a rate that is no amount of rupees: "as per market"' },
    { line: 3, reason: 'has a rate and no unit' },
    { line: 4, reason: 'has a rate and no description' },
    { line: 5, reason: 'is a sub-item without a heading' },
    { line: 6, reason: 'has no clear description: "1:2:4"' },
    { line: 7, reason: 'has a rate that is no amount of rupees: "1.234,50"' },
    { line: 8, reason: 'has a rate that is no amount of rupees: "-80"' },
    { line: 9, reason: 'has a rate that is no amount of rupees: "0"' },
    { line: 10, reason: 'has a rate that is no amount of rupees: "1,2345"' },
    { line: 11, reason: 'has another rate than the same item in lines 11, 12' },
    { line: 12, reason: 'has another rate than the same item in lines 11, 12' },
  ]);
});

test('blank rows, strips of numbers and repeated headers are no items', () => {
  expect(items(`${HEADER}\n1,2,3,4\n,,,\n1,Earth work in soil,cum,1\n${HEADER}\n2,Stone work dry,cum,2`)).toHaveLength(
    2,
  );
});

test.each([
  [
    'Code,Description,Unit,Rate Zone I,Rate Zone II\n1,Earth work in soil,cum,1,2',
    /unclear which column is the rate: "Rate Zone I", "Rate Zone II"/,
  ],
  ['Code,Description,Rate\n1,Earth work in soil,1', /no row of the first 30 names/],
  ['Code,Description,Unit,Rate (Rs. in lakh)\n1,Earth work in soil,km,1.5', /rates are in lakh/],
  [`${HEADER}\n1,Earth work in soil,cum,market`, /no item that can be read: line 2 has a rate that is no amount/],
  [
    `${HEADER}\n1,Earth work in soil,cum,1\n2,Stone work dry,,1\n3,Stone work wet,,1`,
    /2 of 3 items are unclear, so nothing is stored/,
  ],
  ['', /no row of the first 30/],
])('a file that is unclear as a whole is refused: %#', (text, reason) => {
  expect(() => read(text)).toThrow(reason);
});

test('a workbook and another encoding are refused with what to do', () => {
  expect(() => readRateFile(Buffer.from('PK\u0003\u0004'))).toThrow('save its sheet as CSV UTF-8');
  expect(() => readRateFile(Buffer.from([0x52, 0xe9, 0x2c]))).toThrow('is not UTF-8');
});

test('the operator names the column of an unclear table', () => {
  const text = 'Code,Description,Unit,Rate Zone I,Rate Zone II\n1,Earth work in soil,cum,1,2';
  expect(read(text, { rate: 'rate zone ii' }).items[0]?.rate).toBe('2');
  expect(() => read(text, { rate: 'Zone III' })).toThrow(/no row of the first 30/);
});
