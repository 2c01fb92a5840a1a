/** The engine's query and answer. */
import { EMPTY_FILTER, PAGE_SIZE, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import type {
  ListedTender,
  NearestSearch,
  QueryCondition,
  QueryPlace,
  SearchedWord,
} from '@nivida/contract/tenders/tender';

/** The query of `GET /api/tenders`, with listed names. */
export interface EngineQuery extends TenderListQuery {
  limit: number;
  /** Returns one entry for each NIT: its first tender, with the ids of the others in `works`. */
  notices?: boolean;
}

/** A page of tenders, and facts about all matches. */
export interface EngineAnswer {
  /** Number of tenders that have all words, plus those that have most words. */
  total: number;
  /** Tenders with all words. */
  fullTotal: number;
  tenders: ListedTender[];
  /** Only in a list of notices: the number of notices, and the number of tenders on earlier pages. */
  notices?: number;
  before?: number;
  place: QueryPlace | null;
  conditions: QueryCondition[];
  /** Similar searches, when this one found nothing. */
  nearest: readonly NearestSearch[];
  /** The words that were searched. */
  words: readonly SearchedWord[];
  /** The corrected words, when the typed ones found nothing. */
  showingFor: string | null;
  /** Number of tenders by name of district and department, each without its own filter. */
  facets: { districts: Record<string, number>; departments: Record<string, number> };
  /** True when a tender of the page is a demonstration. */
  demonstration: boolean;
}

/** The first page of open tenders, highest estimate first. */
export const DEFAULT_ENGINE_QUERY: EngineQuery = {
  ...EMPTY_FILTER,
  sort: 'price',
  order: 'desc',
  page: 1,
  limit: PAGE_SIZE,
};
