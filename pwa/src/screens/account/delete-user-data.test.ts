// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { stopOutbox } from '../../data/outbox/outbox.ts';
import { beginSignOut, clearSession, currentSession, reloadSession } from '../../data/session.ts';
import {
  addRecentSearch,
  loadRecentSearches,
  useRecentSearches,
} from '../../features/tenders/search/recent-searches.ts';
import { finishSignOuts } from './delete-user-data.ts';

/** The tokens of the sign-outs that the server has received. */
let ended: (string | null)[];

beforeEach(() => {
  ended = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (new URL(request.url).pathname === '/api/auth/logout') ended.push(request.headers.get('authorization'));
    return Response.json({});
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  stopOutbox();
  clearSession();
  localStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

function signIn(id: string, token: string): void {
  localStorage.setItem('token', token);
  const user = { _id: id, username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' };
  localStorage.setItem('user', JSON.stringify(user));
  reloadSession();
}

/** Taps Logout and closes the tab before anything else happens; returns in the next tab. */
function signOutAndClose(): void {
  const session = currentSession();
  if (session) beginSignOut(session);
  reloadSession();
}

async function recentSearches(): Promise<readonly string[]> {
  await loadRecentSearches();
  return useRecentSearches.getState().searches;
}

test('a sign-out whose tab is closed at once is finished by the next tab', async () => {
  signIn('7', 'abc');
  await addRecentSearch('q=bridge');
  signOutAndClose();
  expect(currentSession()).toBeNull();

  await finishSignOuts();
  await vi.waitFor(() => expect(ended).toEqual(['Bearer abc']));
  expect({ ...localStorage }).toEqual({});
  signIn('7', 'def');
  expect(await recentSearches()).toEqual([]);
  await finishSignOuts();
  expect(ended).toEqual(['Bearer abc']);
});

test('a user who has signed in again since then keeps the data, and only the earlier session ends', async () => {
  signIn('7', 'abc');
  await addRecentSearch('q=bridge');
  signOutAndClose();
  signIn('7', 'def');

  await finishSignOuts();
  await vi.waitFor(() => expect(ended).toEqual(['Bearer abc']));
  expect(currentSession()?.token).toBe('def');
  expect(await recentSearches()).toEqual(['q=bridge']);
});
