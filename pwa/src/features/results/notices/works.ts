/** Loads the other works of a NIT in a list, from the device or the server. */
import { ListedTendersResponse, type TenderSummary } from '@nivida/contract/tenders/tender';
import { currentTime } from '../../../data/clock.ts';
import { api } from '../../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../../data/server/query-cache.ts';
import { openScopeEngine } from '../../../offline/packs/local-engines.ts';
import { listWithPushedChanges } from '../../../offline/packs/with-pushed-changes.ts';

async function worksOnDevice(scope: string, ids: readonly string[]): Promise<TenderSummary[]> {
  const opened = await openScopeEngine(scope).catch(() => undefined);
  const found = await opened?.engine.summaries(ids.map(Number), currentTime()).catch(() => []);
  return listWithPushedChanges(found ?? []);
}

/** The key is the scope or scopes that listed the works ('' for the server), followed by their ids. */
async function fetchWorks(key: string): Promise<readonly TenderSummary[]> {
  const [scope = '', ids = ''] = key.split('?');
  const found = scope === '' ? [] : await worksOnDevice(scope, ids.split(','));
  if (found.length > 0) return found;
  return (await api.get('api/tenders/listed', { searchParams: { ids } }).json(ListedTendersResponse)).tenders;
}

const worksCache = createQueryCache(fetchWorks);

/** The works with these ids. `scope` is the offline pack that listed them. Null ids make no call. */
export const useWorks = (ids: readonly string[] | null, scope = ''): QueryResult<readonly TenderSummary[]> =>
  useQuery(worksCache, ids && `${scope}?${ids.join(',')}`);
