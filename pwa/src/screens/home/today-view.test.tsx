// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { ClosingMinutes } from '@nivida/contract/tenders/tender';
import { HOUR_MS } from '@nivida/contract/time';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { correctClosings } from '../../data/stored-pages/correct-closings.ts';
import { toRow } from '../../offline/test-data/test-rows.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { TodayView } from './TodayView.tsx';
import { todayFacts } from './today.ts';

/** 7 at 10:00, 2 at 10:45, 28 at 11:00, 34 at 6 PM, 3 without an hour. */
const CLOSING: ClosingMinutes = [
  [600, 7],
  [645, 2],
  [660, 28],
  [1080, 34],
  [1440, 3],
];
const at = (time: string) => new Date(`2025-12-15T${time}+05:30`);
const DAY = 20_437;

type Modules = typeof import('./Today.tsx') &
  typeof import('./chosen-state.ts') &
  typeof import('../../data/test-session.ts') &
  typeof import('../../data/device/database.ts') &
  typeof import('../../offline/test-data/test-pack.ts');

let app: Modules;
let page: TestPage;
/** The server's counts, one after the other; without any it refuses. */
let answers: object[];

beforeEach(() => {
  answers = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const isRefused = new URL(request.url).pathname !== '/api/regions' || answers.length === 0;
    if (isRefused) return Response.json({ message: 'broken' }, { status: 400 });
    return Response.json(answers.length > 1 ? answers.shift() : answers[0]);
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  localStorage.clear();
});

async function show(element: ReactElement): Promise<void> {
  await closeTestPages();
  page = await openTestPage(element);
}
/** Each figure: its name, its text and where it leads. */
const figures = () =>
  [...page.page.querySelectorAll('dl > div')].map((figure) => [
    figure.querySelector('dt')?.textContent,
    figure.querySelector('dd')?.textContent,
    figure.querySelector('a')?.getAttribute('href') ?? null,
  ]);
const foot = () => page.texts('section > p')[0];
const footLink = () => page.page.querySelector('section > p a');
const select = () => page.page.querySelector('select') as HTMLSelectElement;
const options = () => [...select().options].map(({ value, textContent }) => [value, textContent]);

describe('the day of a state', () => {
  const showDay = (time: string, fields: object = {}, closing = CLOSING) =>
    show(
      <TodayView
        {...{ state: 'Goa', states: ['Goa', 'Kerala'], hasAll: true, open: 12_345, fresh: 7 }}
        {...{ facts: todayFacts(closing, at(time)), now: at(time), source: 'Checked 10:32 AM', ...fields }}
      />,
    );

  test('has three figures, each with the list of its tenders', async () => {
    await showDay('10:40');
    expect(figures()).toEqual([
      ['tenders open now', '12,345', '/tenders/results?state=Goa'],
      ['still close today', '67', '/tenders/results?state=Goa&within=0&sort=closing_date'],
      ['new since yesterday', '7', '/tenders/results?state=Goa&published_within=1'],
    ]);
    expect(page.texts('h2, h2 + p')).toEqual(['Closing today, by hour', 'Mon 15 Dec, now 10:40 AM']);
  });

  test('has no link to a list without tenders, nor to lists of all states', async () => {
    await showDay('18:00', { fresh: 0 }, [[600, 7]]);
    expect(figures().slice(1)).toEqual([
      ['still close today', '0', null],
      ['new since yesterday', '0', null],
    ]);
    await showDay('10:40', { state: '', fresh: 1_234 });
    expect(figures()).toEqual([
      ['tenders open now', '12,345', '/tenders'],
      ['still close today', '67', null],
      ['new since yesterday', '1,234', null],
    ]);
  });

  /** Each bar: its text, its look, its two numbers, the heights of the hour and of what is left, its list. */
  const bars = () =>
    [...page.page.querySelectorAll('ol li')].map((bar) => [
      bar.querySelector('.sr')?.textContent,
      bar.getAttribute('data-look'),
      bar.querySelector('del')?.textContent,
      bar.querySelector('b')?.textContent,
      ...[...bar.querySelectorAll('rect')].map((rect) => Number(rect.getAttribute('height'))),
      bar.querySelector('a')?.getAttribute('href'),
    ]);
  const hourPath = (query: string) => `/tenders/results?state=Goa&hour=${query}`;

  test('has a bar for each hour, as high as its closings, that opens them: what has closed is gray, with its own number', async () => {
    await showDay('10:40');
    expect(page.page.querySelector('ol')?.getAttribute('aria-label')).toBe('Closings by hour on Mon 15 Dec');
    expect(bars().slice(0, 4)).toEqual([
      ['9 AM: none', 'gone', '', '', 0.34, 0, undefined],
      ['10 AM: 2 of 9 still close', 'next', '7', '2', 9, 2, hourPath('10&sort=closing_date')],
      ['11 AM: 28 close', 'later', '', '28', 28, 28, hourPath('11&sort=closing_date')],
      ['noon: none', 'gone', '', '', 0.34, 0, undefined],
    ]);
    expect(bars().at(-1)).toEqual(['6 PM: 34 close', 'later', '', '34', 34, 34, hourPath('18&sort=closing_date')]);
    expect(page.texts('ol li > * > :last-child')).toEqual([
      '9 AM',
      '10',
      '11',
      'noon',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6 PM',
    ]);
    expect(page.page.querySelector('ol svg')?.getAttribute('viewBox')).toBe('0 0 1 34');
    const rects = [...page.page.querySelectorAll('ol li:nth-child(2) rect')];
    expect(rects.map((rect) => [rect.getAttribute('y'), rect.getAttribute('width')])).toEqual([
      ['25', '1'],
      ['32', '1'],
    ]);
  });

  test('of an hour that is over shows what has closed, and opens the closed tenders', async () => {
    await showDay('10:45');
    expect(bars()[1]).toEqual(['10 AM: 9 closed', 'gone', '9', '', 9, 0, hourPath('10&open=0')]);
    expect(bars()[2]?.[1]).toBe('next');
  });

  test('an hour with few of many tenders is still visible', async () => {
    await showDay('09:00', {}, [
      [600, 1],
      [660, 1_000],
    ]);
    expect(bars()[1]?.slice(4, 6)).toEqual([40, 40]);
  });

  test('of all states has bars without lists', async () => {
    await showDay('10:40', { state: '' });
    expect(page.page.querySelector('ol a')).toBeNull();
    expect(bars()[2]?.slice(0, 4)).toEqual(['11 AM: 28 close', 'later', '', '28']);
  });

  test.each(['Goa', ''])('on a page that was stored earlier (%j) is that of the present minute', (state) => {
    const pageAt = (time: string) =>
      renderToString(
        <StaticRouter location="/">
          <TodayView
            {...{ state, states: ['Goa'], hasAll: true, open: 5, fresh: 7, source: '' }}
            {...{ facts: todayFacts(CLOSING, at(time)), now: at(time) }}
          />
        </StaticRouter>,
      );
    const chart = (html: string) => /<ol.*<\/ol>/s.exec(html)?.[0];
    for (const [stored, shown] of [
      ['09:00', '10:40'],
      ['10:40', '10:45'],
      ['09:00', '18:00'],
    ] as const)
      expect(chart(correctClosings(pageAt(stored), at(shown)))).toBe(chart(pageAt(shown)));
  });

  test.each<[string, ClosingMinutes, string, string]>([
    ['10:40', CLOSING, '30 close in the next hour', 'within=0'],
    ['10:40', [[645, 1]], '1 closes in the next hour', 'within=0'],
    ['11:00', CLOSING, 'Next closing at 6:00 PM', 'within=0'],
    ['18:00', CLOSING, '3 close today, hour not stated', 'within=0'],
    ['18:00', [[600, 7]], 'See what closes tomorrow', 'within=1'],
  ])('says at %s what comes next of %j: %s', async (time, closing, text, within) => {
    await showDay(time, {}, closing);
    const link = footLink();
    expect([link?.textContent, link?.getAttribute('href')]).toEqual([
      text,
      `/tenders/results?state=Goa&${within}&sort=closing_date`,
    ]);
    expect(foot()).toBe(`${text} · Checked 10:32 AM`);
  });

  test('of all states names the next hour without a list', async () => {
    await showDay('10:40', { state: '' });
    expect(foot()).toBe('30 close in the next hour · Checked 10:32 AM');
    expect(footLink()).toBeNull();
  });

  test('of another state is one choice away, and the choice stays on the device', async () => {
    await showDay('10:40');
    expect(select().value).toBe('Goa');
    expect(options()).toEqual([
      ['', 'All of India'],
      ['Goa', 'Goa'],
      ['Kerala', 'Kerala'],
    ]);
    select().value = 'Kerala';
    await act(async () => void select().dispatchEvent(new Event('change', { bubbles: true })));
    expect(localStorage.getItem('homeState')).toBe('Kerala');
    await showDay('10:40', { hasAll: false });
    expect(options()[0]).toEqual(['Goa', 'Goa']);
  });
});

/** Modules of its own for each test: the chosen state and the server's counts stay with a page. */
function useNewModules() {
  beforeEach(async () => {
    vi.resetModules();
    const [{ Today }, choice, testSession, device, testPack] = await Promise.all([
      import('./Today.tsx'),
      import('./chosen-state.ts'),
      import('../../data/test-session.ts'),
      import('../../data/device/database.ts'),
      import('../../offline/test-data/test-pack.ts'),
    ]);
    app = { Today, ...choice, ...testSession, ...device, ...testPack };
  });
  afterEach(async () => {
    await closeTestPages();
    await app.withDatabase((db) => db.delete());
    await app.closeDatabase();
  });
}

describe('today by the server', () => {
  useNewModules();
  const state = (name: string, open: number, fields: object = {}) => ({
    ...{ state: name, slug: name.toLowerCase(), open, demonstration: false, fresh: open, closing: [[660, open]] },
    ...fields,
  });
  const GOA = state('Goa', 3);
  const KERALA = state('Kerala', 9, {
    fresh: 4,
    closing: [
      [660, 2],
      [1080, 5],
    ],
  });
  const ASSAM = state('Assam', 0);
  const FETCHED = '2025-12-15T10:32:00+05:30';
  const counts = (...states: object[]) => ({ states, day: DAY, fetched_at: FETCHED });
  const open = () => figures()[0]?.[1];

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: at('10:40') });
  });

  test('is that of the state with most open tenders, until one is chosen that has some', async () => {
    answers = [counts(GOA, KERALA, ASSAM)];
    await show(<app.Today />);
    await expect.poll(open).toBe('9');
    expect(figures().map(([, number]) => number)).toEqual(['9', '7', '4']);
    expect(options().map(([name]) => name)).toEqual(['', 'Goa', 'Kerala']);
    expect(foot()).toBe('2 close in the next hour · Checked 10:32 AM');
    await act(async () => app.chooseState('Goa'));
    expect(figures().map(([, number]) => number)).toEqual(['3', '3', '3']);
    await act(async () => app.chooseState('Assam'));
    expect(open()).toBe('9');
  });

  test('of all states is the sum of all', async () => {
    answers = [counts(GOA, KERALA)];
    app.chooseState('');
    await show(<app.Today />);
    await expect.poll(open).toBe('12');
    expect(figures().map(([, number]) => number)).toEqual(['12', '10', '7']);
    expect(select().value).toBe('');
    expect(page.texts('ol .sr')[2]).toBe('11 AM: 5 close');
  });

  test("is that of the user's own state before another one is chosen", async () => {
    answers = [counts(GOA, KERALA)];
    app.signInForTest('7');
    app.proposeState('7', 'Goa');
    await show(<app.Today />);
    await expect.poll(open).toBe('3');
  });

  test('of one state offers no sum, and of none nothing', async () => {
    answers = [counts(GOA, ASSAM)];
    await show(<app.Today />);
    await expect.poll(open).toBe('3');
    expect(options()).toEqual([['Goa', 'Goa']]);
    answers = [counts(ASSAM)];
    window.dispatchEvent(new Event('online'));
    await expect.poll(() => page.page.innerHTML).toBe('');
  });

  test.each([
    ['2025-12-14T23:59:00+05:30', 'Checked 14 Dec 2025'],
    ['2025-12-15T00:01:00+05:30', 'Checked 12:01 AM'],
    [null, 'Not checked yet'],
  ])('that was compared with the portals at %s says so', async (fetched, text) => {
    answers = [{ ...counts(KERALA), fetched_at: fetched }];
    await show(<app.Today />);
    await expect.poll(foot).toBe(`2 close in the next hour · ${text}`);
  });

  test('of another day is asked again and not shown', async () => {
    answers = [{ ...counts(KERALA), day: DAY - 1 }, counts(GOA)];
    await show(<app.Today />);
    await expect.poll(open).toBe('3');
  });
});

describe('today on the device, when the server does not answer', () => {
  useNewModules();
  const now = at('10:40').getTime();
  const row = (id: number, fields: object = {}) =>
    toRow({ id, publishedAt: now - 72 * HOUR_MS, closesAt: now + 72 * HOUR_MS, ...fields });
  const minute = (time: string) => at(time).getTime();
  const HIMACHAL = [
    row(1, { closesAt: minute('10:00') }),
    row(2, { closesAt: minute('11:00') }),
    row(3, { closesAt: minute('11:00'), publishedAt: minute('09:00') }),
    row(4, { closesAt: minute('23:59'), closingTimeKnown: false }),
    row(5, { closesAt: minute('00:00') - 1 }),
    row(6),
    row(7, { publishedAt: minute('00:00') - 24 * HOUR_MS }),
    row(8, { publishedAt: minute('00:00') - 24 * HOUR_MS - 1 }),
  ];

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now });
  });

  test('is that of the saved state: open, still closing and new tenders, and the closings by hour', async () => {
    await app.storeTestPack('himachal-pradesh', HIMACHAL, now);
    await show(<app.Today />);
    await expect.poll(() => figures().map(([, number]) => number)).toEqual(['6', '3', '2']);
    expect(options()).toEqual([['Himachal Pradesh', 'Himachal Pradesh']]);
    expect(foot()).toBe('2 close in the next hour · On this phone');
    expect(page.page.querySelector('dd[data-closings]')?.getAttribute('data-closings')).toBe('600 1,660 2,1440 1');
  });

  test('is that of the chosen state where it is saved, else of the first one', async () => {
    await app.storeTestPack('assam', [row(11, { state: 'Assam' })], now);
    await app.storeTestPack('himachal-pradesh', HIMACHAL, now);
    app.chooseState('Himachal Pradesh');
    await show(<app.Today />);
    await expect.poll(() => figures()[0]?.[1]).toBe('6');
    expect(select().value).toBe('Himachal Pradesh');
    await act(async () => app.chooseState('Goa'));
    await expect.poll(() => figures()[0]?.[1]).toBe('1');
    expect([select().value, options().map(([name]) => name)]).toEqual(['Assam', ['Assam', 'Himachal Pradesh']]);
  });

  test('of all India is that of all states', async () => {
    await app.storeTestPack('india', [...HIMACHAL, row(11, { state: 'Assam' })], now);
    await show(<app.Today />);
    await expect.poll(() => figures()[0]?.[1]).toBe('7');
    expect(options()).toEqual([['', 'All of India']]);
  });

  describe('and does not refuse either', () => {
    let reachability: typeof import('../../data/server/reachability.ts');
    let bringCounts: (counts: object) => void;
    const isBlank = () => page.page.firstElementChild?.childElementCount === 0;

    beforeEach(async () => {
      reachability = await import('../../data/server/reachability.ts');
      const { promise, resolve } = Promise.withResolvers<Response>();
      bringCounts = (counts) => resolve(Response.json(counts));
      vi.stubGlobal('fetch', () => promise);
    });
    const becomeSilent = () => act(async () => reachability.useReachability.setState({ status: 'silent' }));

    test('is that of the saved state once the network is silent, until the counts come', async () => {
      await app.storeTestPack('himachal-pradesh', HIMACHAL, now);
      await show(<app.Today />);
      expect(isBlank()).toBe(true);
      await becomeSilent();
      await expect.poll(() => figures()[0]?.[1]).toBe('6');
      // a byte of another answer
      await act(async () => reachability.useReachability.setState({ status: 'reachable' }));
      expect(figures()[0]?.[1]).toBe('6');
      const goa = { state: 'Goa', slug: 'goa', open: 3, demonstration: false, fresh: 3, closing: [[660, 3]] };
      bringCounts({ states: [goa], day: DAY, fetched_at: null });
      await expect.poll(() => figures()[0]?.[1]).toBe('3');
    });

    test('keeps its place without a saved state', async () => {
      const { TodayOnDevice } = await import('./TodayOnDevice.tsx');
      await show(<TodayOnDevice isLoading />);
      expect(isBlank()).toBe(true);
    });
  });

  test('is nothing without a saved state', async () => {
    await show(<app.Today />);
    await expect.poll(() => page.page.innerHTML).toBe('');
  });
});
