/** Limits that both sides need, without the schema library. */

/** Largest id that a column of type integer holds. */
export const MAX_INTEGER_ID = 2_147_483_647;
/** The server counts closed tenders of a search up to this number, because the archive only grows. */
export const MAX_COUNTED = 10_000;
/** Maximum ids in one request for tenders, such as the works of one NIT in a list. */
export const MAX_LISTED_IDS = 500;
export const MAX_BOOKMARKS = 1_000;
/** Maximum bookmarks in one request. */
export const MAX_BOOKMARK_CHANGES = 200;
/** Maximum saved searches of an account. */
export const MAX_SEARCHES = 50;
/** Maximum records of the bid desk in one request. */
export const MAX_RECORD_CHANGES = 100;
/** Maximum bytes of a request with records. */
export const MAX_RECORD_CHANGES_BYTES = 524_288;
/** Maximum records of one owner by kind. Deleted ones do not count. */
export const MAX_RECORDS = {
  bid: 2_000,
  check: 20_000,
  deposit: 4_000,
  release: 8_000,
  letter: 1_000,
  bidDocument: 500,
  workDone: 500,
  enlistment: 100,
  profile: 1,
  rate: 20_000,
  comment: 20_000,
  sharedSearch: 50,
} as const;
/** Maximum characters of a letter. */
export const MAX_LETTER_TEXT = 8_000;
/** Maximum records of one owner and kind, including deleted ones that are still stored. */
export const maxStoredRecords = (kind: keyof typeof MAX_RECORDS): number => 2 * MAX_RECORDS[kind] + 100;
/** Maximum bytes of all records of one owner as JSON, including deleted ones that are still stored. */
export const MAX_ALL_RECORD_BYTES = 50_000_000;
/** Maximum followed offices of an account. */
export const MAX_FOLLOWED_OFFICES = 50;
/** Maximum size of a file of a document. */
export const MAX_DOCUMENT_FILE_BYTES = 10_000_000;
/** Size of a part of a backed-up file. It takes seconds on a slow connection and is far below the limits of proxies. */
export const FILE_PART_BYTES = 250_000;
/** Maximum size of all files of an owner's documents. */
export const MAX_ALL_DOCUMENT_FILE_BYTES = 50_000_000;
export const MAX_DOCUMENT_FILES = 20;
/** Maximum stored parts of an account's files. A small file is one part. */
export const MAX_FILE_PARTS = 2_000;
/** Maximum characters of a message to support, and of an answer. */
export const MAX_SUPPORT_TEXT = 5_000;
/** Maximum threads of an account, and messages of a thread, that the server stores. */
export const MAX_SUPPORT_THREADS = 200;
export const MAX_THREAD_MESSAGES = 200;
/** Maximum attachments of a message. */
export const MAX_ATTACHMENTS = 5;
/** Maximum size of an attachment. It is sent in parts of `FILE_PART_BYTES`. */
export const MAX_ATTACHMENT_BYTES = 5_000_000;
/** Maximum size of all attachments of an account. */
export const MAX_ALL_ATTACHMENT_BYTES = 50_000_000;
/** Maximum size of a document that a user has read for himself. It is sent in parts of `FILE_PART_BYTES`. */
export const MAX_READING_BYTES = 25_000_000;
/** Maximum readings that an account keeps with its tenders. */
export const MAX_KEPT_READINGS = 50;
/** Maximum members of a firm, open invitations included. */
export const MAX_FIRM_MEMBERS = 5;
/** Maximum firms of an account. */
export const MAX_FIRMS = 10;
/** Days for which an invitation to a firm is valid. */
export const INVITATION_DAYS = 7;
