/** Documents that the signed-in user has bought, or has downloaded with a plan. */
import { type PurchasedPackage, PurchasedPackagesResponse } from '@nivida/contract/orders/documents';
import { useCallback, useEffect, useState } from 'react';
import { useAccountList } from '../../data/device/account-lists.ts';
import { apiOf } from '../../data/server/api.ts';
import { createQueryCache, type QueryResult, useQuery } from '../../data/server/query-cache.ts';
import { offlinePackageVersions } from './offline-packages.ts';

const libraryCache = createQueryCache(
  async (userId) => (await apiOf(userId).get('api/documents').json(PurchasedPackagesResponse)).packages,
);

/** The user's packages, last acquired first. Without a connection, the packages as last loaded. */
export function useLibrary(userId: string): QueryResult<PurchasedPackage[]> {
  return useAccountList(userId, 'packages', libraryCache);
}

/**
 * Whether the user owns the documents of a tender, so that they are not sold twice. False until it is known.
 * Loaded again when `isChanging` becomes false.
 */
export function useIsPackageOwned(userId: string | null, tenderId: string, isChanging: boolean): boolean {
  const { answer } = useQuery(libraryCache, userId);
  useEffect(() => {
    if (userId !== null && isChanging) return () => void libraryCache.refresh(userId);
  }, [userId, isChanging]);
  return answer?.some((owned) => owned.tenderId === tenderId) ?? false;
}

/** The versions of the user's packages on this device, by NIT, and a function that reads them again. */
export function useOfflinePackages(userId: string): {
  versions: ReadonlyMap<string, number>;
  refresh: () => Promise<void>;
} {
  const [versions, setVersions] = useState<ReadonlyMap<string, number>>(new Map());
  const look = useCallback(async () => setVersions(await offlinePackageVersions(userId)), [userId]);
  useEffect(() => void look(), [look]);
  return { versions, refresh: look };
}
