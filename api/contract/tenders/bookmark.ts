/** Bookmarks and their changes. */

import * as v from 'valibot';
import { MAX_BOOKMARK_CHANGES } from '../limits.ts';
import { TenderSummary } from './tender.ts';

const tenderId = v.pipe(v.string('tenderId must be text'), v.regex(/^\d{1,10}$/, 'tenderId is not a tender id'));

/** The new state of one bookmark. The last change wins. Sending it again changes nothing. */
export const BookmarkChange = v.object(
  { tenderId, wanted: v.boolean('wanted must be true or false') },
  'each change must have tenderId and wanted',
);
export type BookmarkChange = v.InferOutput<typeof BookmarkChange>;

/** Body of `POST /api/bookmarks/sync`. */
export const BookmarkSyncRequest = v.strictObject(
  {
    changes: v.pipe(
      v.array(BookmarkChange, 'changes must be a list'),
      v.maxLength(MAX_BOOKMARK_CHANGES, `at most ${MAX_BOOKMARK_CHANGES} changes`),
    ),
  },
  'The body must have changes and nothing else',
);
export type BookmarkSyncRequest = v.InferOutput<typeof BookmarkSyncRequest>;

/**
 * One result for each change, in the order of the request, and the user's bookmarks afterwards, newest first. If a tender
 * has several changes, only the last is applied, and all have its result.
 */
export const BookmarkSyncResponse = v.object({
  results: v.array(
    v.object({
      tenderId: v.string(),
      result: v.picklist(['accepted', 'rejected', 'retry']),
      message: v.optional(v.string()),
    }),
  ),
  tenderIds: v.array(v.string()),
  /** The newest cursor of the user's records of the bid desk; absent without records. If it differs, the device requests changes. */
  recordsCursor: v.optional(v.string()),
});
export type BookmarkSyncResponse = v.InferOutput<typeof BookmarkSyncResponse>;

/** Answer of `POST` and `DELETE /api/tenders/{id}/bookmark`. */
export const BookmarkStateResponse = v.object({ bookmarked: v.boolean() });
export type BookmarkStateResponse = v.InferOutput<typeof BookmarkStateResponse>;

/** Answer of `GET /api/tenders/bookmarked`: open and closed tenders, newest bookmark first. `data` is `tenders` (R4). */
export const BookmarkListResponse = v.object({
  tenders: v.array(TenderSummary),
  data: v.array(TenderSummary),
  total: v.number(),
});
export type BookmarkListResponse = v.InferOutput<typeof BookmarkListResponse>;
