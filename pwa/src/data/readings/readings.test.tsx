// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { TenderReading } from '@nivida/contract/documents/tender-reading';
import { DAY_MS } from '@nivida/contract/time';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestHook } from '../../ui/test-page.tsx';
import { currentTime } from '../clock.ts';
import { closeDatabase, withDatabase } from '../device/database.ts';
import { clearSession } from '../session.ts';
import { signInForTest } from '../test-session.ts';
import { useTenderReading } from './readings.ts';
import { saveReadings } from './save-readings.ts';

/** A reading with one file of this name. */
const readingOf = (name: string): TenderReading => ({
  files: [
    {
      ...{ id: '1', name, kind: 'nit', sha256: 'a'.repeat(64), state: 'done', pages: 3, unreadPages: [] },
      ...{ readAt: null, isOwn: false },
    },
  ],
  facts: [],
  boqs: [],
});

let answer: (tenderId: string) => Response;
let versions: Record<string, string>;
let calls: string[];
const shown = ({ state, reading, savedAt }: ReturnType<typeof useTenderReading>) => ({
  state,
  name: reading?.files[0]?.name,
  ...(savedAt && { savedAt: savedAt.getTime() }),
});

beforeEach(() => {
  localStorage.clear();
  calls = [];
  versions = {};
  answer = (id) => Response.json(readingOf(`sent ${id}`));
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.includes('/api/tenders/readings?')) return Response.json({ versions });
    const id = /^\/api\/tenders\/(\d+)\/reading$/.exec(new URL(request.url).pathname)?.[1] ?? '';
    calls.push(id);
    return answer(id);
  });
});
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const store = (owner: string, tenderId: string, savedAt: number, version = '1  0 0') =>
  withDatabase((db) => db.readings.put({ owner, tenderId, reading: readingOf(`stored ${owner}`), version, savedAt }));
const stored = (owner: string) =>
  withDatabase(async (db) => (await db.readings.where({ owner }).toArray()).map(({ tenderId }) => tenderId));

test('a reading is that of the server, and is stored for its owner', async () => {
  signInForTest('1');
  const { last } = await openTestHook(() => useTenderReading('11'));
  await expect.poll(() => shown(last())).toMatchObject({ state: 'ready', name: 'sent 11' });
  await expect.poll(() => stored('1')).toEqual(['11']);
  expect(await stored('')).toEqual([]);
});

test('without a network the stored reading of the owner is shown with its age', async () => {
  await store('2', '12', 1_000);
  await store('3', '12', 2_000);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  signInForTest('2');
  const { last, results } = await openTestHook(() => useTenderReading('12'));
  await expect.poll(() => shown(last())).toEqual({ state: 'ready', name: 'stored 2', savedAt: 1_000 });
  expect(results[0]?.state).toBe('loading');
  await act(async () => signInForTest('3'));
  await expect.poll(() => shown(last())).toEqual({ state: 'ready', name: 'stored 3', savedAt: 2_000 });
});

test('a reading that is nowhere is a matter of the network, or a refusal of the server', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  answer = () => {
    throw new TypeError('Failed to fetch');
  };
  const offline = await openTestHook(() => useTenderReading('13'));
  await expect.poll(() => shown(offline.last())).toEqual({ state: 'offline', name: undefined });
  answer = () => Response.json({ code: 'NOT_FOUND', message: 'Tender not found' }, { status: 404 });
  const refused = await openTestHook(() => useTenderReading('14'));
  await expect.poll(() => shown(refused.last())).toEqual({ state: 'failed', name: undefined });
});

test('an answer that was sent earlier does not replace a later one', async () => {
  const later = currentTime().getTime() + DAY_MS;
  await store('', '15', later);
  const { last } = await openTestHook(() => useTenderReading('15'));
  await expect.poll(() => shown(last()).name).toBe('sent 15');
  expect((await withDatabase((db) => db.readings.get(['', '15'])))?.savedAt).toBe(later);
});

test('readings of bookmarks and bids are fetched ahead, and again after a day or a change of the documents', async () => {
  signInForTest('4');
  const now = currentTime().getTime();
  await withDatabase(async (db) => {
    for (const tenderId of ['21', '22', '24']) await db.bookmarks.put({ owner: '4', tenderId, at: 1, summary: null });
    await db.records.put({
      ...{ owner: '4', kind: 'bid', id: 'b', fields: { tenderId: '23' }, stamps: { tenderId: 'x' }, at: 1 },
      refusal: null,
    });
  });
  for (const id of ['21', '22', '23', '24']) versions[id] = '1  0 0';
  await store('4', '21', now);
  await store('4', '22', now, '1  2 0');
  await store('4', '24', now - DAY_MS - 1);
  await saveReadings();
  expect(calls).toEqual(['23', '24', '22']);
  await saveReadings();
  expect(calls).toHaveLength(3);

  // A second file is attached to one tender, and the file of another one is removed.
  Object.assign(versions, { 21: '2 2026-04-13T05:30:00.000Z 3 0' });
  delete versions['22'];
  answer = (id) => Response.json(id === '22' ? { files: [], facts: [], boqs: [] } : readingOf(id));
  await saveReadings();
  expect(calls.slice(3).sort()).toEqual(['21', '22']);
});

test('a withdrawn tender does not stop the others, and a broken network does', async () => {
  signInForTest('5');
  for (const tenderId of ['31', '32'])
    await withDatabase((db) => db.bookmarks.put({ owner: '5', tenderId, at: 1, summary: null }));
  answer = (id) =>
    id === '31' ? Response.json({ code: 'NOT_FOUND', message: '-' }, { status: 404 }) : Response.json(readingOf(id));
  await saveReadings();
  expect([calls, await stored('5')]).toEqual([['31', '32'], ['32']]);
  answer = () => Response.json({ code: 'SERVER_ERROR', message: '-' }, { status: 500 });
  await expect(saveReadings()).rejects.toThrow();
});

test('a reading that was only opened goes after two weeks, and that of a bookmark stays', async () => {
  const now = currentTime().getTime();
  await withDatabase((db) => db.bookmarks.put({ owner: '6', tenderId: '41', at: 1, summary: null }));
  await store('6', '41', now - 30 * DAY_MS);
  await store('6', '42', now - 15 * DAY_MS);
  await store('6', '43', now - 13 * DAY_MS);
  await saveReadings();
  expect(await stored('6')).toEqual(['41', '43']);
});
