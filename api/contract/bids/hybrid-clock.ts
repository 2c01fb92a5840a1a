/**
 * Hybrid logical clock. Stamps order the changes of several devices even if their clocks differ. The text of a stamp is
 * `time-counter-device`. Each part has a fixed length, so stamps can be compared as text.
 */
import { MINUTE_MS } from '../time.ts';

const TIME_DIGITS = 13;
const MAX_TIME = 10 ** TIME_DIGITS - 1;
const COUNTER_DIGITS = 4;
const MAX_COUNTER = 16 ** COUNTER_DIGITS - 1;

/** Form of a stamp: 13 decimal digits, 4 and 16 hexadecimal digits. */
export const STAMP_PATTERN = /^\d{13}-[0-9a-f]{4}-[0-9a-f]{16}$/;

/** The server refuses stamps that are further ahead of its clock; the device then corrects them. */
const MAX_STAMP_AHEAD_MS = 5 * MINUTE_MS;

/** The device part of stamps: 64 random bits. */
export function newDeviceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The time of a stamp in milliseconds since 1970. */
export const stampTime = (stamp: string): number => Number(stamp.slice(0, TIME_DIGITS));

/** The later stamp; if one is absent, the other. */
export const laterStamp = (one: string | undefined, other: string | undefined): string | undefined =>
  (one ?? '') >= (other ?? '') ? one : other;

/**
 * A stamp after `latest`, the latest stamp that the device has issued or received. Its time is `now` (milliseconds since
 * 1970) or later.
 */
export function nextStamp(latest: string | undefined, now: number, device: string): string {
  const wall = Math.min(Math.max(Math.floor(now), 0), MAX_TIME);
  const previous = latest === undefined ? -1 : stampTime(latest);
  let time = Math.max(wall, previous);
  let counter = 0;
  if (latest !== undefined && time === previous) {
    counter = Number.parseInt(latest.slice(TIME_DIGITS + 1), 16) + 1;
    if (counter > MAX_COUNTER) {
      time += 1;
      counter = 0;
    }
  }
  return `${String(time).padStart(TIME_DIGITS, '0')}-${counter.toString(16).padStart(COUNTER_DIGITS, '0')}-${device}`;
}

/**
 * Whether a stamp was made by a wrong clock. `now` is the server's time in milliseconds. `stored` is the latest stamp that
 * the server has accepted for the record. If the server's clock was set back since, later stamps must be accepted up to it.
 */
export const isAhead = (stamp: string, now: number, stored?: string): boolean =>
  stampTime(stamp) > Math.max(now + MAX_STAMP_AHEAD_MS, stored === undefined ? 0 : stampTime(stored));

/**
 * A function that gives new stamps for those in `stamps` that are ahead of the server's time `now`. New stamps keep their
 * order and come after `floor`, the server's latest stamp of the record. So a corrected change still wins over the values
 * that it replaced.
 */
export function correctStampsAhead(
  stamps: Iterable<string>,
  now: number,
  device: string,
  floor: string | undefined,
): (stamp: string) => string {
  const corrected = new Map<string, string>();
  let latest = floor;
  for (const stamp of [...new Set(stamps)].sort()) {
    if (isAhead(stamp, now, floor)) {
      latest = nextStamp(latest, now, device);
      corrected.set(stamp, latest);
    } else latest = laterStamp(latest, stamp);
  }
  return (stamp) => corrected.get(stamp) ?? stamp;
}
