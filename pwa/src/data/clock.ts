/** The time by which open and closed are judged: the device's clock, corrected by the server's. */
import { useEffect, useState } from 'react';
import { create } from 'zustand';

const MINUTE_MS = 60_000;

interface Clock {
  /** Server's time minus the device's, in milliseconds; 0 while they agree within a minute. */
  offsetMs: number;
}

const useClock = create<Clock>(() => ({ offsetMs: 0 }));

/**
 * What to add to the device's time (milliseconds) so that it is the server's; 0 when `serverDate`, the `Date` header of
 * an answer, is unreadable. Less than a minute is the way the answer took, not a wrong clock, and counts as none:
 * otherwise every answer would shift the tick a little.
 */
export function clockOffset(serverDate: string | null, deviceNow: Date): number {
  const difference = Date.parse(serverDate ?? '') - deviceNow.getTime();
  return Math.abs(difference) >= MINUTE_MS ? difference : 0;
}

/** Takes the server's time from the `Date` header of an answer that has just arrived. */
export function setServerTime(serverDate: string | null): void {
  useClock.setState({ offsetMs: clockOffset(serverDate, new Date()) });
}

/** The corrected time at this moment. */
export function currentTime(): Date {
  return new Date(Date.now() + useClock.getState().offsetMs);
}

/** Milliseconds until the next full minute; closings lie on full minutes, so labels change when they should. */
export function untilNextMinute(now: Date): number {
  return MINUTE_MS - (now.getTime() % MINUTE_MS);
}

/** The corrected time, new at each full minute and when the app comes back to the front. */
export function useNow(): Date {
  const offsetMs = useClock((clock) => clock.offsetMs);
  const [now, setNow] = useState(currentTime);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a corrected clock must be read at once
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tick = () => {
      clearTimeout(timer);
      const current = currentTime();
      setNow(current);
      timer = setTimeout(tick, untilNextMinute(current));
    };
    // timers of a hidden page are held back by the browser
    const onVisible = () => document.visibilityState === 'visible' && tick();
    tick();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [offsetMs]);

  return now;
}
