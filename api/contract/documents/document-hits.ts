/** Tenders whose official documents contain the words of a search. */
import * as v from 'valibot';
import { SearchedWord, TenderSummary } from '../tenders/tender.ts';

/** Hits of one answer. */
export const MAX_DOCUMENT_HITS = 10;

/** Where a document has all words: a page, or one item of its BOQ. */
export const DocumentHitPlace = v.object({
  /** The name of the file in the package. */
  file: v.string(),
  /** From 1; null for a BOQ. */
  page: v.nullable(v.number()),
  /** The serial number of the item, empty without one; null for a page. */
  item: v.nullable(v.string()),
  /** The found words with a few words around them; of a BOQ, which is sold, the found words alone. */
  snippet: v.string(),
});
export type DocumentHitPlace = v.InferOutput<typeof DocumentHitPlace>;

export const DocumentHit = v.object({ ...DocumentHitPlace.entries, tender: TenderSummary });
export type DocumentHit = v.InferOutput<typeof DocumentHit>;

/** Answer of `GET /api/tenders/in-documents`, which takes the query of the lists without its page. */
export const DocumentHits = v.object({
  /** Tenders of which a document has all words and whose own fields have not. */
  total: v.number(),
  /** At most ten; those with a BOQ item first. */
  hits: v.array(DocumentHit),
  words: v.array(SearchedWord),
});
export type DocumentHits = v.InferOutput<typeof DocumentHits>;
