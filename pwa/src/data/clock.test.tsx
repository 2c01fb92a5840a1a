import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeTestPages, openTestHook } from '../ui/test-page.tsx';
import { isDoubtfulAtStart, msUntilNextMinute } from './clock.ts';
import { offsetAtStart, offsetFromServerDate } from './clock-offset.ts';
import { readSetting, writeSetting } from './device/settings.ts';

const DEVICE = new Date('2026-04-15T10:00:00Z');

test.each([
  ['Wed, 15 Apr 2026 10:00:40 GMT', 0],
  ['Wed, 15 Apr 2026 09:59:30 GMT', 0],
  ['Wed, 15 Apr 2026 10:01:00 GMT', 60_000],
  ['Wed, 15 Apr 2026 09:59:00 GMT', -60_000],
  ['Wed, 15 Apr 2026 10:05:00 GMT', 300_000],
  ['Wed, 15 Apr 2026 08:00:00 GMT', -7_200_000],
  ['soon', 0],
  [null, 0],
])('a server date of %s moves a device clock of 10:00 by %i ms', (serverDate, offset) => {
  expect(offsetFromServerDate(serverDate, DEVICE)).toBe(offset);
});

test.each([
  ['2026-04-15T10:00:00.000Z', 60_000],
  ['2026-04-15T10:00:00.001Z', 59_999],
  ['2026-04-15T10:00:59.900Z', 100],
])('after %s the labels change in %i ms', (now, wait) => {
  expect(msUntilNextMinute(new Date(now))).toBe(wait);
});

const YEAR = 365 * 86_400_000;
const SERVER = Date.parse('2026-04-15T10:00:00Z');
const HOUR = 3_600_000;

test.each<[string, number, string, boolean]>([
  ['a right clock', 0, '2026-04-15T11:00:00Z', false],
  ['a clock four minutes behind', 240_000, '2026-04-15T11:00:00Z', false],
  ['a clock four minutes before the last contact', 0, '2026-04-15T09:56:00Z', false],
  ['a clock five minutes before the last contact', 0, '2026-04-15T09:55:00Z', false],
  ['a clock six minutes before the last contact', 0, '2026-04-15T09:54:00Z', true],
  ['a clock that was five minutes ahead', -300_000, '2026-04-15T11:00:00Z', false],
  ['a clock a year behind, which can only be wrong', YEAR, '2025-04-15T11:00:00Z', false],
  ['a clock that was two hours ahead and may be right now', -2 * HOUR, '2026-04-16T12:00:00Z', true],
])('offline at the start, %s: whether the user is warned', (_what, offsetMs, device, isDoubtful) => {
  expect(isDoubtfulAtStart({ offsetMs, serverAt: SERVER }, Date.parse(device))).toBe(isDoubtful);
});

test.each<[string, number, string, string]>([
  ['a right clock, an hour later', 0, '2026-04-15T11:00:00Z', '2026-04-15T11:00:00Z'],
  ['a clock a year ahead, an hour later', -YEAR, '2027-04-15T11:00:00Z', '2026-04-15T11:00:00Z'],
  ['a clock a year behind, an hour later', YEAR, '2025-04-15T11:00:00Z', '2026-04-15T11:00:00Z'],
  ['a clock a year ahead that was put right', -YEAR, '2026-04-15T12:00:00Z', '2026-04-15T12:00:00Z'],
  ['a clock a year behind that was put right', YEAR, '2026-04-15T12:00:00Z', '2026-04-15T12:00:00Z'],
  ['a clock that has been put back', 0, '2020-01-01T00:00:00Z', '2026-04-15T10:00:00Z'],
  ['a clock two hours ahead, a day later', -2 * HOUR, '2026-04-16T12:00:00Z', '2026-04-16T10:00:00Z'],
])('offline at the start, %s', (_what, offsetMs, device, shown) => {
  const deviceNow = Date.parse(device);
  const now = deviceNow + offsetAtStart({ offsetMs, serverAt: SERVER }, deviceNow);
  expect(new Date(now)).toEqual(new Date(shown));
});

/** The clock of an app that has just started. */
async function newClock() {
  vi.resetModules();
  return import('./clock.ts');
}

afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a start without a connection uses the stored clock, unless a response has already set the clock', async () => {
  const deviceNow = SERVER + YEAR + HOUR;
  vi.useFakeTimers({ toFake: ['Date'], now: deviceNow });
  await writeSetting('clock', { offsetMs: -YEAR, serverAt: SERVER });
  const offline = await newClock();
  expect(offline.currentTime()).toEqual(new Date(deviceNow));
  await offline.startClock();
  expect(offline.currentTime()).toEqual(new Date(SERVER + HOUR));
  const online = await newClock();
  online.setServerTime(new Date(deviceNow).toUTCString());
  await online.startClock();
  expect(online.currentTime()).toEqual(new Date(deviceNow));
  await expect.poll(() => readSetting('clock')).toEqual({ offsetMs: 0, serverAt: deviceNow });
});

test.each([
  null,
  'soon',
  { offsetMs: -YEAR },
  { serverAt: SERVER },
  { offsetMs: '5', serverAt: SERVER },
  { offsetMs: -YEAR, serverAt: Number.NaN },
])('the stored clock %j is none', async (stored) => {
  const deviceNow = SERVER + YEAR;
  vi.useFakeTimers({ toFake: ['Date'], now: deviceNow });
  await writeSetting('clock', stored);
  const { currentTime, startClock } = await newClock();
  await startClock();
  expect(currentTime()).toEqual(new Date(deviceNow));
});

test('the clock is stored as soon as the device clock is put forward or back, and every ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: SERVER });
  const clock = await newClock();
  await clock.startClock();
  const answers = [
    { minute: 0, offsetMs: 0 },
    { minute: 1, offsetMs: -2 * HOUR },
    { minute: 2, offsetMs: 0 },
    { minute: 3, offsetMs: 2 * HOUR },
    { minute: 4, offsetMs: 0 },
    { minute: 14, offsetMs: 0 },
  ];
  for (const { minute, offsetMs } of answers) {
    const serverAt = SERVER + minute * 60_000;
    vi.setSystemTime(serverAt - offsetMs);
    clock.setServerTime(new Date(serverAt).toUTCString());
    await expect.poll(() => readSetting('clock')).toEqual({ offsetMs, serverAt });
  }
  const stored = await readSetting('clock');
  vi.setSystemTime(SERVER + 23 * 60_000);
  clock.setServerTime(new Date().toUTCString());
  expect(await readSetting('clock')).toEqual(stored);
});

test('a screen has the time of each full minute, of the server, and of the moment in which it is seen again', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: SERVER + 20_000 });
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  const become = (state: DocumentVisibilityState) => {
    visibility.mockReturnValue(state);
    return act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  };
  const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
  const { currentTime, setServerTime, useNow } = await newClock();
  const { results: shown, last, close } = await openTestHook(useNow);
  expect(last()).toEqual(new Date(SERVER + 20_000));
  const first = last();
  await pass(39_999);
  expect(last()).toBe(first);
  await pass(1);
  expect(last()).toEqual(new Date(SERVER + 60_000));
  await pass(60_000);
  expect(last()).toEqual(new Date(SERVER + 120_000));
  // The timers of a hidden page are late.
  vi.setSystemTime(SERVER + HOUR);
  await become('hidden');
  expect(last()).toEqual(new Date(SERVER + 120_000));
  await become('visible');
  expect(last()).toEqual(new Date(SERVER + HOUR));
  await act(async () => setServerTime(new Date(SERVER + 3 * HOUR).toUTCString()));
  expect(last()).toEqual(new Date(SERVER + 3 * HOUR));
  expect(currentTime()).toEqual(new Date(SERVER + 3 * HOUR));
  await close();
  const shownCount = shown.length;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(shown).toHaveLength(shownCount);
  expect(vi.getTimerCount()).toBe(0);
});

test('the user is warned of a doubtful clock until the server has answered', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: SERVER - HOUR });
  await writeSetting('clock', { offsetMs: 0, serverAt: SERVER });
  const { currentTime, setServerTime, startClock, useIsClockDoubtful } = await newClock();
  const { last: isWarned } = await openTestHook(useIsClockDoubtful);
  expect(isWarned()).toBe(false);
  await act(startClock);
  expect(isWarned()).toBe(true);
  expect(currentTime()).toEqual(new Date(SERVER));
  await act(async () => setServerTime('soon'));
  expect(isWarned()).toBe(true);
  await act(async () => setServerTime(new Date(SERVER).toUTCString()));
  expect(isWarned()).toBe(false);
});
