/** What the engine is asked and what it answers. */
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** A search on the device: the one of `GET /api/tenders`, with listed names. */
export interface EngineQuery {
  state: string | null;
  district: string | null;
  department: string | null;
  /** '' for none. */
  q: string;
  /** True: published and not yet closed; false: closed. */
  open: boolean;
  sort: 'price' | 'closing_date';
  order: 'asc' | 'desc';
  /** From 1. */
  page: number;
  limit: number;
  /** Rupees, both included; a tender without an estimate is in no range. */
  minPrice: number | null;
  maxPrice: number | null;
  /** Indian calendar days, 0 being today; of closed tenders it means nothing. */
  closesWithinDays: number | null;
  category: string | null;
}

/** A page of tenders and what is known of all that match. */
export interface EngineAnswer {
  total: number;
  tenders: TenderSummary[];
  /** The words that were searched when the asked ones found nothing. */
  showingFor: string | null;
  /** Tenders of each district and department by its name, under all other filters. */
  facets: { districts: Record<string, number>; departments: Record<string, number> };
  /** Whether any tender of the page is a demonstration. */
  demonstration: boolean;
}

/** A query that asks for nothing in particular: the first page of open tenders, dearest first. */
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
