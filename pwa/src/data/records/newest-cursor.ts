/** The server's newest cursors of the user's records and those of the firms. Other responses bring them, so they need no request. */
import { userOf } from '../firms/space.ts';

const newest = new Map<string, string>();
let onNews: () => void = () => undefined;

/** The newest known cursor. '' when the owner has no records on the server, or when it is unknown. */
export const newestCursor = (owner: string): string => newest.get(owner) ?? '';

/** Stores the newest cursor of an owner. Undefined changes nothing. */
export function noteNewestCursor(owner: string, cursor: string | undefined): void {
  if (owner === '' || cursor === undefined || newestCursor(owner) === cursor) return;
  // Another user has signed in.
  for (const other of newest.keys()) if (userOf(other) !== userOf(owner)) newest.delete(other);
  newest.set(owner, cursor);
  onNews();
}

/** Calls `listener` when a response has brought a new cursor. */
export function watchNewestCursor(listener: () => void): void {
  onNews = listener;
}
