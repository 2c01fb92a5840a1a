import { useEffect, useState } from 'react';

const SECOND_MS = 1000;

/** Whole seconds until `lasts` seconds after `since`, at `now` (both milliseconds since 1970); 0 when they are over. */
export function secondsLeft(since: number, durationSeconds: number, now: number): number {
  // a device's clock that was put back must not make anybody wait longer than the whole
  return Math.min(durationSeconds, Math.max(0, Math.ceil((since - now) / SECOND_MS) + durationSeconds));
}

/** The device's time (milliseconds since 1970), new each second. */
export function useSecondTick(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
