// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { toSavedFilter } from '@nivida/contract/filter/saved-filter';
import type { SavedFilter, SavedSearch } from '@nivida/contract/filter/saved-search';
import { EMPTY_FILTER, type TenderFilter } from '@nivida/contract/filter/tender-filter';
import type { OutboxRequest } from '@nivida/contract/sync/outbox';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import type { SavedSearchRow } from '../../data/device/schema.ts';
import { outboxAnswer } from '../../data/outbox/test-outbox.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { clearSession, currentOwner } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { refreshSearches } from './exchange-searches.ts';
import { SavedSearchList } from './SavedSearchList.tsx';
import { SaveSearchButton } from './SaveSearchButton.tsx';
import {
  deleteSearchAndSend,
  deleteSearchOfFilterAndSend,
  markOpenedAndSend,
  renameSearchAndSend,
  saveSearchAndSend,
} from './search-actions.ts';
import { visibleSearches } from './searches.ts';
import { type CountHits, useNewHits } from './useNewHits.ts';

/** The changes that the server received, and its searches. */
let calls: { call: string; body: object }[];
let stored: SavedSearch[];
let onLine: MockInstance<() => boolean>;
let persisted: number;

beforeEach(() => {
  [calls, stored, persisted] = [[], [], 0];
  onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async (request: Request) => {
    const body: OutboxRequest = JSON.parse(await request.text());
    for (const { wanted, search } of body.searches) {
      calls.push({ call: `${wanted} ${search.id}`, body: search });
      const others = stored.filter(({ id }) => id !== search.id);
      const { filter, ...rest } = search;
      const { min, ...other } = filter;
      const saved = {
        ...rest,
        filter: { ...other, ...(min && { min: Number(min) }) },
        createdAt: '2026-04-10T06:00:00.000Z',
      };
      stored = wanted === 'deleted' ? others : [saved as SavedSearch, ...others];
    }
    return outboxAnswer(body, { searches: stored });
  });
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      persisted: async () => false,
      persist: async () => {
        persisted += 1;
        return true;
      },
    },
  });
});

afterEach(async () => {
  await closeTestPages();
  // The exchange with the server ends before its session.
  await refreshSearches().catch(() => undefined);
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'storage');
  clearSession();
  // without a session this only calls off the next attempt
  await refreshSearches();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
  localStorage.clear();
});

const toast = () => useToast.getState().current;
const rows = (owner = currentOwner()) => withDatabase((db) => visibleSearches(db, owner));
const names = async () => (await rows()).map(({ name }) => name);
const recordedKeys = () => Object.keys(localStorage).filter((key) => key.startsWith('unsaved-search'));
const failWrites = () =>
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('refused', 'DataError');
  });
const filterOf = (changes: Partial<TenderFilter>): SavedFilter =>
  toSavedFilter({ ...EMPTY_FILTER, state: 'Assam', ...changes });
const BRIDGES = filterOf({ q: 'bridge' });
const ROADS = filterOf({ q: 'road' });
const row = (id: string, changes: Partial<SavedSearchRow> = {}): SavedSearchRow => ({
  ...{ id, owner: '', name: `Search ${id}`, filter: BRIDGES, openedUpTo: 10, savedAt: 1, refusal: null },
  ...changes,
});
const put = (...searches: SavedSearchRow[]) => withDatabase((db) => db.searches.bulkPut(searches));

describe('a search', () => {
  test('is saved under the proposed name with the tenders that were seen, and its undo deletes it', async () => {
    await saveSearchAndSend(filterOf({ q: 'bridge', min: 100_000 }), 4_711);
    expect(await rows()).toMatchObject([
      { owner: '', name: 'bridge · Assam · from ₹1 Lakh', openedUpTo: 4_711, refusal: null },
    ]);
    expect(Math.abs(((await rows())[0]?.savedAt ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(toast()).toMatchObject({
      text: 'Search saved: bridge · Assam · from ₹1 Lakh.',
      action: { label: 'Undo' },
      passing: true,
    });
    expect([persisted, calls]).toEqual([1, []]);
    toast()?.action?.run();
    await expect.poll(names).toEqual([]);
    await expect.poll(recordedKeys).toEqual([]);
  });

  test('of a user is sent, and so is its undo', async () => {
    signInForTest('7');
    await saveSearchAndSend(BRIDGES, 4_711);
    await expect
      .poll(() => stored.map(({ name, openedUpTo }) => [name, openedUpTo]))
      .toEqual([['bridge · Assam', 4_711]]);
    toast()?.action?.run();
    await expect.poll(() => stored).toEqual([]);
    expect(await names()).toEqual([]);
  });

  test('that is saved already keeps its name', async () => {
    await put(row('a', { name: 'My bridges' }));
    await saveSearchAndSend(BRIDGES, 20);
    expect([toast()?.text, await names()]).toEqual(['Search saved: My bridges.', ['My bridges']]);
  });

  test('without a connection says when it is sent to an account; a visitor has nothing to send', async () => {
    onLine.mockReturnValue(false);
    await saveSearchAndSend(BRIDGES, 1);
    expect(toast()?.text).toBe('Search saved: bridge · Assam.');
    signInForTest('7');
    await saveSearchAndSend(ROADS, 1);
    expect(toast()?.text).toBe('Search saved: road · Assam. Sent when this app is open and there is a connection.');
    // a network that carries nothing
    onLine.mockReturnValue(true);
    useReachability.setState({ status: 'unreachable' });
    await saveSearchAndSend(BRIDGES, 1);
    expect(toast()?.text).toBe('Search saved: bridge · Assam. Sent when this app is open and there is a connection.');
    useReachability.setState({ status: 'reachable' });
  });

  test('that is deleted comes back by Undo with its name and what was seen, and the server learns both', async () => {
    signInForTest('7');
    const search = row('a', { owner: '7', name: 'My bridges', savedAt: Date.parse('2026-04-10T06:00:00.000Z') });
    await put(search, row('b', { owner: '7', filter: ROADS, savedAt: 2 }));
    stored = [
      { ...search, createdAt: '2026-04-10T06:00:00.000Z' },
      { ...row('b', { filter: ROADS }), createdAt: '2026-04-09T06:00:00.000Z' },
    ];
    await deleteSearchAndSend(search);
    expect(toast()).toMatchObject({ text: 'Saved search deleted.', action: { label: 'Undo' }, passing: true });
    await expect.poll(() => calls.map(({ call }) => call)).toEqual(['deleted a']);
    await expect.poll(names).toEqual(['Search b']);
    toast()?.action?.run();
    await expect.poll(() => stored.map(({ name }) => name)).toEqual(['My bridges', 'Search b']);
    expect(calls.at(-1)).toMatchObject({ call: 'kept a', body: { id: 'a', name: 'My bridges', openedUpTo: 10 } });
    await expect.poll(names).toEqual(['My bridges', 'Search b']);
    await expect.poll(recordedKeys).toEqual([]);
  });

  test('is deleted by its filter, in any letter case', async () => {
    await put(row('a'), row('b', { filter: ROADS }));
    await deleteSearchOfFilterAndSend(filterOf({ q: 'Bridge' }));
    expect([await names(), toast()?.text]).toEqual([['Search b'], 'Saved search deleted.']);
    dismissToast();
    await deleteSearchOfFilterAndSend(filterOf({ q: 'wall' }));
    expect([await names(), toast()]).toEqual([['Search b'], undefined]);
  });

  test('is renamed, and the server learns it', async () => {
    signInForTest('7');
    await put(row('a', { owner: '7' }));
    stored = [{ ...row('a'), createdAt: '2026-04-10T06:00:00.000Z' }];
    await renameSearchAndSend(row('a', { owner: '7' }), 'Bridges of Assam');
    expect([await names(), toast()]).toEqual([['Bridges of Assam'], undefined]);
    await expect.poll(() => stored[0]?.name).toBe('Bridges of Assam');
  });

  test('is marked as seen up to a later tender only', async () => {
    signInForTest('7');
    await put(row('a', { owner: '7' }));
    stored = [{ ...row('a'), createdAt: '2026-04-10T06:00:00.000Z' }];
    await markOpenedAndSend(row('a', { owner: '7' }), 10);
    expect(calls).toEqual([]);
    await markOpenedAndSend(row('a', { owner: '7' }), 11);
    await expect.poll(() => calls).toMatchObject([{ call: 'opened a', body: { openedUpTo: 11 } }]);
    expect((await rows())[0]?.openedUpTo).toBe(11);
  });

  test('beyond fifty is refused with its reason', async () => {
    await put(...Array.from({ length: 50 }, (_, n) => row(`id ${n}`, { filter: filterOf({ q: `word${n}x` }) })));
    await saveSearchAndSend(ROADS, 1);
    expect(toast()).toEqual({ text: 'At most 50 searches can be saved. Delete one first.' });
    expect([(await rows()).length, persisted]).toEqual([50, 0]);
  });

  test('that the phone does not store or delete says so', async () => {
    await put(row('a'));
    failWrites();
    await saveSearchAndSend(ROADS, 1);
    expect(toast()).toEqual({ text: 'Failed to save the search' });
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(() => {
      throw new DOMException('refused', 'DataError');
    });
    dismissToast();
    await deleteSearchAndSend(row('a'));
    expect(toast()).toEqual({ text: 'Failed to save the search' });
  });

  test('in a browser that blocks storage says so', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('refused', 'SecurityError');
    });
    await saveSearchAndSend(ROADS, 1);
    expect(toast()?.text).toBe('This browser blocks storage, so searches cannot be saved.');
    vi.restoreAllMocks();
    await closeDatabase();
  });
});

describe('the list of saved searches', () => {
  const showList = (searches: SavedSearchRow[], more: Partial<Parameters<typeof SavedSearchList>[0]> = {}) =>
    openTestPage(<SavedSearchList searches={searches} hits={new Map()} {...more} />);
  const hints = ({ page }: TestPage) =>
    [...page.querySelectorAll('li')].map((item) => item.querySelector('p')?.textContent);

  test('leads to the results of each, with the number of new ones', async () => {
    const searches = [row('a'), row('b', { filter: ROADS }), row('c', { filter: filterOf({ q: 'wall' }) })];
    const hits = new Map(Object.entries({ a: 3, b: 0 }));
    const page = await showList(searches, { hits });
    expect([...page.page.querySelectorAll('a')].map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
      ['/tenders/results?state=Assam&q=bridge', 'Search a3 new'],
      ['/tenders/results?state=Assam&q=road', 'Search bNothing new'],
      ['/tenders/results?state=Assam&q=wall', 'Search c'],
    ]);
    expect([page.texts('button'), hints(page)]).toEqual([[], [undefined, undefined, undefined]]);
  });

  test('says why one is on this phone only', async () => {
    signInForTest('7');
    const refusal = 'You can have at most 50 saved searches';
    const page = await showList([row('a', { owner: '7', refusal }), row('b', { owner: '7' })]);
    expect(hints(page)).toEqual([`On this phone only. ${refusal}: delete another one to save it.`, undefined]);
    clearSession();
    expect(hints(await showList([row('a', { owner: '7' }), row('b')]))).toEqual(['Sign in to sync', undefined]);
  });

  test('has buttons that rename and delete each one, where it is managed', async () => {
    await put(row('a'), row('b', { filter: ROADS }));
    const page = await showList(await rows(), { isManaged: true, renderMore: ({ id }) => `more of ${id}` });
    expect(page.names('button').toSorted()).toEqual([
      'Delete Search a',
      'Delete Search b',
      'Rename Search a',
      'Rename Search b',
    ]);
    expect(page.text()).toContain('more of a');
    await page.press('Delete Search b');
    await expect.poll(names).toEqual(['Search a']);
    await expect.poll(recordedKeys).toEqual([]);
    expect(toast()?.text).toBe('Saved search deleted.');
  });

  test('renames a search in a dialog, which needs a name', async () => {
    await put(row('a'), row('b', { filter: ROADS }));
    const page = await showList([row('a'), row('b', { filter: ROADS })], { isManaged: true });
    // A browser reports the closing of a frame when it is gone; happy-dom does it at once.
    vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(() => undefined);
    const openRename = async (button: string) => {
      await page.press(button);
      await expect.poll(() => page.texts('dialog button')).toContain('Save');
    };
    await openRename('Rename Search b');
    const dialogs = () => page.texts('dialog h2');
    expect([dialogs(), page.field('Name').value, page.field('Name').maxLength]).toEqual([
      ...[['Rename saved search'], 'Search b', 80],
    ]);
    await page.enter('Name', '  ');
    await page.press('Save');
    expect([page.errorAt('Name'), document.activeElement]).toEqual(['Name is required', page.field('Name')]);
    await page.enter('Name', ' Roads of Assam ');
    expect(page.errorAt('Name')).toBeUndefined();
    await page.press('Save');
    await expect.poll(dialogs).toEqual([]);
    expect((await rows()).map(({ id, name }) => [id, name]).toSorted()).toEqual([
      ['a', 'Search a'],
      ['b', 'Roads of Assam'],
    ]);

    await openRename('Rename Search a');
    await page.enter('Name', 'Another');
    await page.press('Cancel');
    expect(dialogs()).toEqual([]);
    expect((await names()).toSorted()).toEqual(['Roads of Assam', 'Search a']);
  });
});

describe('the button that saves a search', () => {
  const SEARCH: TenderFilter = { ...EMPTY_FILTER, state: 'Assam', q: 'bridge' };
  const showButton = (changes: Partial<Parameters<typeof SaveSearchButton>[0]> = {}) =>
    openTestPage(
      <SaveSearchButton
        {...{ search: SEARCH, shown: undefined, seenUpTo: 90, findHighestId: async () => 4_711, ...changes }}
      />,
    );
  const NAME = 'Save search';
  const isPressed = (page: TestPage) => page.button(NAME).getAttribute('aria-pressed');

  test('saves it with the highest of its tenders, shows that at once, and deletes it when it is pressed again', async () => {
    const page = await showButton();
    expect(isPressed(page)).toBe('false');
    expect({ ...page.button(NAME).dataset }).toEqual({ search: 'state=Assam&q=bridge', seen: '90' });
    await page.press(NAME);
    expect(isPressed(page)).toBe('true');
    await expect.poll(async () => (await rows()).map(({ openedUpTo }) => openedUpTo)).toEqual([4_711]);
    await expect.poll(recordedKeys).toEqual([]);
    await expect.poll(() => isPressed(page)).toBe('true');
    await page.press(NAME);
    expect(isPressed(page)).toBe('false');
    await expect.poll(names).toEqual([]);
    await expect.poll(recordedKeys).toEqual([]);
  });

  test('records a press of its user, with the tenders that were seen, until it is stored', async () => {
    signInForTest('7');
    const found = Promise.withResolvers<number>();
    const page = await showButton({ findHighestId: () => found.promise });
    await page.press(NAME);
    expect(recordedKeys()).toEqual(['unsaved-search 7 state=Assam&q=bridge']);
    expect(localStorage.getItem(recordedKeys()[0] ?? '')).toMatch(/^1 \d+ 90$/);
    found.resolve(95);
    await expect.poll(recordedKeys).toEqual([]);
    expect(await rows('7')).toMatchObject([{ owner: '7', openedUpTo: 95 }]);
  });

  test('is pressed for a saved search of the same words in another case, and for no other', async () => {
    await put(row('a', { filter: filterOf({ q: 'Bridge' }) }));
    const [page, other] = [await showButton(), await showButton({ search: { ...SEARCH, q: 'road' } })];
    await expect.poll(() => isPressed(page)).toBe('true');
    expect(isPressed(other)).toBe('false');
  });

  test('marks the shown tenders of a saved search as seen, of no other search and of no list that loads', async () => {
    await put(row('a'), row('b', { filter: ROADS }));
    const seen = async () => Object.fromEntries((await rows()).map(({ id, openedUpTo }) => [id, openedUpTo]));
    const loading = await showButton();
    await expect.poll(() => isPressed(loading)).toBe('true');
    expect(await seen()).toEqual({ a: 10, b: 10 });
    await showButton({ shown: {} });
    await expect.poll(seen).toEqual({ a: 4_711, b: 10 });
  });

  test('marks each list once that is shown, also the next one of the same search', async () => {
    await put(row('a'));
    const openedUpTo = async () => (await rows())[0]?.openedUpTo;
    let highestId = 20;
    const findHighestId = vi.fn(async () => highestId);
    const list = () => <SaveSearchButton {...{ search: SEARCH, shown: {}, seenUpTo: 90, findHighestId }} />;
    const { show } = await openTestPage(list());
    await expect.poll(openedUpTo).toBe(20);
    highestId = 30;
    await show(list());
    await expect.poll(openedUpTo).toBe(30);
    expect(findHighestId).toHaveBeenCalledTimes(2);
  });

  test('says when the search was not saved, and shows it', async () => {
    const page = await showButton({ findHighestId: () => Promise.reject(new Error('no answer')) });
    await page.press(NAME);
    await expect.poll(() => toast()?.text).toBe('Failed to save the search');
    await expect.poll(() => isPressed(page)).toBe('false');
    expect([await names(), recordedKeys()]).toEqual([[], []]);
  });
});

describe('the new hits of saved searches', () => {
  async function countWith(...first: [count: CountHits | undefined, searches: readonly SavedSearchRow[] | undefined]) {
    const shown: (readonly [string, number])[][] = [];
    function Hits({ given: [count, searches] }: { given: typeof first }) {
      shown.push([...useNewHits(searches, count)]);
      return null;
    }
    const { show } = await openTestPage(<Hits given={first} />);
    return { render: (...next: typeof first) => show(<Hits given={next} />), hits: () => shown.at(-1) };
  }

  test('are counted for each since it was last opened; one that cannot be counted is left out', async () => {
    const asked: [string, number][] = [];
    const count: CountHits = async ({ q }, above) => {
      asked.push([q, above]);
      if (q === 'wall') throw new Error('no answer');
      return q === 'road' ? undefined : above + 1;
    };
    const walls = row('c', { filter: filterOf({ q: 'wall' }) });
    const { hits } = await countWith(count, [
      row('a'),
      row('b', { filter: ROADS }),
      walls,
      row('d', { openedUpTo: 20 }),
    ]);
    await expect.poll(hits).toEqual([
      ['a', 11],
      ['d', 21],
    ]);
    expect(asked).toEqual([
      ['bridge', 10],
      ['road', 10],
      ['wall', 10],
      ['bridge', 20],
    ]);
  });

  test('are not counted without a way to count or without searches', async () => {
    const { hits, render } = await countWith(undefined, [row('a')]);
    expect(hits()).toEqual([]);
    const count: CountHits = async () => 5;
    await render(count, undefined);
    expect(hits()).toEqual([]);
    await render(count, [row('a')]);
    await expect.poll(hits).toEqual([['a', 5]]);
  });

  test('of earlier searches do not replace those of the present ones', async () => {
    const late = Promise.withResolvers<number>();
    const { hits, render } = await countWith(() => late.promise, [row('a')]);
    await render(async () => 2, [row('b')]);
    await expect.poll(hits).toEqual([['b', 2]]);
    await act(async () => {
      late.resolve(9);
      await late.promise;
    });
    expect(hits()).toEqual([['b', 2]]);
  });
});
