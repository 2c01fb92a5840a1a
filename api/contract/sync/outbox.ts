/**
 * Pending changes of a device. The app sends them with its session. While it is closed, the service worker sends them with a
 * one-time token that the app requested before. The token is in `Authorization: Once …`. It is valid for `POST /api/outbox`
 * and for messages to support, and no longer than its session. Uploading an attachment does not use it up.
 */

import * as v from 'valibot';
import { FollowedOfficesResponse } from '../awards/awards.ts';
import { CreateSavedSearchRequest, SavedSearch } from '../filter/saved-search.ts';
import { MAX_BOOKMARK_CHANGES, MAX_FOLLOWED_OFFICES, MAX_SEARCHES } from '../limits.ts';
import { BookmarkChange } from '../tenders/bookmark.ts';

/** Tokens that a session has at a time. */
export const MAX_SEND_TOKENS = 10;

/** Answer of `POST /api/outbox/tokens`: the session's tokens; those that it had before no longer count. */
export const SendTokensResponse = v.object({ tokens: v.array(v.string()) });

/** A change of a saved search: 'opened' moves `openedUpTo` only. */
export const PendingSearchChange = v.strictObject(
  {
    wanted: v.picklist(['kept', 'opened', 'deleted'], 'wanted must be kept, opened or deleted'),
    search: CreateSavedSearchRequest,
  },
  'each search must have wanted and search',
);
export type PendingSearchChange = v.InferOutput<typeof PendingSearchChange>;

/** A follow or unfollow of an office. */
const FollowedOfficeChange = v.strictObject(
  {
    officeId: v.pipe(v.string('officeId must be text'), v.regex(/^[0-9a-f]{12}$/, 'This is not the id of an office')),
    wanted: v.boolean('wanted must be true or false'),
  },
  'each office must have officeId and wanted',
);

/** Body of `POST /api/outbox`. */
export const OutboxRequest = v.strictObject(
  {
    bookmarks: v.pipe(
      v.array(BookmarkChange, 'bookmarks must be a list'),
      v.maxLength(MAX_BOOKMARK_CHANGES, `at most ${MAX_BOOKMARK_CHANGES} bookmarks`),
    ),
    searches: v.pipe(
      v.array(PendingSearchChange, 'searches must be a list'),
      v.maxLength(MAX_SEARCHES, `at most ${MAX_SEARCHES} searches`),
    ),
    offices: v.pipe(
      v.array(FollowedOfficeChange, 'offices must be a list'),
      v.maxLength(MAX_FOLLOWED_OFFICES, `at most ${MAX_FOLLOWED_OFFICES} offices`),
    ),
  },
  'The body must have bookmarks, searches and offices, and nothing else',
);
export type OutboxRequest = v.InferOutput<typeof OutboxRequest>;

/** The result of a change, by the id of its tender, saved search or office. `refusal` is null when it was applied. */
const ChangeResult = v.object({
  id: v.string(),
  refusal: v.nullable(v.object({ code: v.string(), message: v.string() })),
});
export type ChangeResult = v.InferOutput<typeof ChangeResult>;

/** One result for each change, in the order of the request. Then the user's data afterwards, newest first. */
export const OutboxResponse = v.object({
  bookmarks: v.array(ChangeResult),
  searches: v.array(ChangeResult),
  offices: v.array(ChangeResult),
  present: v.object({
    tenderIds: v.array(v.string()),
    searches: v.array(SavedSearch),
    offices: FollowedOfficesResponse.entries.offices,
    /** The newest cursor of the user's records of the bid desk; absent without records. If it differs, the device requests changes. */
    recordsCursor: v.optional(v.string()),
    /** The user's firms with their newest cursors; absent without firms. A device deletes the data of other firms. */
    firms: v.optional(v.array(v.object({ id: v.string(), recordsCursor: v.optional(v.string()) }))),
  }),
});
export type OutboxResponse = v.InferOutput<typeof OutboxResponse>;
