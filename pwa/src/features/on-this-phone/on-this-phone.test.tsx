// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentTime } from '../../data/clock.ts';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import type { AwardPackRow, OfflinePack, ScopeRow } from '../../data/device/schema.ts';
import { downloadUnlessFull, worksDownload } from '../../data/device/storage-quota.ts';
import { setRows, setRun, usePacks } from '../../offline/packs/pack-status.ts';
import { readScopes, removeStates } from '../../offline/packs/pack-store.ts';
import { startPacks } from '../../offline/packs/packs.ts';
import { closeTestPages, openTestPage, type TestPage } from '../../ui/test-page.tsx';
import { OnThisPhoneDialog } from './OnThisPhoneDialog.tsx';
import { OnThisPhoneSection } from './OnThisPhoneSection.tsx';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const HOUR_MS = 3_600_000;

/** A complete pack of `rows` tenders, saved `hours` ago. */
function savedScope(scope: string, rows: number, bytes: number, hours: number): ScopeRow {
  const file = (name: string) => ({
    hash: `${name} ${scope}`,
    bytes: 1_000,
    size: 2_000,
    url: `/api/sync/segments/${name}-${scope}`,
  });
  const segment = { rows, list: file('list'), detail: file('detail') };
  const current: OfflinePack = { epoch: 'e', cursor: 'e 1', rows, segments: [segment], checked: {} };
  return {
    ...{ scope, current, next: null, savedAt: NOW.getTime() - hours * HOUR_MS, changed: 0, replaces: null },
    files: { [`index list ${scope} detail ${scope}`]: bytes },
  };
}

const ASSAM = savedScope('assam', 1_184, 900_000, 1);
const DELHI = savedScope('delhi', 420, 300_000, 30);
const HIMACHAL = savedScope('himachal-pradesh', 1_701, 1_400_000, 72);

let page: TestPage;

beforeEach(() => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
});
afterEach(async () => {
  await closeTestPages();
  usePacks.setState({ isRead: false, scopes: {}, isWifiOnly: false });
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const name of ['storage', 'connection']) Reflect.deleteProperty(navigator, name);
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Opens the dialog on a device with these scopes. */
async function openWith(...rows: ScopeRow[]): Promise<void> {
  await withDatabase((db) => db.scopes.bulkAdd(rows));
  await readRows();
  page = await openTestPage(<OnThisPhoneDialog now={NOW} onClose={() => undefined} />);
}

const readRows = async () => setRows(await withDatabase(readScopes));

/** Name, amount with size and age, and buttons of each scope. */
const shown = () =>
  [...page.page.querySelectorAll('li section')].map((section) => [
    section.querySelector('h3')?.textContent,
    section.querySelector('p.muted')?.textContent,
    [...section.querySelectorAll('button')].map(({ textContent }) => textContent?.trim()),
  ]);

/** Presses a button of a scope. */
const press = (scope: string, button: string) => {
  const buttons = [...page.page.querySelectorAll<HTMLElement>(`section[aria-label="${scope}"] button`)];
  const found = buttons.find(({ textContent }) => textContent?.trim() === button);
  if (!found) throw new Error(`${scope} has no ${button}`);
  return act(async () => found.click());
};

const BUTTONS = ['Update now', 'Remove'];
const ASSAM_SHOWN = ['Assam', '1,184 open and recently closed tenders · 900 KB · Saved 1 h ago', BUTTONS];
const DELHI_SHOWN = ['Delhi', '420 open and recently closed tenders · 300 KB · Saved 30 h ago', BUTTONS];
const HIMACHAL_SHOWN = [
  'Himachal Pradesh',
  '1,701 open and recently closed tenders · 1.4 MB · Saved 3 days ago',
  BUTTONS,
];

test('three states are side by side, each with its age, size and an update button, also after one is removed', async () => {
  await openWith(ASSAM, DELHI, HIMACHAL);
  expect(shown()).toEqual([ASSAM_SHOWN, DELHI_SHOWN, HIMACHAL_SHOWN]);
  expect(page.text()).toContain('Replaces the states above.');
  await press('Delhi', 'Remove');
  await expect.poll(() => page.text()).toContain('Frees 300 KB. Delhi then needs a connection.');
  await press('Delhi', 'Remove Delhi');
  await expect.poll(shown).toEqual([ASSAM_SHOWN, HIMACHAL_SHOWN]);
  expect(await withDatabase((db) => db.scopes.toCollection().primaryKeys())).toEqual(['assam', 'himachal-pradesh']);
});

test('a paused state has its progress with Resume, and the others keep their update buttons', async () => {
  await openWith(
    ASSAM,
    { ...DELHI, current: null, next: DELHI.current, files: {}, savedAt: 0, isPaused: true },
    HIMACHAL,
  );
  const [assam, delhi, himachal] = shown();
  expect([assam, himachal]).toEqual([ASSAM_SHOWN, HIMACHAL_SHOWN]);
  expect(delhi?.[2]).toEqual(['Resume', 'Cancel']);
  expect(page.text()).toContain(' of 2 KB. Paused. The part that is here stays.');
});

test('a state that was paused at its last byte is updated by its button', async () => {
  await openWith({ ...ASSAM, isPaused: true });
  await expect.poll(shown).toEqual([ASSAM_SHOWN]);
  await press('Assam', 'Update now');
  await expect.poll(() => usePacks.getState().scopes.assam?.row.isPaused).toBe(false);
  expect(await withDatabase((db) => db.scopes.get('assam'))).toMatchObject({ isPaused: false });
});

test('a first download that is damaged, or has no room, starts again by its button', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).pathname);
    return new Response('', { status: 404 });
  });
  await openWith({ ...DELHI, current: null, next: DELHI.current, files: {}, savedAt: 0 });
  await startPacks();
  // A new device waits for a touch.
  window.dispatchEvent(new Event('pointerup'));
  for (const problem of ['corrupt', 'full'] as const) {
    await expect.poll(() => usePacks.getState().scopes.delhi?.problem).toBe('server');
    await act(async () => setRun('delhi', false, problem));
    expect(shown()[0]?.[2]).toEqual(['Try again', 'Cancel']);
    const before = asked.length;
    await press('Delhi', 'Try again');
    await expect.poll(() => asked.slice(before)).toContain('/api/sync/delhi');
  }
});

test('All India is offered beside two states, and once it is complete it is alone', async () => {
  await openWith(ASSAM, DELHI);
  expect(page.page.querySelector('section[aria-label="All India"]')?.textContent).toContain(
    'Replaces the states above.',
  );
  const india = savedScope('india', 30_000, 9_000_000, 0);
  await withDatabase((db) => db.scopes.add({ ...india, current: null, next: india.current, files: {} }));
  await readRows();
  await expect.poll(() => shown().map(([name]) => name)).toEqual(['Assam', 'Delhi', 'All India']);
  expect(page.text()).not.toContain('Replaces the states above.');
  await withDatabase(async (db) => {
    await db.scopes.put(india);
    await removeStates(db);
  });
  await readRows();
  await expect.poll(() => shown().map(([name]) => name)).toEqual(['All India']);
});

test('the section names each saved state with its age', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await startPacks();
  const hoursAgo = (hours: number) => currentTime().getTime() - hours * HOUR_MS;
  setRows([
    { ...ASSAM, savedAt: hoursAgo(1.5) },
    { ...HIMACHAL, savedAt: hoursAgo(84) },
  ]);
  page = await openTestPage(<OnThisPhoneSection alertState={null} alerts={null} />);
  expect(page.texts('section > p')).toEqual([
    'All tenders of Assam are here. Search them without a connection. Saved 1 h ago.',
    'All tenders of Himachal Pradesh are here. Search them without a connection. Saved 3 days ago.',
  ]);
});

test('a state that the user keeps after all stays, and its portals have the time of their last comparison', async () => {
  const { current } = ASSAM;
  const checked = { assamtenders: '2026-11-10T04:10:00.000Z', hptenders: '2026-11-09T04:10:00.000Z' };
  await openWith({ ...ASSAM, current: current && { ...current, checked } });
  expect(page.texts('li p.xs')).toEqual([
    'assamtenders.gov.in checked 9:40 AM IST',
    'hptenders.gov.in checked 9 Nov 2026, 9:40 AM IST',
  ]);
  await press('Assam', 'Remove');
  await expect
    .poll(() => page.texts('li p.s').at(-1))
    .toBe('Frees 900 KB. Assam then needs a connection. Bookmarked tenders stay.');
  await press('Assam', 'Keep it');
  await expect.poll(() => shown()[0]?.[2]).toEqual(BUTTONS);
  expect(await withDatabase((db) => db.scopes.count())).toBe(1);
});

test('a complete state says why its update failed, and cannot be updated while it runs or without a connection', async () => {
  await openWith(ASSAM, DELHI);
  const update = (name: string) => page.page.querySelector<HTMLButtonElement>(`section[aria-label="${name}"] button`);
  setRun('assam', false, 'schema');
  setRun('delhi', true, null);
  await expect
    .poll(() => page.texts('section[aria-label="Assam"] p.s').at(-1))
    .toBe('Please update the app: reload it when it offers that.');
  expect([update('Assam')?.disabled, update('Assam')?.getAttribute('aria-busy')]).toEqual([false, null]);
  expect(update('Delhi')?.getAttribute('aria-busy')).toBe('true');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  await expect.poll(() => update('Assam')?.disabled).toBe(true);
  expect(page.texts('section[aria-label="All India"] p').at(-1)).toBe('Needs a connection.');
});

test('a phone without a saved state says so, and how much storage is used', async () => {
  const storage = { estimate: async () => ({ usage: 2_600_000, quota: 10_700_000_000 }), persisted: async () => true };
  Object.defineProperty(navigator, 'storage', { value: storage, configurable: true });
  await openWith();
  await expect.poll(() => page.texts('dialog p').at(-1)).toBe('2.6 MB of 10.7 GB used. It stays until you remove it.');
  expect(page.texts('dialog p')[0]).toMatch(
    /^No state is saved\. The tenders of the states that you look at are saved here/,
  );
  expect(page.texts('section[aria-label="All India"] p')[0]).toBe(
    'All open tenders of all states, searchable without a connection. Best on Wi-Fi.',
  );
  expect(page.page.querySelector('input[type="checkbox"]')).toBeNull();
});

test('storage that the browser may clear is said to be so', async () => {
  Object.defineProperty(navigator, 'storage', { value: {}, configurable: true });
  await openWith(ASSAM);
  await expect
    .poll(() => page.texts('dialog p').at(-1))
    .toBe(
      'The browser may clear it when the phone is full; bookmarks of a signed-in user are also stored on the server.',
    );
  expect(page.text()).not.toContain('No state is saved.');
});

test('where the connection is known the user chooses whether downloads wait for Wi-Fi', async () => {
  Object.defineProperty(navigator, 'connection', { value: { type: 'wifi' }, configurable: true });
  await openWith(ASSAM);
  const box = 'Download on Wi-Fi only';
  expect(page.field(box).checked).toBe(false);
  await page.toggle(box);
  await expect.poll(() => usePacks.getState().isWifiOnly).toBe(true);
  await expect.poll(() => page.field(box).checked).toBe(true);
  await expect.poll(() => withDatabase((db) => db.settings.get('packs on wifi only'))).toMatchObject({ value: true });
});

test('a browser that stores nothing says why, and offers no download', async () => {
  await openWith(ASSAM);
  useDatabaseState.setState({ state: 'unavailable' });
  const reason = 'This browser blocks storage. It may be a private window. Nivida works online only here.';
  await expect.poll(() => page.texts('dialog [data-tone="amber"]')).toEqual([reason]);
  expect(page.text()).not.toContain('are saved here');
  expect(page.page.querySelector('section[aria-label="All India"]')).toBeNull();
  await page.close();
  usePacks.setState({ isRead: true, scopes: {} });
  page = await openTestPage(<OnThisPhoneSection alertState="alerts as line" alerts="alerts as settings" />);
  expect(page.texts('section > p')).toEqual([reason]);
  expect(page.text()).toContain('alerts as line');
  useDatabaseState.setState({ state: 'ready' });
  await expect
    .poll(() => page.texts('section > p'))
    .toEqual(['Search a state to save it for use without a connection.']);
});

const awardPack = (state: string, change: Partial<AwardPackRow> = {}): AwardPackRow =>
  ({
    ...{ state, awards: 1_000, works: null, bytes: 163_000, savedAt: NOW.getTime() - 2 * HOUR_MS },
    ...change,
  }) as AwardPackRow;
const awardLines = () => page.texts('li section > div:nth-of-type(2) p, li section > div:nth-of-type(2) button');

test('the past works of a saved state are saved at the request of the user, and removed again', async () => {
  await withDatabase(async (db) => {
    await db.awardPacks.bulkPut([awardPack('Assam'), awardPack('Delhi')]);
    await db.awardFiles.put({ state: 'Assam', kind: 'works', bytes: new ArrayBuffer(1) } as never);
    await db.awardFiles.put({ state: 'Delhi', kind: 'works', bytes: new ArrayBuffer(1) } as never);
  });
  await openWith(ASSAM);
  const STATISTICS = 'What happens at the offices of Assam · 163 KB · Saved 2 h ago';
  await expect.poll(awardLines).toEqual([STATISTICS, 'Also save past works · 26 KB']);
  await press('Assam', 'Also save past works · 26 KB');
  const WANTED = [STATISTICS, 'Past works of Assam are saved when there is a connection.', 'Remove past works'];
  await expect.poll(awardLines).toEqual(WANTED);
  const works = { bytes: 48_000, savedAt: NOW.getTime() - HOUR_MS } as AwardPackRow['works'];
  await withDatabase((db) => db.awardPacks.update('Assam', { works } as never));
  await expect
    .poll(awardLines)
    .toEqual([STATISTICS, 'Past works of Assam, to find similar ones · 48 KB · Saved 1 h ago', 'Remove past works']);
  await press('Assam', 'Remove past works');
  await expect.poll(awardLines).toEqual([STATISTICS, 'Also save past works · 26 KB']);
  expect(await withDatabase((db) => db.awardFiles.toCollection().primaryKeys())).toEqual([['Delhi', 'works']]);
});

test('past works that had no room are downloaded at once when the user asks for them again', async () => {
  const download = { download: worksDownload('Assam'), version: '1', waitMs: HOUR_MS };
  const full = async () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
  await expect(downloadUnlessFull(download, full)).rejects.toThrow();
  let runs = 0;
  const run = async () => void runs++;
  await downloadUnlessFull(download, run);
  expect(runs).toBe(0);
  await withDatabase((db) => db.awardPacks.put(awardPack('Assam')));
  await openWith(ASSAM);
  await expect.poll(awardLines).toContain('Also save past works · 26 KB');
  await press('Assam', 'Also save past works · 26 KB');
  await downloadUnlessFull(download, run);
  expect(runs).toBe(1);
});

test('All India has the past works of each state, which are not offered without a connection', async () => {
  await withDatabase((db) => db.awardPacks.bulkPut([awardPack('Assam'), awardPack('Himachal Pradesh')]));
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await openWith(savedScope('india', 30_000, 9_000_000, 0));
  await expect
    .poll(() => page.texts('li p.xs'))
    .toEqual([
      'What happens at the offices of Assam · 163 KB · Saved 2 h ago',
      'What happens at the offices of Himachal Pradesh · 163 KB · Saved 2 h ago',
    ]);
  expect(page.text()).not.toContain('Also save past works');
});
