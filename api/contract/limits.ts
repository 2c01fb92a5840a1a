/** Limits that both sides need, without the schema library. */

/** Largest id that a column of type integer holds. */
export const MAX_INTEGER_ID = 2_147_483_647;
export const MAX_BOOKMARKS = 1_000;
/** Bookmarks in one request. */
export const MAX_BOOKMARK_CHANGES = 200;
/** Saved searches of an account. */
export const MAX_SEARCHES = 50;
