// @vitest-environment-options { "url": "http://localhost/" }

import { addTexts, inLanguage } from '@nivida/contract/i18n';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import {
  addRecentSearch,
  matchingRecentSearches,
  recentSearches,
  removeRecentSearch,
  useLastState,
} from './recent-searches.ts';

afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
});

function recent(): readonly string[] {
  recentSearches.show();
  return recentSearches.useShown.getState().value;
}

test('a search that is narrowed further replaces the one before', () => {
  addRecentSearch('state=Assam');
  addRecentSearch('state=Assam&district=Cachar');
  addRecentSearch('state=Assam&district=Cachar&district=Nagaon', 'state=Assam&district=Cachar');
  expect(recent()).toEqual(['state=Assam&district=Cachar&district=Nagaon', 'state=Assam']);
});

test('a search is stored before the page can be left, the last eight of them', () => {
  for (const q of 'abcdefghi') addRecentSearch(`q=${q}`);
  removeRecentSearch('q=h');
  const stored = ['q=i', 'q=g', 'q=f', 'q=e', 'q=d', 'q=c', 'q=b'];
  expect(JSON.parse(localStorage.getItem('recent searches') ?? '')).toEqual(stored);
  expect(recentSearches.useShown.getState().value).toEqual(stored);
});

test('a search that finds nothing is taken back, and the searches are as before', () => {
  addRecentSearch('q=road');
  addRecentSearch('q=well');
  const takeBack = addRecentSearch('q=road&state=Goa', 'q=road');
  expect(recentSearches.useShown.getState().value).toEqual(['q=road&state=Goa', 'q=well']);
  takeBack();
  expect(recentSearches.useShown.getState().value).toEqual(['q=well', 'q=road']);
});

test('the search of a user is taken back for this user, also after another one has signed in', () => {
  signInForTest('7');
  addRecentSearch('q=well');
  const takeBack = addRecentSearch('q=road');
  signInForTest('8');
  addRecentSearch('q=bridge');
  takeBack();
  expect(recent()).toEqual(['q=bridge']);
  signInForTest('7');
  expect(recent()).toEqual(['q=well']);
});

test.each(['7', '{"q":1}', '[7, null, "q=road"]', 'q=road'])('the stored text %s has no other searches', (text) => {
  localStorage.setItem('recent searches', text);
  expect(recent()).toEqual(text.startsWith('[') ? ['q=road'] : []);
});

test('the last search of a user names the state for the next one', async () => {
  const Screen = () => useLastState() || 'all states';
  addRecentSearch('state=Goa');
  addRecentSearch('state=Assam&district=Cachar&q=road');
  const { text } = await openTestPage(<Screen />);
  expect(text()).toBe('Assam');
  await act(async () => void addRecentSearch('q=road'));
  expect(text()).toBe('all states');
  await act(async () => signInForTest('7'));
  expect(text()).toBe('all states');
  await act(async () => void addRecentSearch('state=Kerala'));
  expect(text()).toBe('Kerala');
  await act(async () => clearSession());
  await act(async () => removeRecentSearch('q=road'));
  expect(text()).toBe('Assam');
});

test('the sign-out of one user leaves the searches of another', () => {
  signInForTest('7');
  addRecentSearch('q=bridge');
  signInForTest('8');
  addRecentSearch('q=road');
  recentSearches.deleteOf('7');
  expect(recent()).toEqual(['q=road']);
  recentSearches.deleteOf('');
  signInForTest('7');
  expect(recent()).toEqual([]);
  clearSession();
  addRecentSearch('q=well');
  recentSearches.deleteOf('');
  expect(recent()).toEqual(['q=well']);
});

test('a browser without storage has the searches as long as the page', () => {
  vi.stubGlobal('localStorage', undefined);
  addRecentSearch('q=road');
  addRecentSearch('q=well');
  expect(recent()).toEqual(['q=well', 'q=road']);
  removeRecentSearch('q=road');
  removeRecentSearch('q=well');
  vi.unstubAllGlobals();
  expect(recent()).toEqual([]);
});

test('sign-out deletes the recent searches of the user, but not those of the signed-out device', () => {
  addRecentSearch('q=road');
  signInForTest('7');
  expect(recent()).toEqual([]);
  addRecentSearch('q=bridge');
  signInForTest('8');
  expect(recent()).toEqual([]);
  clearSession();
  expect(recent()).toEqual(['q=road']);
  signInForTest('7');
  expect(recent()).toEqual(['q=bridge']);
  recentSearches.deleteOf('7');
  expect(recent()).toEqual([]);
});

test.each([
  ['roa', ['“road repair” in Mandi, Himachal Pradesh · PWD', '“link road”']],
  ['REP', ['“road repair” in Mandi, Himachal Pradesh · PWD']],
  ['himachal p', ['“road repair” in Mandi, Himachal Pradesh · PWD', 'Himachal Pradesh']],
  ['mandi', ['“road repair” in Mandi, Himachal Pradesh · PWD']],
  ['pwd', ['“road repair” in Mandi, Himachal Pradesh · PWD']],
  ['oad', []],
  [' ', []],
  ['road', ['“road repair” in Mandi, Himachal Pradesh · PWD', '“link road”']],
])('the typed text "%s" goes on with the recent searches %j', (typed, expected) => {
  const searches = [
    'state=Himachal+Pradesh&district=Mandi&department=PWD&q=road+repair',
    'q=link+road',
    'state=Himachal+Pradesh',
  ];
  expect(matchingRecentSearches(searches, typed, 3).map(({ name }) => name)).toEqual(expected);
});

test('a recent search is found by the name of its place in the language of the app', () => {
  addTexts('hi', { Punjab: ['पंजाब'] });
  const namesFor = (typed: string) => matchingRecentSearches(['state=Punjab'], typed, 3).map(({ name }) => name);
  expect(inLanguage('hi', () => [namesFor('पंजा'), namesFor('pun')])).toEqual([['पंजाब'], ['पंजाब']]);
});

test('no more recent searches are offered than are wanted, the newest of them', () => {
  const found = matchingRecentSearches(['q=road+one', 'q=well', 'q=road+two', 'q=road+three'], 'road', 2);
  expect(found).toEqual([
    { query: 'q=road+one', name: '“road one”' },
    { query: 'q=road+two', name: '“road two”' },
  ]);
});
