// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { parseListQuery, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import type { NearestSearch, QueryPlace, TenderListResponse, TenderSummary } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { usePacks } from '../../offline/packs/pack-status.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { NoTenders } from './NoTenders.tsx';
import { Pagination } from './pagination/Pagination.tsx';
import { type CardMarks, MatchedLists, Results } from './Results.tsx';
import { ResultsBar } from './ResultsBar.tsx';
import { ResultsPageHeader } from './ResultsPageHeader.tsx';
import { emptyText, fullMatchesText, NearestLinks, SearchNotes } from './SearchNotes.tsx';
import { SortPanel } from './SortPanel.tsx';
import type { ResultsState } from './useResults.ts';

const NOW = new Date('2026-04-14T12:00:00+05:30');
const HIMACHAL = parseListQuery(new URLSearchParams({ state: 'Himachal Pradesh' }));
const WORDS: TenderListQuery = { ...HIMACHAL, q: 'road', sort: 'relevance' };
const CLOSED: TenderListQuery = { ...HIMACHAL, open: false, sort: 'closing_date', order: 'desc' };

const listOf = (tenders: TenderSummary[], more: Partial<TenderListResponse> = {}): TenderListResponse => ({
  ...{ tenders, data: tenders, total: tenders.length, total_full: tenders.length, page: 1, limit: 10 },
  filter: { state: null, district: null, department: null, districts: [], departments: [], q: null },
  ...{ place: null, conditions: [], showing_for: null, words: [], demonstration: false },
  ...more,
});
const ROAD = testTender({ _id: '1', title: 'Village road' });
const BRIDGE = testTender({ _id: '2', title: 'Footbridge' });

let page: TestPage;
/** The open tenders of each state by the server. */
let states: { state: string; slug: string; open: number; demonstration: boolean }[];

/** Sets the width of the screen: with filters and preview beside the list, or a phone's. */
const setWidth = (isWide: boolean) =>
  vi.stubGlobal('matchMedia', () => ({
    matches: isWide,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));

beforeEach(() => {
  states = [];
  setWidth(false);
  vi.stubGlobal('fetch', async (request: Request) =>
    new URL(request.url).pathname === '/api/regions'
      ? Response.json({ states, day: 20_557, fetched_at: null })
      : new Response('', { status: 404 }),
  );
});
afterEach(async () => {
  await closeTestPages();
  clearSession();
  localStorage.clear();
  usePacks.setState({ isRead: false, scopes: {}, hinted: [] });
  useReachability.setState({ status: 'reachable', silentReads: 0 });
});

/** Shows this alone. */
async function show(element: ReactNode, address = '/tenders/results?state=Himachal+Pradesh'): Promise<void> {
  await closeTestPages();
  page = await openTestPage(element, address);
}

const text = () => page.text();
const attributes = (selector: string, name: string) =>
  [...page.page.querySelectorAll(selector)].map((each) => each.getAttribute(name));
/** The links with their addresses. */
const links = (selector = 'a') => {
  const addresses = attributes(selector, 'href');
  return page.texts(selector).map((name, at) => [name, addresses[at]]);
};

describe('the sorting of a list', () => {
  const choices = () => {
    const pressed = attributes('[role="group"] button', 'aria-pressed');
    return page.texts('[role="group"] button').map((name, at) => [name, pressed[at]]);
  };
  async function showSorting(search: TenderListQuery) {
    const changes: TenderListQuery[] = [];
    await show(<SortPanel search={search} onChange={(changed) => void changes.push(changed)} />);
    return changes;
  }
  const panel = () => page.page.querySelector('details') as HTMLDetailsElement;

  test.each<[Partial<TenderListQuery>, string, [string, string][]]>([
    [
      {},
      'Sort by Price ↓, high to low',
      [
        ['Pricehigh to low ↓', 'true'],
        ['Closing Datesoonest first ↑', 'false'],
      ],
    ],
    [
      { order: 'asc' },
      'Sort by Price ↑, low to high',
      [
        ['Pricelow to high ↑', 'true'],
        ['Closing Datesoonest first ↑', 'false'],
      ],
    ],
    [
      { open: false, sort: 'closing_date', order: 'desc' },
      'Sort by Closing ↓, latest first',
      [
        ['Pricehigh to low ↓', 'false'],
        ['Closing Datelatest first ↓', 'true'],
      ],
    ],
    [
      { q: 'road', sort: 'relevance' },
      'Sort by Best match',
      [
        ['Best match', 'true'],
        ['Pricehigh to low ↓', 'false'],
        ['Closing Datesoonest first ↑', 'false'],
      ],
    ],
    [
      { q: 'road', sort: 'closing_date', order: 'asc' },
      'Sort by Closing ↑, soonest first',
      [
        ['Best match', 'false'],
        ['Pricehigh to low ↓', 'false'],
        ['Closing Datesoonest first ↑', 'true'],
      ],
    ],
  ])('of %j is named, and the choices have their direction', async (part, name, offered) => {
    await showSorting({ ...HIMACHAL, ...part });
    expect(page.texts('summary')).toEqual([name]);
    expect(choices()).toEqual(offered);
  });

  test('a choice closes the panel and goes to the first page; the chosen one turns round', async () => {
    const changes = await showSorting({ ...WORDS, page: 4 });
    panel().open = true;
    await page.press('Closing Datesoonest first ↑');
    expect(panel().open).toBe(false);
    expect(changes).toEqual([{ ...WORDS, sort: 'closing_date', order: 'asc', page: 1 }]);
    const turned = await showSorting({ ...WORDS, sort: 'price', order: 'asc', page: 4 });
    await page.press('Pricelow to high ↑');
    await page.press('Best match');
    expect(turned).toEqual([
      { ...WORDS, sort: 'price', order: 'desc', page: 1 },
      { ...WORDS, sort: 'relevance', order: 'desc', page: 1 },
    ]);
  });

  test('the panel has the switch for closed tenders', async () => {
    const changes = await showSorting({ ...HIMACHAL, page: 2 });
    panel().open = true;
    await act(async () => page.page.querySelector<HTMLElement>('input[name="open"]')?.click());
    expect([changes, panel().open]).toEqual([[CLOSED], false]);
  });

  test('the panel closes by a tap beside it and by Escape, which returns the focus, but not by a tap in it', async () => {
    await showSorting(HIMACHAL);
    panel().open = true;
    const tap = (target: Element) => target.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    tap(page.page.querySelector('[role="group"]') as Element);
    expect(panel().open).toBe(true);
    tap(document.body);
    expect(panel().open).toBe(false);
    panel().open = true;
    const key = (name: string) => document.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    key('Enter');
    expect(panel().open).toBe(true);
    key('Escape');
    expect(panel().open).toBe(false);
    expect(document.activeElement?.tagName).toBe('SUMMARY');
    (document.activeElement as HTMLElement).blur();
    key('Escape');
    expect(document.activeElement?.tagName).not.toBe('SUMMARY');
  });
});

describe('the pages of a list', () => {
  const entries = () =>
    [...page.page.querySelectorAll('nav a')].map((link) => [
      link.getAttribute('aria-label'),
      link.getAttribute('href')?.replace('/tenders/results?state=Himachal+Pradesh', ''),
      link.getAttribute('rel'),
    ]);
  const showPages = (number: number, count: number) =>
    show(<Pagination search={{ ...HIMACHAL, page: number }} count={count} />);

  test('have links to the page before and after, and each its number', async () => {
    await showPages(2, 3);
    expect(attributes('nav', 'aria-label')).toEqual(['Pages']);
    expect(entries()).toEqual([
      ['Previous', '', 'prev'],
      ['Page 1', '', null],
      ['Page 2', '&page=2', null],
      ['Page 3', '&page=3', null],
      ['Next', '&page=3', 'next'],
    ]);
    expect(page.texts('[aria-current="page"]')).toEqual(['2']);
    await page.press('Next');
    expect(page.router.state.location).toMatchObject({ search: '?state=Himachal+Pradesh&page=3', state: { page: 3 } });
  });

  test('the first has none before it, the last none after it', async () => {
    await showPages(1, 2);
    expect(entries().map(([name]) => name)).toEqual(['Page 1', 'Page 2', 'Next']);
    await showPages(2, 2);
    expect(entries().map(([name]) => name)).toEqual(['Previous', 'Page 1', 'Page 2']);
  });

  test('one page has no row of pages', async () => {
    await showPages(1, 1);
    expect(page.page.querySelector('nav')).toBeNull();
  });
});

describe('a list without tenders', () => {
  const showEmpty = (search: TenderListQuery, more: Partial<TenderListResponse> = {}, isPartial = false) =>
    show(<NoTenders search={search} list={listOf([], more)} isPartial={isPartial} />);
  const reason = () => page.texts('h2 + div')[0];

  test.each<[Partial<TenderListQuery>, string]>([
    [{}, 'Nothing is open in Himachal Pradesh now.'],
    [{ districts: ['Kullu'] }, 'Nothing is open in Kullu, Himachal Pradesh now.'],
    [{ departments: ['PWD'] }, 'Nothing of PWD is open in Himachal Pradesh now.'],
    [{ min: 0 }, 'Nothing within these filters is open in Himachal Pradesh now.'],
    [
      { departments: ['PWD', 'Forest'], category: 'Works' },
      'Nothing of PWD and Forest within these filters is open in Himachal Pradesh now.',
    ],
    [{ open: false }, 'No closed tenders in Himachal Pradesh.'],
    [
      { open: false, departments: ['PWD'], max: 5 },
      'No closed tenders of PWD within these filters in Himachal Pradesh.',
    ],
    [{ q: 'road' }, 'Nothing open matches “road” in Himachal Pradesh.'],
    [{ q: 'road', open: false }, 'Nothing closed matches “road” in Himachal Pradesh.'],
    [
      { q: 'road', departments: ['PWD'], within: 3 },
      'Nothing open of PWD within these filters matches “road” in Himachal Pradesh.',
    ],
    [{ q: 'road', state: '' }, 'Nothing open matches “road”.'],
  ])('of %j says: %s', async (part, sentence) => {
    await showEmpty({ ...HIMACHAL, ...part });
    expect(page.texts('h2')).toEqual(['No Tenders Found']);
    expect(reason()).toBe(sentence);
  });

  test('leads to the filled form, and to the list without its filters where it has some', async () => {
    await showEmpty({ ...WORDS, districts: ['Kullu'], min: 5, page: 2 });
    expect(links('.row a')).toEqual([
      ['Modify Search', '/tenders?state=Himachal+Pradesh&district=Kullu&q=road'],
      ['Clear filters', '/tenders/results?state=Himachal+Pradesh&q=road'],
    ]);
    await page.press('Clear filters');
    expect(page.router.state.historyAction).toBe('REPLACE');
    await showEmpty(WORDS);
    expect(links('.row a')).toEqual([['Modify Search', '/tenders?state=Himachal+Pradesh&q=road']]);
  });

  const NEAR: NearestSearch = {
    kind: 'state',
    name: 'Himachal Pradesh',
    query: 'state=Himachal+Pradesh&q=road',
    total: 4,
  };

  test('offers the nearest searches before the form, and says what has nothing', async () => {
    const place = {
      state: null,
      districts: [{ state: 'Himachal Pradesh', district: 'Una' }],
      text: 'una',
      rest: 'road',
    };
    await showEmpty({ ...WORDS, q: 'road una' }, { nearest: [NEAR], place });
    expect(reason()).toBe('No open tender in Una district for “road”.');
    expect(links('.row a')[0]).toEqual([
      '4 elsewhere in Himachal Pradesh',
      '/tenders/results?state=Himachal+Pradesh&q=road',
    ]);
    await showEmpty(WORDS, { index_incomplete: true });
    expect(reason()).toBe('No open tender found so far for “road”.');
    await showEmpty(HIMACHAL, { nearest: [{ ...NEAR, kind: 'closed' }] });
    expect(reason()).toBe('Nothing is open in Himachal Pradesh now.');
  });

  test('of closed tenders on a phone without a connection says what the phone has', async () => {
    await showEmpty(CLOSED, {}, true);
    expect(reason()).toBe('None on this phone. It has only recently closed tenders. Go online to see older ones.');
  });

  test('names other states with open tenders, and its own one beside words', async () => {
    const counted = [
      { state: 'Goa', slug: 'goa', open: 3 },
      { state: 'Kerala', slug: 'kerala', open: 0 },
      { state: 'Himachal Pradesh', slug: 'himachal-pradesh', open: 1_500 },
    ];
    await showEmpty(HIMACHAL, { states: counted });
    expect(links('section[aria-labelledby] a')).toEqual([['Goa 3 open', '/tenders/results?state=Goa']]);
    await showEmpty(WORDS, { states: counted });
    expect(links('section[aria-labelledby] a')).toEqual([
      ['Himachal Pradesh 1,500 open', '/tenders/results?state=Himachal+Pradesh'],
      ['Goa 3 open', '/tenders/results?state=Goa'],
    ]);
  });

  test('names the states of the last count where its answer has none', async () => {
    states = [{ state: 'Assam', slug: 'assam', open: 8, demonstration: false }];
    await showEmpty(HIMACHAL);
    const counted = () => {
      // The call of a test before may still wait for its answer.
      window.dispatchEvent(new Event('online'));
      return links('section[aria-labelledby] a');
    };
    await expect.poll(counted).toEqual([['Assam 8 open', '/tenders/results?state=Assam']]);
  });
});

describe('how the words of a search were read', () => {
  const PLACE: QueryPlace = {
    state: null,
    districts: [{ state: 'Himachal Pradesh', district: 'Mandi' }],
    text: 'mandi',
    rest: 'road',
  };
  const districts = (...names: [district: string, state: string][]) =>
    names.map(([district, state]) => ({ district, state }));

  const showNotes = (search: TenderListQuery, list: TenderListResponse) =>
    show(<SearchNotes search={search} list={list} />);

  test.each<[Partial<QueryPlace>, string]>([
    [{}, 'Tenders in Mandi district for “road”'],
    [{ rest: '' }, 'Tenders in Mandi district'],
    [{ state: 'Odisha', districts: [] }, 'Tenders in Odisha for “road”'],
    [
      { districts: districts(['Hamirpur', 'Himachal Pradesh'], ['Hamirpur', 'Uttar Pradesh']) },
      'Tenders in Hamirpur district of Himachal Pradesh or Uttar Pradesh for “road”',
    ],
    [
      { districts: districts(['Kamrup Metropolitan', 'Assam'], ['Kamrup', 'Assam']) },
      'Tenders in Kamrup Metropolitan or Kamrup districts for “road”',
    ],
  ])('the place %j is named: %s', async (part, sentence) => {
    await showNotes(WORDS, listOf([ROAD], { place: { ...PLACE, ...part } }));
    expect(text().split(' · ')[0]).toBe(sentence);
  });

  test('each reading has the way to another one, on the first page, and a second one takes back both', async () => {
    const list = listOf([ROAD], { place: PLACE, showing_for: 'road mandi' });
    await showNotes({ ...WORDS, q: 'raod mandi', page: 3 }, list);
    expect(links()).toEqual([
      ['Search the word mandi instead', '/tenders/results?state=Himachal+Pradesh&q=raod+mandi&literal=place'],
      ['Search “raod mandi” instead', '/tenders/results?state=Himachal+Pradesh&q=raod+mandi&literal=words'],
    ]);
    await page.press('Search the word mandi instead');
    expect(page.router.state.historyAction).toBe('REPLACE');
    await showNotes({ ...WORDS, q: 'raod mandi', literal: 'words' }, list);
    expect(links()[0]?.[1]).toBe('/tenders/results?state=Himachal+Pradesh&q=raod+mandi&literal=all');
  });

  test('conditions have the way back to their words', async () => {
    const below = { kind: 'price', label: 'Value up to ₹10 Lakh', text: 'below 10 lakh', rest: 'road no emd' };
    const noEmd = { kind: 'no_emd', label: 'No EMD', text: 'no emd', rest: 'road below 10 lakh' };
    await showNotes({ ...WORDS, q: 'road below 10 lakh' }, listOf([ROAD], { conditions: [below] }));
    expect(text()).toBe('Read as filters · Search the words below 10 lakh instead');
    expect(links()[0]?.[1]).toBe('/tenders/results?state=Himachal+Pradesh&q=road+below+10+lakh&literal=conditions');
    await showNotes({ ...WORDS, q: 'road below 10 lakh no emd' }, listOf([ROAD], { conditions: [below, noEmd] }));
    expect(text()).toBe('Read as filters · Search the words below 10 lakh, no emd instead');
  });

  test('closed tenders are named as such', async () => {
    await showNotes({ ...CLOSED, q: 'road mandi' }, listOf([ROAD], { place: PLACE }));
    expect(text()).toMatch(/^Closed tenders in Mandi district/);
    expect(emptyText({ ...CLOSED, q: 'road mandi' }, listOf([], { place: PLACE }))).toBe(
      'No closed tender in Mandi district for “road”',
    );
    expect(emptyText(WORDS, listOf([], { showing_for: 'roads' }))).toBe('No open tender for “roads”');
    expect(emptyText(WORDS, listOf([], { place: { ...PLACE, rest: '' } }))).toBe('No open tender in Mandi district');
  });

  test('at most three reasons of marks are named', async () => {
    const words = ['one', 'two', 'three', 'four'].map((typed) => ({ typed, alternatives: [typed, `${typed}ish`] }));
    const tender = testTender({ title: 'oneish twoish threeish fourish', description: '' });
    await showNotes(WORDS, listOf([tender], { words }));
    expect(text()).toBe('Also found for your words · one: oneish · two: twoish · three: threeish');
  });

  test('a list of an earlier server has no notes', async () => {
    await showNotes(WORDS, listOf([ROAD]));
    expect(text()).toBe('');
    expect(fullMatchesText(listOf([ROAD, BRIDGE]))).toBe('2 tenders match all your words');
  });

  test.each<[Partial<NearestSearch>, string]>([
    [{ kind: 'state', name: 'Assam' }, '4 elsewhere in Assam'],
    [{ kind: 'anywhere' }, '4 in other places'],
    [{ kind: 'filters' }, '4 without these filters'],
    [{ kind: 'closed' }, '4 closed tenders'],
    [{ kind: 'closed', total: 1 }, '1 closed tender'],
    [{ kind: 'words', name: 'school building' }, '4 for “school building”'],
    [{ kind: 'anywhere', total: 10_000 }, '10000 in other places'],
    [{ kind: 'anywhere', total: 10_001 }, '10,000+ in other places'],
    [{ kind: 'closed', total: 10_001 }, '10,000+ closed tenders'],
  ])('the nearest search %j is named "%s" and leads to its list', async (part, name) => {
    await show(<NearestLinks nearest={[{ kind: 'words', name: '', query: 'q=road', total: 4, ...part }]} />);
    expect(links()).toEqual([[name, '/tenders/results?q=road']]);
  });

  test('tenders with all words come under their own heading, before those with most of them', async () => {
    const all = { ...ROAD, matches: 'all' as const };
    const most = { ...BRIDGE, matches: 'most' as const };
    const renderCards = (tenders: readonly TenderSummary[], heading?: string) =>
      `[${tenders.map(({ title }) => title)} ${heading}]`;
    await show(<MatchedLists list={listOf([all, most], { total_full: 1 })} renderCards={renderCards} />);
    expect(text()).toBe('1 tender matches all your words[Village road h3]Match most of your words[Footbridge h3]');
    // the second page has only those with most of them
    await show(<MatchedLists list={listOf([most], { total: 12, total_full: 10 })} renderCards={renderCards} />);
    expect(text()).toBe('Match most of your words[Footbridge h3]');
  });
});

describe('the line over a list', () => {
  const showBar = (search: TenderListQuery, list: TenderListResponse | undefined, savedAt: Date | null = null) =>
    show(
      <ResultsBar {...{ search, list, savedAt, now: NOW, onChange: () => undefined }} save="Save search">
        more
      </ResultsBar>,
    );

  test('has the range, the button that saves the search, and more lines', async () => {
    await showBar({ ...HIMACHAL, page: 5 }, listOf([ROAD, BRIDGE], { total: 353, page: 5 }));
    expect(page.texts('[role="status"]')).toEqual(['Showing 41 to 42 of 353 tenders']);
    for (const each of ['Save search', 'more']) expect(text()).toContain(each);
    expect(text()).not.toMatch(/Saved|Demonstration|So many/);
  });

  test('says that the list loads, and how old a saved one is', async () => {
    await showBar(HIMACHAL, undefined, new Date(NOW.getTime() - 5 * 60_000));
    expect(page.texts('[role="status"]')).toEqual(['Loading tenders…']);
    expect(text()).toContain('Saved 5 min ago');
  });

  test('says why many closed tenders have one order only', async () => {
    const many = listOf([ROAD], { total: 10_000, has_more: true, demonstration: true });
    const note = 'So many tenders are listed in the order of closing only. Add a word or a place to narrow the search.';
    await showBar({ ...CLOSED, sort: 'price' }, many);
    expect(text()).toContain(note);
    expect(text()).toContain('Demonstration data');
    await showBar(CLOSED, many);
    expect(text()).not.toContain(note);
  });
});

test.each([
  ['state=Goa', ['Goa'], '/tenders?state=Goa'],
  ['state=Goa&district=North+Goa', ['Goa', 'North Goa'], '/tenders?state=Goa&district=North+Goa'],
  ['state=Goa&district=A&district=B&department=PWD', ['Goa', 'A and B · PWD'], undefined],
  ['state=Goa&department=A&department=B&department=C', ['Goa', '3 departments'], undefined],
  ['q=road', ['road'], '/tenders?q=road'],
  ['state=Goa&q=road&department=PWD', ['road', 'Goa · PWD'], undefined],
  ['state=Goa&q=road&district=A', ['road', 'A, Goa'], undefined],
  ['state=Andaman+and+Nicobar+Islands', ['Andaman and Nicobar Islands'], undefined],
  ['state=Dadra+and+Nagar+Haveli+and+Daman+and+Diu', ['Dadra & Nagar Haveli & Daman & Diu'], undefined],
])('the page header of %s on a phone names the search and leads to the filled form', async (query, parts, form) => {
  await show(<ResultsPageHeader />, `/tenders/results?${query}`);
  const [title, ...below] = parts;
  expect(page.texts('b')).toEqual([title]);
  expect(page.texts('a')).toEqual([`Change the search: ${title}${below.join('')}`]);
  if (form) expect(attributes('a', 'href')).toEqual([form]);
});

test('the page header has the number of set filters, and nothing without a search', async () => {
  await show(<ResultsPageHeader />, '/tenders/results?state=Goa&district=North+Goa&min=1');
  expect(page.names('button')).toEqual(['Filters, 2 set']);
  await show(<ResultsPageHeader />, '/tenders/results?min=1');
  expect(page.page.innerHTML).toBe('');
});

describe('the screen of results', () => {
  const resultsOf = (search: TenderListQuery, more: Partial<ResultsState> = {}): ResultsState => ({
    ...{ search, answer: undefined, receivedAt: null, error: undefined, isLoading: false, reload: () => undefined },
    ...{ local: undefined, missingPart: undefined, isPending: false, isSearching: false, isIdLookup: false },
    change: () => undefined,
    ...more,
  });
  const showResults = (results: ResultsState, marks?: CardMarks) =>
    show(
      <Results
        {...{ results, now: NOW, marks, save: 'save' }}
        renderBookmark={({ _id }) => `bookmark ${_id}`}
        renderCopy={({ total }) => `copy of ${total}`}
      />,
    );
  const cards = () => page.texts('article h2, article h3');
  const errorTitles = () => page.texts('[role="alert"] h2');
  const BROKEN = { error: new Error('broken') };

  test('shows the cards of the list, what saves and what copies it', async () => {
    await showResults(resultsOf(HIMACHAL, { answer: listOf([ROAD, BRIDGE]) }));
    expect(page.texts('h1')).toEqual(['Tenders in Himachal Pradesh']);
    expect(cards()).toEqual(['Village road', 'Footbridge']);
    for (const each of ['Showing 1 to 2 of 2 tenders', 'save', 'copy of 2', 'bookmark 1', 'bookmark 2'])
      expect(text()).toContain(each);
    expect(text()).not.toMatch(/Demonstration data|Loading|Saved/);
    expect(page.page.querySelector('nav, aside')).toBeNull();
  });

  test('of eleven tenders are two pages, of ten one', async () => {
    await showResults(resultsOf(HIMACHAL, { answer: listOf([ROAD], { total: 10 }) }));
    expect(page.page.querySelector('nav')).toBeNull();
    await showResults(resultsOf(HIMACHAL, { answer: listOf([ROAD], { total: 11, demonstration: true }) }));
    expect(page.page.querySelectorAll('nav [aria-label^="Page "]')).toHaveLength(2);
    expect(text()).toContain('Demonstration data: sample tenders, not real dates.');
  });

  test('has the works of one NIT as one entry, which the limit of the user does not hide, and pages of notices', async () => {
    const first = { ...ROAD, works: ['7', '8'] };
    const answer = listOf([first, BRIDGE], { total: 13, notices: 11, before: 0 });
    const marks: CardMarks = {
      markOf: () => null,
      isHidden: () => true,
      renderLine: (tenders) => `line of ${tenders.length}`,
    };
    await showResults(resultsOf(HIMACHAL, { answer }), marks);
    expect(cards()).toEqual(['Village road']);
    expect(text()).toContain('line of 1');
    expect(page.texts('[role="status"]')).toEqual(['Showing 1 to 4 of 13 tenders in 11 notices']);
    expect(page.texts('li button[aria-expanded="false"]')).toEqual(['and 2 more works of this NIT']);
    expect(attributes('li button', 'aria-label')).toEqual(['and 2 more works of this NIT: Village road']);
    expect(page.page.querySelectorAll('nav [aria-label^="Page "]')).toHaveLength(2);
  });

  test('marks the words of the search in the cards', async () => {
    const words = [{ typed: 'road', alternatives: ['road'] }];
    await showResults(resultsOf(WORDS, { answer: listOf([ROAD], { words }) }));
    expect(page.texts('h2 mark')).toEqual(['road']);
  });

  test('is loading without cards, a copy or an error', async () => {
    await showResults(resultsOf(HIMACHAL, { isLoading: true }));
    expect(attributes('ol', 'aria-label')).toEqual(['Loading tenders']);
    expect(text()).toContain('Loading tenders…');
    expect(text()).not.toContain('copy of');
    expect(page.page.querySelector('[role="alert"]')).toBeNull();
  });

  test('goes to the last page where an address has a later one', async () => {
    await showResults(resultsOf({ ...HIMACHAL, page: 9 }, { answer: listOf([], { total: 11, page: 9 }) }));
    expect(page.address()).toBe('/tenders/results?state=Himachal+Pradesh&page=2');
    expect(page.router.state.historyAction).toBe('REPLACE');
  });

  test('stays at its page without tenders, and at a last page whose tenders are all hidden', async () => {
    await showResults(resultsOf(HIMACHAL, { answer: listOf([]) }));
    expect(text()).toContain('No Tenders Found');
    expect(text()).not.toContain('copy of');
    expect(page.router.state.historyAction).toBe('POP');
    await showResults(resultsOf({ ...HIMACHAL, page: 2 }, { answer: listOf([], { total: 11, page: 2 }) }));
    expect(page.router.state.historyAction).toBe('POP');
  });

  test('that cannot be loaded shows the reason, and is loaded again by the button', async () => {
    const reload = vi.fn();
    await showResults(resultsOf(HIMACHAL, { ...BROKEN, reload }));
    expect(errorTitles()).toEqual(['Error Loading Tenders']);
    expect(page.texts('[role="alert"]')[0]).toContain('Failed to fetch tenders. Please try again later.');
    await page.press('Try Again');
    expect(reload).toHaveBeenCalledOnce();
    await showResults(resultsOf(WORDS, BROKEN));
    expect(page.texts('[role="alert"]')[0]).toContain('Failed to search tenders');
    expect(links('[role="alert"] a')).toEqual([['Bookmarked tenders', '/tenders#saved']]);
    signInForTest('7');
    await showResults(resultsOf(HIMACHAL, BROKEN));
    expect(links('[role="alert"] a')).toEqual([['Bookmarked tenders', '/bookmarks']]);
  });

  test('of all states that cannot be loaded offers the state on this phone', async () => {
    const saveOnPhone = (...names: string[]) => {
      const scopes = names.map((scope) => [scope, { row: { scope, current: { segments: [] }, files: {} } }]);
      usePacks.setState({ isRead: true, scopes: Object.fromEntries(scopes) });
    };
    saveOnPhone('india', 'assam', 'goa');
    const search = { ...WORDS, state: '', page: 2 };
    await showResults(resultsOf(search, BROKEN));
    expect(links('[role="alert"] a')[0]).toEqual([
      'Search in Assam, on this phone',
      '/tenders/results?state=Assam&q=road',
    ]);
    await showResults(resultsOf(HIMACHAL, BROKEN));
    expect(text()).not.toContain('on this phone');
    // All of India is no state.
    saveOnPhone('india');
    await showResults(resultsOf(search, BROKEN));
    expect(text()).not.toContain('on this phone');
  });

  test('that could not be refreshed stays, with its age', async () => {
    const receivedAt = new Date(NOW.getTime() - 3 * 3_600_000);
    const old = { answer: listOf([ROAD]), receivedAt };
    await showResults(resultsOf(HIMACHAL, { ...old, ...BROKEN }));
    expect(cards()).toEqual(['Village road']);
    expect(text()).toContain('Saved 3 h ago');
    expect(page.page.querySelector('[role="alert"]')).toBeNull();
    await showResults(resultsOf(HIMACHAL, old));
    expect(text()).not.toContain('Saved');
  });

  test('without a network names what is missing, and offers to try again', async () => {
    useReachability.setState({ status: 'unreachable' });
    const reload = vi.fn();
    await showResults(resultsOf(HIMACHAL, { isLoading: true, reload }));
    expect(errorTitles()).toEqual(['No connection']);
    expect(page.texts('[role="status"]')).toEqual(['Not loaded yet']);
    expect(text()).toContain('Himachal Pradesh is not on this phone.');
    expect(page.page.querySelector('ol')).toBeNull();
    await page.press('Try Again');
    expect(reload).toHaveBeenCalledOnce();
    await showResults(resultsOf({ ...WORDS, state: '' }, { isLoading: true }));
    expect(text()).toContain('This search is not on this phone.');
    await showResults(resultsOf(HIMACHAL, { answer: listOf([ROAD]) }));
    expect(page.page.querySelector('[role="alert"]')).toBeNull();
  });

  test('of a state that failed by the network offers the state on this phone, and to try again', async () => {
    const scopes = ['goa'].map((scope) => [scope, { row: { scope, current: { segments: [] }, files: {} } }]);
    usePacks.setState({ isRead: true, scopes: Object.fromEntries(scopes) });
    const reload = vi.fn();
    await showResults(resultsOf(HIMACHAL, { error: new TypeError('network error'), reload }));
    expect(errorTitles()).toEqual(['No response from the server']);
    expect(links('[role="alert"] a')).toEqual([['Search in Goa', '/tenders/results?state=Goa']]);
    await page.press('Try Again');
    expect(reload).toHaveBeenCalledOnce();
  });

  test('does not say that a list is missing while the phone is still searched for it', async () => {
    useReachability.setState({ status: 'unreachable' });
    await showResults(resultsOf(HIMACHAL, { isLoading: true, isSearching: true }));
    expect(errorTitles()).toEqual([]);
    expect(text()).toContain('Loading tenders…');
  });

  test('of an id from this phone says that other states were not searched, once the server cannot be reached', async () => {
    const local = { scope: 'himachal-pradesh', isComplete: true, isCurrent: true } as ResultsState['local'];
    const search = { ...WORDS, q: '2026_PWD_7_1', state: '' };
    const ofId = (missingPart: ResultsState['missingPart']) =>
      showResults(resultsOf(search, { answer: listOf([ROAD]), local, missingPart, isIdLookup: true }));
    await ofId('loading');
    expect(text()).not.toMatch(/states on this phone|Closed in/);
    await ofId('unreachable');
    expect(text()).toContain('Only the states on this phone were searched.');
  });

  test('of closed tenders from this phone says what is missing', async () => {
    const local = { scope: 'himachal-pradesh', isComplete: true, isCurrent: true } as ResultsState['local'];
    const closed = (missingPart: ResultsState['missingPart']) =>
      showResults(resultsOf(CLOSED, { answer: listOf([ROAD]), local, missingPart }));
    await closed('loading');
    expect(text()).toContain('Closed in the last 30 days. Loading older ones…');
    expect(text()).toContain('Offline copy');
    await closed('unreachable');
    expect(text()).toContain('Only the last 30 days are on this phone. Older ones need a connection.');
    await closed(undefined);
    expect(text()).not.toContain('30 days');
    await showResults(resultsOf(CLOSED, { answer: listOf([]), local, missingPart: 'unreachable' }));
    expect(text()).toContain('None on this phone.');
    await showResults(resultsOf(CLOSED, { answer: listOf([]) }));
    expect(text()).toContain('No closed tenders in Himachal Pradesh.');
  });

  test("has the user's own marks, and leaves out what the user hides", async () => {
    const marks: CardMarks = {
      markOf: ({ _id }) => `mark ${_id}`,
      isHidden: ({ _id }) => _id === '1',
      renderLine: (tenders) => `line of ${tenders.length}`,
    };
    await showResults(resultsOf(HIMACHAL, { answer: listOf([ROAD, BRIDGE]) }), marks);
    expect(cards()).toEqual(['Footbridge']);
    expect(text()).toContain('line of 2');
    expect(text()).toContain('mark 2');
    expect(text()).not.toContain('mark 1');
  });

  test('on a wide screen has the filters and a preview, first of the first tender, then of the one pointed at', async () => {
    setWidth(true);
    await showResults(resultsOf(HIMACHAL, { answer: listOf([ROAD, BRIDGE]) }));
    const previewed = () => page.texts('aside[aria-label="Preview"] h2, ol > li[data-preview] h2');
    expect(attributes('aside', 'aria-label')).toEqual(['Filters', 'Preview']);
    expect(previewed()).toEqual(['Village road', 'Village road']);
    const [, second] = page.page.querySelectorAll('ol > li');
    await act(async () => void second?.dispatchEvent(new Event('pointermove', { bubbles: true })));
    expect(previewed()).toEqual(['Footbridge', 'Footbridge']);
  });
});
