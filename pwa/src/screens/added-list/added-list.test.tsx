// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { testTender } from '@nivida/contract/tenders/test-tender';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { TestServer } from '../../offline/packs/test-server.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';

const SCOPE = 'himachal-pradesh';
const NOW = new Date('2026-11-10T06:00:00Z');

/** Tenders that only the server has. */
const OPEN = testTender({
  _id: '71',
  source_tender_id: '2026_MC_71_1',
  title: 'Footbridge',
  closing_date: '2026-12-01T06:00:00Z',
});
const CLOSED = testTender({
  _id: '72',
  source_tender_id: '2026_MC_72_1',
  title: 'Culvert',
  closing_date: '2026-11-01T06:00:00Z',
});

let server: TestServer;
let endApp: () => Promise<void>;
let isOnline: boolean;
/** What the server was asked, without packs. */
let asked: { ids: string[]; numbers: string[] }[];
let copied: string[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOW, shouldAdvanceTime: true });
  server = new TestServer([1, 2].map((id) => ({ id, title: `House number ${id}` })));
  asked = [];
  copied = [];
  isOnline = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    if (!new URL(request.url).pathname.endsWith('/by-number')) return server.fetch(request);
    const body = (await request.json()) as (typeof asked)[number];
    asked.push(body);
    const isAsked = ({ _id, source_tender_id }: TenderSummary) =>
      body.ids.includes(_id) || body.numbers.some((number) => number.toUpperCase() === source_tender_id);
    return Response.json({ tenders: [OPEN, CLOSED].filter(isAsked) });
  });
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
  const clipboard = { writeText: async (text: string) => void copied.push(text) };
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
});
afterEach(async () => {
  await closeTestPages();
  await endApp();
  const db = new DeviceDatabase('nivida');
  await Promise.all(db.tables.map((table) => table.clear()));
  db.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'clipboard');
  localStorage.clear();
});

/** A phone that has the tenders of a state, at a page. */
async function openPhone() {
  vi.resetModules();
  const [packs, { usePacks }, { closeDatabase, withDatabase }, { useToast }] = await Promise.all([
    import('../../offline/packs/packs.ts'),
    import('../../offline/packs/pack-status.ts'),
    import('../../data/device/database.ts'),
    import('../../ui/feedback/toast.ts'),
  ]);
  endApp = closeDatabase;
  await packs.startPacks();
  // A new device stores nothing before the first touch.
  window.dispatchEvent(new Event('pointerup'));
  await packs.savePack(SCOPE);
  await expect
    .poll(() =>
      Object.keys(usePacks.getState().scopes[SCOPE]?.row.files ?? {}).filter((name) => name.startsWith('index ')),
    )
    .toHaveLength(1);
  await expect.poll(() => usePacks.getState().scopes[SCOPE]?.isRunning).toBe(false);
  const [{ AddTenders }, { AddListLine }, { initBookmarks }] = await Promise.all([
    import('./AddTenders.screen.tsx'),
    import('./AddListLine.tsx'),
    import('../../features/bookmarks/bookmark-sync.ts'),
  ]);
  await initBookmarks();
  const bookmarks = () =>
    withDatabase(async (db) => (await db.bookmarks.orderBy('tenderId').toArray()).map((row) => row.tenderId));
  return { AddTenders, AddListLine, bookmarks, toast: () => useToast.getState().current };
}

const setOnline = (value: boolean) =>
  act(async () => {
    isOnline = value;
    window.dispatchEvent(new Event(value ? 'online' : 'offline'));
  });

/** Each found tender with its mark: 'x' ticked, '-' not ticked. */
const found = (page: TestPage) =>
  [...page.page.querySelectorAll<HTMLInputElement>('li input')].map((box) => [
    box.checked ? 'x' : '-',
    box.closest('label')?.querySelector('strong')?.textContent,
  ]);
const summary = (page: TestPage) => page.texts('[role=status]').join();

test('a pasted list becomes bookmarks: open tenders are ticked, the rest is shown and can be copied, one tap undoes it', async () => {
  const { AddTenders, bookmarks, toast } = await openPhone();
  const page = await openTestPage(<AddTenders />, '/add-tenders');
  await expect.poll(() => page.texts('label')).toEqual(['Your list']);
  await page.press('Find the tenders');
  await expect.poll(() => page.errorAt('Your list')).toBe('Paste a list, or choose a file.');
  await page.enter('Your list', '2026_PWD_1_1\n2026_MC_71_1\n2026_MC_72_1\n2026_MC_99_1\nRoads at Mandi\n2026_PWD_1_1');
  await page.press('Find the tenders');
  await expect.poll(() => summary(page)).toBe('3 tenders found. 1 line not found. 1 line without a tender number.');
  expect(asked).toEqual([{ ids: [], numbers: ['2026_PWD_1_1', '2026_MC_71_1', '2026_MC_72_1', '2026_MC_99_1'] }]);
  expect(found(page)).toEqual([
    ['x', 'House number 1'],
    ['x', 'Footbridge'],
    ['-', 'Culvert'],
  ]);
  expect([page.field('Not found').value, page.field('Without a tender number').value]).toEqual([
    '2026_MC_99_1',
    'Roads at Mandi',
  ]);
  await page.press('Copy these lines', 1);
  expect(copied).toEqual(['Roads at Mandi']);
  await page.press('Bookmark 2 tenders');
  await expect.poll(bookmarks).toEqual(['1', '71']);
  expect(toast()).toMatchObject({ text: '2 tenders bookmarked.', action: { label: 'Undo' } });
  await expect.poll(() => page.names()).toContain('Show the bookmarks');
  await act(async () => toast()?.action?.run());
  await expect.poll(bookmarks).toEqual([]);
  await expect.poll(() => page.names()).toContain('Bookmark 2 tenders');
  await page.press('Remove the list');
  await expect.poll(() => page.texts('label')).toEqual(['Your list']);
  await act(async () => toast()?.action?.run());
  await expect.poll(() => found(page)).toHaveLength(3);
});

test('without a connection a list is found in the saved tenders; the rest waits and is looked up later', async () => {
  const { AddTenders, AddListLine, toast } = await openPhone();
  await setOnline(false);
  const page = await openTestPage(<AddTenders />, {
    pathname: '/add-tenders',
    state: { list: 'Pls check 2026_PWD_2_1\n2026_MC_71_1' },
  });
  await expect.poll(() => summary(page)).toBe('1 tender found. 1 line waits for a connection.');
  expect(found(page)).toEqual([['x', 'House number 2']]);
  expect(page.texts('h2')).toEqual(['Waiting for a connection']);
  expect([asked, page.router.state.location.state]).toEqual([[], null]);
  await page.close();

  const line = await openTestPage(<AddListLine />);
  await expect.poll(() => line.names()).toEqual(['Open your list of tenders']);
  const { syncAddedList } = await import('../../features/added-list/sync-added-list.ts');
  await syncAddedList();
  expect(asked).toEqual([]);
  await setOnline(true);
  await syncAddedList();
  expect(toast()?.text).toBe('Your list was looked up: 1 tender found. See Bookmarks.');
  await syncAddedList();
  expect(asked).toHaveLength(1);
  const again = await openTestPage(<AddTenders />, '/add-tenders');
  await expect.poll(() => summary(again)).toBe('2 tenders found.');
});

test('a file is read in each common encoding, and refused with a reason when it is too large or no text', async () => {
  const { AddTenders } = await openPhone();
  const page = await openTestPage(<AddTenders />, '/add-tenders');
  await expect.poll(() => page.texts('label')).toEqual(['Your list']);
  const input = page.page.querySelector<HTMLInputElement>('input[type=file]');
  const choose = (name: string, ...parts: BlobPart[]) =>
    act(async () => {
      Object.defineProperty(input, 'files', { configurable: true, value: [new File(parts, name)] });
      input?.dispatchEvent(new Event('change', { bubbles: true }));
    });
  await choose('huge.csv', 'x'.repeat(1_000_001));
  await expect
    .poll(() => page.errorAt('Your list'))
    .toBe('“huge.csv” has 1.0 MB, and at most 1 MB can be read. Split it.');
  await choose('list.xlsx', 'PK\u0003\u0004\0\0');
  await expect
    .poll(() => page.errorAt('Your list'))
    .toBe('“list.xlsx” is no text. Save it as CSV, then choose the CSV.');
  await choose('long.csv', Array.from({ length: 2_001 }, (_, index) => `2026_PWD_${index}_1`).join('\n'));
  await expect
    .poll(() => page.errorAt('Your list'))
    .toBe('The list would have more than 2,000 lines. Split it, or remove the list that you have.');
  const table = 'Work\tमेरा\r\nHouse\t2026_PWD_1_1\r\nBridge\t2026_MC_71_1\r\n';
  // As a spreadsheet saves "Unicode text".
  await choose('list.txt', Buffer.from(`\ufeff${table}`, 'utf16le'));
  await expect.poll(() => found(page).map(([, title]) => title)).toEqual(['House number 1', 'Footbridge']);
});

test('ids that are typed into the search show their tenders, also offline, and name the unknown ones', async () => {
  await openPhone();
  const { TypedTenders } = await import('../tenders/TypedTenders.tsx');
  isOnline = false;
  const page = await openTestPage(<TypedTenders words="2026_PWD_1_1, 2026_mc_71_1 2026_MC_99_1" />);
  const unknown = () => [...page.page.querySelectorAll('textarea')].map(({ value }) => value);
  await expect.poll(unknown).toEqual(['2026_mc_71_1\n2026_MC_99_1']);
  expect(page.texts('article h2')).toEqual(['House number 1']);
  expect(page.text()).toContain('They are looked up when you are online.');

  await setOnline(true);
  await expect.poll(() => page.texts('article h2')).toEqual(['House number 1', 'Footbridge']);
  await expect.poll(unknown).toEqual(['2026_MC_99_1']);
  expect(page.texts('[role=status]')).toEqual(['2 tenders found.']);
  expect(page.text()).toContain('Nivida has no tender with these numbers. Check them at the portal.');

  // What was found stays.
  await setOnline(false);
  await act(async () => new Promise(setImmediate));
  expect(page.texts('article h2')).toEqual(['House number 1', 'Footbridge']);
  expect(unknown()).toEqual(['2026_MC_99_1']);
});

test('typed ids are found also by an answer that comes after the server has been silent', async () => {
  await openPhone();
  const [{ TypedTenders }, { useReachability }] = await Promise.all([
    import('../tenders/TypedTenders.tsx'),
    import('../../data/server/reachability.ts'),
  ]);
  let answer: () => void = () => undefined;
  const answers = fetch;
  vi.stubGlobal('fetch', async (request: Request) => {
    // Only the first call is answered.
    const isFirst = asked.length === 0;
    const response = await answers(request);
    await new Promise<void>((resolve) => {
      if (isFirst) answer = resolve;
    });
    return response;
  });
  const page = await openTestPage(<TypedTenders words="2026_MC_71_1 2026_MC_72_1" />);
  await expect.poll(() => asked).toHaveLength(1);
  await act(async () => useReachability.setState({ status: 'silent' }));
  await act(async () => answer());
  await expect.poll(() => page.texts('article h2')).toEqual(['Footbridge', 'Culvert']);
});
