// @vitest-environment node
/** The values of an award file, and the reasons for which a row is rejected. */
import { Readable } from 'node:stream';
import { csvLine } from '@nivida/contract/csv';
import { describe, expect, test } from 'vitest';
import { checkAwardDates, checkAwardFile, readAwardFile } from './award-csv.ts';

const ROW = {
  portal: 'hptenders',
  state: 'Himachal Pradesh',
  tender_id: '2026_PWD_7_1',
  org_chain: 'HPPWD || Shimla Circle ||',
  title: 'Link road to Kufri',
  category: 'Works',
  pincode: '171001',
  estimate: '5,00,000',
  awarded_value: '4,50,000.50',
  publish_date: '2026-01-31',
  closing_date: '2026-02-28T11:00:00',
  contract_date: '2026-03-31 10:00',
  bids: '[{"bidder":"Verma Builders","submitted":"2026-02-28T10:59","status":"Accepted-AOC","updated":"2026-03-01","awarded":true}]',
};

const fileOf = (...rows: Partial<Record<keyof typeof ROW, string>>[]) =>
  [Object.keys(ROW), ...rows.map((row) => Object.values({ ...ROW, ...row }))].map(csvLine).join('');

async function read(content: string, options: { portal?: string; state?: string } = {}) {
  const found: unknown[] = [];
  const input = Readable.from([Buffer.from(content)]);
  for await (const row of readAwardFile(input, { portal: options.portal, state: options.state })) found.push(row);
  return found;
}
const readOne = async (row: Partial<Record<keyof typeof ROW, string>>, options = {}) =>
  (await read(fileOf(row), options))[0];

test('a row is read with its numbers, Indian days and Indian hours', async () => {
  expect(await readOne({})).toEqual({
    line: 2,
    award: {
      portal: 'hptenders',
      sourceId: '2026_PWD_7_1',
      state: 'Himachal Pradesh',
      title: 'Link road to Kufri',
      organisationChain: ['HPPWD', 'Shimla Circle'],
      category: 'Works',
      pincode: '171001',
      estimate: 500_000,
      awardedValue: 450_000.5,
      publishedOn: '2026-01-31',
      closesOn: '2026-02-28',
      contractOn: '2026-03-31',
      bids: [
        {
          bidder: 'Verma Builders',
          submittedAt: new Date('2026-02-28T10:59:00+05:30'),
          status: 'Accepted-AOC',
          updatedOn: '2026-03-01',
          awarded: true,
        },
      ],
    },
  });
});

test.each([
  ['0', null],
  ['', null],
  ['NA', null],
  ['nil', null],
  ['1', 1],
  ['999999999999', 999_999_999_999],
  ['99999999999999', 99_999_999_999_999],
  ['NIL', null],
  ['1,00,000.50', 100_000.5],
])('an awarded value of "%s" is %s', async (awarded_value, awardedValue) => {
  expect(await readOne({ awarded_value })).toMatchObject({ award: { awardedValue } });
});

describe('a row is rejected with its column, value and reason', () => {
  test.each<[keyof typeof ROW, string, string]>([
    ['tender_id', '', 'is empty'],
    ['tender_id', 'x'.repeat(201), 'is too long'],
    ['bids', '[7]', 'is no list of at most 1000 bids'],
    ['portal', 'HP tenders!', 'is no portal name; name it with --portal'],
    ['state', 'Atlantis', 'is no state of India; name it with --state'],
    ['bids', '[', 'is no JSON'],
    ['bids', '{}', 'is no list of at most 1000 bids'],
    ['bids', '[null]', 'is no list of at most 1000 bids'],
    ['bids', JSON.stringify(Array.from({ length: 1_001 }, () => ({}))), 'is no list of at most 1000 bids'],
  ])('%s "%s": %s', async (column, value, reason) => {
    expect(await readOne({ [column]: value })).toMatchObject({ line: 2, rejection: { column, reason } });
  });

  test('of more than 2 MB, which no award has; the next row is read', async () => {
    const rows = [{ title: 'x'.repeat(2_000_000) }, { title: 'x'.repeat(1_900_000) }];
    expect(await read(fileOf(...rows))).toMatchObject([
      {
        line: 2,
        rejection: { column: 'bids', reason: expect.stringMatching(/^the row has \d+ bytes, more than 2000000$/) },
      },
      { line: 3, award: { sourceId: '2026_PWD_7_1' } },
    ]);
  });

  test('an id of 200 characters and 1,000 bids are read', async () => {
    const bids = JSON.stringify(Array.from({ length: 1_000 }, () => ({ status: 'Accepted-Finance' })));
    expect(await readOne({ tender_id: 'x'.repeat(200), bids })).toHaveProperty('award');
  });

  test('the line is that of the file, also after a title of two lines', async () => {
    const rows = await read(fileOf({ title: 'Link road\nto Kufri' }, { state: 'Atlantis' }, {}));
    expect(rows).toMatchObject([{ line: 2 }, { line: 4, rejection: {} }, { line: 5 }]);
  });
});

describe('any other cell that cannot be read becomes empty, with a warning, and the award is kept', () => {
  const amount = 'is no amount in rupees';
  const day = "is not a date like '17-Sep-2025 09:00 AM'";
  const fields = {
    awarded_value: 'awardedValue',
    estimate: 'estimate',
    publish_date: 'publishedOn',
    closing_date: 'closesOn',
    contract_date: 'contractOn',
    pincode: 'pincode',
    category: 'category',
  };
  test.each<[keyof typeof fields, string, string]>([
    ['awarded_value', '-1', amount],
    ['awarded_value', 'five lakh', amount],
    ['awarded_value', 'Infinity', amount],
    ['awarded_value', '100000000000000', amount],
    ['estimate', '1e14', amount],
    ['estimate', '-0.01', amount],
    ['estimate', 'nan', amount],
    ['publish_date', '2026-03-', day],
    ['publish_date', 'NaT', day],
    ['closing_date', '2026-02-30', day],
    ['contract_date', '2026-03-31-10', day],
    ['contract_date', '2026-03-31x', day],
    ['pincode', '17x', 'is no PIN code of six digits'],
    ['category', 'Stationery', 'is no category'],
  ])('%s "%s"', async (column, value, reason) => {
    expect(await readOne({ [column]: value })).toMatchObject({
      award: { sourceId: '2026_PWD_7_1', [fields[column]]: null, bids: [{ bidder: 'Verma Builders' }] },
      warnings: [{ line: 2, column, value, reason }],
    });
  });

  test('the day of a bid', async () => {
    expect(await readOne({ bids: '[{"bidder":"Verma","updated":"soon"}]' })).toMatchObject({
      award: { bids: [{ bidder: 'Verma', updatedOn: null }] },
      warnings: [{ column: 'bids', value: 'soon', reason: day }],
    });
  });
});

test.each([
  ['31-03-2026', '2026-03-31'],
  ['31-Mar-2026 03:00 PM', '2026-03-31'],
  ['2026-03-31T23:00:00+05:30', '2026-03-31'],
])('a contract of %s has the Indian day %s', async (contract_date, contractOn) => {
  expect(await readOne({ contract_date })).toMatchObject({ award: { contractOn } });
});

test('amounts may be in lakh', async () => {
  expect(await readOne({ awarded_value: 'Rs. 4.5 Lakh' })).toMatchObject({ award: { awardedValue: 450_000 } });
});

test('a row that ends before its last columns is rejected, and the other rows are read', async () => {
  const [header = '', row = ''] = fileOf({}).split('\r\n');
  expect(await read(`${header}\nhptenders,Himachal Pradesh,2026_PWD_8_1,PWD\n${row}\n`)).toMatchObject([
    {
      line: 2,
      rejection: { line: 2, column: 'bids', value: '', reason: 'the row has fewer columns than the header' },
    },
    { line: 3, award: { sourceId: '2026_PWD_7_1' } },
  ]);
});

test('a byte order mark, Windows line ends, blank lines and the case of the header make no difference', async () => {
  const plain = await read(fileOf({}, { tender_id: '2026_PWD_8_1' }));
  const [header = '', one = '', other = ''] = fileOf({}, { tender_id: '2026_PWD_8_1' }).split('\r\n');
  const odd = `\ufeff${header.toUpperCase().replaceAll(',', ' , ')}\r\n${one}\n\n${other}`;
  const awards = (rows: unknown[]) => rows.map((row) => (row as { award: unknown }).award);
  expect(awards(await read(odd))).toEqual(awards(plain));
  expect(awards(plain)).toHaveLength(2);
});

test('texts are cleaned and cut, names of places are the listed ones, and empty values are unknown', async () => {
  const long = 'Retaining wall &amp; drain '.repeat(200);
  const [status, name] = ['Accepted-'.repeat(20), ' M/s  Verma &amp; Sons '];
  const bids = JSON.stringify([
    { bidder: name, status },
    { bidder: 'NA', updated: '' },
  ]);
  const row = {
    portal: 'HPTenders',
    state: 'hp',
    title: long,
    pincode: '17x',
    category: 'Stationery',
    publish_date: '',
    contract_date: ' ',
    bids,
  };
  expect(await readOne(row)).toMatchObject({
    award: {
      portal: 'hptenders',
      state: 'Himachal Pradesh',
      title: 'Retaining wall & drain '.repeat(200).slice(0, 2_000),
      pincode: null,
      category: null,
      publishedOn: null,
      contractOn: null,
      bids: [
        { bidder: 'M/s Verma & Sons', status: status.slice(0, 100), updatedOn: null },
        { bidder: null, status: '', updatedOn: null, awarded: false, submittedAt: null },
      ],
    },
  });
  expect(await readOne({ bids: ' ' })).toMatchObject({ award: { bids: [] } });
});

test('portal and state of the command take precedence over those of the file', async () => {
  const row = { portal: 'HP tenders!', state: 'Atlantis' };
  expect(await readOne(row, { portal: 'assamtenders', state: 'Assam' })).toMatchObject({
    award: { portal: 'assamtenders', state: 'Assam' },
  });
});

test('only the word true marks a winner; a time without an hour is unknown', async () => {
  const bids = '[{"awarded":"true","submitted":"2026-02-28"},{"awarded":1,"submitted":"2026-02-31T25:00"}]';
  expect(await readOne({ bids })).toMatchObject({
    award: {
      bids: [
        { awarded: false, submittedAt: null },
        { awarded: false, submittedAt: null },
      ],
    },
  });
});

test('a file without its columns is no award file; a whole file has its number of rows', async () => {
  const check = (content: string) => checkAwardFile(Readable.from([Buffer.from(content)]));
  expect(await check(fileOf({}, {}))).toBe(2);
  await expect(check('tender_id,title\n1,Road\n')).rejects.toThrow(
    'is no award file: it has no column "org_chain", "awarded_value", "bids"',
  );
});

test('a row whose doubled columns contradict each other is rejected; equal ones are one', async () => {
  const [header = '', row = ''] = fileOf({}).split('\r\n');
  const doubled = (id: string) => read(`tender_id,${header}\n${id},${row}\n`);
  expect(await doubled('2026_PWD_9_1')).toMatchObject([{ rejection: { column: 'tender_id' } }]);
  expect(await doubled('2026_PWD_7_1')).toMatchObject([{ award: { sourceId: '2026_PWD_7_1' } }]);
});

test('a file with the month before the day is held back', async () => {
  const check = (content: string) => checkAwardDates(Readable.from([Buffer.from(content)]));
  const dates = [{ contract_date: '03/04/2026' }, { contract_date: '03/31/2026' }];
  await expect(check(fileOf(...dates))).rejects.toThrow('has the month before the day in column "contract_date"');
  await check(fileOf({}, { contract_date: '03/04/2026' }));
});
