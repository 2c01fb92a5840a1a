/** The server's newest cursor of the user's records, which another response has brought. It needs no request of its own. */

let newest = { owner: '', cursor: '' };
let onNews: () => void = () => undefined;

/** The newest known cursor; '' when the user has no records on the server, or it is not known. */
export const newestCursor = (owner: string): string => (newest.owner === owner ? newest.cursor : '');

/** Stores the newest cursor of a user. A response without one leaves it. */
export function noteNewestCursor(owner: string, cursor: string | undefined): void {
  if (owner === '' || cursor === undefined || newestCursor(owner) === cursor) return;
  newest = { owner, cursor };
  onNews();
}

/** Calls `listener` when a response has brought another cursor. */
export function watchNewestCursor(listener: () => void): void {
  onNews = listener;
}
