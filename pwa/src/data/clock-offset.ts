import { MINUTE_MS } from '@nivida/contract/time';
/** The difference between the server's clock and the device's. */

/**
 * The server's time minus the device's, in milliseconds; 0 when `serverDate`, the `Date` header of a response, is
 * unreadable. Less than a minute is latency and counts as 0.
 */
export function offsetFromServerDate(serverDate: string | null, deviceNow: Date): number {
  const difference = Date.parse(serverDate ?? '') - deviceNow.getTime();
  return Math.abs(difference) >= MINUTE_MS ? difference : 0;
}

/**
 * The initial offset (milliseconds) when the server cannot be reached. The candidates are the stored offset and 0; the
 * result is the one with the earlier time that is not before `serverAt`, the server's last known time. A clock that is a
 * year off stays corrected, and a clock that the user has corrected is used. When both are before it, the time is
 * `serverAt`.
 */
export function offsetAtStart(stored: { offsetMs: number; serverAt: number }, deviceNow: number): number {
  const possible = [0, stored.offsetMs].filter((offset) => deviceNow + offset >= stored.serverAt);
  return possible.length > 0 ? Math.min(...possible) : stored.serverAt - deviceNow;
}
