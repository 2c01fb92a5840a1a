/** The engine's query and answer. */
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** The query of `GET /api/tenders`, with listed names. */
export interface EngineQuery {
  state: string | null;
  district: string | null;
  department: string | null;
  /** '' without words. */
  q: string;
  /** True: published and not yet closed; false: closed. */
  open: boolean;
  sort: 'price' | 'closing_date';
  order: 'asc' | 'desc';
  /** From 1. */
  page: number;
  limit: number;
  /** Rupees, inclusive; a tender without an estimate is in no range. */
  minPrice: number | null;
  maxPrice: number | null;
  /** Indian calendar days, 0 is today; ignored for closed tenders. */
  closesWithinDays: number | null;
  category: string | null;
}

/** A page of tenders, and facts about all matches. */
export interface EngineAnswer {
  total: number;
  tenders: TenderSummary[];
  /** The corrected words, when the typed ones found nothing. */
  showingFor: string | null;
  /** Number of tenders by name of district and department, each without its own filter. */
  facets: { districts: Record<string, number>; departments: Record<string, number> };
  /** True when a tender of the page is a demonstration. */
  demonstration: boolean;
}

/** The first page of open tenders, dearest first. */
export const DEFAULT_ENGINE_QUERY: EngineQuery = {
  state: null,
  district: null,
  department: null,
  q: '',
  open: true,
  sort: 'price',
  order: 'desc',
  page: 1,
  limit: 10,
  minPrice: null,
  maxPrice: null,
  closesWithinDays: null,
  category: null,
};
