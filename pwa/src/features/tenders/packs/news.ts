/** What is new on the device's copies, without a list: counts and the newest tenders of a search. */
import type { Category, TenderSummary } from '@nivida/contract/tender';
import { useEffect } from 'react';
import { listedPlace } from '../../../data/regions.ts';
import type { EngineNews } from '../engine/newest.ts';
import { EVERYTHING } from '../engine/query.ts';
import { openScope, scopeFor, versionOf } from './local.ts';
import { startPacks } from './packs.ts';
import { patchList } from './patches.ts';
import { scopeOfState, searchableScopes, usePacks } from './status.ts';

/** Open tenders to look for; what is empty, null or absent is not asked for. */
export interface Wanted {
  state: string;
  district?: string;
  department?: string;
  q?: string;
  min?: number | null | undefined;
  max?: number | null | undefined;
  within?: number | null | undefined;
  category?: Category | null | undefined;
}

/**
 * Changes whenever one of the device's copies does: what was asked of them is then asked anew. Null until it is known
 * what there is.
 */
export function useCopies(): string | null {
  useEffect(() => void startPacks(), []);
  return usePacks(({ isRead, scopes }) =>
    isRead
      ? Object.values(scopes)
          .map(({ row }) => `${row.scope} ${versionOf(row)}`)
          .join('\n')
      : null,
  );
}

/** The name of the state's copy that can be searched; undefined when the device has none. '' is all states. */
export function useCopyOf(state: string): string | undefined {
  return usePacks((packs) => scopeFor(state === '' ? undefined : scopeOfState(state), searchableScopes(packs)));
}

async function open(state: string) {
  await startPacks();
  const scope = scopeFor(state === '' ? undefined : scopeOfState(state), searchableScopes(usePacks.getState()));
  return scope === undefined ? undefined : openScope(scope);
}

async function toQuery({ state, district = '', department = '', q = '', min, max, within, category }: Wanted) {
  const place = await listedPlace({ state, district, department });
  return {
    ...EVERYTHING,
    state: place.state || null,
    district: place.district || null,
    department: place.department || null,
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
export async function newsOf(wanted: Wanted, above: number, most: number, now: Date): Promise<EngineNews | undefined> {
  const opened = await open(wanted.state);
  return opened?.engine.newest(await toQuery(wanted), above, most, now);
}

/** Tenders that close within `hours`, soonest first, at most `most`; undefined as for `newsOf`. */
export async function closingWithinHours(
  state: string,
  hours: number,
  most: number,
  now: Date,
): Promise<TenderSummary[] | undefined> {
  const opened = await open(state);
  if (!opened) return undefined;
  const until = now.getTime() + hours * 3_600_000;
  // calendar days reach further than hours
  const within = Math.ceil(hours / 24);
  const query = { ...(await toQuery({ state, within })), sort: 'closing_date', order: 'asc', limit: most } as const;
  const answer = await opened.engine.search(query, now);
  const tenders = answer && (await patchList(answer.tenders));
  return tenders?.filter(({ closing_date }) => Date.parse(closing_date) <= until);
}
