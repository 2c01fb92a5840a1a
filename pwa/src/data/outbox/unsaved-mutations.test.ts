import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  deleteMutation,
  mutationsOfOtherPages,
  recordMutation,
  releaseMutation,
  watchAbandonedMutations,
} from '../unsaved-mutations.ts';

const AT = Date.parse('2026-04-15T06:00:00Z');

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: AT });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const BOOKMARK = { kind: 'bookmark', owner: '7', subject: '12', wanted: true } as const;

test('a mutation is recorded at once, and only its page stores it', () => {
  const mutation = recordMutation(BOOKMARK);
  expect(mutation).toEqual({ ...BOOKMARK, at: AT });
  expect({ ...localStorage }).toEqual({ 'unsaved-bookmark 7 12': `1 ${AT}` });
  expect(mutationsOfOtherPages('bookmark')).toEqual([]);
  expect(releaseMutation(mutation)).toBe(true);
  expect(mutationsOfOtherPages('bookmark')).toEqual([mutation]);
  deleteMutation(mutation);
  expect(localStorage).toHaveLength(0);
  expect(releaseMutation(mutation)).toBe(false);
});

test('a later mutation of the same subject replaces the earlier one, whose end leaves it', () => {
  const first = recordMutation(BOOKMARK);
  vi.setSystemTime(AT + 1);
  const second = recordMutation({ ...BOOKMARK, wanted: false });
  deleteMutation(first);
  expect({ ...localStorage }).toEqual({ 'unsaved-bookmark 7 12': `0 ${AT + 1}` });
  expect(mutationsOfOtherPages('bookmark')).toEqual([]);
  deleteMutation(second);
  expect(localStorage).toHaveLength(0);
});

test('the mutations of other pages are those of their kind that can be read, the earliest first', () => {
  localStorage.setItem('unsaved-bookmark 8 2', '0 30');
  localStorage.setItem('unsaved-bookmark  1', '1 20');
  localStorage.setItem('unsaved-search 7 state=Goa', '1 40 905');
  localStorage.setItem('unsaved-search 7 q=road', '0 10');
  for (const [key, text] of [
    ['unsaved-bookmark 7 abc', '1 5'],
    ['unsaved-bookmark 7 3', '2 5'],
    ['unsaved-bookmark 7 4', '1 soon'],
    ['unsaved-bookmark 7', '1 5'],
    ['unsaved-other 7 5', '1 5'],
  ] as const)
    localStorage.setItem(key, text);
  expect(mutationsOfOtherPages('bookmark')).toEqual([
    { kind: 'bookmark', owner: '', subject: '1', wanted: true, at: 20 },
    { kind: 'bookmark', owner: '8', subject: '2', wanted: false, at: 30 },
  ]);
  expect(mutationsOfOtherPages('search')).toEqual([
    { kind: 'search', owner: '7', subject: 'q=road', wanted: false, at: 10 },
    { kind: 'search', owner: '7', subject: 'state=Goa', wanted: true, at: 40, seenUpTo: 905 },
  ]);
});

test('a search is recorded with the newest tender on its screen', () => {
  const mutation = recordMutation({ kind: 'search', owner: '', subject: 'state=Goa', wanted: true, seenUpTo: 905 });
  expect({ ...localStorage }).toEqual({ 'unsaved-search  state=Goa': `1 ${AT} 905` });
  releaseMutation(mutation);
  expect(mutationsOfOtherPages('search')).toEqual([mutation]);
});

test('a page whose browser storage is full stores its mutation itself', () => {
  const full = {
    getItem: () => null,
    removeItem: () => undefined,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  vi.stubGlobal('localStorage', full);
  const mutation = recordMutation(BOOKMARK);
  expect(mutation.at).toBe(AT);
  expect(releaseMutation(mutation)).toBe(false);
});

test('a mutation of another tab is stored a second later, when the tab was closed, also after a failure', async () => {
  const store = vi.fn(() => Promise.reject(new Error('full')));
  watchAbandonedMutations('search', store);
  const change = (key: string, newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  change('unsaved-bookmark 7 12', '1 5');
  change('unsaved-search 7 q=road', null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(store).not.toHaveBeenCalled();
  change('unsaved-search 7 q=road', '1 5');
  await vi.advanceTimersByTimeAsync(999);
  expect(store).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(store).toHaveBeenCalledOnce();
});
