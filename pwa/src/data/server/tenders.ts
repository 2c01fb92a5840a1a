/** Tender lists and tenders from the server. The last answers are cached. */
import { type Tender, TenderListResponse, TenderResponse } from '@nivida/contract/tenders/tender';
import * as v from 'valibot';
import { api } from './api.ts';
import { createQueryCache, type QueryResult, useKnown, useQuery } from './query-cache.ts';

const fetchTenderList = (query: string) => api.get('api/tenders', { searchParams: query }).json(TenderListResponse);
/** The valid parts of the value, as the schema outputs them. */
const parseWith =
  <T>(schema: v.GenericSchema<unknown, T>) =>
  (value: unknown): T | undefined => {
    const checked = v.safeParse(schema, value);
    return checked.success ? checked.output : undefined;
  };
const listCache = createQueryCache(fetchTenderList, { prefix: 'api/tenders?', check: parseWith(TenderListResponse) });

const unwrapTender = ({ tender }: TenderResponse) => tender;
const TenderFromResponse = v.pipe(TenderResponse, v.transform(unwrapTender));
const tenderCache = createQueryCache(
  async (id) => unwrapTender(await api.get(`api/tenders/${encodeURIComponent(id)}`).json(TenderResponse)),
  { prefix: 'api/tenders/', check: parseWith(TenderFromResponse) },
);

/** One page of tenders. `query` is the query string of `GET /api/tenders`; null makes no call. */
export function useTenderList(query: string | null): QueryResult<TenderListResponse> {
  return useQuery(listCache, query);
}

/** The cached page of tenders. Makes no call. */
export function useKnownTenderList(query: string): TenderListResponse | undefined {
  return useKnown(listCache, query)?.answer;
}

/** One tender by its id. Null makes no call. */
export function useTender(id: string | null): QueryResult<Tender> {
  return useQuery(tenderCache, id);
}
