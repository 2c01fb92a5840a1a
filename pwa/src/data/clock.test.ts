// @vitest-environment node
import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { isDoubtfulAtStart, msUntilNextMinute, setServerTime, startClock } from './clock.ts';
import { offsetAtStart, offsetFromServerDate } from './clock-offset.ts';
import { readSetting, writeSetting } from './device/settings.ts';

const DEVICE = new Date('2026-04-15T10:00:00Z');

test.each([
  ['Wed, 15 Apr 2026 10:00:40 GMT', 0],
  ['Wed, 15 Apr 2026 09:59:30 GMT', 0],
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
  ['a clock six minutes before the last contact', 0, '2026-04-15T09:54:00Z', true],
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

test('a start without signal uses the stored clock, unless a response has already set the clock', async () => {
  const deviceNow = SERVER + YEAR + HOUR;
  vi.useFakeTimers({ toFake: ['Date'], now: deviceNow });
  try {
    await writeSetting('clock', { offsetMs: -YEAR, serverAt: SERVER });
    vi.resetModules();
    const offline = await import('./clock.ts');
    expect(offline.currentTime()).toEqual(new Date(deviceNow));
    await offline.startClock();
    expect(offline.currentTime()).toEqual(new Date(SERVER + HOUR));
    vi.resetModules();
    const online = await import('./clock.ts');
    online.setServerTime(new Date(deviceNow).toUTCString());
    await online.startClock();
    expect(online.currentTime()).toEqual(new Date(deviceNow));
  } finally {
    vi.useRealTimers();
  }
});

test('the clock is stored as soon as the device clock is put forward or back, and every ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: SERVER });
  try {
    await startClock();
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
      setServerTime(new Date(serverAt).toUTCString());
      await expect.poll(() => readSetting('clock')).toEqual({ offsetMs, serverAt });
    }
  } finally {
    vi.useRealTimers();
  }
});
