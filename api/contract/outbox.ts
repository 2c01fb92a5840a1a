/**
 * Changes that a device sends while its app is closed, by one-time tokens that it was given while the app was open. Such a
 * token stands in `Authorization: Once …`, opens `POST /api/outbox` alone, and is worth nothing when its session has ended.
 */
import * as v from 'valibot';
import { MAX_WISHES, Wish } from './bookmark.ts';
import { MAX_SEARCHES, NewSearch } from './saved-search.ts';

/** Tokens that a session has at a time. */
export const MAX_SEND_TOKENS = 10;

/** Answer of `POST /api/outbox/tokens`: the session's tokens; those that it had before no longer count. */
export const SendTokens = v.object({ tokens: v.array(v.string()) });

/** A change of a saved search: 'opened' moves `openedUpTo` only. */
export const SearchChangeSent = v.strictObject(
  {
    wanted: v.picklist(['kept', 'opened', 'deleted'], 'wanted must be kept, opened or deleted'),
    search: NewSearch,
  },
  'each search must hold wanted and search',
);
export type SearchChangeSent = v.InferOutput<typeof SearchChangeSent>;

/** Body of `POST /api/outbox`. */
export const OutboxChanges = v.strictObject(
  {
    wishes: v.pipe(v.array(Wish, 'wishes must be a list'), v.maxLength(MAX_WISHES, `at most ${MAX_WISHES} wishes`)),
    searches: v.pipe(
      v.array(SearchChangeSent, 'searches must be a list'),
      v.maxLength(MAX_SEARCHES, `at most ${MAX_SEARCHES} searches`),
    ),
  },
  'The body must hold wishes and searches and nothing else',
);
export type OutboxChanges = v.InferOutput<typeof OutboxChanges>;

/** What was done: ids of tenders and of saved searches. The app sends the others again and learns the reason. */
export const OutboxAnswer = v.object({ tenderIds: v.array(v.string()), searchIds: v.array(v.string()) });
export type OutboxAnswer = v.InferOutput<typeof OutboxAnswer>;
