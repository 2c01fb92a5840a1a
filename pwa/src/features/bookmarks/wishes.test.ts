// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { locks } from 'node:worker_threads';
import type { WishAnswer, WishList } from '@nivida/contract/bookmark';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDevice, onDevice } from '../../data/device.ts';
import { clearSession, currentOwner, rereadSession } from '../../data/session.ts';
import { dismissToast, useToast } from '../../ui/toast.ts';
import { clearAtSignOut, toggleBookmark, visibleBookmarks } from './bookmarks.ts';
import { takeRemoved } from './removed.ts';
import { tellRemoved } from './toggle.ts';
import { refreshBookmarks, sendWishes } from './wishes.ts';

const ASHA = '7';

type Answer = (wishes: WishList['wishes']) => Response | Promise<Response>;

/** What the server has of Asha's, newest first; `requests` holds the wishes of each call. */
let stored: string[];
let requests: WishList['wishes'][];
let answer: Answer;

function accept(wishes: WishList['wishes']): Response {
  for (const { tenderId, wanted } of wishes) {
    stored = stored.filter((id) => id !== tenderId);
    if (wanted) stored.unshift(tenderId);
  }
  const results = wishes.map(({ tenderId }) => ({ tenderId, result: 'accepted' as const }));
  return Response.json({ results, tenderIds: stored } satisfies WishAnswer);
}

const refuse = (status: number, message?: string) => () =>
  Response.json({ code: 'INVALID', requestId: 'r', ...(message && { message }) }, { status });

beforeEach(() => {
  stored = [];
  requests = [];
  answer = accept;
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { wishes } = JSON.parse(await request.text());
    requests.push(wishes);
    return answer(wishes);
  });
  localStorage.setItem('token', 'abc');
  localStorage.setItem(
    'user',
    JSON.stringify({ _id: ASHA, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' }),
  );
  rereadSession();
});

afterEach(async () => {
  vi.unstubAllGlobals();
  clearSession();
  // without a session this only calls off the next attempt
  await sendWishes();
  while (useToast.getState().current) dismissToast();
  await onDevice((db) => db.delete());
  await closeDevice();
});

const press = (tenderId: string) => onDevice((db) => toggleBookmark(db, currentOwner(), tenderId, null, Date.now()));
const seen = async (owner = ASHA) =>
  (await onDevice((db) => visibleBookmarks(db, owner))).map(({ tenderId }) => tenderId);
const left = async () =>
  (await onDevice((db) => db.wishes.toArray())).map(({ tenderId, wanted }) => ({ tenderId, wanted }));
const told = () => useToast.getState().current?.text;

describe('sending', () => {
  test('ten presses make one request with the last state', async () => {
    for (let presses = 0; presses < 9; presses += 1) await press('1');
    await sendWishes();
    expect(requests).toEqual([[{ tenderId: '1', wanted: true }]]);
    expect(await left()).toEqual([]);
    await sendWishes();
    expect(requests).toHaveLength(1);
  });

  test('two senders at once send each wish once', async () => {
    await press('1');
    await press('2');
    await Promise.all([sendWishes(), sendWishes()]);
    expect(requests.flat().map(({ tenderId }) => tenderId)).toEqual(['1', '2']);
    expect(await left()).toEqual([]);
  });

  test('many wishes go in requests of two hundred', async () => {
    await onDevice((db) =>
      db.wishes.bulkAdd(
        Array.from({ length: 450 }, (_, index) => ({ owner: ASHA, tenderId: String(index + 1), wanted: true, at: 1 })),
      ),
    );
    await sendWishes();
    expect(requests.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(await left()).toEqual([]);
  });

  test('a wish changed while it is on its way is sent again', async () => {
    await press('1');
    answer = async (wishes) => {
      if (requests.length === 1) await press('1');
      return accept(wishes);
    };
    await sendWishes();
    expect(requests).toEqual([[{ tenderId: '1', wanted: true }], [{ tenderId: '1', wanted: false }]]);
    expect(await seen()).toEqual([]);
    expect(stored).toEqual([]);
  });

  test('signed out nothing is sent', async () => {
    await press('1');
    clearSession();
    await sendWishes();
    expect(requests).toEqual([]);
  });

  test('the wishes of another user are not sent', async () => {
    await onDevice((db) => db.wishes.add({ owner: '8', tenderId: '5', wanted: true, at: 1 }));
    await refreshBookmarks();
    expect(requests).toEqual([[]]);
  });
});

describe('what the server says', () => {
  test('401 keeps the wish and the bookmark for the next sign-in', async () => {
    await press('1');
    answer = refuse(401, 'Please sign in');
    await sendWishes();
    expect(currentOwner()).toBe('');
    expect(await seen('')).toEqual(['1']);
    expect(await left()).toEqual([{ tenderId: '1', wanted: true }]);
    expect(told()).toBeUndefined();
  });

  test.each([400, 403, 404, 413, 422])('%i takes the wish and its bookmark away and says why', async (status) => {
    await press('1');
    answer = refuse(status, 'wishes must be a list');
    await sendWishes();
    expect(await seen()).toEqual([]);
    expect(await left()).toEqual([]);
    expect(told()).toBe('A bookmark was not kept: wishes must be a list');
  });

  test.each<[string, Answer]>([
    ['500', refuse(500)],
    ['503', refuse(503)],
    ['429', refuse(429)],
    ['408', refuse(408)],
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['the page of a captive portal', () => new Response('<p>Sign in</p>')],
    ['nothing about the wish', () => Response.json({ results: [], tenderIds: [] })],
    [
      'retry',
      (wishes) =>
        Response.json({ results: wishes.map(({ tenderId }) => ({ tenderId, result: 'retry' })), tenderIds: [] }),
    ],
  ])('%s keeps the wish, in silence, until it is accepted', async (_what, failure) => {
    await press('1');
    answer = failure;
    await sendWishes();
    expect(requests).toHaveLength(1);
    expect(await seen()).toEqual(['1']);
    expect(await left()).toEqual([{ tenderId: '1', wanted: true }]);
    expect(told()).toBeUndefined();
    answer = accept;
    await sendWishes();
    expect(await left()).toEqual([]);
    expect(stored).toEqual(['1']);
  });

  test('one rejected wish goes with its bookmark, the others stand', async () => {
    await press('1');
    await press('2');
    answer = () =>
      Response.json({
        results: [
          { tenderId: '1', result: 'rejected', message: 'There is no such tender' },
          { tenderId: '2', result: 'accepted' },
        ],
        tenderIds: ['2'],
      });
    await sendWishes();
    expect(await seen()).toEqual(['2']);
    expect(await left()).toEqual([]);
    expect(told()).toBe('A bookmark was not kept: There is no such tender');
  });
});

describe('receiving', () => {
  test('the set of the server replaces the one here, in its order', async () => {
    await onDevice((db) => db.bookmarks.add({ owner: ASHA, tenderId: '9', at: 1, summary: null }));
    stored = ['3', '2', '1'];
    await refreshBookmarks();
    expect(await seen()).toEqual(['3', '2', '1']);
  });

  test('a wish made meanwhile stands over the set that arrives', async () => {
    stored = ['2', '1'];
    await refreshBookmarks();
    answer = async (wishes) => {
      const old = accept(wishes);
      if (requests.length === 2) {
        await press('1');
        await press('5');
      }
      return old;
    };
    await refreshBookmarks();
    expect((await seen()).toSorted()).toEqual(['2', '5']);
    expect(stored.toSorted()).toEqual(['2', '5']);
  });

  test('a set that arrives after the sign-out is not taken in', async () => {
    stored = ['2', '1'];
    answer = async (wishes) => {
      clearSession();
      await onDevice((db) => clearAtSignOut(db, ASHA));
      return accept(wishes);
    };
    await refreshBookmarks();
    expect(await seen('')).toEqual([]);
  });
});

describe('whatever happens on the way', () => {
  /** What becomes of a request: `lost` was taken by the server, but its answer never came. */
  const FATES: Record<string, Answer> = {
    accepted: (wishes) => accept(wishes),
    lost: (wishes) => {
      accept(wishes);
      return Promise.reject(new TypeError('Failed to fetch'));
    },
    'no network': () => Promise.reject(new TypeError('Failed to fetch')),
    busy: refuse(503),
    'half of it': (wishes) => {
      const taken = wishes.slice(0, Math.ceil(wishes.length / 2));
      accept(taken);
      const results = wishes.map((wish) => ({
        tenderId: wish.tenderId,
        result: taken.includes(wish) ? ('accepted' as const) : ('retry' as const),
      }));
      return Response.json({ results, tenderIds: stored } satisfies WishAnswer);
    },
  };
  const tenderId = fc.constantFrom('1', '2', '3');
  const event = fc.oneof(
    fc.record({ what: fc.constant('press' as const), tenderId }),
    fc.record({
      what: fc.constantFrom('send' as const, 'refresh' as const, 'send twice' as const),
      fate: fc.constantFrom(...Object.keys(FATES)),
      /** Pressed while the request is on its way. */
      meanwhile: fc.option(tenderId),
    }),
  );

  test('the last press of each tender is what device and server hold in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 10 }), async (events) => {
        const wanted = new Set<string>();
        const turn = async (id: string) => {
          if (!wanted.delete(id)) wanted.add(id);
          await press(id);
        };
        await onDevice((db) => Promise.all([db.bookmarks.clear(), db.wishes.clear()]));
        stored = [];
        for (const each of events) {
          if (each.what === 'press') {
            await turn(each.tenderId);
            continue;
          }
          const { fate, meanwhile } = each;
          let isFirst = true;
          answer = async (wishes) => {
            const isPressed = isFirst && meanwhile !== null;
            isFirst = false;
            if (isPressed) await turn(meanwhile);
            return FATES[fate]?.(wishes) as Response;
          };
          if (each.what === 'refresh') await refreshBookmarks();
          else await Promise.all([sendWishes(), ...(each.what === 'send twice' ? [sendWishes()] : [])]);
          expect((await seen()).toSorted()).toEqual([...wanted].sort());
        }
        answer = accept;
        await refreshBookmarks();
        expect(await left()).toEqual([]);
        expect(stored.toSorted()).toEqual([...wanted].sort());
        expect((await seen()).toSorted()).toEqual([...wanted].sort());
      }),
      { numRuns: 60 },
    );
  });
});

test('a bookmark that the button of a notification has removed is told to its owner only', async () => {
  const told = async (owner: string) => {
    const row = { owner, tenderId: '1', at: 1, summary: null };
    await onDevice((db) => db.settings.put({ key: 'bookmarksRemoved', value: [row] }));
    await tellRemoved();
    return useToast.getState().current?.text;
  };
  expect(await told('8')).toBeUndefined();
  expect(await told(ASHA)).toBe('Bookmark removed.');
});

describe('the list of bookmarks that notifications have removed', () => {
  const removed = (owner: string, tenderId: string, removedBy?: string) => ({
    ...{ owner, tenderId, at: 1, summary: null },
    ...(removedBy !== undefined && { removedBy }),
  });
  const note = (...rows: object[]) => onDevice((db) => db.settings.put({ key: 'bookmarksRemoved', value: rows }));
  const noted = async () => (await onDevice((db) => db.settings.get('bookmarksRemoved')))?.value;

  test('gives an account its own rows, and keeps those of other accounts and of the signed-out device', async () => {
    await note(removed(ASHA, '1', ASHA), removed('8', '2', '8'), removed('', '3', ''), removed(ASHA, '4'));
    expect(await onDevice((db) => takeRemoved(db, ASHA))).toEqual([removed(ASHA, '1'), removed(ASHA, '4')]);
    expect(await noted()).toEqual([removed('8', '2', '8'), removed('', '3', '')]);
    expect(await onDevice((db) => takeRemoved(db, '8'))).toEqual([removed('8', '2')]);
    expect(await onDevice((db) => takeRemoved(db, ''))).toEqual([removed('', '3')]);
    expect(await noted()).toBeUndefined();
  });

  test('gives the signed-out device what was removed on it, also of a session that the server has ended', async () => {
    await note(removed(ASHA, '1', ''), removed('8', '2', '8'));
    expect(await onDevice((db) => takeRemoved(db, ''))).toEqual([removed(ASHA, '1')]);
    expect(await noted()).toEqual([removed('8', '2', '8')]);
  });

  test('gives no bookmark that was made again', async () => {
    await note(removed(ASHA, '1', ASHA), removed('8', '2', '8'));
    await onDevice((db) => db.bookmarks.bulkPut([removed(ASHA, '1'), removed('8', '2')]));
    expect(await onDevice((db) => takeRemoved(db, ASHA))).toEqual([]);
    expect(await onDevice((db) => db.bookmarks.count())).toBe(2);
    expect(await noted()).toBeUndefined();
  });

  test('loses the rows of an account at its sign-out', async () => {
    await note(removed(ASHA, '1', ASHA), removed(ASHA, '4', ''), removed('8', '2', '8'));
    await onDevice((db) => clearAtSignOut(db, ASHA));
    expect(await noted()).toEqual([removed('8', '2', '8')]);
  });
});
