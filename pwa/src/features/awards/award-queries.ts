/** API calls about awards and offices. Answers are cached for a minute. */
import {
  AwardGroupResponse,
  AwardResponse,
  AwardStatesResponse,
  OfficeResponse,
  SimilarWorksResponse,
  TenderOfficeResponse,
} from '@nivida/contract/awards/awards';
import * as v from 'valibot';
import { api } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';

/** A cache of the calls `prefix` + key + `suffix`. Only calls without a suffix are embedded in pages. */
function createAwardCache<T>(schema: v.GenericSchema<unknown, T>, prefix: string, suffix = '') {
  const fetchAnswer = (key: string) => api.get(prefix + key + suffix).json(schema);
  const check = (given: unknown) => {
    const checked = v.safeParse(schema, given);
    return checked.success ? checked.output : undefined;
  };
  return createQueryCache<T>(fetchAnswer, suffix === '' ? { prefix, check } : undefined);
}

const tenderOffices = createAwardCache(TenderOfficeResponse, 'api/tenders/', '/office');
const similarWorks = createAwardCache(SimilarWorksResponse, 'api/tenders/', '/similar-works');
const states = createAwardCache(AwardStatesResponse, 'api/awards');
const groups = createAwardCache(AwardGroupResponse, 'api/awards/states/');
const offices = createAwardCache(OfficeResponse, 'api/awards/offices/');
const awards = createAwardCache(AwardResponse, 'api/awards/');

/** What is known about a tender's office. Null makes no call. */
export const useTenderOffice = (tenderId: string | null): QueryResult<TenderOfficeResponse> =>
  useQuery(tenderOffices, tenderId === null ? null : encodeURIComponent(tenderId));

/** Past works that are like a tender. Null makes no call. */
export const useSimilarWorks = (tenderId: string | null): QueryResult<SimilarWorksResponse> =>
  useQuery(similarWorks, tenderId === null ? null : encodeURIComponent(tenderId));

export const useAwardStates = (): QueryResult<AwardStatesResponse> => useQuery(states, '');

/** The awards of a state. `query` is a query string without '?'. */
export const useAwardGroup = (state: string, query: string): QueryResult<AwardGroupResponse> =>
  useQuery(groups, encodeURIComponent(state) + (query && `?${query}`));

export const useOffice = (id: string): QueryResult<OfficeResponse> => useQuery(offices, encodeURIComponent(id));

/** One award. Null makes no call. */
export const useAward = (id: string | null): QueryResult<AwardResponse> =>
  useQuery(awards, id === null ? null : encodeURIComponent(id));
