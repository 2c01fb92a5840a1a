// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import type { ChangeResult, OutboxRequest } from '@nivida/contract/sync/outbox';
import { testTender } from '@nivida/contract/tenders/test-tender';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { bookmarkChange, pendingChanges } from '../../data/outbox/pending-changes.ts';
import { NO_CHANGES, outboxAnswer } from '../../data/outbox/test-outbox.ts';
import { clearSession, currentOwner, reloadSession } from '../../data/session.ts';
import { dismissToast, useToast } from '../../ui/feedback/toast.ts';
import { useBookmarkStore } from './bookmark-store.ts';
import { announceRemovedBookmarks, refreshBookmarks, sendPendingBookmarks } from './bookmark-sync.ts';
import { deleteBookmarksAtSignOut, setBookmark, takeRemovedBookmarks, visibleBookmarks } from './bookmarks.ts';

const ASHA = '7';

type Changes = OutboxRequest['bookmarks'];
type Answer = (changes: Changes) => Response | Promise<Response>;

/** Asha's bookmarks on the server, newest first; `requests` holds the changes of each call. */
let stored: string[];
let requests: Changes[];
let answer: Answer;

function accept(changes: Changes): Response {
  for (const { tenderId, wanted } of changes) {
    stored = stored.filter((id) => id !== tenderId);
    if (wanted) stored.unshift(tenderId);
  }
  return answerTo(changes);
}

const answerTo = (changes: Changes, tenderIds = stored, refusals: Record<string, ChangeResult['refusal']> = {}) =>
  outboxAnswer({ ...NO_CHANGES, bookmarks: changes }, { tenderIds }, refusals);
const refusal = (message: string) => ({ code: 'REFUSED', message });

const refuse = (status: number, message?: string) => () =>
  Response.json({ code: 'INVALID', requestId: 'r', ...(message && { message }) }, { status });

beforeEach(() => {
  stored = [];
  requests = [];
  answer = accept;
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { bookmarks }: OutboxRequest = JSON.parse(await request.text());
    requests.push(bookmarks);
    return answer(bookmarks);
  });
  localStorage.setItem('token', 'abc');
  localStorage.setItem(
    'user',
    JSON.stringify({ _id: ASHA, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' }),
  );
  reloadSession();
});

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  // without a session this only calls off the next attempt
  await sendPendingBookmarks();
  while (useToast.getState().current) dismissToast();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const toggle = (tenderId: string) =>
  withDatabase(async (db) => {
    const owner = currentOwner();
    const wanted = !(await visibleBookmarks(db, owner)).some((row) => row.tenderId === tenderId);
    return setBookmark(db, { owner, tenderId, wanted, summary: null }, Date.now());
  });
const visibleTenderIds = async (owner = ASHA) =>
  (await withDatabase((db) => visibleBookmarks(db, owner))).map(({ tenderId }) => tenderId);
const remainingChanges = async () =>
  (await withDatabase((db) => pendingChanges(db, ASHA, 'bookmark'))).map(({ tenderId, wanted }) => ({
    tenderId,
    wanted,
  }));
const toastText = () => useToast.getState().current?.text;

describe('sending', () => {
  test('many clicks make one request with the last state', async () => {
    for (let clicks = 0; clicks < 9; clicks += 1) await toggle('1');
    await sendPendingBookmarks();
    expect(requests).toEqual([[{ tenderId: '1', wanted: true }]]);
    expect(await remainingChanges()).toEqual([]);
    await sendPendingBookmarks();
    expect(requests.flat()).toHaveLength(1);
  });

  test('two senders at once send each change once', async () => {
    await toggle('1');
    await toggle('2');
    await Promise.all([sendPendingBookmarks(), sendPendingBookmarks()]);
    expect(requests.flat().map(({ tenderId }) => tenderId)).toEqual(['1', '2']);
    expect(await remainingChanges()).toEqual([]);
  });

  test('many changes go in requests of two hundred', async () => {
    await withDatabase((db) =>
      db.outbox.bulkAdd(Array.from({ length: 450 }, (_, index) => bookmarkChange(ASHA, String(index + 1), true, 1))),
    );
    await sendPendingBookmarks();
    expect(requests.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(await remainingChanges()).toEqual([]);
  });

  test('a bookmark that changes while it is sent is sent again', async () => {
    await toggle('1');
    answer = async (changes) => {
      if (requests.length === 1) await toggle('1');
      return accept(changes);
    };
    await sendPendingBookmarks();
    expect(requests).toEqual([[{ tenderId: '1', wanted: true }], [{ tenderId: '1', wanted: false }]]);
    expect(await visibleTenderIds()).toEqual([]);
    expect(stored).toEqual([]);
  });

  test('signed out nothing is sent', async () => {
    await toggle('1');
    clearSession();
    await sendPendingBookmarks();
    expect(requests).toEqual([]);
  });

  test('the changes of another user are not sent', async () => {
    await withDatabase((db) => db.outbox.add(bookmarkChange('8', '5', true, 1)));
    await refreshBookmarks();
    expect(requests).toEqual([[]]);
  });
});

describe('what the server says', () => {
  test('after 401 the change and the bookmark wait for the next sign-in', async () => {
    await toggle('1');
    answer = refuse(401, 'Please sign in');
    await sendPendingBookmarks();
    expect(currentOwner()).toBe('');
    expect(await visibleTenderIds('')).toEqual(['1']);
    expect(await remainingChanges()).toEqual([{ tenderId: '1', wanted: true }]);
    expect(toastText()).toBeUndefined();
  });

  test.each([400, 403, 404, 413, 422])(
    '%i removes the change and its bookmark and shows the reason',
    async (status) => {
      await toggle('1');
      answer = refuse(status, 'changes must be a list');
      await sendPendingBookmarks();
      expect(await visibleTenderIds()).toEqual([]);
      expect(await remainingChanges()).toEqual([]);
      expect(toastText()).toBe('A bookmark was not saved: changes must be a list');
    },
  );

  test.each<[string, Answer]>([
    ['500', refuse(500)],
    ['503', refuse(503)],
    ['429', refuse(429)],
    ['408', refuse(408)],
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the page of a captive portal', () => new Response('<p>Sign in</p>')],
    ['nothing about the change', () => answerTo([], [])],
  ])('after %s the change waits, without a message, until it is accepted', async (_what, failure) => {
    await toggle('1');
    answer = failure;
    await sendPendingBookmarks();
    expect(requests.flat()).toHaveLength(1);
    expect(await visibleTenderIds()).toEqual(['1']);
    expect(await remainingChanges()).toEqual([{ tenderId: '1', wanted: true }]);
    expect(toastText()).toBeUndefined();
    answer = accept;
    await sendPendingBookmarks();
    expect(await remainingChanges()).toEqual([]);
    expect(stored).toEqual(['1']);
  });

  test('one rejected change is removed with its bookmark, the others stay', async () => {
    await toggle('1');
    await toggle('2');
    answer = (changes) => answerTo(changes, ['2'], { 1: refusal('There is no such tender') });
    await sendPendingBookmarks();
    expect(await visibleTenderIds()).toEqual(['2']);
    expect(await remainingChanges()).toEqual([]);
    expect(toastText()).toBe('A bookmark was not saved: There is no such tender');
  });
});

test('a removal that the server refuses leaves the bookmark that was made again in the meantime', async () => {
  await withDatabase((db) => db.bookmarks.add({ owner: ASHA, tenderId: '2', at: 1, summary: null }));
  await withDatabase((db) => db.outbox.put(bookmarkChange(ASHA, '2', false, 1)));
  answer = refuse(400, 'x');
  await sendPendingBookmarks();
  expect([await visibleTenderIds(), await remainingChanges()]).toEqual([['2'], []]);
});

describe('what the app shows of the exchange', () => {
  test('is the last failure, until an exchange succeeds', async () => {
    await toggle('1');
    answer = refuse(503, 'Busy');
    await sendPendingBookmarks();
    expect(useBookmarkStore.getState().error).toMatchObject({ response: { status: 503 } });
    answer = accept;
    await sendPendingBookmarks();
    expect(useBookmarkStore.getState().error).toBeUndefined();
  });

  test('is that the set is requested, while it is', async () => {
    const seen: boolean[] = [];
    answer = (changes) => {
      seen.push(useBookmarkStore.getState().isRefreshing);
      return accept(changes);
    };
    await refreshBookmarks();
    seen.push(useBookmarkStore.getState().isRefreshing);
    await toggle('1');
    await sendPendingBookmarks();
    expect(seen).toEqual([true, false, false]);
    answer = refuse(503);
    await refreshBookmarks();
    expect(useBookmarkStore.getState().isRefreshing).toBe(false);
    const stop = useBookmarkStore.subscribe(({ isRefreshing }) => seen.push(isRefreshing));
    clearSession();
    await refreshBookmarks();
    stop();
    expect([requests.length, seen.slice(3).includes(true)]).toEqual([3, false]);
  });

  test('is the number of bookmarks that were not saved, with the first reason', async () => {
    for (const id of ['1', '2', '3']) await toggle(id);
    answer = (changes) => answerTo(changes, ['1'], { 2: refusal('No tender 2'), 3: refusal('No tender 3') });
    await sendPendingBookmarks();
    expect(toastText()).toBe('2 bookmarks were not saved: No tender 2');
    expect(await visibleTenderIds()).toEqual(['1']);
    await toggle('4');
    answer = (changes) => answerTo(changes, ['1'], { 4: refusal('') });
    await sendPendingBookmarks();
    expect(toastText()).toBe('A bookmark was not saved.');
  });

  test('is no reason of the server where it gives none', async () => {
    for (const id of ['1', '2']) await toggle(id);
    answer = () => new Response('', { status: 400 });
    await sendPendingBookmarks();
    expect(toastText()).toBe('2 bookmarks were not saved: Server error occurred');
  });
});

describe('receiving', () => {
  test('the set of the server leaves the cards of the bookmarks that are here, and those of another user', async () => {
    const card = testTender({ _id: '2', title: 'Repair of the bridge' });
    await withDatabase((db) =>
      db.bookmarks.bulkAdd([
        { owner: ASHA, tenderId: '2', at: 5, summary: card },
        { owner: '8', tenderId: '9', at: 1, summary: null },
      ]),
    );
    stored = ['3', '2'];
    await refreshBookmarks();
    expect(await withDatabase((db) => db.bookmarks.get([ASHA, '2']))).toMatchObject({ at: 5, summary: card });
    expect(await withDatabase((db) => db.bookmarks.get(['8', '9']))).toBeDefined();
    const row = await withDatabase((db) => db.bookmarks.get([ASHA, '3']));
    expect(Math.abs((row?.at ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test('the set of the server replaces the one here, in its order', async () => {
    await withDatabase((db) => db.bookmarks.add({ owner: ASHA, tenderId: '9', at: 1, summary: null }));
    stored = ['3', '2', '1'];
    await refreshBookmarks();
    expect(await visibleTenderIds()).toEqual(['3', '2', '1']);
  });

  test('a change made in the meantime wins over the set that arrives', async () => {
    stored = ['2', '1'];
    await refreshBookmarks();
    answer = async (changes) => {
      const old = accept(changes);
      if (requests.length === 2) {
        await toggle('1');
        await toggle('5');
      }
      return old;
    };
    await refreshBookmarks();
    expect((await visibleTenderIds()).toSorted()).toEqual(['2', '5']);
    expect(stored.toSorted()).toEqual(['2', '5']);
  });

  test('a set that arrives after the sign-out is not taken in', async () => {
    stored = ['2', '1'];
    answer = async (changes) => {
      clearSession();
      await withDatabase((db) => deleteBookmarksAtSignOut(db, ASHA));
      return accept(changes);
    };
    await refreshBookmarks();
    expect(await visibleTenderIds('')).toEqual([]);
  });
});

describe('any failure while sending', () => {
  /** How a request ends. `lost`: the server has accepted it, but its answer does not arrive. */
  const OUTCOMES: Record<string, Answer> = {
    accepted: (changes) => accept(changes),
    lost: (changes) => {
      accept(changes);
      return Promise.reject(new TypeError('Failed to fetch'));
    },
    'no network': () => Promise.reject(new TypeError('Failed to fetch')),
    busy: refuse(503),
    'half of it': (changes) => {
      const taken = changes.slice(0, Math.ceil(changes.length / 2));
      accept(taken);
      return answerTo(taken);
    },
  };
  const tenderId = fc.constantFrom('1', '2', '3');
  const event = fc.oneof(
    fc.record({ what: fc.constant('click' as const), tenderId }),
    fc.record({
      what: fc.constantFrom('send' as const, 'refresh' as const, 'send twice' as const),
      outcome: fc.constantFrom(...Object.keys(OUTCOMES)),
      /** Clicked while the request is sent. */
      clicked: fc.option(tenderId),
    }),
  );

  test('device and server end with the last click of each tender', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 10 }), async (events) => {
        const wanted = new Set<string>();
        const turn = async (id: string) => {
          if (!wanted.delete(id)) wanted.add(id);
          await toggle(id);
        };
        await withDatabase((db) => Promise.all([db.bookmarks.clear(), db.outbox.clear()]));
        stored = [];
        for (const each of events) {
          if (each.what === 'click') {
            await turn(each.tenderId);
            continue;
          }
          const { outcome, clicked } = each;
          let isFirst = true;
          answer = async (changes) => {
            const isPressed = isFirst && clicked !== null;
            isFirst = false;
            if (isPressed) await turn(clicked);
            return OUTCOMES[outcome]?.(changes) as Response;
          };
          if (each.what === 'refresh') await refreshBookmarks();
          else
            await Promise.all([
              sendPendingBookmarks(),
              ...(each.what === 'send twice' ? [sendPendingBookmarks()] : []),
            ]);
          expect((await visibleTenderIds()).toSorted()).toEqual([...wanted].sort());
        }
        answer = accept;
        await refreshBookmarks();
        expect(await remainingChanges()).toEqual([]);
        expect(stored.toSorted()).toEqual([...wanted].sort());
        expect((await visibleTenderIds()).toSorted()).toEqual([...wanted].sort());
      }),
      { numRuns: 60 },
    );
  });
});

test('only the owner sees that a notification’s button removed a bookmark', async () => {
  const toastFor = async (owner: string) => {
    const row = { owner, tenderId: '1', at: 1, summary: null, removedBy: owner };
    await withDatabase((db) => db.settings.put({ key: 'bookmarksRemoved', value: [row] }));
    await announceRemovedBookmarks();
    return useToast.getState().current?.text;
  };
  expect(await toastFor('8')).toBeUndefined();
  expect(await toastFor(ASHA)).toBe('Bookmark removed.');
});

describe('the list of bookmarks that notifications have removed', () => {
  const removed = (owner: string, tenderId: string, removedBy?: string) => ({
    ...{ owner, tenderId, at: 1, summary: null },
    ...(removedBy !== undefined && { removedBy }),
  });
  const note = (...rows: object[]) => withDatabase((db) => db.settings.put({ key: 'bookmarksRemoved', value: rows }));
  const recorded = async () => (await withDatabase((db) => db.settings.get('bookmarksRemoved')))?.value;

  test('gives an account its own rows; those of other accounts and of the signed-out device stay', async () => {
    await note(removed(ASHA, '1', ASHA), removed('8', '2', '8'), removed('', '3', ''));
    expect(await withDatabase((db) => takeRemovedBookmarks(db, ASHA))).toEqual([removed(ASHA, '1')]);
    expect(await recorded()).toEqual([removed('8', '2', '8'), removed('', '3', '')]);
    expect(await withDatabase((db) => takeRemovedBookmarks(db, '8'))).toEqual([removed('8', '2')]);
    expect(await withDatabase((db) => takeRemovedBookmarks(db, ''))).toEqual([removed('', '3')]);
    expect(await recorded()).toBeUndefined();
  });

  test('gives the signed-out device what was removed on it, also of a session that the server has ended', async () => {
    await note(removed(ASHA, '1', ''), removed('8', '2', '8'));
    expect(await withDatabase((db) => takeRemovedBookmarks(db, ''))).toEqual([removed(ASHA, '1')]);
    expect(await recorded()).toEqual([removed('8', '2', '8')]);
  });

  test('gives no bookmark that was made again', async () => {
    await note(removed(ASHA, '1', ASHA), removed('8', '2', '8'));
    await withDatabase((db) => db.bookmarks.bulkPut([removed(ASHA, '1'), removed('8', '2')]));
    expect(await withDatabase((db) => takeRemovedBookmarks(db, ASHA))).toEqual([]);
    expect(await withDatabase((db) => db.bookmarks.count())).toBe(2);
    expect(await recorded()).toBeUndefined();
  });

  test('loses the rows of an account at its sign-out', async () => {
    await note(removed(ASHA, '1', ASHA), removed(ASHA, '4', ''), removed('', '5', ASHA), removed('8', '2', '8'));
    await withDatabase((db) => deleteBookmarksAtSignOut(db, ASHA));
    expect(await recorded()).toEqual([removed('8', '2', '8')]);
  });
});
