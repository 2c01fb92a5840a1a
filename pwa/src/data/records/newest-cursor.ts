/** The server's newest cursor of the user's records. Other responses bring it, so it needs no request. */

let newest = { owner: '', cursor: '' };
let onNews: () => void = () => undefined;

/** The newest known cursor. '' when the user has no records on the server, or when it is unknown. */
export const newestCursor = (owner: string): string => (newest.owner === owner ? newest.cursor : '');

/** Stores the newest cursor of a user. Undefined changes nothing. */
export function noteNewestCursor(owner: string, cursor: string | undefined): void {
  if (owner === '' || cursor === undefined || newestCursor(owner) === cursor) return;
  newest = { owner, cursor };
  onNews();
}

/** Calls `listener` when a response has brought a new cursor. */
export function watchNewestCursor(listener: () => void): void {
  onNews = listener;
}
