import { MINUTE_MS } from '@nivida/contract/time';
/** The difference between the server's clock and the device's. */

/**
 * The server's time minus the device's, in milliseconds. `serverDate` is the `Date` header of a response. 0
 * when it is unreadable, and for less than a minute, which is latency.
 */
export function offsetFromServerDate(serverDate: string | null, deviceNow: Date): number {
  const difference = Date.parse(serverDate ?? '') - deviceNow.getTime();
  return Math.abs(difference) >= MINUTE_MS ? difference : 0;
}

/**
 * The initial offset (milliseconds) when the server cannot be reached. `serverAt` is the server's last known
 * time.
 *
 * The candidates are the stored offset and 0. A candidate must not give a time before `serverAt`; the one
 * with the earlier time is used. So a clock that is a year off stays corrected, and a clock that the user has
 * set right is used. If neither candidate fits, the time is `serverAt`.
 */
export function offsetAtStart(stored: { offsetMs: number; serverAt: number }, deviceNow: number): number {
  const possible = [0, stored.offsetMs].filter((offset) => deviceNow + offset >= stored.serverAt);
  return possible.length > 0 ? Math.min(...possible) : stored.serverAt - deviceNow;
}
