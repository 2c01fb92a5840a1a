import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forEachConcurrently, repeatEvery } from './task-runners.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Work that the test ends. */
function controlledWork() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const work = () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject }));
  return { ends, work };
}

test('a task runs at once and then at its interval, and a run that takes longer is not joined by another', async () => {
  const { ends, work } = controlledWork();
  const task = repeatEvery(10, 'send-pushes', work);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await task.stop();
});

test('a failed run is logged with the name of its task, and the next run tries again', async () => {
  const { ends, work } = controlledWork();
  const task = repeatEvery(10, 'send-pushes', work);
  ends[0]?.reject(new Error('no network'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ends).toHaveLength(2);
  expect(Logger.prototype.error).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('send-pushes: Error: no network'),
  );
  ends[1]?.resolve();
  await task.stop();
});

test('a stopped task ends with its present run, and does not run again', async () => {
  const { ends, work } = controlledWork();
  const task = repeatEvery(10, 'send-pushes', work);
  let isStopped = false;
  const stopping = task.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([isStopped, ends.length]).toEqual([false, 1]);
  ends[0]?.resolve();
  await stopping;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([isStopped, ends.length]).toEqual([true, 1]);
});

test('each item is worked on once, and no more items at a time than the limit', async () => {
  const { ends, work } = controlledWork();
  const begun: number[] = [];
  const all = forEachConcurrently([1, 2, 3, 4], 3, (item) => {
    begun.push(item);
    return work();
  });
  expect(begun).toEqual([1, 2, 3]);
  ends[1]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const { resolve } of ends) resolve();
  await all;
  expect(begun).toHaveLength(4);
});

test('the first error rejects the whole', async () => {
  const failing = forEachConcurrently([1, 2], 2, async (item) => {
    if (item === 2) throw new Error('no network');
  });
  await expect(failing).rejects.toThrow('no network');
});
