/** Progress of storing the search terms again after their rules have changed. SQL: lists read it in their own statement. */
import { INDEX_TERMS_VERSION } from '@nivida/contract/search/index-terms';

/** The setting that holds a `TermIndexProgress`. */
export const TERM_INDEX_KEY = 'index terms';

/** Tenders with an id smaller than `below` still have the terms of an earlier version; null when all have the present ones. */
export interface TermIndexProgress {
  version: number;
  below: number | null;
}

/** Whether all tenders have the terms of this version. A newer version of the program stores other terms. */
export const IS_TERM_INDEX_COMPLETE = `coalesce((
  SELECT (value->>'version')::int > ${INDEX_TERMS_VERSION}
    OR ((value->>'version')::int = ${INDEX_TERMS_VERSION} AND value->>'below' IS NULL)
  FROM setting WHERE key = '${TERM_INDEX_KEY}'), false)`;

/** Marks the index of a database without tenders as complete. */
export const COMPLETE_EMPTY_TERM_INDEX = `
  INSERT INTO setting (key, value)
  SELECT '${TERM_INDEX_KEY}', '{"version": ${INDEX_TERMS_VERSION}, "below": null}'
  WHERE NOT EXISTS (SELECT FROM tender) AND NOT ${IS_TERM_INDEX_COMPLETE}
  ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`;
