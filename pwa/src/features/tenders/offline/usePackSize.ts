/** How large a scope's copy is on the wire, before it is fetched. */
import { createQueryCache, useQuery } from '../../../data/server/query-cache.ts';
import { fetchManifest } from '../packs/fetch-pack.ts';

/** Tenders and bytes of a whole copy. */
export interface PackSize {
  rows: number;
  bytes: number;
}

const packSizeCache = createQueryCache(async (scope): Promise<PackSize> => {
  const { rows, segments } = await fetchManifest(scope);
  return { rows, bytes: segments.reduce((sum, { list, detail }) => sum + list.bytes + detail.bytes, 0) };
});

/** The size of a scope; undefined until the server has told it. */
export function usePackSize(scope: string): PackSize | undefined {
  return useQuery(packSizeCache, scope).answer;
}
