// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { createElement as h } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentTime } from '../../../data/clock.ts';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import type { OfflinePack, ScopeRow } from '../../../data/device/schema.ts';
import { setRows, usePacks } from '../packs/pack-status.ts';
import { readScopes, removeStates } from '../packs/pack-store.ts';
import { startPacks } from '../packs/packs.ts';
import { OnThisPhoneDialog } from './OnThisPhoneDialog.tsx';
import { OnThisPhoneSection } from './OnThisPhoneSection.tsx';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const HOUR_MS = 3_600_000;

/** A complete pack of so many tenders and bytes, saved so many hours ago. */
function savedScope(scope: string, rows: number, bytes: number, hours: number): ScopeRow {
  const file = (name: string) => ({
    hash: `${name} ${scope}`,
    bytes: 1_000,
    url: `/api/sync/segments/${name}-${scope}`,
  });
  const segment = { rows, list: file('list'), detail: file('detail') };
  const current: OfflinePack = { epoch: 'e', cursor: 'e 1', rows, segments: [segment], checked: {} };
  return {
    ...{ scope, current, next: null, savedAt: NOW.getTime() - hours * HOUR_MS, changed: 0, replaces: null },
    parts: { [`pack list ${scope} detail ${scope}`]: bytes },
  };
}

const ASSAM = savedScope('assam', 1_184, 900_000, 1);
const DELHI = savedScope('delhi', 420, 300_000, 30);
const HIMACHAL = savedScope('himachal-pradesh', 1_701, 1_400_000, 72);

let page: HTMLElement;
let root: ReturnType<typeof createRoot>;

beforeEach(() => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  page = document.createElement('div');
  document.body.append(page);
});
afterEach(async () => {
  root.unmount();
  page.remove();
  usePacks.setState({ isRead: false, scopes: {} });
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Opens the dialog on a device with these scopes. */
async function openWith(...rows: ScopeRow[]): Promise<void> {
  await withDatabase((db) => db.scopes.bulkAdd(rows));
  await readRows();
  const Dialog = () => h(OnThisPhoneDialog, { now: NOW, onClose: () => undefined });
  const router = createMemoryRouter([{ path: '/', Component: Dialog }]);
  root = createRoot(page);
  root.render(h(RouterProvider, { router }));
}

const readRows = async () => setRows(await withDatabase(readScopes));

/** Name, amount with size and age, and buttons of each scope. */
const shown = () =>
  [...page.querySelectorAll('li section')].map((section) => [
    section.querySelector('h3')?.textContent,
    section.querySelector('p.muted')?.textContent,
    [...section.querySelectorAll('button')].map(({ textContent }) => textContent?.trim()),
  ]);

const press = (scope: string, button: string) => {
  const section = [...page.querySelectorAll('section')].find((each) => each.getAttribute('aria-label') === scope);
  const found = [...(section?.querySelectorAll('button') ?? [])].find((each) => each.textContent?.trim() === button);
  if (!found) throw new Error(`${scope} has no ${button}`);
  found.click();
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
  await expect.poll(() => shown().length).toBe(3);
  expect(shown()).toEqual([ASSAM_SHOWN, DELHI_SHOWN, HIMACHAL_SHOWN]);
  expect(page.textContent).toContain('Replaces the states above.');
  press('Delhi', 'Remove');
  await expect.poll(() => page.textContent).toContain('Frees 300 KB. Delhi then needs a connection.');
  press('Delhi', 'Remove Delhi');
  await expect.poll(shown).toEqual([ASSAM_SHOWN, HIMACHAL_SHOWN]);
  expect(await withDatabase((db) => db.scopes.toCollection().primaryKeys())).toEqual(['assam', 'himachal-pradesh']);
});

test('a paused state has its progress with Resume, and the others keep their update buttons', async () => {
  await openWith(
    ASSAM,
    { ...DELHI, current: null, next: DELHI.current, parts: {}, savedAt: 0, isPaused: true },
    HIMACHAL,
  );
  await expect.poll(() => shown().length).toBe(3);
  const [assam, delhi, himachal] = shown();
  expect([assam, himachal]).toEqual([ASSAM_SHOWN, HIMACHAL_SHOWN]);
  expect(delhi?.[2]).toEqual(['Resume', 'Cancel']);
  expect(page.textContent).toContain(' of 2 KB. Paused. The part that is here stays.');
});

test('a state that was paused at its last byte is updated by its button', async () => {
  await openWith({ ...ASSAM, isPaused: true });
  await expect.poll(shown).toEqual([ASSAM_SHOWN]);
  press('Assam', 'Update now');
  await expect.poll(() => withDatabase((db) => db.scopes.get('assam'))).toMatchObject({ isPaused: false });
});

test('All India is offered beside two states, and once it is complete it is alone', async () => {
  await openWith(ASSAM, DELHI);
  await expect.poll(() => shown().length).toBe(2);
  expect(page.querySelector('section[aria-label="All India"]')?.textContent).toContain('Replaces the states above.');
  const india = savedScope('india', 30_000, 9_000_000, 0);
  await withDatabase((db) => db.scopes.add({ ...india, current: null, next: india.current, parts: {} }));
  await readRows();
  await expect.poll(() => shown().map(([name]) => name)).toEqual(['Assam', 'Delhi', 'All India']);
  expect(page.textContent).not.toContain('Replaces the states above.');
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
  const Section = () => h(OnThisPhoneSection, { renderAlerts: () => null });
  const router = createMemoryRouter([{ path: '/', Component: Section }]);
  root = createRoot(page);
  flushSync(() => root.render(h(RouterProvider, { router })));
  expect([...page.querySelectorAll('section > p')].map(({ textContent }) => textContent)).toEqual([
    'All tenders of Assam are here. Search them without signal. Saved 1 h ago.',
    'All tenders of Himachal Pradesh are here. Search them without signal. Saved 3 days ago.',
  ]);
});
