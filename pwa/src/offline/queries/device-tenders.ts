/** Counts and newest tenders of a search in the offline packs. */

import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import { HOUR_MS } from '@nivida/contract/time';
import { useEffect } from 'react';
import { canonicalPlace } from '../../data/regions.ts';
import type { NewestResult } from '../engine/newest.ts';
import { DEFAULT_ENGINE_QUERY } from '../engine/query.ts';
import { openScopeEngine, packVersion, searchableScopeFor } from '../packs/local-engines.ts';
import { scopeOfState, searchableScopes, usePacks } from '../packs/pack-status.ts';
import { startPacks } from '../packs/packs.ts';
import { listWithPushedChanges } from '../packs/with-pushed-changes.ts';

/**
 * A key that changes with every change of an offline pack. Screens query the packs again when it changes.
 * Null until the scopes are known.
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

/** The searchable scope of a state ('': of all states). Undefined when the device has none. */
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

const toEngineQuery = (filter: Partial<TenderFilter>) => canonicalPlace({ ...DEFAULT_ENGINE_QUERY, ...filter });

/**
 * New tenders of a filter: how many have an id above `aboveId`, the largest id of all, and the last `limit` published.
 * Undefined when the device has no pack of the state; rejects when the pack is unreadable.
 */
export async function newestTenders(
  filter: Partial<TenderFilter>,
  aboveId: number,
  limit: number,
  now: Date,
): Promise<NewestResult | undefined> {
  const opened = await openEngineOfState(filter.state ?? '');
  return opened?.engine.newest(await toEngineQuery(filter), aboveId, limit, now);
}

/**
 * Tenders that close within `hours`, soonest first, at most `limit`. Undefined when the device has no pack of
 * the state; rejects when the pack is unreadable.
 */
export async function closingWithinHours(
  filter: Partial<TenderFilter>,
  hours: number,
  limit: number,
  now: Date,
): Promise<TenderSummary[] | undefined> {
  const opened = await openEngineOfState(filter.state ?? '');
  if (!opened) return undefined;
  const until = now.getTime() + hours * HOUR_MS;
  // The filter counts whole days, which may cover more than the hours.
  const within = Math.ceil(hours / 24);
  const query = { ...(await toEngineQuery({ ...filter, within })), sort: 'closing_date', order: 'asc', limit } as const;
  const { tenders } = await opened.engine.list(query, now);
  return (await listWithPushedChanges(tenders)).filter(({ closing_date }) => Date.parse(closing_date) <= until);
}

/**
 * The first `limit` tenders of a filter by closing date: open ones soonest first, closed ones last closed
 * first. Undefined when the device has no pack of the state; rejects when the pack is unreadable.
 */
export async function listFromPack(
  filter: Partial<TenderFilter>,
  limit: number,
  now: Date,
): Promise<TenderSummary[] | undefined> {
  const opened = await openEngineOfState(filter.state ?? '');
  if (!opened) return undefined;
  const order = filter.open === false ? 'desc' : 'asc';
  const query = { ...(await toEngineQuery(filter)), sort: 'closing_date', order, limit } as const;
  return listWithPushedChanges((await opened.engine.list(query, now)).tenders);
}

/**
 * Number of tenders of a filter. Undefined when the device has no pack of the state; rejects when the pack is
 * unreadable.
 */
export async function countMatches(filter: Partial<TenderFilter>, now: Date): Promise<number | undefined> {
  const opened = await openEngineOfState(filter.state ?? '');
  if (!opened) return undefined;
  return (await opened.engine.list({ ...(await toEngineQuery(filter)), limit: 1 }, now)).total;
}
