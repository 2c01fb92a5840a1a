import type { findPlaceInQuery } from '../search/place-in-query.ts';
import type { QueryWord } from '../search/query-words.ts';
import type { TenderCategory } from '../tenders/tender.ts';
import type { AmountRange } from './amounts.ts';
import type { DayRange } from './days.ts';

/** A thing that is left out: tenders whose title or description has all of `words`, or those at `place`. */
export interface Exclusion {
  text: string;
  words: readonly QueryWord[];
  place: QueryPlaceBounds | null;
}
type QueryPlaceBounds = Pick<NonNullable<ReturnType<typeof findPlaceInQuery>>, 'state' | 'districts'>;

/** What one condition asks for. */
export type ConditionMeaning =
  | ({ kind: 'price' | 'emd' } & AmountRange)
  | { kind: 'no_emd' | 'emd_exempt' }
  | ({ kind: 'closing' | 'published' } & DayRange)
  | { kind: 'category'; category: TenderCategory }
  | { kind: 'without'; exclusions: readonly Exclusion[] };
