// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, expect, test } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { clearSession, currentOwner } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import {
  addRecentSearch,
  deleteRecentSearchesOf,
  loadRecentSearches,
  matchingRecentSearches,
  useRecentSearches,
} from './recent-searches.ts';

afterEach(async () => {
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

async function recent(): Promise<readonly string[]> {
  await loadRecentSearches(currentOwner());
  return useRecentSearches.getState().searches;
}

test('a search that is narrowed further replaces the one before', async () => {
  await addRecentSearch('state=Assam');
  await addRecentSearch('state=Assam&district=Cachar');
  await addRecentSearch('state=Assam&district=Cachar&district=Nagaon', 'state=Assam&district=Cachar');
  expect(await recent()).toEqual(['state=Assam&district=Cachar&district=Nagaon', 'state=Assam']);
});

test('a list that is read while a search is added contains the search', async () => {
  await addRecentSearch('q=road');
  await Promise.all([
    loadRecentSearches(currentOwner()),
    addRecentSearch('q=bridge'),
    loadRecentSearches(currentOwner()),
  ]);
  expect(useRecentSearches.getState().searches).toEqual(['q=bridge', 'q=road']);
  await Promise.all([addRecentSearch('q=well'), addRecentSearch('q=pump')]);
  expect(await recent()).toEqual(['q=pump', 'q=well', 'q=bridge', 'q=road']);
});

test('sign-out deletes the recent searches of the user, but not those of the signed-out device', async () => {
  await addRecentSearch('q=road');
  signInForTest('7');
  expect(await recent()).toEqual([]);
  await addRecentSearch('q=bridge');
  signInForTest('8');
  expect(await recent()).toEqual([]);
  clearSession();
  expect(await recent()).toEqual(['q=road']);
  signInForTest('7');
  expect(await recent()).toEqual(['q=bridge']);
  await deleteRecentSearchesOf('7');
  expect(await recent()).toEqual([]);
});

test.each([
  ['roa', ['“road repair” in Mandi, Himachal Pradesh · PWD', '“link road”']],
  ['REP', ['“road repair” in Mandi, Himachal Pradesh · PWD']],
  ['himachal p', ['“road repair” in Mandi, Himachal Pradesh · PWD', 'Himachal Pradesh']],
  ['mandi', ['“road repair” in Mandi, Himachal Pradesh · PWD']],
  ['pwd', ['“road repair” in Mandi, Himachal Pradesh · PWD']],
  ['oad', []],
  [' ', []],
])('the typed text "%s" goes on with the recent searches %j', (typed, expected) => {
  const searches = [
    'state=Himachal+Pradesh&district=Mandi&department=PWD&q=road+repair',
    'q=link+road',
    'state=Himachal+Pradesh',
  ];
  expect(matchingRecentSearches(searches, typed, 3).map(({ name }) => name)).toEqual(expected);
});
