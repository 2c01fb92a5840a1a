/** Bookmarks and the wishes by which a device changes them. */
import * as v from 'valibot';
import { TenderSummary } from './tender.ts';

export const MAX_BOOKMARKS = 1_000;
export const MAX_WISHES = 200;

const tenderId = v.pipe(v.string('tenderId must be text'), v.regex(/^\d{1,10}$/, 'tenderId is not a tender id'));

/** What the user wants for one tender; the last wish wins, so sending it again changes nothing. */
export const Wish = v.object(
  { tenderId, wanted: v.boolean('wanted must be true or false') },
  'each wish must hold tenderId and wanted',
);
export type Wish = v.InferOutput<typeof Wish>;

/** Body of `POST /api/bookmarks/sync`. */
export const WishList = v.strictObject(
  { wishes: v.pipe(v.array(Wish, 'wishes must be a list'), v.maxLength(MAX_WISHES, `at most ${MAX_WISHES} wishes`)) },
  'The body must hold wishes and nothing else',
);
export type WishList = v.InferOutput<typeof WishList>;

/**
 * What became of each wish, one result for each in their order, and the user's bookmarks afterwards, newest first. Of
 * several wishes for one tender only the last counts: its result stands at all of them.
 */
export const WishAnswer = v.object({
  results: v.array(
    v.object({
      tenderId: v.string(),
      result: v.picklist(['accepted', 'rejected', 'retry']),
      message: v.optional(v.string()),
    }),
  ),
  tenderIds: v.array(v.string()),
});
export type WishAnswer = v.InferOutput<typeof WishAnswer>;

/** Answer of `POST` and `DELETE /api/tenders/{id}/bookmark`: how it stands now. */
export const BookmarkAnswer = v.object({ bookmarked: v.boolean() });
export type BookmarkAnswer = v.InferOutput<typeof BookmarkAnswer>;

/** Answer of `GET /api/tenders/bookmarked`: open and closed ones, the newest bookmark first. `data` is `tenders` (R4). */
export const BookmarkList = v.object({
  tenders: v.array(TenderSummary),
  data: v.array(TenderSummary),
  total: v.number(),
});
export type BookmarkList = v.InferOutput<typeof BookmarkList>;
