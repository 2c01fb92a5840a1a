/** Bookmarks and the wishes by which a device changes them. */
import * as v from 'valibot';

export const MAX_BOOKMARKS = 1_000;
export const MAX_WISHES = 200;

const tenderId = v.pipe(v.string('tenderId must be text'), v.regex(/^\d{1,10}$/, 'tenderId is not a tender id'));

/** What the user wants for one tender; the last wish wins, so sending it again changes nothing. */
export const Wish = v.object({
  tenderId,
  wanted: v.boolean('wanted must be true or false'),
});
export type Wish = v.InferOutput<typeof Wish>;

/** Body of `POST /api/bookmarks/sync`. */
export const WishList = v.strictObject({
  wishes: v.pipe(v.array(Wish, 'wishes must be a list'), v.maxLength(MAX_WISHES, `at most ${MAX_WISHES} wishes`)),
});
export type WishList = v.InferOutput<typeof WishList>;

/** What became of each wish, and the user's bookmarks afterwards, newest first. */
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
