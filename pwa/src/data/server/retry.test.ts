import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GrowingPause } from './growing-pause.ts';
import { createRetryLoop } from './retry.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  [1_000, 60_000, [1_000, 2_000, 4_000, 32_000, 60_000, 60_000]],
  [15_000, 960_000, [15_000, 30_000, 60_000, 480_000, 960_000, 960_000]],
])('the pauses between attempts grow from %i to %i ms, and begin again after a success', (firstMs, maxMs, expected) => {
  const pause = new GrowingPause(firstMs, maxMs);
  const pauses = Array.from({ length: 50 }, () => {
    const { ms } = pause;
    pause.grow();
    return ms;
  });
  expect([1, 2, 3, 6, 7, 50].map((failures) => pauses[failures - 1])).toEqual(expected);
  pause.reset();
  expect(pause.ms).toBe(firstMs);
});

test('devices that failed in the same second come back up to a third later', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const attempt = vi.fn().mockRejectedValueOnce(new Error('no network'));
  await expect(createRetryLoop(attempt).run()).rejects.toThrow('no network');
  await vi.advanceTimersByTimeAsync(1_299);
  expect(attempt).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(attempt).toHaveBeenCalledTimes(2);
});

test('failed work is repeated without an online event until it succeeds', async () => {
  let runs = 0;
  const { run } = createRetryLoop(async () => {
    runs += 1;
    if (runs < 3) throw new Error('no network');
  });
  await expect(run()).rejects.toThrow('no network');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(runs).toBe(3);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(runs).toBe(3);
});

test('offline no attempt is made, and the network is detected without an online event', async () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const work = vi.fn(async () => undefined);
  await createRetryLoop(work).run();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(work).not.toHaveBeenCalled();
  onLine.mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(work).toHaveBeenCalledTimes(1);
});

test('work that was stopped is not repeated, and begins with the first pause when it runs again', async () => {
  let runs = 0;
  const { run, stop } = createRetryLoop(async () => {
    runs += 1;
    throw new Error('no network');
  });
  await expect(run()).rejects.toThrow('no network');
  await vi.advanceTimersByTimeAsync(10_000);
  const before = runs;
  stop();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(runs).toBe(before);
  await expect(run()).rejects.toThrow('no network');
  await vi.advanceTimersByTimeAsync(1_300);
  expect(runs).toBe(before + 2);
  stop();
});

test('after a success the pauses begin with the first one again', async () => {
  let runs = 0;
  const { run, stop } = createRetryLoop(async () => {
    runs += 1;
    if (runs !== 4) throw new Error('no network');
  });
  await expect(run()).rejects.toThrow('no network');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(4);
  await expect(run()).rejects.toThrow('no network');
  await vi.advanceTimersByTimeAsync(1_300);
  expect(runs).toBe(6);
  stop();
});

test('work that runs again in the pause is not repeated after it', async () => {
  let runs = 0;
  const { run } = createRetryLoop(async () => {
    runs += 1;
    if (runs === 1) throw new Error('no network');
  });
  await expect(run()).rejects.toThrow('no network');
  await run();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(runs).toBe(2);
});
