import { SiteStatusResponse } from '@nivida/contract/site/status';
import * as v from 'valibot';
import { api } from '../../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../../data/server/query-cache.ts';

const answers = createQueryCache<SiteStatusResponse>(() => api.get('api/site-status').json(SiteStatusResponse), {
  prefix: 'api/site-status',
  check: (given) => {
    const checked = v.safeParse(SiteStatusResponse, given);
    return checked.success ? checked.output : undefined;
  },
});

/** The state of the service. */
export const useSiteStatus = (): QueryResult<SiteStatusResponse> => useQuery(answers, '');
