import { act, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestHook } from '../../ui/test-page.tsx';
import { page } from './page.ts';
import { createQueryCache, useQuery } from './query-cache.ts';
import { useReachability } from './reachability.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  page.answer = undefined;
  delete document.documentElement.dataset.saved;
});

const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

function counting() {
  const asked: string[] = [];
  const answers = createQueryCache(async (key) => {
    asked.push(key);
    return `${key} ${asked.length}`;
  });
  return { answers, asked, cached: (key: string) => answers.store.getState()[key] };
}

test('a cached answer is requested again only when it is a minute old', async () => {
  const { answers, asked, cached } = counting();
  await answers.refreshIfOld('a', later(0));
  await answers.refreshIfOld('a', later(50));
  expect(asked).toEqual(['a']);
  await answers.refreshIfOld('a', later(61));
  expect(cached('a')?.answer).toBe('a 2');
});

test('an answer from the future, by a clock that was put back since, is requested again', async () => {
  const { answers, asked } = counting();
  await answers.refreshIfOld('a', later(0));
  await answers.refreshIfOld('a', later(-61));
  expect(asked).toEqual(['a', 'a']);
});

test('the answer of a page is requested again at once when a reload has shown the saved page', async () => {
  page.answer = { call: 'api/tenders/7', at: new Date().toISOString(), answer: 'without documents' };
  const asked: string[] = [];
  const fetchAnswer = async (key: string) => {
    asked.push(key);
    return 'with documents';
  };
  const answers = createQueryCache(fetchAnswer, { prefix: 'api/tenders/', check: String });
  await answers.refreshIfOld('7', later(5));
  expect(asked).toEqual([]);
  document.documentElement.dataset.saved = 'Saved 10 Nov, 12:00 PM';
  await answers.refreshIfOld('7', later(5));
  expect(answers.store.getState()['7']?.answer).toBe('with documents');
  expect(document.documentElement.dataset.saved).toBeUndefined();
  await answers.refreshIfOld('7', later(5));
  expect(asked).toEqual(['7']);
});

test('a saved page says when it was saved until the answer that it shows is renewed', async () => {
  page.answer = { call: 'api/tenders/7', at: new Date().toISOString(), answer: 'without documents' };
  document.documentElement.dataset.saved = 'Saved 10 Nov, 12:00 PM';
  const tenders = createQueryCache(async () => 'with documents', { prefix: 'api/tenders/', check: String });
  const counts = createQueryCache(async () => '36 states', { prefix: 'api/regions', check: String });
  await counts.refresh('');
  await tenders.refresh('8');
  expect(document.documentElement.dataset.saved).toBe('Saved 10 Nov, 12:00 PM');
  await tenders.refresh('7');
  expect(document.documentElement.dataset.saved).toBeUndefined();
});

test.each([
  ['of its call', {}, { '7': { answer: 'a tender', receivedAt: new Date('2026-11-10T06:00:00Z') } }],
  ['of another call', { call: 'api/regions' }, {}],
  ['of another shape', { answer: 7 }, {}],
  ['without its time', { at: 'soon' }, {}],
])('an answer in the page %s is used as such', (_what, changes, used) => {
  const source = { prefix: 'api/tenders/', check: (given: unknown) => (typeof given === 'string' ? given : undefined) };
  const { ofPage } = createQueryCache(async () => 'a tender', source);
  const answer = { call: 'api/tenders/7', at: '2026-11-10T06:00:00.000Z', answer: 'a tender', ...changes };
  expect(ofPage({ answer })).toEqual(used);
});

test('two views that ask at the same time share one call', async () => {
  const { answers, asked } = counting();
  await Promise.all([answers.refresh('a'), answers.refresh('a')]);
  expect(asked).toEqual(['a']);
});

test('a failed refresh adds an error to the older answer until one succeeds', async () => {
  let works = true;
  const answers = createQueryCache(async () => {
    if (!works) throw new Error('no connection');
    return 'ten tenders';
  });
  const cached = () => answers.store.getState().a;
  await answers.refresh('a');
  works = false;
  await answers.refresh('a');
  expect(cached()).toEqual({ answer: 'ten tenders', receivedAt: expect.any(Date), error: new Error('no connection') });
  works = true;
  await answers.refresh('a');
  expect(cached()?.error).toBeUndefined();
});

test('an answer that breaks in the middle or does not come in time is requested again twice, another failure is not', async () => {
  const failures: Error[] = [];
  let calls = 0;
  const answers = createQueryCache(async () => {
    calls += 1;
    const failure = failures.shift();
    if (failure) throw failure;
    return 'ten tenders';
  });
  const cached = () => answers.store.getState().a;
  const broken = () => new TypeError('network error');
  failures.push(broken(), Object.assign(new Error('Request timed out'), { name: 'TimeoutError' }));
  await answers.refresh('a');
  expect(cached()?.answer).toBe('ten tenders');
  failures.push(broken(), broken(), broken());
  await answers.refresh('a');
  expect(cached()?.error).toEqual(broken());
  calls = 0;
  failures.push(new Error('not found'));
  await answers.refresh('a');
  expect(calls).toBe(1);
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  failures.push(broken());
  await answers.refresh('a');
  vi.restoreAllMocks();
  expect(calls).toBe(2);
});

test('a retry after an error shows loading first', async () => {
  let works = false;
  const answers = createQueryCache(async () => {
    if (!works) throw new Error('no connection');
    return 'ten tenders';
  });
  const cached = () => answers.store.getState().a;
  await answers.refresh('a');
  expect(cached()?.error).toEqual(new Error('no connection'));
  works = true;
  const again = answers.refresh('a');
  expect(cached()).toEqual({ receivedAt: null });
  await again;
  expect(cached()?.answer).toBe('ten tenders');
});

test('the cache removes the oldest of very many answers', async () => {
  const { answers, cached } = counting();
  for (let number = 1; number <= 51; number += 1) await answers.refresh(`page ${number}`);
  expect(cached('page 1')).toBeUndefined();
  expect(cached('page 2')?.answer).toBe('page 2 2');
  expect(cached('page 51')?.answer).toBe('page 51 51');
});

test('a screen asks again when the device is online or a failed server answers again; one that was left asks nothing', async () => {
  // the app asks whether the server answers
  vi.stubGlobal('fetch', async () => Response.json({}));
  const asked: string[] = [];
  let failed = 0;
  const answers = createQueryCache(async (key) => {
    asked.push(key);
    throw new Error('no connection');
  });
  answers.store.subscribe(({ a }) => {
    if (a?.error !== undefined) failed += 1;
  });
  const hasFailed = (times: number) => expect.poll(() => failed).toBe(times);
  const { close } = await openTestHook(() => useQuery(answers, 'a'));
  const answerAgain = () =>
    act(async () => {
      useReachability.setState({ status: 'unreachable' });
      useReachability.setState({ status: 'reachable' });
    });
  const comeOnline = () => act(async () => void window.dispatchEvent(new Event('online')));
  await hasFailed(1);
  await answerAgain();
  await hasFailed(2);
  await comeOnline();
  await hasFailed(3);
  expect(asked).toHaveLength(3);
  await close();
  await answerAgain();
  await comeOnline();
  expect(asked).toHaveLength(3);
});

test('a screen that comes back into view asks again for an answer that is a minute old', async () => {
  const { answers, asked } = counting();
  const { last } = await openTestHook(() => useQuery(answers, 'a').answer);
  await expect.poll(last).toBe('a 1');
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  const become = async (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state);
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  };
  await become('visible');
  expect(asked).toHaveLength(1);
  vi.setSystemTime(later(3_600));
  await become('hidden');
  expect(asked).toHaveLength(1);
  await become('visible');
  await expect.poll(last).toBe('a 2');
});

test('a screen has the answer of its present key, loads meanwhile, and asks again when the user wants it', async () => {
  const asked: string[] = [];
  const answers = createQueryCache(async (key) => {
    asked.push(key);
    if (key === 'broken') throw new Error('no');
    return `${key} ${asked.length}`;
  });
  let setKey: (next: string) => void = () => undefined;
  const { results, last } = await openTestHook(() => {
    const [key, change] = useState<string | null>(null);
    setKey = change;
    return useQuery(answers, key);
  });
  const show = (key: string) => act(async () => setKey(key));
  expect(last()).toMatchObject({ answer: undefined, receivedAt: null, isLoading: true });
  last().reload();
  expect(asked).toEqual([]);
  await show('a');
  await expect.poll(() => last().answer).toBe('a 1');
  expect(last()).toMatchObject({ receivedAt: expect.any(Date), error: undefined, isLoading: false });
  const before = results.length;
  await show('b');
  expect(results.slice(before).map(({ answer }) => answer)).not.toContain('a 1');
  await expect.poll(() => last().answer).toBe('b 2');
  await act(async () => last().reload());
  await expect.poll(() => last().answer).toBe('b 3');
  await show('broken');
  await expect.poll(last).toMatchObject({ answer: undefined, receivedAt: null, isLoading: false });
  expect(last().error).toEqual(new Error('no'));
});
