// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { EMPTY_FILTER, parseListQuery, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeviceDatabase } from '../../data/device/schema.ts';
import { TestServer } from '../../offline/packs/test-server.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';

const SCOPE = 'himachal-pradesh';
const NOW = new Date('2026-11-10T06:00:00Z');
const CLOSES = Date.parse('2026-11-20T05:30:00Z');
const HOUR_MS = 3_600_000;

let server: TestServer;
let endApp: () => Promise<void>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOW, shouldAdvanceTime: true });
  server = new TestServer([1, 2, 3, 4].map((id) => ({ id, title: `House number ${id}` })));
  vi.stubGlobal('fetch', server.fetch);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
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
  Reflect.deleteProperty(navigator, 'connection');
  localStorage.clear();
});

/** The app on a new phone. */
async function openApp() {
  vi.resetModules();
  const [packs, { usePacks }, { closeDatabase }] = await Promise.all([
    import('../../offline/packs/packs.ts'),
    import('../../offline/packs/pack-status.ts'),
    import('../../data/device/database.ts'),
  ]);
  endApp = closeDatabase;
  await packs.startPacks();
  const isWhole = () => {
    const status = usePacks.getState().scopes[SCOPE];
    const parts = Object.keys(status?.row.files ?? {}).filter((name) => name.startsWith('index '));
    return parts.length === 2 && status?.isRunning === false;
  };
  return { ...packs, isWhole };
}

/** The app on a phone that has the tenders of a state. */
async function openSavedState() {
  const { savePack, isWhole } = await openApp();
  // A new device stores nothing before the first touch.
  window.dispatchEvent(new Event('pointerup'));
  await savePack(SCOPE);
  await expect.poll(isWhole).toBe(true);
  server.requestedPaths.length = 0;
}

/** A part of a screen that calls a hook; `show` renders it with another value, and the list has each result. */
async function renderHook<Value, Result>(useHook: (value: Value) => Result, first: Value) {
  const results: Result[] = [];
  const Probe = ({ value }: { value: Value }) => {
    results.push(useHook(value));
    return null;
  };
  const { show } = await openTestPage(<Probe value={first} />);
  return { results, last: () => results.at(-1) as Result, show: (value: Value) => show(<Probe value={value} />) };
}

const search = (query: string): TenderListQuery => parseListQuery(new URLSearchParams(query));

test('a list of a saved state comes from the phone, and the last one stays until the next is there', async () => {
  await openSavedState();
  const { useLocalList } = await import('../../offline/queries/useLocalList.ts');
  const himachal = search('state=Himachal+Pradesh');
  const list = await renderHook(
    (given: TenderListQuery | null) => useLocalList(given, NOW),
    himachal as TenderListQuery | null,
  );
  expect(list.results[0]).toEqual({ local: undefined, isPending: true });
  await expect.poll(() => list.last().local?.list.total).toBe(4);
  expect(list.last()).toMatchObject({
    isPending: true,
    local: { scope: SCOPE, isComplete: true, isCurrent: true, list: { page: 1, limit: 10, showing_for: null } },
  });
  const { list: found, facets } = list.last().local ?? {};
  expect(found?.tenders.map(({ _id }) => _id).sort()).toEqual(['1', '2', '3', '4']);
  expect([found?.data, found?.filter.state]).toEqual([found?.tenders, 'Himachal Pradesh']);
  expect(JSON.stringify(facets)).toContain('Shimla');

  const before = list.results.length;
  await list.show(search('state=Himachal+Pradesh&min=200001'));
  expect(list.results[before]).toMatchObject({ isPending: true, local: { isCurrent: false, list: { total: 4 } } });
  await expect.poll(() => list.last().local).toMatchObject({ isCurrent: true, list: { total: 2 } });
  for (const none of [search('state=Goa'), search('open=0'), null]) {
    await list.show(none);
    expect(list.last()).toEqual({ local: undefined, isPending: false });
  }
  await list.show(search('state=himachal-pradesh&page=2'));
  await expect
    .poll(() => list.last().local?.list)
    .toMatchObject({ total: 4, page: 2, tenders: [], filter: { state: 'Himachal Pradesh' } });
  expect(server.requestedPaths).toEqual([]);
});

const area = (state: string) => ({ state, districts: [], departments: [] });

test('the latest tenders of a saved state come from the phone, and those of another one from the server', async () => {
  await openSavedState();
  const { useLatestTenders } = await import('../../offline/queries/useLatestTenders.ts');
  const latest = await renderHook(
    (state: string | null) => useLatestTenders(state === null ? null : area(state), 2, NOW),
    'Himachal Pradesh' as string | null,
  );
  const shown = () => latest.last().tenders?.map(({ _id }) => _id);
  await expect.poll(shown).toEqual(['4', '3']);
  expect([latest.last().error, server.requestedPaths]).toEqual([undefined, []]);
  await latest.show('Goa');
  await expect.poll(() => latest.last().error).toBeDefined();
  expect(server.requestedPaths).toEqual(['/api/tenders']);
  expect(shown()).toBeUndefined();
  await latest.show(null);
  expect(server.requestedPaths).toHaveLength(1);
});

test('what closes soon is known of saved states only', async () => {
  await openSavedState();
  const { useClosingSoon } = await import('../../offline/queries/useLatestTenders.ts');
  const soon = await renderHook(
    (state: string) => useClosingSoon(area(state), 48, 3, new Date(CLOSES - 48 * HOUR_MS)),
    'Himachal Pradesh' as string,
  );
  await expect.poll(() => soon.last().value?.length).toBe(3);
  await soon.show('Goa');
  expect(soon.last()).toEqual({ value: undefined, isWaiting: false });
  expect(server.requestedPaths).toEqual([]);
});

test('typed words are completed from two letters on, and an id from the saved state that has it', async () => {
  await openSavedState();
  const { useSuggestions } = await import('../../features/search/useSuggestions.ts');
  const typed = await renderHook(
    ([text, state]: [string, string]) => useSuggestions(text, { ...EMPTY_FILTER, state }),
    ['h', 'Himachal Pradesh'] as [string, string],
  );
  const texts = () => typed.last().map(({ text }) => text.toLowerCase());
  expect(texts()).toEqual([]);
  await typed.show(['hou', 'Himachal Pradesh']);
  await expect.poll(() => texts().some((text) => text.startsWith('hou'))).toBe(true);
  expect(typed.last().length).toBeLessThanOrEqual(8);
  await typed.show(['2026_pwd_3', '']);
  await expect.poll(texts).toContain('2026_pwd_3_1');
  await typed.show([' h ', '']);
  expect(texts()).toEqual([]);
});

test('the state of a screen is saved by itself once its content is there and the user touches it', async () => {
  const { isWhole } = await openApp();
  const { usePreparedState } = await import('../../features/on-this-phone/usePreparedState.ts');
  const screen = await renderHook(([state, isShown]: [string, boolean]) => usePreparedState(state, isShown), [
    'Himachal Pradesh',
    false,
  ] as [string, boolean]);
  const isPrepared = async (state: string, isShown = true) => {
    await screen.show([state, isShown]);
    return screen.last();
  };
  expect([screen.last(), await isPrepared(''), await isPrepared('Atlantis')]).toEqual([false, false, false]);
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  expect(await isPrepared('himachal-pradesh')).toBe(false);
  Reflect.deleteProperty(navigator, 'connection');
  window.dispatchEvent(new Event('pointerup'));
  expect(await isPrepared('Himachal Pradesh')).toBe(true);
  expect(server.requestedPaths).toEqual([]);
  window.dispatchEvent(new Event('pointerup'));
  await expect.poll(isWhole).toBe(true);
  // It is here.
  await expect.poll(screen.last).toBe(false);
});
