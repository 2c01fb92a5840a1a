/** Searches as contractors type them, on invented tenders: results, order and sentences. */

import { parseListQuery, type TenderFilter } from '@nivida/contract/filter/tender-filter';
import type { TenderListResponse } from '@nivida/contract/tenders/tender';
import { HOUR_MS } from '@nivida/contract/time';
import { markWords } from '@nivida/contract/words/mark-words';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_QUERY, type EngineAnswer } from '../../offline/engine/query.ts';
import { openTestEngine, TEST_NOW, toRow } from '../../offline/test-data/test-rows.ts';
import { MatchedLists } from './Results.tsx';
import { emptyText, fullMatchesText, NearestLinks, SearchNotes } from './SearchNotes.tsx';

const titles = [
  'Construction of road at Theog',
  'Widening of road at Theog',
  'Repair of road in Mandi bazar',
  'Construction of bailey bridge at Sainj',
  'Repair of school building',
  'Construction of hospital building',
  'Construction of retaining wall at Kufri',
  'Fixing of taps in the village',
  'Training of nala at Kasauli',
  'Desilting of nala at Una',
  'Cleaning of nala at Solan',
];

const engine = openTestEngine(
  ...titles.map((title, at) => toRow({ id: at + 1, title })),
  toRow({ id: 21, title: 'Metalling of a street', district: 'Mandi' }),
  toRow({ id: 22, title: 'Market shed at sabzi mandi Dhalli' }),
  toRow({ id: 23, title: 'Road from Mandi to Kullu', district: 'Kullu' }),
  toRow({ id: 24, title: 'Construction of drain at Puri', state: 'Odisha', district: 'Puri' }),
  toRow({ id: 25, title: 'Construction of drain at Solan', district: 'Solan' }),
  toRow({ id: 26, title: 'Culvert in Ward No. 07' }),
  toRow({ id: 27, title: 'Parapet in W.No-7' }),
  toRow({ id: 28, title: 'Parapet, 7 metres, in Ward No. 3' }),
  toRow({ id: 29, title: 'Paver blocks', pincode: '171001' }),
  toRow({ id: 30, title: 'Locker for a bank', district: 'Shimla' }),
  toRow({ id: 31, title: 'Supply of ceiling fans' }),
  toRow({ id: 32, title: 'Temple hall at Naina Devi mandir' }),
  toRow({ id: 33, title: 'CCTV camera at the depot' }),
);

const search = (q: string, filter: Partial<TenderFilter> = {}): EngineAnswer =>
  engine.search({ ...DEFAULT_ENGINE_QUERY, limit: 50, ...filter, q, sort: 'relevance' }, TEST_NOW);

/** The ids of the tenders with all words. */
const found = ({ tenders }: EngineAnswer) =>
  tenders
    .filter(({ matches }) => matches !== 'most')
    .map(({ _id }) => Number(_id))
    .sort((one, other) => one - other);

describe('examples', () => {
  test.each<[string, string, number[]]>([
    ['a word for a tap is not corrected to a word for a stream', 'nalka', [8]],
    ['the name of a state is a filter, not a word', 'road himachal', [1, 2, 3, 23]],
    ['the example of the search form', 'bailey bridge', [4]],
    ['the other example of the search form', 'retaining wall', [7]],
    ['a PIN code', '171001', [29]],
    ['a vegetable market is not the district Mandi', 'sabzi mandi', [22]],
    ['the district Mandi, without temples', 'mandi', [21]],
    ['two districts are the course of a road', 'mandi to kullu road', [23]],
    ['drains in Odisha, in Hindi', 'nali nirman odisha', [24]],
    ['a misspelt road', 'raod', [1, 2, 3, 23]],
    ['a misspelt bridge', 'brige', [4]],
    ['a misspelt school', 'skool', [5]],
    ['a servant is nothing that is tendered', 'naukar', []],
    ['a camera is not corrected', 'camera', [33]],
    ['a numbered ward', 'ward no 7', [26, 27]],
    ['a numbered ward, abbreviated', 'W.No-7', [26, 27]],
    ['a hill word for a retaining wall', 'danga', [7]],
    ['a fan, in Hindi', 'pankha', [31]],
  ])('%s: %s', (_, q, expected) => {
    expect(found(search(q))).toEqual(expected);
  });

  test('"drain" does not open with a dear road that mentions one', () => {
    const roads = openTestEngine(
      toRow({ id: 1, title: 'Widening of road', description: 'Road, parapets and a drain', price: '99900000.00' }),
      toRow({ id: 2, title: 'Drain at Kasauli', price: '100000.00', closesAt: TEST_NOW.getTime() + 72 * HOUR_MS }),
      toRow({ id: 3, title: 'Road at Solan including side drains', price: '99900000.00' }),
    );
    const { tenders } = roads.search({ ...DEFAULT_ENGINE_QUERY, q: 'drain', sort: 'relevance' }, TEST_NOW);
    expect(tenders.map(({ _id }) => _id)[0]).toBe('2');
    expect(tenders).toHaveLength(3);
  });

  test('a mark names the typed word and what it found', () => {
    expect(markWords('Construction of retaining wall', search('danga').words)).toEqual([
      { text: 'Construction of ', isMarked: false, reason: undefined },
      { text: 'retaining', isMarked: true, reason: 'danga: retaining wall' },
      { text: ' ', isMarked: false, reason: undefined },
      { text: 'wall', isMarked: true, reason: 'danga: retaining wall' },
    ]);
  });
});

test('the words of a phrase that no tender has are marked where a tender has some of them', () => {
  const poles = openTestEngine(toRow({ id: 1, title: 'Repair of light poles' }));
  const { tenders, words } = poles.search({ ...DEFAULT_ENGINE_QUERY, q: 'flood light', sort: 'relevance' }, TEST_NOW);
  expect(tenders.map(({ matches }) => matches)).toEqual(['most']);
  const marked = markWords('Repair of light poles', words).filter(({ isMarked }) => isMarked);
  expect(marked.map(({ text }) => text)).toEqual(['light']);
});

describe('the screen', () => {
  /** The answer as the results page gets it. */
  function toList({ total, fullTotal, place, showingFor, words, nearest, tenders }: EngineAnswer): TenderListResponse {
    return {
      tenders: [...tenders],
      data: [...tenders],
      total,
      total_full: fullTotal,
      page: 1,
      limit: 10,
      filter: { state: null, district: null, department: null, districts: [], departments: [], q: null },
      place,
      conditions: [],
      showing_for: showingFor,
      words: [...words],
      nearest: [...nearest],
      demonstration: false,
    };
  }
  function textOf(element: Parameters<typeof renderToStaticMarkup>[0]): string {
    const page = document.createElement('div');
    page.innerHTML = renderToStaticMarkup(<MemoryRouter>{element}</MemoryRouter>);
    return page.textContent ?? '';
  }
  const asked = (query: string) => parseListQuery(new URLSearchParams(query));
  const notes = (query: string) => {
    const filter = asked(query);
    return textOf(<SearchNotes search={filter} list={toList(search(filter.q, filter))} />);
  };

  test('names the place that was read in the words, with the way back', () => {
    expect(notes('q=road+repair+mandi')).toBe(
      'Tenders in Mandi district for “road repair” · Search the word mandi instead',
    );
  });

  test('names a correction, with the way back', () => {
    expect(notes('q=hosptal+building')).toBe(
      'Showing results for “hospital building” · Search “hosptal building” instead',
    );
  });

  test('names the words that were found for others, for a finger and a screen reader too', () => {
    expect(notes('q=danga')).toBe('Also found for your words · danga: retaining wall');
    expect(notes('q=retaining+wall')).toBe('');
  });

  test('names how many tenders have all words, before those with most of them', () => {
    const fullText = (full: number) =>
      fullMatchesText({ ...toList(search('hospital building theog')), total_full: full });
    expect([3, 1, 0].map(fullText)).toEqual([
      '3 tenders match all your words',
      '1 tender matches all your words',
      'No tender matches all your words',
    ]);
    const { fullTotal, total, tenders } = search('hospital building theog');
    expect([fullTotal, total > 0, new Set(tenders.map(({ matches }) => matches))]).toEqual([
      0,
      true,
      new Set(['most']),
    ]);
  });

  test('heads the tenders with all words and those with most of them', () => {
    const list = toList(search('retaining wall kufri parapet'));
    const text = (full: number) =>
      textOf(
        <MatchedLists
          list={{ ...list, total_full: full }}
          renderCards={(tenders, heading) => `[${tenders.length} ${heading ?? 'h2'}]`}
        />,
      );
    expect([list.total_full, list.total]).toEqual([0, 1]);
    expect(text(0)).toBe('No tender matches all your wordsMatch most of your words[1 h3]');
    expect(text(1)).toBe('[1 h2]');
  });

  test('names what is not there and the nearest search that finds tenders, with their number', () => {
    const filter = asked('state=Himachal+Pradesh&q=bank+kangra');
    const list = toList(search(filter.q, filter));
    expect(emptyText(filter, list)).toBe('No open tender in Kangra district for “bank”');
    expect(textOf(<NearestLinks nearest={list.nearest ?? []} />)).toBe('1 elsewhere in Himachal Pradesh');
  });

  test('claims no more than is known while the server renews its index', () => {
    const filter = asked('state=Himachal+Pradesh&q=bank+kangra');
    const list = { ...toList(search(filter.q, filter)), index_incomplete: true };
    expect(emptyText(filter, list)).toBe('No open tender found so far in Kangra district for “bank”');
    expect(textOf(<SearchNotes search={filter} list={list} />)).toBe(
      'Tenders in Kangra district for “bank” · Search the word kangra instead' +
        'The server is renewing its search index. Until it is done, tenders with these words may be missing.',
    );
    expect([0, 1, 3].map((full) => fullMatchesText({ ...list, total_full: full }))).toEqual([
      'No tender found so far matches all your words',
      'At least 1 tender matches all your words',
      'At least 3 tenders match all your words',
    ]);
  });

  test('offers a single word where leaving out one of several finds nothing', () => {
    const filter = asked('q=helipad+locker+parapet');
    const list = toList(search(filter.q, filter));
    expect(textOf(<NearestLinks nearest={list.nearest ?? []} />)).toBe('1 for “locker”');
  });
});
