import { expect, test } from 'vitest';
import { createQueryCache } from './query-cache.ts';

const later = (seconds: number) => new Date(Date.now() + seconds * 1000);

function counting() {
  const asked: string[] = [];
  const answers = createQueryCache(async (key) => {
    asked.push(key);
    return `${key} ${asked.length}`;
  });
  return { answers, asked, kept: (key: string) => answers.store.getState()[key] };
}

test('a kept answer is asked for again only when it is a minute old', async () => {
  const { answers, asked, kept } = counting();
  await answers.refreshIfOld('a', later(0));
  await answers.refreshIfOld('a', later(50));
  expect(asked).toEqual(['a']);
  await answers.refreshIfOld('a', later(61));
  expect(kept('a')?.answer).toBe('a 2');
});

test('two views that ask at once make one call', async () => {
  const { answers, asked } = counting();
  await Promise.all([answers.refresh('a'), answers.refresh('a')]);
  expect(asked).toEqual(['a']);
});

test('when a refresh fails the older answer stands beside the error, until one succeeds', async () => {
  let works = true;
  const answers = createQueryCache(async () => {
    if (!works) throw new Error('no signal');
    return 'ten tenders';
  });
  const kept = () => answers.store.getState().a;
  await answers.refresh('a');
  works = false;
  await answers.refresh('a');
  expect(kept()).toMatchObject({ answer: 'ten tenders', error: new Error('no signal') });
  works = true;
  await answers.refresh('a');
  expect(kept()?.error).toBeUndefined();
});

test('trying again after an error shows loading first', async () => {
  let works = false;
  const answers = createQueryCache(async () => {
    if (!works) throw new Error('no signal');
    return 'ten tenders';
  });
  const kept = () => answers.store.getState().a;
  await answers.refresh('a');
  expect(kept()?.error).toEqual(new Error('no signal'));
  works = true;
  const again = answers.refresh('a');
  expect(kept()).toEqual({ receivedAt: null });
  await again;
  expect(kept()?.answer).toBe('ten tenders');
});

test('of very many answers the oldest are forgotten', async () => {
  const { answers, kept } = counting();
  for (let number = 1; number <= 51; number += 1) await answers.refresh(`page ${number}`);
  expect(kept('page 1')).toBeUndefined();
  expect(kept('page 2')?.answer).toBe('page 2 2');
  expect(kept('page 51')?.answer).toBe('page 51 51');
});
