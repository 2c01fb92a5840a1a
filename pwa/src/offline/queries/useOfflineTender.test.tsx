// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { Tender } from '@nivida/contract/tenders/tender';
import { testTenderDetail } from '@nivida/contract/tenders/test-tender';
import { act, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import type { OfflineTenderState } from './useOfflineTender.ts';

const SAVED = Date.parse('2026-04-15T05:00:00Z');
const HERE = testTenderDetail({ _id: '7', title: 'On the phone', version: 1 });
const THERE = testTenderDetail({ _id: '7', title: 'From the server', version: 2 });

let endTest: () => Promise<void>;
afterEach(() => endTest());

const answerWith = (tender: Tender) => async () => Response.json({ tender });
const refuse = async () => Response.json({ code: 'NOT_FOUND', message: 'No such tender' }, { status: 404 });
const fail = () => Promise.reject(new TypeError('Failed to fetch'));

/** Opens the screen of tender 7 on a phone that has this row of it; the server answers with `answer`. */
async function openTender(row: { tender: Tender; savedAt: number } | null, answer: () => Promise<Response>) {
  let respond = answer;
  // Timers of the connection end with the test.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const browser = { onLine: answer !== fail };
  vi.stubGlobal('navigator', browser);
  vi.stubGlobal('BroadcastChannel', undefined);
  vi.stubGlobal('fetch', (request: Request | string) =>
    request instanceof Request && request.url.endsWith('/api/tenders/7') ? respond() : fail(),
  );
  vi.resetModules();
  const [{ useLookUp, useOfflineTender }, { closeDatabase, withDatabase }] = await Promise.all([
    import('./useOfflineTender.ts'),
    import('../../data/device/database.ts'),
  ]);
  await withDatabase(async (db) => {
    await db.tenders.put({ id: '8', tender: { ...HERE, _id: '8' }, savedAt: 1 });
    if (row) await db.tenders.put({ ...row, id: '7' });
  });
  const states: OfflineTenderState[] = [];
  const Screen = () => {
    useLookUp('7');
    states.push(useOfflineTender('7'));
    return null;
  };
  const root = createRoot(document.createElement('div'));
  const router = createMemoryRouter([{ path: '/', Component: Screen }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  endTest = async () => {
    await act(async () => root.unmount());
    await withDatabase((db) => db.delete());
    await closeDatabase();
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.resetModules();
  };
  const shown = () => {
    const { tender, savedAt, error, isGone, isLookedUp } = states.at(-1) as OfflineTenderState;
    return {
      title: tender?.title,
      savedAt: savedAt?.getTime() ?? null,
      hasFailed: error !== undefined,
      isGone,
      isLookedUp,
    };
  };
  return {
    states,
    shown,
    stored: () => withDatabase(async (db) => (await db.tenders.get('7'))?.tender.title),
    pass: (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms))),
    reloadWith: async (next: () => Promise<Response>) => {
      respond = next;
      browser.onLine = next !== fail;
      await act(async () => states.at(-1)?.reload());
    },
  };
}

const FROM_PHONE = { title: 'On the phone', savedAt: null, hasFailed: false, isGone: false, isLookedUp: true };

test('a tender is shown from the phone at once, then from the server, and its answer is stored', async () => {
  let answer: (response: Response) => void = () => undefined;
  const coming = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  const { shown, stored } = await openTender({ tender: HERE, savedAt: SAVED }, () => coming);
  await expect.poll(shown).toEqual(FROM_PHONE);
  answer(await answerWith(THERE)());
  await expect.poll(shown).toEqual({ ...FROM_PHONE, title: 'From the server' });
  await expect.poll(stored).toBe('From the server');
});

test.each([
  ['that is not reached', fail, false],
  ['that no longer has it', refuse, true],
])('beside a server %s a tender of the phone says when it was saved', async (_what, answer, isGone) => {
  const { shown, stored } = await openTender({ tender: HERE, savedAt: SAVED }, answer);
  await expect.poll(shown).toEqual({ ...FROM_PHONE, savedAt: SAVED, isGone });
  expect(await stored()).toBe('On the phone');
});

test('beside a server that is silent for three seconds a tender of the phone says when it was saved', async () => {
  const { shown, pass } = await openTender({ tender: HERE, savedAt: SAVED }, () => new Promise(() => undefined));
  await expect.poll(shown).toEqual(FROM_PHONE);
  await pass(3_000);
  await expect.poll(shown).toEqual({ ...FROM_PHONE, savedAt: SAVED });
});

test('a tender that a push has changed since the answer stays as it is on the phone', async () => {
  const pushed = { tender: { ...HERE, version: 3 }, savedAt: Date.now() + 60_000 };
  let answers = 0;
  const { shown, stored, pass } = await openTender(pushed, () => {
    answers += 1;
    return answerWith(THERE)();
  });
  await expect.poll(() => answers).toBe(1);
  await pass(100);
  await expect.poll(shown).toEqual(FROM_PHONE);
  expect(await stored()).toBe('On the phone');
});

test('an answer that could not be refreshed says when it came', async () => {
  const { shown, reloadWith } = await openTender(null, answerWith(THERE));
  await expect.poll(shown).toEqual({ ...FROM_PHONE, title: 'From the server' });
  await reloadWith(fail);
  await expect
    .poll(shown)
    .toEqual({ ...FROM_PHONE, title: 'From the server', savedAt: expect.any(Number), hasFailed: false });
});

test('a tender that neither has fails only after the phone was searched', async () => {
  const { states, shown } = await openTender(null, refuse);
  await expect
    .poll(shown)
    .toEqual({ title: undefined, savedAt: null, hasFailed: true, isGone: true, isLookedUp: true });
  expect(states.filter(({ error, isLookedUp }) => error !== undefined && !isLookedUp)).toEqual([]);
});
