/** The library of documents that the signed-in user has bought, or downloaded with a plan. */
import { type PurchasedPackage, PurchasedPackagesResponse } from '@nivida/contract/orders/documents';
import { useCallback, useEffect, useState } from 'react';
import { useAccountList } from '../../data/device/account-lists.ts';
import { api } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';
import { offlinePackageVersions } from './offline-packages.ts';

const libraryCache = createQueryCache(
  async (_userId) => (await api.get('api/documents').json(PurchasedPackagesResponse)).packages,
);

/** The user's packages, what was acquired last first; without signal as they were last told. */
export function useLibrary(userId: string): QueryResult<PurchasedPackage[]> {
  return useAccountList(userId, 'packages', libraryCache);
}

/**
 * Whether the user has the documents of a tender already: nobody is asked to pay twice. False while that is not known.
 * `isChanging` while it may be bought; it is asked anew afterwards.
 */
export function useIsPackageOwned(userId: string | null, tenderId: string, isChanging: boolean): boolean {
  const { answer } = useQuery(libraryCache, userId);
  useEffect(() => {
    if (userId !== null && isChanging) return () => void libraryCache.refresh(userId);
  }, [userId, isChanging]);
  return answer?.some((owned) => owned.tenderId === tenderId) ?? false;
}

/** The versions of the user's packages that are on this device, by NIT, and the way to look again. */
export function useOfflinePackages(userId: string): {
  versions: ReadonlyMap<string, number>;
  refresh: () => Promise<void>;
} {
  const [kept, setKept] = useState<ReadonlyMap<string, number>>(new Map());
  const look = useCallback(async () => setKept(await offlinePackageVersions(userId)), [userId]);
  useEffect(() => void look(), [look]);
  return { versions: kept, refresh: look };
}
