/**
 * The current time, which decides whether tenders are open: the device's clock, corrected by the server's.
 */
import { MINUTE_MS } from '@nivida/contract/time';
import { useMemo, useSyncExternalStore } from 'react';
import { create } from 'zustand';
import { offsetAtStart, offsetFromServerDate } from './clock-offset.ts';
import { usePage } from './server/page.ts';

interface Clock {
  /** Server's time minus the device's, in milliseconds; 0 while they agree within a minute. */
  offsetMs: number;
  /** The server's newest known time (milliseconds since 1970); null until a response has arrived. */
  serverAt: number | null;
  /** The offset may be wrong by more than five minutes, and the server cannot be asked. */
  isDoubtful: boolean;
}

const useClock = create<Clock>(() => ({ offsetMs: 0, serverAt: null, isDoubtful: false }));

/** True while closing times may be wrong: the device's clock is wrong and the server has not answered. */
export const useIsClockDoubtful = (): boolean => useClock(({ isDoubtful }) => isDoubtful);

/** A smaller error is not reported. */
const MAX_CLOCK_ERROR_MS = 5 * MINUTE_MS;
const CLOCK_KEY = 'clock';
/** The server's time is stored when it is this much newer than the stored time. */
const STORE_EVERY_MS = 10 * MINUTE_MS;

/** Sets the server's time from the `Date` header of a response that has just arrived. */
export function setServerTime(serverDate: string | null): void {
  const at = Date.parse(serverDate ?? '');
  useClock.setState({
    offsetMs: offsetFromServerDate(serverDate, new Date()),
    ...(Number.isFinite(at) && { serverAt: at, isDoubtful: false }),
  });
}

/**
 * Whether the clock may be wrong by more than five minutes when the app starts without the server. This is so
 * when the clock is before the server's last known time. It is also so when it was wrong at the last answer,
 * because the user may have corrected it since.
 */
export function isDoubtfulAtStart(stored: { offsetMs: number; serverAt: number }, deviceNow: number): boolean {
  const isBehind = Math.max(deviceNow, deviceNow + stored.offsetMs) < stored.serverAt - MAX_CLOCK_ERROR_MS;
  const isUnclear = Math.abs(stored.offsetMs) > MAX_CLOCK_ERROR_MS && deviceNow >= stored.serverAt;
  return isBehind || isUnclear;
}

function isStoredClock(value: unknown): value is { offsetMs: number; serverAt: number } {
  if (typeof value !== 'object' || value === null || !('offsetMs' in value) || !('serverAt' in value)) return false;
  return Number.isFinite(value.offsetMs) && Number.isFinite(value.serverAt);
}

/** Uses the stored offset, unless the server's time is already known. Stores the offset from now on. */
export async function startClock(): Promise<void> {
  // The first screen needs the time, but not the device's database.
  const { readSetting, writeSetting } = await import('./device/settings.ts');
  const remembered = await readSetting(CLOCK_KEY);
  let stored = isStoredClock(remembered) ? remembered : null;
  if (stored && useClock.getState().serverAt === null) {
    const deviceNow = Date.now();
    useClock.setState({
      offsetMs: offsetAtStart(stored, deviceNow),
      isDoubtful: isDoubtfulAtStart(stored, deviceNow),
    });
  }
  const store = ({ offsetMs, serverAt }: Clock) => {
    if (serverAt === null) return;
    const isNews = !stored || Math.abs(offsetMs - stored.offsetMs) >= MINUTE_MS;
    if (!isNews && stored && Math.abs(serverAt - stored.serverAt) < STORE_EVERY_MS) return;
    stored = { offsetMs, serverAt };
    void writeSetting(CLOCK_KEY, stored);
  };
  useClock.subscribe(store);
  store(useClock.getState());
}

/** The corrected current time. */
export function currentTime(): Date {
  return new Date(Date.now() + useClock.getState().offsetMs);
}

/** Milliseconds until the next full minute. Tenders close on full minutes, so labels change in time. */
export function msUntilNextMinute(now: Date): number {
  return MINUTE_MS - (now.getTime() % MINUTE_MS);
}

let shown = currentTime();
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  clearTimeout(timer);
  shown = currentTime();
  timer = setTimeout(tick, msUntilNextMinute(shown));
  for (const listener of listeners) listener();
}

// Browsers delay the timers of a hidden page.
const onVisible = () => document.visibilityState === 'visible' && tick();

useClock.subscribe((clock, before) => {
  if (clock.offsetMs !== before.offsetMs && listeners.size > 0) tick();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener('visibilitychange', onVisible);
    tick();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener('visibilitychange', onVisible);
    clearTimeout(timer);
  };
}

/** Returns the same object within a minute. */
function shownTime(): Date {
  const now = currentTime();
  const minute = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);
  if (minute(now) !== minute(shown)) shown = now;
  return shown;
}

/**
 * The corrected time. It is updated at each full minute and when the app becomes visible. During hydration it
 * is the instant for which the server rendered the page.
 */
export function useNow(): Date {
  const at = usePage().answer?.at;
  const renderedFor = useMemo(() => new Date(at ?? 0), [at]);
  return useSyncExternalStore(subscribe, shownTime, () => renderedFor);
}
