import { useEffect, useRef, useState } from 'react';
import type { SavedSearchRow } from '../../data/device/schema.ts';
import type { SavedSearchFilter } from './search-filter.ts';

/** Counts the tenders that match a filter and have an id above `above`; undefined where nobody can tell. */
export type CountHits = (filter: SavedSearchFilter, above: number) => Promise<number | undefined>;

/**
 * New hits of each search since it was last opened, by the search's id; one that cannot be counted is absent. They are
 * counted anew when the searches or `version`, that of what `count` counts in, change.
 */
export function useNewHits(
  searches: readonly SavedSearchRow[] | undefined,
  count: CountHits,
  version: string,
): ReadonlyMap<string, number> {
  const [hits, setHits] = useState<ReadonlyMap<string, number>>(new Map());
  const counter = useRef(count);
  counter.current = count;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the version is that of what is counted in
  useEffect(() => {
    let isWanted = true;
    async function countAll() {
      const counted = new Map<string, number>();
      // one after the other: they all ask the same worker
      for (const { id, filter, openedUpTo } of searches ?? []) {
        const found = await counter.current(filter, openedUpTo).catch(() => undefined);
        if (!isWanted) return;
        if (found !== undefined) counted.set(id, found);
      }
      setHits(counted);
    }
    void countAll();
    return () => {
      isWanted = false;
    };
  }, [searches, version]);

  return hits;
}
