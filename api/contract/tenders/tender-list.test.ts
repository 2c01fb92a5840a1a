import { describe, expect, test } from 'vitest';
import { findInList, namedIn, numberKeysOf, readTenderList, typedLines } from './tender-list.ts';
import { hasSeveralIds, namesSeveral } from './tender-numbers.ts';
import { testTender } from './test-tender.ts';

const HOST = 'nivida.example';
const read = (text: string) => readTenderList(text, HOST);
/** Each line as 'text: what it names'. */
const named = (text: string) =>
  read(text).map(({ text, ids, numbers }) => [text, ...ids.map((id) => `#${id}`), ...numbers]);

describe('a shared message', () => {
  test('names tenders by ids, NITs, links of this app and of portals, in any writing', () => {
    expect(
      named(
        [
          'Sir pls check these:',
          '1) 2026_PWD_100001_1 closing today',
          '*2026_MC_77_3* and 2026_mc_78_1',
          'निविदा2025_JSV_12_4की',
          'NIT 2026_PWD_100002',
          'https://nivida.example/hi/tenders/17?src=wa',
          'https://portal.example/view?id=GEM%2F2026%2FB%2F7654321&x=1',
          '',
          'call 98160 12345 or 9816012345',
        ].join('\r\n'),
      ),
    ).toEqual([
      ['Sir pls check these:'],
      ['1) 2026_PWD_100001_1 closing today', '2026_PWD_100001_1'],
      ['*2026_MC_77_3* and 2026_mc_78_1', '2026_MC_77_3', '2026_mc_78_1'],
      ['निविदा2025_JSV_12_4की', '2025_JSV_12_4'],
      ['NIT 2026_PWD_100002', '2026_PWD_100002'],
      ['https://nivida.example/hi/tenders/17?src=wa', '#17'],
      ['https://portal.example/view?id=GEM%2F2026%2FB%2F7654321&x=1', 'GEM/2026/B/7654321'],
      ['call 98160 12345 or 9816012345'],
    ]);
  });

  test('may have numbers of other portals and references, but no days, amounts or mobile numbers', () => {
    expect(named('30255012\n35-TRL-26-27\nby 12-Mar-2026 or 12/03/2026\n₹4,50,000.00\n+91 9816012345\n2026')).toEqual([
      ['30255012', '30255012'],
      ['35-TRL-26-27', '35-TRL-26-27'],
      ['by 12-Mar-2026 or 12/03/2026'],
      ['₹4,50,000.00'],
      ['+91 9816012345'],
      ['2026'],
    ]);
  });

  test.each<[string, string, boolean]>([
    ['two ids', '2026_MC_77_3 2026_MC_77_4', true],
    ['two links', 'nivida.example/tenders/1 nivida.example/tenders/2', true],
    [
      'a card of this app, which has the id and the link of one tender',
      '2026_MC_77_3\nnivida.example/tenders/1',
      false,
    ],
    ['one id twice', '2026_MC_77_3 2026_MC_77_3', false],
    ['links of another site', 'x.example/tenders/1 x.example/tenders/2', false],
    ['two references, which are also words', '35-TRL-26-27 36-TRL-26-27', false],
  ])('with %s is a list: %s', (_name, text, isList) => {
    expect(namesSeveral(text, HOST)).toBe(isList);
  });
});

describe('typed words', () => {
  test('have each id as a line of its own', () => {
    expect(typedLines('2026_PWD_1_1, GEM/2026/B/7654321 2026_pwd_1_2 road').map(({ text }) => text)).toEqual([
      '2026_PWD_1_1',
      'GEM/2026/B/7654321',
      '2026_pwd_1_2',
    ]);
  });

  test.each([
    ['2026_PWD_1_1', false],
    ['road 2026_PWD_1_1', false],
    ['2026_PWD_1_1,2026_IPH_4_2', true],
    ['road at Mandi, 2 km', false],
  ])('“%s” names several tenders: %s', (words, isSeveral) => {
    expect(hasSeveralIds(words)).toBe(isSeveral);
  });
});

test('ids in one line, with commas or tabs, are all read', () => {
  const both = [['2026_PWD_1_1', '2026_IPH_4_2']];
  for (const separator of [', ', ',', ';', '\t'])
    expect(read(`2026_PWD_1_1${separator}2026_IPH_4_2`).map(({ numbers }) => numbers)).toEqual(both);
});

describe('a table', () => {
  test('has its numbers in the column that contains them, under any heading', () => {
    const table = [
      'Sr,Old tender,Work,Tender,Closing',
      '1,,"Road, with ""bridge""\nat Mandi",2026_PWD_1_1,12-Mar-2026 17:00',
      '2,2025_PWD_9_9,Wall,2026_PWD_2_1,13-Mar-2026 17:00',
      '3,,Culvert,,14-Mar-2026 17:00',
    ];
    for (const separator of [',', ';', '\t'])
      expect(read(table.join('\n').replaceAll(/,(?! )/g, separator)).map(({ numbers }) => numbers)).toEqual([
        ['2026_PWD_1_1'],
        ['2026_PWD_2_1'],
        [],
      ]);
    expect(read(table.join('\n'))[0]?.text).toBe('1,,"Road, with ""bridge""\nat Mandi",2026_PWD_1_1,12-Mar-2026 17:00');
  });

  test('of another portal has them in the column with most different numbers', () => {
    expect(named('Name\tNo\tOffice\nA\t30255012\t10000001\nB\t30255013\t10000001\nC\t30255014\t10000001')).toEqual([
      ['A\t30255012\t10000001', '30255012'],
      ['B\t30255013\t10000001', '30255013'],
      ['C\t30255014\t10000001', '30255014'],
    ]);
  });

  test('may begin with the mark of its encoding, end anywhere, and have quotes that never close', () => {
    expect(named('\ufeff2026_A_1_1,x\r\n2026_A_2_1,y\r\n')).toEqual([
      ['2026_A_1_1,x', '2026_A_1_1'],
      ['2026_A_2_1,y', '2026_A_2_1'],
    ]);
    expect(named('2026_A_1_1,6" pipe\n2026_A_2_1,"open')).toEqual([
      ['2026_A_1_1,6" pipe', '2026_A_1_1'],
      ['2026_A_2_1,"open', '2026_A_2_1'],
    ]);
    expect(read('')).toEqual([]);
  });

  test('of 1 MB is read at once', () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, row) => `${row},"Repair of ""road"" ${'x'.repeat(20)}",2026_PWD_${row}_1`,
    );
    expect(read(rows.join('\n'))).toHaveLength(20_000);
    expect(read('"a,'.repeat(300_000))).toHaveLength(1);
  });
});

test('a tender is known by its portal id, its NIT and its reference', () => {
  const keys = (source_tender_id: string, reference_number: string | null = null) =>
    numberKeysOf({ source_tender_id, reference_number });
  expect(keys('2026_PWD_100001_1', 'EE/HMR No. 35/26-27')).toEqual([
    '2026_pwd_100001_1',
    '2026_pwd_100001',
    'ee_hmr_no_35_26_27',
  ]);
  expect(keys('ocds-kjhdrl-2026_PWD_7_2')).toEqual(['ocds_kjhdrl_2026_pwd_7_2', '2026_pwd_7_2', '2026_pwd_7']);
  expect(keys('GEM/2026/B/7654321', ' ')).toEqual(['gem_2026_b_7654321']);
});

test('of a list each tender is found once, and nothing of the list is lost', () => {
  const one = testTender({ _id: '1', source_tender_id: '2026_PWD_5_1' });
  const two = testTender({ _id: '2', source_tender_id: '2026_PWD_5_2', reference_number: '35-TRL-26-27' });
  const lines = read('2026_PWD_5_2\nnivida.example/tenders/1\n2026_PWD_5\n35/TRL/26/27\n2026_MC_1_1\nRoads at Mandi');
  const { tenders, missing, unread } = findInList(lines, [one, two, two]);
  expect(tenders.map(({ _id }) => _id)).toEqual(['2', '1']);
  expect(missing.map(({ text }) => text)).toEqual(['2026_MC_1_1']);
  expect(unread.map(({ text }) => text)).toEqual(['Roads at Mandi']);
  expect(namedIn(lines)).toEqual({
    ids: ['1'],
    numbers: ['2026_PWD_5_2', '2026_PWD_5', '35/TRL/26/27', '2026_MC_1_1'],
  });
});
