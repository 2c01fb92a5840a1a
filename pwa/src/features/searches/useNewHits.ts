import { fromSavedFilter } from '@nivida/contract/filter/saved-filter';
import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import { useEffect, useState } from 'react';
import type { SavedSearchRow } from '../../data/device/schema.ts';

/**
 * Counts the tenders that match a filter and have an id above `above`. Undefined when the device cannot count
 * them.
 */
export type CountHits = (filter: TenderFilter, above: number) => Promise<number | undefined>;

/**
 * The new hits of each search since it was last opened, by the search's id. A search that cannot be counted
 * is absent. Counts again when the searches or `count` change. Without `count` nothing is counted.
 */
export function useNewHits(
  searches: readonly SavedSearchRow[] | undefined,
  count: CountHits | undefined,
): ReadonlyMap<string, number> {
  const [hits, setHits] = useState<ReadonlyMap<string, number>>(new Map());

  useEffect(() => {
    if (!count) return;
    let isWanted = true;
    const countAll = async () => {
      const counted = new Map<string, number>();
      // One search at a time, because all use the same worker.
      for (const { id, filter, openedUpTo } of searches ?? []) {
        const found = await count(fromSavedFilter(filter), openedUpTo).catch(() => undefined);
        if (!isWanted) return;
        if (found !== undefined) counted.set(id, found);
      }
      setHits(counted);
    };
    void countAll();
    return () => {
      isWanted = false;
    };
  }, [searches, count]);

  return hits;
}
