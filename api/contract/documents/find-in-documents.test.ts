import { describe, expect, test } from 'vitest';
import { parseQuery, toSearchedWords } from '../search/query-words.ts';
import type { BoqItem } from './boq.ts';
import { boqSearchTexts, documentSnippet, findInReading } from './find-in-documents.ts';
import type { TenderReading } from './tender-reading.ts';

const line = (no: string, text: string, quantity: string | null = '1'): BoqItem => ({
  ...{ row: 12, no, text, quantity },
  ...{ unit: 'cum', rate: '812.40', offered: null },
});
const ITEMS = [
  line('1', 'Earth work in excavation', null),
  line('1.1', 'in ordinary soil, depth up to 1.5 m'),
  line('1.2', 'in hard rock by chiselling, 340 cum'),
  line('2', 'Masonry', null),
  line('2.1', 'Random rubble of hard stone'),
];
const READING: TenderReading = {
  files: [
    {
      ...{ id: '7', name: 'boq.xls', kind: 'boq', sha256: '', state: 'done', pages: null },
      ...{ unreadPages: [], readAt: null, isOwn: false },
    },
    {
      ...{ id: '8', name: 'nit.pdf', kind: 'nit', sha256: '', state: 'done', pages: 9 },
      ...{ unreadPages: [], readAt: null, isOwn: false },
    },
  ],
  facts: [
    {
      ...{ id: '1', fileId: '8', state: 'found', topic: 'similarWorks', page: 4, value: null },
      quote: 'The bidder has completed one bridge of 20 m span',
    },
  ],
  boqs: [
    {
      fileId: '7',
      summary: {
        kind: 'percentage',
        items: 3,
        isLumpSum: false,
        totalPaise: null,
        statedTotalPaise: null,
        totalState: 'unknown',
      },
      boq: { kind: 'percentage', sheet: 'BoQ1', items: ITEMS, statedTotal: null, offeredPercent: null },
      changes: null,
    },
  ],
};
const find = (words: string, reading = READING) => findInReading(reading, parseQuery(words));
const snippet = (text: string, words: string, isPage = false) =>
  documentSnippet(text, toSearchedWords(parseQuery(words)), isPage);

describe('a stored reading', () => {
  test('has the words in one item of the BOQ, with its heading', () => {
    expect(find('earth work in hard rock')).toMatchObject({ file: 'boq.xls', page: null, item: '1.2' });
    expect(find('rubble masonry')).toMatchObject({ item: '2.1' });
  });

  test('has no hit of words that stand in different items', () => {
    expect(find('ordinary rubble')).toBeUndefined();
    expect(find('excavation masonry')).toBeUndefined();
  });

  test('has the words in a line of a page', () => {
    expect(find('bridge span')).toMatchObject({ file: 'nit.pdf', page: 4, item: null });
  });

  test('without the table, as one without the package is, has no hit in it', () => {
    const boqs = READING.boqs.map((boq) => ({ ...boq, boq: null }));
    expect(find('hard rock', { ...READING, boqs })).toBeUndefined();
  });

  test('is not found by nothing', () => {
    expect(find('')).toBeUndefined();
  });
});

test('a heading stands before the lines whose numbers continue its own, and before a line without a number', () => {
  const lines = [
    line('1', 'Earth work', null),
    line('1.1', 'Excavation', null),
    line('1.1.1', 'soft soil'),
    line('', 'and loose stones'),
    line('1.2', 'filling'),
    line('11', 'Steel gate'),
  ];
  expect(boqSearchTexts(lines)).toEqual([
    null,
    null,
    'Earth work\nExcavation\nsoft soil',
    'Excavation\nand loose stones',
    'Earth work\nfilling',
    'Steel gate',
  ]);
});

describe('the words that are shown', () => {
  const [, , rock] = boqSearchTexts(ITEMS);

  test('of a BOQ are the found ones alone', () => {
    expect(snippet(rock ?? '', 'earth work in hard rock')).toBe('Earth work … excavation … hard rock …');
    expect(snippet(rock ?? '', 'rock')).not.toMatch(/340|chiselling|812/);
  });

  test('of a page have a few words around them, of the line that has most of them', () => {
    const page =
      'Hard conditions apply to all bidders.\nThe rates include all lifts, and earth work in hard rock is paid only after joint measurement of the section by both';
    expect(snippet(page, 'earth work hard rock', true)).toBe(
      '… include all lifts, and earth work in hard rock is paid only after …',
    );
  });

  test('are never more than a line', () => {
    expect(snippet(`road ${'kilometre long '.repeat(200)} bridge`, 'road bridge', true).length).toBeLessThanOrEqual(
      162,
    );
    expect(snippet('x'.repeat(5_000), 'bridge', true).length).toBeLessThanOrEqual(162);
  });
});
