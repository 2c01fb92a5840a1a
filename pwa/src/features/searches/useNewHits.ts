import { fromSavedFilter, type TenderFilter } from '@nivida/contract/filter/tender-filter';
import { useEffect, useRef, useState } from 'react';
import type { SavedSearchRow } from '../../data/device/schema.ts';

/** Counts the tenders that match a filter and have an id above `above`; undefined when the device cannot count them. */
export type CountHits = (filter: TenderFilter, above: number) => Promise<number | undefined>;

/**
 * New hits of each search since it was last opened, by the search's id; a search that cannot be counted is absent. Counts
 * again when the searches or `version`, the version of the counted data, change.
 */
export function useNewHits(
  searches: readonly SavedSearchRow[] | undefined,
  count: CountHits,
  version: string,
): ReadonlyMap<string, number> {
  const [hits, setHits] = useState<ReadonlyMap<string, number>>(new Map());
  const counter = useRef(count);
  counter.current = count;

  // biome-ignore lint/correctness/useExhaustiveDependencies: counts again for another version of the data
  useEffect(() => {
    let isWanted = true;
    async function countAll() {
      const counted = new Map<string, number>();
      // One at a time: all use the same worker.
      for (const { id, filter, openedUpTo } of searches ?? []) {
        const found = await counter.current(fromSavedFilter(filter), openedUpTo).catch(() => undefined);
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
