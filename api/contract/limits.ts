/** Limits that both sides need, without the schema library. */

/** Largest id that a column of type integer holds. */
export const MAX_INTEGER_ID = 2_147_483_647;
/** The server counts closed tenders of a search up to this number, because the archive only grows. */
export const MAX_COUNTED = 10_000;
/** Tenders that are asked for by their ids at once: the works of one NIT in a list. */
export const MAX_LISTED_IDS = 500;
export const MAX_BOOKMARKS = 1_000;
/** Bookmarks in one request. */
export const MAX_BOOKMARK_CHANGES = 200;
/** Saved searches of an account. */
export const MAX_SEARCHES = 50;
/** Records of the bid desk in one request. */
export const MAX_RECORD_CHANGES = 100;
/** Bytes of that request. */
export const MAX_RECORD_CHANGES_BYTES = 524_288;
/** Records of one owner by kind; deleted ones do not count. */
export const MAX_RECORDS = {
  bid: 2_000,
  check: 20_000,
  deposit: 4_000,
  bidDocument: 500,
  workDone: 500,
  enlistment: 100,
  profile: 1,
} as const;
/** Records of one owner and kind, with the deleted ones that are still stored. */
export const maxStoredRecords = (kind: keyof typeof MAX_RECORDS): number => 2 * MAX_RECORDS[kind] + 100;
/** Bytes of all records of one owner with the deleted ones that are still stored, as JSON. */
export const MAX_ALL_RECORD_BYTES = 50_000_000;
/** Followed offices of an account. */
export const MAX_FOLLOWED_OFFICES = 50;
/** A file of a document. */
export const MAX_DOCUMENT_FILE_BYTES = 10_000_000;
/** A part of a file that is backed up: seconds on a weak link, far below the limits of proxies. */
export const FILE_PART_BYTES = 250_000;
/** All files of an owner's documents. */
export const MAX_ALL_DOCUMENT_FILE_BYTES = 50_000_000;
export const MAX_DOCUMENT_FILES = 20;
/** Stored parts of an account's files; a small file is one part. */
export const MAX_FILE_PARTS = 2_000;
