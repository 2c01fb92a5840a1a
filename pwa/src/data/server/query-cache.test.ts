import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { expect, test, vi } from 'vitest';
import { page } from './page.ts';
import { createQueryCache, useQuery } from './query-cache.ts';
import { useReachability } from './reachability.ts';

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
  try {
    await answers.refreshIfOld('7', later(5));
    expect(asked).toEqual([]);
    document.documentElement.dataset.saved = 'Saved 10 Nov, 12:00 PM';
    await answers.refreshIfOld('7', later(5));
    expect(answers.store.getState()['7']?.answer).toBe('with documents');
    expect(document.documentElement.dataset.saved).toBeUndefined();
    await answers.refreshIfOld('7', later(5));
    expect(asked).toEqual(['7']);
  } finally {
    page.answer = undefined;
    delete document.documentElement.dataset.saved;
  }
});

test('a saved page says when it was saved until the answer that it shows is renewed', async () => {
  page.answer = { call: 'api/tenders/7', at: new Date().toISOString(), answer: 'without documents' };
  document.documentElement.dataset.saved = 'Saved 10 Nov, 12:00 PM';
  const tenders = createQueryCache(async () => 'with documents', { prefix: 'api/tenders/', check: String });
  const counts = createQueryCache(async () => '36 states', { prefix: 'api/regions', check: String });
  try {
    await counts.refresh('');
    await tenders.refresh('8');
    expect(document.documentElement.dataset.saved).toBe('Saved 10 Nov, 12:00 PM');
    await tenders.refresh('7');
    expect(document.documentElement.dataset.saved).toBeUndefined();
  } finally {
    page.answer = undefined;
    delete document.documentElement.dataset.saved;
  }
});

test('two views that ask at the same time share one call', async () => {
  const { answers, asked } = counting();
  await Promise.all([answers.refresh('a'), answers.refresh('a')]);
  expect(asked).toEqual(['a']);
});

test('a failed refresh adds an error to the older answer until one succeeds', async () => {
  let works = true;
  const answers = createQueryCache(async () => {
    if (!works) throw new Error('no signal');
    return 'ten tenders';
  });
  const cached = () => answers.store.getState().a;
  await answers.refresh('a');
  works = false;
  await answers.refresh('a');
  expect(cached()).toMatchObject({ answer: 'ten tenders', error: new Error('no signal') });
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
});

test('a retry after an error shows loading first', async () => {
  let works = false;
  const answers = createQueryCache(async () => {
    if (!works) throw new Error('no signal');
    return 'ten tenders';
  });
  const cached = () => answers.store.getState().a;
  await answers.refresh('a');
  expect(cached()?.error).toEqual(new Error('no signal'));
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
    throw new Error('no signal');
  });
  answers.store.subscribe(({ a }) => {
    if (a?.error !== undefined) failed += 1;
  });
  const hasFailed = (times: number) => expect.poll(() => failed).toBe(times);
  const Screen = () => String(useQuery(answers, 'a').error);
  const page = document.createElement('div');
  const root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', Component: Screen }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const answerAgain = () =>
    act(async () => {
      useReachability.setState({ status: 'unreachable' });
      useReachability.setState({ status: 'reachable' });
    });
  await hasFailed(1);
  await answerAgain();
  await hasFailed(2);
  await act(async () => void window.dispatchEvent(new Event('online')));
  await hasFailed(3);
  expect(asked).toHaveLength(3);
  await act(async () => root.unmount());
  await answerAgain();
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(asked).toHaveLength(3);
  vi.unstubAllGlobals();
});

test('a screen that comes back into view asks again for an answer that is a minute old', async () => {
  const { answers, asked } = counting();
  const Screen = () => useQuery(answers, 'a').answer ?? 'nothing';
  const page = document.createElement('div');
  const root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', Component: Screen }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  await expect.poll(() => page.textContent).toBe('a 1');
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  const become = async (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state);
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  };
  await become('visible');
  expect(asked).toHaveLength(1);
  vi.useFakeTimers({ toFake: ['Date'], now: later(3_600) });
  await become('hidden');
  expect(asked).toHaveLength(1);
  await become('visible');
  await expect.poll(() => page.textContent).toBe('a 2');
  await act(async () => root.unmount());
  vi.useRealTimers();
  visibility.mockRestore();
});
