import * as v from 'valibot';
import { type Language, languages } from '../languages.ts';

/** The language of a feed's texts, because readers of feeds send no header with one. */
export const FeedLanguageQuery = v.object({
  lang: v.optional(
    v.pipe(
      v.string('lang must be given once'),
      v.check((text) => languages().some((language) => language === text), `lang must be ${languages().join(' or ')}`),
      v.transform((text) => text as Language),
    ),
    'en',
  ),
});
export type FeedLanguageQuery = v.InferOutput<typeof FeedLanguageQuery>;
