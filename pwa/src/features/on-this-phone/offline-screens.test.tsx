// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { EMPTY_FILTER, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, useDatabaseState, withDatabase } from '../../data/device/database.ts';
import type { OfflinePack, ScopeRow } from '../../data/device/schema.ts';
import { useReachability } from '../../data/server/reachability.ts';
import { useTender } from '../../data/server/tenders.ts';
import { type PackProblem, type PackStatus, usePacks } from '../../offline/packs/pack-status.ts';
import { startPacks } from '../../offline/packs/packs.ts';
import type { LocalList } from '../../offline/queries/useLocalList.ts';
import { useLookUp, useOfflineTender } from '../../offline/queries/useOfflineTender.ts';
import { closeTestPages, openTestHook, openTestPage } from '../../ui/test-page.tsx';
import { NoNetwork } from './NoNetwork.tsx';
import { OfflineListNote } from './OfflineListNote.tsx';
import { PackOffer } from './PackOffer.tsx';
import { PackProgress } from './PackProgress.tsx';
import { PackProgressLine } from './PackProgressLine.tsx';
import { SavedTenderNote } from './SavedTenderNote.tsx';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const HOUR_MS = 3_600_000;

// The first start reads the packs of the device. On a new device it waits for a touch.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await startPacks();
  vi.useRealTimers();
});
beforeEach(() => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
});
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'connection');
  usePacks.setState({ isRead: false, hinted: [], scopes: {}, isWifiOnly: false });
  useReachability.setState({ status: 'reachable', silentReads: 0 });
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const file = (name: string, bytes: number) => ({
  hash: name,
  bytes,
  size: 4 * bytes,
  url: `/api/sync/segments/${name}`,
});
const PACK: OfflinePack = {
  ...{ epoch: 'e', cursor: 'e 1', rows: 10, checked: {} },
  segments: [{ rows: 10, list: file('list', 20_000), detail: file('detail', 60_000) }],
};
const WHOLE = { 'index list detail': 400_000 };
const status = (scope: string, row: Partial<ScopeRow>, rest: Partial<PackStatus> = {}): PackStatus => ({
  row: { scope, current: PACK, next: null, files: WHOLE, savedAt: NOW.getTime(), changed: 0, replaces: null, ...row },
  ...{ isRunning: false, problem: null },
  ...rest,
});
const setPacks = (...statuses: PackStatus[]) =>
  usePacks.setState({ isRead: true, scopes: Object.fromEntries(statuses.map((each) => [each.row.scope, each])) });
/** A first download of which the list has arrived. */
const LOADING: Partial<ScopeRow> = { current: null, next: PACK, files: { 'list list detail': 80_000 }, savedAt: 0 };
const reportConnection = (connection: object) =>
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });

/** The screen of a list that is missing on a phone with these states. */
async function openMissing(search: TenderListQuery | null, ...scopes: string[]) {
  setPacks(...scopes.map((scope) => status(scope, {})));
  let retries = 0;
  const props = { missing: 'Assam', search, onRetry: () => void retries++ };
  const screen = await openTestPage(<NoNetwork {...props} />);
  const links = [...screen.page.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  return { ...screen, links, retries: () => retries };
}

test('a list that is not on the phone offers its search in the states that are, and another try', async () => {
  useReachability.setState({ status: 'unreachable' });
  const search: TenderListQuery = {
    ...{ ...EMPTY_FILTER, state: 'Assam', districts: ['Dibrugarh'], departments: ['PWD'], q: 'road', min: 5 },
    ...{ sort: 'relevance', order: 'desc', page: 3 },
  };
  const screen = await openMissing(search, 'delhi', 'himachal-pradesh');
  expect(screen.texts('h2')).toEqual(['No connection']);
  expect(screen.text()).toContain(
    'Assam is not on this phone. Nivida keeps trying. Delhi, Himachal Pradesh are on this phone: search there.',
  );
  expect(screen.names()).toEqual(['Search in Delhi', 'Search in Himachal Pradesh', 'Try Again']);
  expect(screen.links).toEqual([
    '/tenders/results?state=Delhi&q=road&min=5',
    '/tenders/results?state=Himachal+Pradesh&q=road&min=5',
  ]);
  await screen.press('Try Again');
  expect(screen.retries()).toBe(1);
});

test('a list that has failed or is slow says so, and that it is tried again only where it is', async () => {
  setPacks(status('delhi', {}));
  const open = (error?: Error) =>
    openTestPage(<NoNetwork missing="Assam" search={null} error={error} onRetry={() => undefined} />);
  const slow = await open();
  expect(slow.texts('h2')).toEqual(['The network is very slow']);
  expect(slow.text()).toContain(
    'Assam is not on this phone. Nivida keeps trying. Delhi is on this phone: search there.',
  );
  const broken = await open(new TypeError('Failed to fetch'));
  expect(broken.texts('h2')).toEqual(['No response from the server']);
  expect(broken.text()).toContain('Assam is not on this phone. Delhi is on this phone: search there.');
  expect(broken.names()).toEqual(['Search in Delhi', 'Try Again']);
  // It is repeated as soon as the server answers again.
  await act(async () => useReachability.setState({ status: 'unreachable' }));
  expect(broken.text()).toContain('No connectionAssam is not on this phone. Nivida keeps trying.');
});

test('an id that another app shared is still a shared one when it is searched in a state on the phone', async () => {
  setPacks(status('delhi', {}));
  const search: TenderListQuery = { ...EMPTY_FILTER, q: '2026_PWD_7_1', sort: 'relevance', order: 'desc', page: 1 };
  const state = { received: search.q };
  const screen = await openTestPage(<NoNetwork missing="This search" search={search} onRetry={() => undefined} />, {
    pathname: '/tenders/results',
    state,
  });
  await screen.press('Search in Delhi');
  expect(screen.address()).toBe('/tenders/results?state=Delhi&q=2026_PWD_7_1');
  expect(screen.router.state.location.state).toEqual(state);
});

test('a network that is only silent is said to be so, and one state is the whole list of it', async () => {
  useReachability.setState({ status: 'silent' });
  const screen = await openMissing(null, 'delhi');
  expect(screen.texts('h2')).toEqual(['The network is not responding']);
  expect(screen.text()).toContain('Delhi is on this phone: search there.');
  expect(screen.links).toEqual(['/tenders/results?state=Delhi']);
  expect((await openMissing(null)).text()).toContain('Nivida keeps trying.');
  expect((await openMissing(null)).text()).not.toContain('on this phone:');
});

test('All India on the phone is searched without a state', async () => {
  const screen = await openMissing(null, 'india');
  expect(screen.text()).toContain('All India is on this phone: search there.');
  expect(screen.links).toEqual(['/tenders/results']);
});

test.each<[string, number, boolean, boolean, string, boolean]>([
  ['of six hours', 6 * HOUR_MS, false, true, 'Offline copy · Saved 6 h ago', false],
  ['that is older', 6 * HOUR_MS + 1, false, true, 'Offline copy · Saved 6 h ago · dates may have changed', true],
  ['with words', HOUR_MS, true, true, 'Offline copy · Saved 1 h ago', false],
  ['without words of a partial pack', HOUR_MS, false, false, 'Offline copy · Saved 1 h ago', false],
  ['with words of a partial pack', HOUR_MS, true, false, 'Titles and places only, while the rest downloads', false],
])('a list %s from the phone says where it comes from', async (_what, age, hasWords, isComplete, text, isOld) => {
  setPacks(status('assam', { savedAt: NOW.getTime() - age }), status('delhi', { savedAt: 0 }));
  const local = { scope: 'assam', isComplete } as LocalList;
  const note = await openTestPage(<OfflineListNote local={local} hasWords={hasWords} now={NOW} />);
  expect(note.text()).toBe(text);
  expect(note.page.querySelector('button')?.getAttribute('data-tone')).toBe(isOld ? 'amber' : null);
});

test('the line over a list from the phone opens what is on the phone', async () => {
  setPacks(status('assam', {}));
  const local = { scope: 'assam', isComplete: true } as LocalList;
  const note = await openTestPage(<OfflineListNote local={local} hasWords={false} now={NOW} />);
  await note.press('Offline copy · Saved just now');
  await expect.poll(() => note.texts('dialog h2')).toEqual(['On this phone']);
  await note.press('Close');
  expect(note.page.querySelector('dialog')).toBeNull();
});

test('the line of a download says how much has arrived, and opens what is on the phone', async () => {
  const line = (scope: string | undefined, isHidden = false) =>
    openTestPage(<PackProgressLine scope={scope} now={NOW} isHidden={isHidden} />);
  // half of the details
  setPacks(
    status('assam', LOADING, { received: { 'api/sync/segments/detail': 120_000 } }),
    status('delhi', { ...LOADING, isPaused: true }),
    status('goa', {}),
  );
  const loading = await line('assam');
  expect(loading.text()).toBe('Saving on this phone · 50 KB of 80 KB');
  expect((await line('delhi')).text()).toBe('Download paused');
  for (const none of [await line('goa'), await line('bihar'), await line(undefined), await line('assam', true)])
    expect(none.text()).toBe('');
  await loading.press('Saving on this phone · 50 KB of 80 KB');
  await expect.poll(() => loading.texts('dialog h2')).toEqual(['On this phone']);
});

test("the line of another page than the state's list names the state, also when it is complete", async () => {
  const line = (scope: string, name: string) =>
    openTestPage(<PackProgressLine scope={scope} now={NOW} isHidden={false} name={name} />);
  setPacks(status('assam', LOADING), status('delhi', { ...LOADING, isPaused: true }), status('goa', {}));
  expect((await line('assam', 'Assam')).text()).toBe('Saving Assam on this phone · 20 KB of 80 KB');
  expect((await line('delhi', 'Delhi')).text()).toBe('Download of Delhi paused');
  expect((await line('bihar', 'Bihar')).text()).toBe('');
  const complete = await line('goa', 'Goa');
  await complete.press('Goa is on this phone');
  await expect.poll(() => complete.texts('dialog h2')).toEqual(['On this phone']);
});

test('the line of a download that does not go on says why, and not that it saves', async () => {
  const line = async (name?: string) =>
    (await openTestPage(<PackProgressLine scope="assam" now={NOW} isHidden={false} {...(name && { name })} />)).text();
  for (const [problem, reason] of [
    ['full', 'This phone is full. Make room, then update again.'],
    ['corrupt', 'Download damaged. Try again.'],
    ['schema', 'Please update the app: reload it when it offers that.'],
  ] as const) {
    setPacks(status('assam', LOADING, { problem }));
    expect([await line(), await line('Assam')]).toEqual([reason, `Assam is not yet complete on this phone. ${reason}`]);
  }
  setPacks(status('assam', LOADING));
  reportConnection({ type: 'cellular' });
  usePacks.setState({ isWifiOnly: true });
  expect(await line('Assam')).toBe('Assam is not yet complete on this phone. Waiting for Wi-Fi.');
  usePacks.setState({ isWifiOnly: false });
  useReachability.setState({ status: 'unreachable' });
  expect(await line('Assam')).toBe('Assam is not yet complete on this phone. Will resume when the connection returns.');
  // a newer one does not replace it before it is whole
  const next = { ...PACK, segments: [{ rows: 1, list: file('new', 20_000), detail: file('more', 60_000) }] };
  setPacks(status('assam', { next }, { problem: 'full' }));
  expect(await line('Assam')).toBe('Assam is on this phone');
});

const AMOUNT = '20 KB of 80 KB. ';
test.each<[string, Partial<ScopeRow>, PackProblem | null, string, string[]]>([
  ['runs', LOADING, null, AMOUNT, ['Pause', 'Cancel']],
  [
    'waits for the server',
    LOADING,
    'preparing',
    `${AMOUNT}The server is preparing this download. It starts by itself.`,
    ['Pause', 'Cancel'],
  ],
  ['broke', LOADING, 'network', `${AMOUNT}The connection broke. The download will resume.`, ['Pause', 'Cancel']],
  [
    'has no answer',
    LOADING,
    'server',
    `${AMOUNT}The server did not answer. The download will resume.`,
    ['Pause', 'Cancel'],
  ],
  [
    'needs a newer app',
    LOADING,
    'schema',
    `${AMOUNT}Please update the app: reload it when it offers that.`,
    ['Pause', 'Cancel'],
  ],
  ['is damaged', LOADING, 'corrupt', `${AMOUNT}Download damaged. Try again.`, ['Try again', 'Cancel']],
  [
    'has no room',
    LOADING,
    'full',
    `${AMOUNT}This phone is full. Make room, then update again.`,
    ['Try again', 'Cancel'],
  ],
  [
    'is paused',
    { ...LOADING, isPaused: true },
    'network',
    `${AMOUNT}Paused. The part that is here stays.`,
    ['Resume', 'Cancel'],
  ],
  ['has just begun', { ...LOADING, next: null, files: {} }, null, '', ['Pause', 'Cancel']],
  [
    'replaces a complete one',
    { next: { ...PACK, segments: [{ rows: 1, list: file('new', 20_000), detail: file('more', 60_000) }] } },
    null,
    '1 KB of 80 KB. ',
    ['Pause'],
  ],
])('a download that %s says so', async (_what, row, problem, text, buttons) => {
  const download = status('assam', row, { problem });
  setPacks(download);
  const progress = await openTestPage(<PackProgress status={download} />);
  expect(progress.texts('b')).toEqual(['Saving Assam']);
  expect(progress.page.querySelector('progress')?.getAttribute('aria-label')).toBe('Saving Assam');
  expect(progress.texts('p')[1]).toBe(text.trim());
  expect(progress.names()).toEqual(buttons);
});

test('the bar of a download has its share, and a complete pack has none', async () => {
  const bar = async (download: PackStatus) => {
    const { page } = await openTestPage(<PackProgress status={download} />);
    const progress = page.querySelector('progress');
    return progress && [progress.getAttribute('value'), progress.getAttribute('max')];
  };
  expect(await bar(status('assam', LOADING))).toEqual(['20000', '80000']);
  expect(await bar(status('assam', { ...LOADING, next: null, files: {} }))).toEqual([null, null]);
  expect(await bar(status('assam', {}))).toBeNull();
});

test('a download waits for Wi-Fi where the user wants it so, and for a connection', async () => {
  const download = status('assam', LOADING, { problem: 'network' });
  setPacks(download);
  const text = async () => (await openTestPage(<PackProgress status={download} />)).texts('p')[1];
  reportConnection({ type: 'cellular' });
  expect(await text()).toContain('The connection broke.');
  usePacks.setState({ isWifiOnly: true });
  expect(await text()).toBe(`${AMOUNT}Waiting for Wi-Fi.`);
  reportConnection({ type: 'wifi' });
  expect(await text()).toContain('The connection broke.');
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(await text()).toBe(`${AMOUNT}Will resume when the connection returns.`);
  // a network that carries nothing
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  const progress = await openTestPage(<PackProgress status={download} />);
  expect(progress.texts('p')[1]).toContain('The connection broke.');
  await act(async () => useReachability.setState({ status: 'unreachable' }));
  expect(progress.texts('p')[1]).toBe(`${AMOUNT}Will resume when the connection returns.`);
});

test('a phone that saves data is offered the state of its list with the size, while that is possible', async () => {
  reportConnection({ saveData: true });
  const { rows, segments } = PACK;
  const manifest = { schema: 1, scope: 'assam', epoch: 'e', cursor: 'e 1', rows, segments, checked: {} };
  vi.stubGlobal('fetch', async () => Response.json(manifest));
  const offer = async (state: string, isListShown = true) =>
    openTestPage(<PackOffer state={state} isListShown={isListShown} />);
  setPacks();
  const assam = await offer('Assam');
  await expect.poll(assam.text).toBe('Save Assam on this phone · 80 KB');
  await assam.close();
  const isOffered = async (...props: Parameters<typeof offer>) => {
    const { text, close } = await offer(...props);
    const shown = text();
    await close();
    return shown !== '';
  };
  expect(await isOffered('assam')).toBe(true);
  expect(await isOffered('Assam', false)).toBe(false);
  expect(await isOffered('')).toBe(false);
  expect(await isOffered('Atlantis')).toBe(false);
  for (const scope of ['assam', 'india']) {
    setPacks(status(scope, {}));
    expect(await isOffered('Assam')).toBe(false);
  }
  setPacks(status('assam', LOADING));
  expect((await offer('Assam')).texts('b')).toEqual(['Saving Assam']);
  usePacks.setState({ isRead: false, scopes: {} });
  expect(await isOffered('Assam')).toBe(false);
  setPacks();
  // It is saved by itself.
  reportConnection({ saveData: false });
  expect(await isOffered('Assam')).toBe(false);
  reportConnection({ saveData: true });
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(await isOffered('Assam')).toBe(false);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  useDatabaseState.setState({ state: 'unavailable' });
  expect(await isOffered('Assam')).toBe(false);
  useDatabaseState.setState({ state: 'ready' });
});

test('a tender from the phone has its age, and says when its portal may have withdrawn it', async () => {
  const savedAt = new Date(NOW.getTime() - 2 * HOUR_MS);
  const note = (isGone: boolean) => openTestPage(<SavedTenderNote savedAt={savedAt} isGone={isGone} now={NOW} />);
  const present = await note(false);
  expect(present.text()).toBe('Offline copy · Saved 2 h ago.');
  expect(present.page.querySelector('[data-tone]')).toBeNull();
  const gone = await note(true);
  expect(gone.text()).toBe(
    'Offline copy · Saved 2 h ago. The server no longer has this tender: its portal may have withdrawn it.',
  );
  expect(gone.page.querySelector('[data-tone="amber"]')).not.toBeNull();
});

/** A tender's screen on a device that has stored `row`; `answer` is the server's. */
async function openTender(id: string, row: Partial<Tender> | null, answer: () => Promise<Response>, savedAt = 1_000) {
  vi.stubGlobal('fetch', answer);
  if (row) await withDatabase((db) => db.tenders.put({ id, savedAt, tender: testTenderDetail({ _id: id, ...row }) }));
  const { results, last } = await openTestHook(() => {
    useLookUp(id);
    return { ...useOfflineTender(id), answer: useTender(id).answer };
  });
  const state = () => {
    const { tender, error, savedAt: at, isGone, isLookedUp } = last();
    return { title: tender?.title, hasError: error !== undefined, savedAt: at?.getTime() ?? null, isGone, isLookedUp };
  };
  const titles = () => results.map(({ tender }) => tender?.title);
  return { state, titles, answered: () => last().answer?.title };
}
const send = (fields: Partial<Tender>) => async () => Response.json({ tender: testTenderDetail(fields) });
const refuse = async () =>
  Response.json({ code: 'NOT_FOUND', message: 'Tender not found', requestId: 'r' }, { status: 404 });

test('a tender that the server no longer has stays from the phone, with its age', async () => {
  const { state } = await openTender('401', { title: 'Stored' }, refuse);
  const gone = { title: 'Stored', hasError: false, savedAt: 1_000, isGone: true, isLookedUp: true };
  await expect.poll(state).toEqual(gone);
});

test('a tender that neither the phone nor the server has is an error once the phone was searched', async () => {
  const { state } = await openTender('402', null, refuse);
  await expect.poll(state).toEqual({ title: undefined, hasError: true, savedAt: null, isGone: true, isLookedUp: true });
});

test("the server's tender replaces that of the phone, and is stored for reading offline", async () => {
  const { state, titles } = await openTender(
    '403',
    { title: 'Stored' },
    send({ _id: '403', title: 'Answer', version: 2 }),
  );
  await expect
    .poll(state)
    .toEqual({ title: 'Answer', hasError: false, savedAt: null, isGone: false, isLookedUp: true });
  await expect.poll(() => withDatabase(async (db) => (await db.tenders.get('403'))?.tender.title)).toBe('Answer');
  expect(new Set(titles())).not.toContain('Other');
});

test('a tender that a push has changed since is newer than the answer', async () => {
  const later = Date.now() + HOUR_MS;
  const answer = send({ _id: '404', title: 'Answer', version: 2 });
  const { state, answered } = await openTender('404', { title: 'Pushed', version: 3 }, answer, later);
  await expect.poll(() => state().isLookedUp).toBe(true);
  await expect.poll(answered).toBe('Answer');
  expect(state()).toMatchObject({ title: 'Pushed', savedAt: null });
  await act(async () => useReachability.setState({ status: 'silent' }));
  expect(state().savedAt).toBe(later);
});
