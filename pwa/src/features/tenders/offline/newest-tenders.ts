/** What is new on the device's copies, without a list: counts and the newest tenders of a search. */
import type { TenderCategory, TenderSummary } from '@nivida/contract/tenders/tender';
import { useEffect } from 'react';
import { canonicalPlace } from '../../../data/regions.ts';
import type { NewestResult } from '../engine/newest.ts';
import { DEFAULT_ENGINE_QUERY } from '../engine/query.ts';
import { applyPushedChangesToList } from '../packs/apply-pushed-changes.ts';
import { openScopeEngine, packVersion, searchableScopeFor } from '../packs/local-engines.ts';
import { scopeOfState, searchableScopes, usePacks } from '../packs/pack-status.ts';
import { startPacks } from '../packs/packs.ts';

/** Open tenders to look for; what is empty, null or absent is not asked for. */
export interface OpenTenderQuery {
  state: string;
  district?: string;
  department?: string;
  q?: string;
  min?: number | null | undefined;
  max?: number | null | undefined;
  within?: number | null | undefined;
  category?: TenderCategory | null | undefined;
}

/**
 * Changes whenever one of the device's copies does: what was asked of them is then asked anew. Null until it is known
 * what there is.
 */
export function usePackVersions(): string | null {
  useEffect(() => void startPacks(), []);
  return usePacks(({ isRead, scopes }) =>
    isRead
      ? Object.values(scopes)
          .map(({ row }) => `${row.scope} ${packVersion(row)}`)
          .join('\n')
      : null,
  );
}

/** The name of the state's copy that can be searched; undefined when the device has none. '' is all states. */
export function usePackOf(state: string): string | undefined {
  return usePacks((packs) =>
    searchableScopeFor(state === '' ? undefined : scopeOfState(state), searchableScopes(packs)),
  );
}

async function openEngineOfState(state: string) {
  await startPacks();
  const scope = searchableScopeFor(
    state === '' ? undefined : scopeOfState(state),
    searchableScopes(usePacks.getState()),
  );
  return scope === undefined ? undefined : openScopeEngine(scope);
}

async function toEngineQuery({
  state,
  district = '',
  department = '',
  q = '',
  min,
  max,
  within,
  category,
}: OpenTenderQuery) {
  const canonical = await canonicalPlace({ state, district, department });
  return {
    ...DEFAULT_ENGINE_QUERY,
    state: canonical.state || null,
    district: canonical.district || null,
    department: canonical.department || null,
    q,
    minPrice: min ?? null,
    maxPrice: max ?? null,
    closesWithinDays: within ?? null,
    category: category ?? null,
  };
}

/**
 * What is new of the wanted tenders: how many have an id above `above`, the largest id of all, and the last `most`
 * published. Undefined when the device has no copy of the state; rejects when that cannot be read.
 */
export async function newestTenders(
  query: OpenTenderQuery,
  aboveId: number,
  limit: number,
  now: Date,
): Promise<NewestResult | undefined> {
  const opened = await openEngineOfState(query.state);
  return opened?.engine.newest(await toEngineQuery(query), aboveId, limit, now);
}

/** Tenders that close within `hours`, soonest first, at most `most`; undefined as for `newestTenders`. */
export async function closingWithinHours(
  state: string,
  hours: number,
  limit: number,
  now: Date,
): Promise<TenderSummary[] | undefined> {
  const opened = await openEngineOfState(state);
  if (!opened) return undefined;
  const until = now.getTime() + hours * 3_600_000;
  // calendar days reach further than hours
  const within = Math.ceil(hours / 24);
  const query = { ...(await toEngineQuery({ state, within })), sort: 'closing_date', order: 'asc', limit } as const;
  const answer = await opened.engine.search(query, now);
  const tenders = answer && (await applyPushedChangesToList(answer.tenders));
  return tenders?.filter(({ closing_date }) => Date.parse(closing_date) <= until);
}
