/** Private feeds of saved searches. */
import * as v from 'valibot';

/** Answer of `GET /api/search-feeds`: the private addresses of the user's searches, without their tokens. */
export const SearchFeedListResponse = v.object({
  feeds: v.array(
    v.object({
      searchId: v.string(),
      createdAt: v.string(),
      /** The last read, at most an hour late; null when it was never read. */
      readAt: v.nullable(v.string()),
    }),
  ),
});
export type SearchFeedListResponse = v.InferOutput<typeof SearchFeedListResponse>;

/** Answer of `PUT /api/search-feeds/{searchId}`. The token is shown once; an earlier one has ended. */
export const SearchFeedToken = v.object({ token: v.string(), createdAt: v.string() });
export type SearchFeedToken = v.InferOutput<typeof SearchFeedToken>;
