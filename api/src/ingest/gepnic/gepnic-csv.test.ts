import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type Rejection, type SourceRow, type SourceTender, UnreadableFileError } from '../source-tender.ts';
import { type GepnicOptions, readGepnic } from './gepnic-csv.ts';

const ROW: Record<string, string> = {
  'Tender ID': '2026_PWD_100001_2',
  'Tender Reference Number': 'NIT-7/2026',
  Title: 'Construction of footbridge',
  'Work Description': 'Construction of footbridge over the khad',
  'Organisation Chain': 'PWD||Central Zone||Kalpa Division',
  Name: 'Executive Engineer',
  Address: '',
  Location: 'Kalpa',
  Pincode: '172108.0',
  'Tender Category': 'Works',
  'Product Category': '',
  'Tender Type': '',
  'Form of contract': '',
  'Tender Value in ₹': '"12,34,567"',
  'EMD Amount in ₹': '"25,000"',
  'EMD Percentage': '',
  'EMD Exemption Allowed': '',
  'Tender Fee in ₹': 'Nil',
  'No. of Covers': '',
  'Period Of Work(Days)': '',
  'Bid Validity(Days)': '',
  'Publish Date': '02-Nov-2026 09:00 AM',
  'Bid Submission Start Date': '03-Nov-2026 10:00 AM',
  'Bid Submission End Date': '20-Nov-2026 11:00 AM',
  'Bid Opening Date': '',
  'Bid Opening Place': '',
  'Pre Bid Meeting Date': '',
  'Pre Bid Meeting Place': '',
  'Tender Stage': '',
  'Corrigendum Title': '',
  'Corrigendum Type': '',
  'Revocation Title': '',
  'Cover Documents': '',
};
const COLUMNS = Object.keys(ROW);
const HEADER = COLUMNS.join(',');

/** One line of CSV; the values are written as in the file. */
const line = (values: Record<string, string> = {}, columns = COLUMNS) =>
  columns.map((column) => ({ ...ROW, ...values })[column]).join(',');

const file = (...lines: string[]) => `${[HEADER, ...lines].join('\n')}\n`;

async function read(
  content: string | Iterable<Buffer>,
  allowMissing?: GepnicOptions['allowMissing'],
  portal = 'hptenders',
): Promise<SourceRow[]> {
  const input = Readable.from(typeof content === 'string' ? [Buffer.from(content)] : content, { objectMode: false });
  const rows: SourceRow[] = [];
  for await (const row of readGepnic(input, { portal, state: 'Himachal Pradesh', allowMissing })) rows.push(row);
  return rows;
}

async function readOne(values: Record<string, string> = {}, portal?: string): Promise<SourceTender> {
  const [row] = await read(file(line(values)), undefined, portal);
  if (!row || !('tender' in row)) throw new Error(`rejected: ${JSON.stringify(row)}`);
  return row.tender;
}

async function rejections(content: string): Promise<Rejection[]> {
  return (await read(content)).flatMap((row) => ('rejection' in row ? [row.rejection] : []));
}

async function refusal(content: string): Promise<string> {
  const error = await read(content).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UnreadableFileError);
  return error.message;
}

describe('a row becomes a notice', () => {
  test('with every value normalised', async () => {
    const row = await readOne({
      'Cover Documents': `"[[""Fee"","".PDF"",""Tender notice""],[""Finance"","".xls"",""BOQ""]]"`,
    });
    expect(row).toMatchObject({
      portal: 'hptenders',
      sourceId: '2026_PWD_100001_2',
      state: 'Himachal Pradesh',
      title: 'Construction of footbridge',
      description: 'Construction of footbridge over the khad',
      reference: 'NIT-7/2026',
      organisationChain: ['PWD', 'Central Zone', 'Kalpa Division'],
      place: 'Kalpa',
      address: null,
      pincode: '172108',
      category: 'Works',
      price: '1234567.00',
      emd: '25000.00',
      tenderFee: null,
      covers: null,
      contactDesignation: 'Executive Engineer',
      publishedAt: new Date('2026-11-02T09:00:00+05:30'),
      bidStartAt: new Date('2026-11-03T10:00:00+05:30'),
      closesAt: new Date('2026-11-20T11:00:00+05:30'),
      closingTimeKnown: true,
      opensAt: null,
      documents: [
        { cover: 'Fee', type: 'pdf', name: 'Tender notice' },
        { cover: 'Finance', type: 'xls', name: 'BOQ' },
      ],
      corrigenda: [],
      stage: 'published',
    });
  });

  test('with each cell in its own field', async () => {
    const row = await readOne({
      'Tender ID': '2026_HPPWD_100001_12',
      'Tender Reference Number': 'NIT-7/2026',
      Title: 'Footbridge',
      'Work Description': 'Footbridge over the khad',
      'Organisation Chain': ' PWD || Central Zone||',
      Name: 'Superintending Engineer',
      Address: 'The Mall',
      Location: 'Kalpa',
      Pincode: '172108',
      'Tender Category': 'Goods',
      'Product Category': 'Civil Works - Bridges',
      'Tender Type': 'Open Tender',
      'Form of contract': 'Item Rate',
      'Tender Value in ₹': '1234567',
      'EMD Amount in ₹': '25000',
      'EMD Percentage': '2.5 %',
      'EMD Exemption Allowed': 'Yes',
      'Tender Fee in ₹': '590',
      'No. of Covers': '2',
      'Period Of Work(Days)': '270',
      'Bid Validity(Days)': '120',
      'Bid Opening Date': '21-Nov-2026 12:00 PM',
      'Bid Opening Place': 'Reckong Peo',
      'Pre Bid Meeting Date': '09-Nov-2026 03:00 PM',
      'Pre Bid Meeting Place': 'Shimla',
      'Tender Stage': 'Technical Evaluation',
      'Corrigendum Title': 'Extension',
      'Corrigendum Type': 'Date',
      'Cover Documents': '"[[""Fee"",""pdf"",""Notice""]]"',
    });
    expect(row).toEqual({
      portal: 'hptenders',
      sourceId: '2026_HPPWD_100001_12',
      state: 'Himachal Pradesh',
      title: 'Footbridge',
      description: 'Footbridge over the khad',
      reference: 'NIT-7/2026',
      nitKey: expect.stringMatching(/^[\w-]{12}$/),
      organisationChain: ['PWD', 'Central Zone'],
      address: 'The Mall',
      place: 'Kalpa',
      pincode: '172108',
      category: 'Goods',
      subCategory: 'Civil Works - Bridges',
      tenderType: 'Open Tender',
      formOfContract: 'Item Rate',
      price: '1234567.00',
      priceText: null,
      emd: '25000.00',
      emdPercent: '2.50',
      emdExemptionAllowed: true,
      tenderFee: '590.00',
      covers: 2,
      periodOfWorkDays: 270,
      bidValidityDays: 120,
      publishedAt: new Date('2026-11-02T09:00:00+05:30'),
      bidStartAt: new Date('2026-11-03T10:00:00+05:30'),
      closesAt: new Date('2026-11-20T11:00:00+05:30'),
      closingTimeKnown: true,
      opensAt: new Date('2026-11-21T12:00:00+05:30'),
      preBidAt: new Date('2026-11-09T15:00:00+05:30'),
      contactDesignation: 'Superintending Engineer',
      bidOpeningPlace: 'Reckong Peo',
      preBidPlace: 'Shimla',
      documents: [{ cover: 'Fee', type: 'pdf', name: 'Notice' }],
      corrigenda: [{ title: 'Extension', type: 'Date' }],
      stage: 'under_evaluation',
    });
  });

  test.each([
    ['2', '2.00'],
    ['99.999%', '100.00'],
    ['100', null],
    ['two', null],
    ['', null],
  ])('with an EMD of %s percent as %s', async (percent, expected) => {
    expect((await readOne({ 'EMD Percentage': percent })).emdPercent).toBe(expected);
  });

  test('without the name of a person', async () => {
    const row = await readOne({ Name: '"Er. Xyz Yadav, Executive Engineer"' });
    expect(JSON.stringify(row)).not.toContain('Yadav');
    expect((await readOne({ Name: 'Er. Xyz Yadav' })).contactDesignation).toBeNull();
  });

  test('works of one notice and reference share a key, others do not', async () => {
    const { nitKey } = await readOne();
    expect((await readOne({ 'Tender ID': '2026_PWD_100001_17' })).nitKey).toBe(nitKey);
    expect((await readOne({ 'Tender ID': '2026_PWD_100002_2' })).nitKey).not.toBe(nitKey);
    expect((await readOne({ 'Tender Reference Number': 'NIT-8/2026' })).nitKey).not.toBe(nitKey);
    expect((await readOne({ 'Tender Reference Number': '' })).nitKey).not.toBe(nitKey);
    expect((await readOne({}, 'assamtenders')).nitKey).not.toBe(nitKey);
  });

  test('with the description as title if there is no title, and the title as description if there is none', async () => {
    expect((await readOne({ Title: 'NA' })).title).toBe('Construction of footbridge over the khad');
    expect((await readOne({ 'Work Description': '' })).description).toBe('Construction of footbridge');
  });

  test('with a closing date without an hour', async () => {
    const row = await readOne({ 'Bid Submission End Date': '20-Nov-2026' });
    expect(row.closesAt).toEqual(new Date('2026-11-20T23:59:59+05:30'));
    expect(row.closingTimeKnown).toBe(false);
  });

  test.each([
    ['not JSON', []],
    ['[broken', []],
    ['"{""a"":1}"', []],
    ['"[1,""x"",null]"', []],
    ['"[[""Fee""]]"', [{ cover: 'Fee', type: '', name: '' }]],
  ])('with the documents of %s', async (documents, expected) => {
    expect((await readOne({ 'Cover Documents': documents })).documents).toEqual(expected);
  });

  test.each([
    ['Extension', 'Date', [{ title: 'Extension', type: 'Date' }]],
    ['', 'Technical Bid', [{ title: 'Corrigendum', type: 'Technical Bid' }]],
    ['Clarification', '', [{ title: 'Clarification', type: null }]],
    ['NA', 'NA', []],
  ])('with the corrigendum "%s" of type "%s"', async (title, type, expected) => {
    expect((await readOne({ 'Corrigendum Title': title, 'Corrigendum Type': type })).corrigenda).toEqual(expected);
  });

  test.each<[Record<string, string>, SourceTender['stage']]>([
    [{}, 'published'],
    [{ 'Tender Stage': 'To Be Opened' }, 'under_evaluation'],
    [{ 'Tender Stage': 'Technical Evaluation' }, 'under_evaluation'],
    [{ 'Tender Stage': 'Financial Bid Opening' }, 'under_evaluation'],
    [{ 'Tender Stage': 'AOC' }, 'awarded'],
    [{ 'Tender Stage': 'Cancelled' }, 'cancelled'],
    [{ 'Tender Stage': 'Retender' }, 'retendered'],
    [{ 'Tender Stage': 'Re-Tender' }, 'retendered'],
    [{ 'Corrigendum Type': 'Cancellation' }, 'cancelled'],
    [{ 'Tender Stage': 'Tender Cancelled' }, 'cancelled'],
    [{ 'Tender Stage': 'AOC', 'Corrigendum Type': 'Cancellation' }, 'awarded'],
    [{ 'Tender Stage': 'AOC', 'Revocation Title': 'Tender Revocation' }, 'awarded'],
    [{ 'Tender Stage': 'AOC Cancelled' }, 'under_evaluation'],
    [{ 'Tender Stage': 'Technical Evaluation Revoked' }, 'under_evaluation'],
    [{ 'Revocation Title': 'Revocation of tender' }, 'under_evaluation'],
    [{ 'Revocation Title': 'Cancelled by mistake' }, 'under_evaluation'],
    [{ 'Revocation Title': 'NA' }, 'published'],
    [{ 'Tender Stage': 'Award of Contract' }, 'awarded'],
    [{ 'Tender Stage': 'Contract award revocation' }, 'under_evaluation'],
    [{ 'Tender Stage': 'Financial Evaluation Cancelled' }, 'under_evaluation'],
    [{ 'Tender Stage': 'Bid Opening cancelled' }, 'under_evaluation'],
    [{ 'Tender Stage': 'AOC Cancelled - Retender' }, 'retendered'],
    [{ 'Tender Stage': 'Cancelled after evaluation' }, 'cancelled'],
    [{ 'Tender Stage': 'Cancelled', 'Revocation Title': 'Minutes' }, 'cancelled'],
    [{ 'Tender Stage': 'Retender', 'Corrigendum Type': 'Cancellation' }, 'retendered'],
    [{ 'Corrigendum Type': 'Cancellation of the pre-bid meeting' }, 'published'],
    [{ 'Tender Stage': 'Bids opened' }, 'under_evaluation'],
  ])('%j is at the stage %s', async (values, stage) => {
    expect((await readOne(values)).stage).toBe(stage);
  });
});

test('a title ends at 500 characters with …', async () => {
  const title = 'Footbridge '.repeat(100).trim();
  const { title: cut } = await readOne({ Title: title });
  expect(cut.length).toBeLessThanOrEqual(500);
  expect(cut).toBe(`${'Footbridge '.repeat(45).trim()}…`);
  const { description } = await readOne({ 'Work Description': 'x'.repeat(30_000) });
  expect(description).toHaveLength(20_000);
});

describe('a text that fits no page ends with …', () => {
  const long = 'x'.repeat(1_200);
  const cut = `${'x'.repeat(999)}…`;

  test.each<[string, Record<string, string>, Partial<SourceTender>]>([
    ['an address', { Address: long }, { address: cut }],
    ['a place', { Location: long }, { place: cut }],
    ['a reference', { 'Tender Reference Number': long }, { reference: cut }],
    ['an office', { 'Organisation Chain': `PWD||${long}` }, { organisationChain: ['PWD', cut] }],
    [
      'a cover',
      { 'Cover Documents': `"[[""${long}"",""pdf"",""Notice""]]"` },
      { documents: [{ cover: cut, type: 'pdf', name: 'Notice' }] },
    ],
    [
      'a type of a document',
      { 'Cover Documents': `"[[""Fee"",""${long}"",""Notice""]]"` },
      { documents: [{ cover: 'Fee', type: cut, name: 'Notice' }] },
    ],
    [
      'a name of a document',
      { 'Cover Documents': `"[[""Fee"",""pdf"",""${long}""]]"` },
      { documents: [{ cover: 'Fee', type: 'pdf', name: cut }] },
    ],
    [
      'a title of a corrigendum',
      { 'Corrigendum Title': long, 'Corrigendum Type': 'Date' },
      { corrigenda: [{ title: `${'x'.repeat(499)}…`, type: 'Date' }] },
    ],
    [
      'a type of a corrigendum',
      { 'Corrigendum Title': 'Extension', 'Corrigendum Type': long },
      { corrigenda: [{ title: 'Extension', type: cut }] },
    ],
  ])('%s', async (_what, values, expected) => {
    expect(await readOne(values)).toMatchObject({ title: 'Construction of footbridge', ...expected });
  });

  test('and lists end after 1,000 entries', async () => {
    const entries = Array.from({ length: 1_001 }, (_, n) => `[""Fee"",""pdf"",""${n}""]`).join(',');
    const { documents } = await readOne({ 'Cover Documents': `"[${entries}]"` });
    expect(documents).toHaveLength(1_000);
    expect(documents.at(-1)?.name).toBe('999');
    const { organisationChain } = await readOne({ 'Organisation Chain': Array(1_001).fill('PWD').join('||') });
    expect(organisationChain).toHaveLength(1_000);
  });
});

test('a revocation is listed as a change of the evaluation before the named corrigendum', async () => {
  const both = {
    'Revocation Title': 'Tender Revocation',
    'Corrigendum Title': 'Extension',
    'Corrigendum Type': 'Date',
  };
  expect((await readOne(both)).corrigenda).toEqual([
    { title: 'Tender Revocation', type: 'Evaluation revoked' },
    { title: 'Extension', type: 'Date' },
  ]);
});

test('a contract date means an award when the stage is missing', async () => {
  const columns = [...COLUMNS, 'Contract Date'];
  const values = { 'Corrigendum Type': 'Cancellation', 'Contract Date': '12-Dec-2026' };
  const [row] = await read(`${columns.join(',')}\n${line(values, columns)}\n`);
  expect(row && 'tender' in row && row.tender.stage).toBe('awarded');
  const takenBack = { ...values, 'Tender Stage': 'AOC Cancelled' };
  const [other] = await read(`${columns.join(',')}\n${line(takenBack, columns)}\n`);
  expect(other && 'tender' in other && other.tender.stage).toBe('under_evaluation');
});

describe('a publishing date after the closing', () => {
  const columns = [...COLUMNS, 'Document Download / Sale Start Date'];
  const readSlip = async (values: Record<string, string>) => {
    const typed = { 'Publish Date': '02-Nov-2027 09:00 AM', ...values };
    const [row] = await read(`${columns.join(',')}\n${line(typed, columns)}\n`);
    return row && 'tender' in row ? row.tender : row;
  };

  test.each([
    ['the start of sale', '01-Nov-2026 05:00 PM', '03-Nov-2026 10:00 AM', '2026-11-01T17:00:00+05:30'],
    ['the start of bids', '05-Nov-2026 05:00 PM', '03-Nov-2026 10:00 AM', '2026-11-03T10:00:00+05:30'],
    ['the start of bids, when no other date can be read', 'soon', '03-Nov-2026 10:00 AM', '2026-11-03T10:00:00+05:30'],
  ])('is replaced by %s, with an entry among the changes', async (_which, sale, bids, expected) => {
    expect(
      await readSlip({ 'Document Download / Sale Start Date': sale, 'Bid Submission Start Date': bids }),
    ).toMatchObject({
      publishedAt: new Date(expected),
      corrigenda: [
        {
          title: 'Publishing date corrected: the portal says 2 Nov 2027, 9:00 AM, after the closing',
          type: 'Noticed by Nivida',
        },
      ],
    });
  });

  test('stays when it equals the closing', async () => {
    const dates = { 'Publish Date': '20-Nov-2026 11:00 AM', 'Bid Submission End Date': '20-Nov-2026 11:00 AM' };
    expect(await readSlip({ ...dates, 'Bid Submission Start Date': '03-Nov-2026 10:00 AM' })).toMatchObject({
      publishedAt: new Date('2026-11-20T11:00:00+05:30'),
      corrigenda: [],
    });
  });

  test('is rejected when no other date is before the closing', async () => {
    expect(await readSlip({ 'Bid Submission Start Date': '' })).toMatchObject({
      rejection: { column: 'Bid Submission End Date', reason: 'closes before it is published (02-Nov-2027 09:00 AM)' },
    });
  });
});

describe('a bad row is rejected with line, column, value and reason', () => {
  test.each<[Record<string, string>, string, string, string]>([
    [{ 'Tender ID': '' }, 'Tender ID', '', 'the tender has no id'],
    [{ 'Tender ID': ' - ' }, 'Tender ID', '', 'the tender has no id'],
    [{ 'Tender ID': '#/#' }, 'Tender ID', '#/#', 'the tender has no id'],
    [{ 'Tender ID': '3.02551E+12' }, 'Tender ID', '3.02551E+12', 'is a number that a spreadsheet program has rounded'],
    [{ Title: '', 'Work Description': 'NA' }, 'Title', '', 'the tender has neither title nor description'],
    [{ 'Organisation Chain': ' || ' }, 'Organisation Chain', '', 'the tender names no organisation'],
    [{ 'Publish Date': '' }, 'Publish Date', '', 'the tender has no publishing date'],
    [
      { 'Publish Date': '31-Feb-2026 09:00 AM' },
      'Publish Date',
      '31-Feb-2026 09:00 AM',
      "is not a date like '17-Sep-2025 09:00 AM'",
    ],
    [{ 'Bid Submission End Date': 'NA' }, 'Bid Submission End Date', '', 'the tender has no closing date'],
    [
      { 'Bid Submission End Date': '20-11-26' },
      'Bid Submission End Date',
      '20-11-26',
      'has a year of two digits, which could also be the day',
    ],
    [{ 'Publish Date': 'NaT' }, 'Publish Date', 'NaT', "is not a date like '17-Sep-2025 09:00 AM'"],
    [{ 'Organisation Chain': 'nan' }, 'Organisation Chain', '', 'the tender names no organisation'],
    [
      { 'Bid Submission End Date': '02-Nov-2026 08:59 AM' },
      'Bid Submission End Date',
      '02-Nov-2026 08:59 AM',
      'closes before it is published (02-Nov-2026 09:00 AM)',
    ],
  ])('%j', async (values, column, value, reason) => {
    expect(await rejections(file(line(), line(values), line()))).toEqual([{ line: 3, column, value, reason }]);
  });

  const NO_DATE = "is not a date like '17-Sep-2025 09:00 AM'";
  const NO_AMOUNT = 'is not an amount in rupees';
  test.each<[string, keyof SourceTender, string, string]>([
    ['Bid Submission Start Date', 'bidStartAt', 'soon', NO_DATE],
    ['Bid Opening Date', 'opensAt', '21-Nov', NO_DATE],
    ['Bid Opening Date', 'opensAt', 'To be announced', NO_DATE],
    ['Pre Bid Meeting Date', 'preBidAt', '9/11', NO_DATE],
    ['Pre Bid Meeting Date', 'preBidAt', 'NaT', NO_DATE],
    ['Tender Value in ₹', 'price', 'five lakh', NO_AMOUNT],
    ['Tender Value in ₹', 'price', 'nan', NO_AMOUNT],
    ['Tender Value in ₹', 'price', '1.23E+07', NO_AMOUNT],
    ['Tender Value in ₹', 'price', '99999999999999', 'is larger than any tender (10 lakh crore)'],
    ['EMD Amount in ₹', 'emd', '-1', NO_AMOUNT],
    ['EMD Amount in ₹', 'emd', 'Refer NIT', NO_AMOUNT],
    ['Tender Fee in ₹', 'tenderFee', '500 + GST', NO_AMOUNT],
    ['EMD Percentage', 'emdPercent', 'two', 'is no percentage below 100'],
    ['EMD Exemption Allowed', 'emdExemptionAllowed', 'maybe', 'is neither yes nor no'],
    ['Pincode', 'pincode', '17210', 'is no PIN code of six digits'],
    ['Tender Category', 'category', 'Stationery', 'is no category'],
    ['No. of Covers', 'covers', 'two', 'is no whole number'],
    ['Bid Validity(Days)', 'bidValidityDays', '4 months', 'is no whole number'],
    ['Period Of Work(Days)', 'periodOfWorkDays', 'nan', 'is no whole number'],
  ])('but not for "%s", which becomes empty (%s) with a warning: %s', async (column, key, value, reason) => {
    const [, row] = await read(file(line(), line({ 'Tender ID': '2026_PWD_7_1', [column]: value })));
    expect(row).toMatchObject({
      tender: { sourceId: '2026_PWD_7_1', [key]: null },
      warnings: [{ line: 3, column, value, reason }],
    });
  });

  test('and a list of documents that is no list leaves the tender without one, with a warning', async () => {
    const [row] = await read(file(line({ 'Cover Documents': 'see NIT' })));
    expect(row).toMatchObject({
      tender: { documents: [] },
      warnings: [{ column: 'Cover Documents', value: 'see NIT' }],
    });
    expect((await read(file(line())))[0]).not.toHaveProperty('warnings');
  });

  test('while the rows around it are read', async () => {
    const rows = await read(file(line(), line({ 'Tender ID': '' }), line({ 'Tender ID': '2026_PWD_100003_1' })));
    expect(rows.map((row) => [row.line, 'tender' in row ? row.tender.sourceId : 'rejected'])).toEqual([
      [2, '2026_PWD_100001_2'],
      [3, 'rejected'],
      [4, '2026_PWD_100003_1'],
    ]);
  });

  test('so are a NUL byte, a cell of 1.1 MB and a list nested 5,000 deep, while the other rows are read', async () => {
    const deep = `"${'['.repeat(5_000)}${']'.repeat(5_000)}"`;
    const rows = await read(
      file(
        line({ 'Tender ID': '2026_PWD_1_1' }),
        line({ Title: 'Foot\0bridge' }),
        line({ 'Work Description': `"${'Repair, '.repeat(137_500)}"` }),
        line({ 'Cover Documents': deep }),
        line({ 'Tender ID': '2026_PWD_2_1' }),
      ),
    );
    expect(
      rows.map((row) =>
        'tender' in row ? row.tender.sourceId : [row.rejection.line, row.rejection.column, row.rejection.reason],
      ),
    ).toEqual([
      '2026_PWD_1_1',
      [3, 'Title', 'holds a NUL byte'],
      [
        4,
        'Work Description',
        expect.stringMatching(/^holds 1100000 characters: the row has 1100\d{3} bytes, more than a notice can$/),
      ],
      [5, 'Cover Documents', 'is a list nested 5000 deep'],
      '2026_PWD_2_1',
    ]);
    expect(rows.flatMap((row) => ('rejection' in row ? [row.rejection.value] : []))).toEqual([
      'Foot bridge',
      'Repair, '.repeat(25),
      '['.repeat(200),
    ]);
  });

  test('an id of 100 characters is read, a longer one is rejected', async () => {
    const id = (characters: number) => `2026_${'A'.repeat(characters - 9)}_1_1`;
    expect((await readOne({ 'Tender ID': id(100) })).sourceId).toBe(id(100));
    expect(await rejections(file(line({ 'Tender ID': id(101) })))).toEqual([
      { line: 2, column: 'Tender ID', value: id(101), reason: 'has 101 characters, more than an id can' },
    ]);
  });

  test('a list of documents nested nine deep is rejected, one of eight is read', async () => {
    const nested = (depth: number) => ({ 'Cover Documents': `"${'['.repeat(depth)}${']'.repeat(depth)}"` });
    expect((await readOne(nested(8))).documents).toHaveLength(1);
    expect(await rejections(file(line(nested(9))))).toEqual([
      { line: 2, column: 'Cover Documents', value: '[[[[[[[[[]]]]]]]]]', reason: 'is a list nested 9 deep' },
    ]);
  });

  test('a wrong PIN code loses only the PIN code', async () => {
    expect((await readOne({ Pincode: '17x' })).pincode).toBeNull();
  });

  test('a row with too few or too many columns is rejected', async () => {
    expect(await rejections(file('2026_PWD_1_1,short', line(), `${line()},one,more`, line()))).toEqual([
      { line: 2, column: '', value: '', reason: 'the row has 2 columns instead of 33' },
      { line: 4, column: '', value: '', reason: 'the row has 35 columns instead of 33' },
    ]);
  });

  test('a last row with too many columns is rejected', async () => {
    expect(await rejections(file(line(), `${line()},more`))).toEqual([
      { line: 3, column: '', value: '', reason: 'the row has 34 columns instead of 33' },
    ]);
  });
});

describe('the shape of the file', () => {
  test('a byte order mark, Windows line ends and a missing last line end make no difference', async () => {
    const plain = await read(file(line()));
    expect(await read(`\ufeff${file(line())}`)).toEqual(plain);
    expect(await read(file(line()).replaceAll('\n', '\r\n'))).toEqual(plain);
    expect(await read(file(line()).trimEnd())).toEqual(plain);
  });

  test('blank lines are not rows', async () => {
    const rows = await read(`${file(line(), '', line({ 'Tender ID': '' }))}\n\n`);
    expect(rows.map((row) => [row.line, 'tender' in row])).toEqual([
      [2, true],
      [4, false],
    ]);
  });

  test('columns may have any order, case and spacing', async () => {
    const columns = COLUMNS.toReversed();
    const header = columns.map((name) => ` ${name.toUpperCase()} `).join(',');
    const [row] = await read(`${header}\n${line({}, columns)}\n`);
    expect(row && 'tender' in row && row.tender).toEqual(await readOne());
  });

  test('lines are counted through line breaks in quotes', async () => {
    const long = '"Footbridge\nover the\nkhad"';
    const rows = await read(file(line({ Title: long }), line({ 'Tender ID': '' }), line({ Title: long }), line()));
    expect(rows.map((row) => row.line)).toEqual([2, 5, 6, 9]);
    expect(rows[0] && 'tender' in rows[0] && rows[0].tender.title).toBe('Footbridge over the khad');
  });

  test('a letter may be split between two chunks', async () => {
    const bytes = Buffer.from(file(line({ Title: 'कूहल की मरम्मत' })));
    const chunks = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
    const [row] = await read(chunks);
    expect(row && 'tender' in row && row.tender.title).toBe('कूहल की मरम्मत');
  });

  test.each(['Tender ID', 'Title', 'Organisation Chain', 'Publish Date', 'Bid Submission End Date'])(
    'a file without the column %s is refused',
    async (name) => {
      const columns = COLUMNS.filter((column) => column !== name);
      expect(await refusal(`${columns.join(',')}\n${line({}, columns)}\n`)).toBe(
        `is no GePNIC notice CSV: no column "${name}"`,
      );
    },
  );

  test('a short list of tenders, with less than half of the columns, is read', async () => {
    const columns = ['Tender ID', 'Title', 'Organisation Chain', 'Publish Date', 'Bid Submission End Date'];
    const [row] = await read(`${columns.join(',')}\n${line({}, columns)}\n`);
    expect(row && 'tender' in row && row.tender).toMatchObject({
      price: null,
      emd: null,
      pincode: null,
      documents: [],
    });
  });

  test('a file with half of the columns is refused for those that it lacks', async () => {
    const columns = [...COLUMNS.slice(0, 5), 'Publish Date', 'Bid Submission End Date'];
    const others = COLUMNS.filter((column) => !columns.includes(column));
    const without14 = COLUMNS.filter((column) => !others.slice(0, 14).includes(column));
    const without15 = COLUMNS.filter((column) => !others.slice(0, 15).includes(column));
    expect(await refusal(`${without14.join(',')}\n${line({}, without14)}\n`)).toMatch(
      /^has no column "Name", "Address",/,
    );
    expect(await read(`${without15.join(',')}\n${line({}, without15)}\n`)).toHaveLength(1);
  });

  const without = (...names: string[]) => {
    const columns = COLUMNS.filter((column) => !names.includes(column));
    return `${columns.join(',')}\n${line({}, columns)}\n`;
  };

  test('a file without a column of the portal is refused with its name and the option that allows it', async () => {
    expect(await refusal(without('EMD Amount in ₹'))).toBe(
      'has no column "EMD Amount in ₹", so nothing was imported. If the portal renamed it, correct the header; if the portal does not give it, add --allow-missing "EMD Amount in ₹"',
    );
    expect(await refusal(without('Bid Opening Date', 'Cover Documents'))).toContain(
      'add --allow-missing "Bid Opening Date" --allow-missing "Cover Documents"',
    );
    const [row] = await read(without('EMD Amount in ₹'), new Set(['EMD Amount in ₹']));
    expect(row && 'tender' in row && row.tender.emd).toBeNull();
  });

  test('a renamed column is refused, unless portals use that name', async () => {
    const renamed = (name: string) => file(line()).replace('EMD Amount in ₹', name);
    for (const name of [
      'EMD Amount in (INR)',
      'EMD Amount (Rs.)',
      'emd_amount',
      'Earnest Money Deposit',
      'EMD in INR',
    ]) {
      const [row] = await read(renamed(name));
      expect({ name, emd: row && 'tender' in row && row.tender.emd }).toEqual({ name, emd: '25000.00' });
    }
    expect(await refusal(renamed('EMD Amount in Lakhs'))).toContain('has no column "EMD Amount in ₹"');
  });

  test('every column has the other names that portals use', async () => {
    const names: Record<string, string> = {
      Title: 'Tender Title',
      'Organisation Chain': 'Organisation Name',
      'Publish Date': 'Published Date',
      'Bid Submission End Date': 'Closing Date',
      'Tender Reference Number': 'Reference No',
      'Work Description': 'Description',
      Name: 'Tender Inviting Authority',
      Address: 'Inviting Authority Address',
      Location: 'Work Location',
      Pincode: 'Postal Code',
      'Tender Category': 'Category',
      'Form of contract': 'Contract Form',
      'Tender Value in ₹': 'Estimated Cost',
      'EMD Amount in ₹': 'Earnest Money',
      'EMD Percentage': 'EMD %',
      'EMD Exemption Allowed': 'EMD Exemption',
      'Tender Fee in ₹': 'Document Fee',
      'No. of Covers': 'Covers',
      'Period Of Work(Days)': 'Completion Period in Days',
      'Bid Validity(Days)': 'Bid Validity',
      'Bid Submission Start Date': 'Bid Start Date',
      'Bid Opening Date': 'Tender Opening Date',
      'Bid Opening Place': 'Opening Place',
      'Pre Bid Meeting Date': 'Prebid Meeting Date',
      'Pre Bid Meeting Place': 'Prebid Meeting Place',
      'Tender Stage': 'Tender Status',
      'Cover Documents': 'Cover Details',
    };
    const values = {
      Address: 'The Mall',
      'EMD Percentage': '2',
      'EMD Exemption Allowed': 'No',
      'Tender Fee in ₹': '590',
      'No. of Covers': '3',
      'Period Of Work(Days)': '270',
      'Bid Validity(Days)': '120',
      'Form of contract': 'Item Rate',
      'Bid Opening Date': '21-Nov-2026 12:00 PM',
      'Bid Opening Place': 'Reckong Peo',
      'Pre Bid Meeting Date': '09-Nov-2026 03:00 PM',
      'Pre Bid Meeting Place': 'Shimla',
      'Tender Stage': 'Cancelled',
      'Cover Documents': '"[[""Fee"",""pdf"",""Notice""]]"',
    };
    const header = COLUMNS.map((column) => names[column] ?? column).join(',');
    const [row] = await read(`${header}\n${line(values)}\n`);
    expect(row && 'tender' in row && row.tender).toEqual(await readOne(values));
    const sales = await read(
      `${COLUMNS.join(',')},Sale Start Date,Date of Award\n` +
        `${line({ 'Publish Date': '02-Nov-2027 09:00 AM' })},01-Nov-2026 05:00 PM,12-Dec-2026\n`,
    );
    expect(sales).toMatchObject([{ tender: { publishedAt: new Date('2026-11-01T17:00:00+05:30'), stage: 'awarded' } }]);
  });

  test.each(['n/a', 'N.A.', 'Nil', 'null', '--', ' '])('a cell with "%s" is not filled', async (empty) => {
    const [row] = await read(`EMD Amount in ₹,${HEADER}\n"25,000",${line({ 'EMD Amount in ₹': empty })}\n`);
    expect(row && 'tender' in row && row.tender.emd).toBe('25000.00');
  });

  test.each([
    ['the second', '"25,000"', '', 'EMD Amount in ₹'],
    ['the first', '', '"25,000"', 'EMD Amount in ₹'],
    ['the alias', 'NA', '"25,000"', 'EMD Amount in (INR)'],
    ['the one that a library numbered', '', '"25,000"', 'EMD Amount in ₹.1'],
    ['the amount beside a reference to the notice', '"25,000"', 'Refer NIT', 'Earnest Money'],
    ['either when both say the same', '"25,000"', '25000', 'Earnest Money'],
  ])('the filled cell of a repeated column counts: %s', async (_which, first, second, name) => {
    const [row] = await read(`${name},${HEADER}\n${second},${line({ 'EMD Amount in ₹': first })}\n`);
    expect(row && 'tender' in row && row.tender.emd).toBe('25000.00');
  });

  test.each([
    ['Tender ID', '2026_PWD_100001_3', 'Tender ID.1'],
    ['EMD Amount in ₹', '99', 'Earnest Money'],
    ['Bid Submission End Date', '21-Nov-2026 11:00 AM', 'Closing Date & Time'],
    ['Title', 'Repair of a school', 'Tender Title'],
    ['Location', 'Shimla', 'Location.1'],
  ])('a row whose doubled "%s" contradict each other is rejected: %s', async (column, second, name) => {
    const [row, next] = await read(`${name},${HEADER}\n${second},${line()}\n,${line()}\n`);
    const reason = 'stands in several columns that contradict each other';
    expect(row).toMatchObject({ line: 2, rejection: { column, reason } });
    expect(next).toHaveProperty('tender');
  });

  test('a closing with its hour agrees with its day in another column', async () => {
    const [row] = await read(`Closing Date,${HEADER}\n20/11/2026,${line()}\n`);
    expect(row).toMatchObject({ tender: { closesAt: new Date('2026-11-20T11:00:00+05:30'), closingTimeKnown: true } });
  });

  test.each([
    [1, 200_000, 500],
    [90, 300_000, 0],
    [590, 0, 590],
    [50, 0, 0],
  ])(
    'an estimate of %i rupees beside an EMD of %i and a fee of %i counts as not published',
    async (value, emd, fee) => {
      const cells = { 'Tender Value in ₹': `${value}`, 'EMD Amount in ₹': `${emd}`, 'Tender Fee in ₹': `${fee}` };
      const [row] = await read(file(line(cells)));
      expect(row).toMatchObject({ tender: { price: null, emd: `${emd}.00` }, warnings: [{ value: `${value}` }] });
    },
  );

  test('an estimate that equals the EMD, and one of an auction with a high EMD, stay', async () => {
    const priceOf = async (value: string, emd: string) =>
      (await readOne({ 'Tender Value in ₹': value, 'EMD Amount in ₹': emd })).price;
    expect([await priceOf('25000', '25000'), await priceOf('35000', '8400')]).toEqual(['25000.00', '35000.00']);
  });

  test('a file that ends within a row is refused', async () => {
    const cut = file(line(), line());
    expect(await refusal(cut.slice(0, cut.lastIndexOf('02-Nov')))).toBe(
      'is truncated: line 3 ends after 22 of 33 columns',
    );
  });

  test('a file that ends within a row and blank lines is refused', async () => {
    const cut = file(line(), line());
    expect(await refusal(`${cut.slice(0, cut.lastIndexOf('02-Nov'))}\n\n\n`)).toBe(
      'is truncated: line 3 ends after 22 of 33 columns',
    );
  });

  test('an unclosed quote is refused with the first line of its row', async () => {
    const plain = { 'Tender Value in ₹': '1', 'EMD Amount in ₹': '1' };
    expect(await refusal(file(line(), line({ ...plain, Title: '"Footbridge' }), line(plain)))).toBe(
      'is truncated or damaged: the quote in the row at line 3 is never closed',
    );
  });

  test('a row of a megabyte counts as an unclosed quote', async () => {
    const plain = { 'Tender Value in ₹': '1', 'EMD Amount in ₹': '1' };
    const rest = Array.from({ length: 8_000 }, () => line(plain));
    expect(await refusal(file(line({ ...plain, Title: '"Footbridge' }), ...rest, 'a"b'))).toBe(
      'is truncated or damaged: the quote in the row at line 2 is never closed',
    );
  });

  test('a quote in the wrong place is refused with its line', async () => {
    expect(await refusal(file(line(), line({ Title: '"Foot"bridge' })))).toMatch(/^is not CSV: .* at line 3 /);
  });

  test('an empty file is refused', async () => {
    expect(await refusal('')).toBe('is empty');
  });

  test('a file whose source fails while it is read is refused with the reason', async () => {
    function* fail() {
      yield Buffer.from(file(line()));
      throw new UnreadableFileError('is truncated: the gzip data end too early');
    }
    await expect(read(fail())).rejects.toThrow('is truncated: the gzip data end too early');
  });

  test('a header without rows is read as no rows', async () => {
    expect(await read(file())).toEqual([]);
  });
});
