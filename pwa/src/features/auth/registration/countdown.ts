import { useEffect, useState } from 'react';

const SECOND_MS = 1000;

/**
 * Whole seconds that remain of `durationSeconds` after `since`, at `now` (both milliseconds since 1970). At
 * least 0.
 */
export function secondsLeft(since: number, durationSeconds: number, now: number): number {
  // At most the duration: the device's clock may have been set back.
  return Math.min(durationSeconds, Math.max(0, Math.ceil((since - now) / SECOND_MS) + durationSeconds));
}

/** '1:00', '0:09'. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The device's time (milliseconds since 1970), updated each second. */
export function useSecondTick(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
