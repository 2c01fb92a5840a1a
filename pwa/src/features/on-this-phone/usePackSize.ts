/** The download size of a scope's pack. */
import { createQueryCache, useQuery } from '../../data/server/query-cache.ts';
import { fetchManifest } from '../../offline/packs/fetch-pack.ts';

/** Tenders and bytes of a whole pack. */
interface PackSize {
  rows: number;
  bytes: number;
}

const packSizeCache = createQueryCache(async (scope): Promise<PackSize> => {
  const { rows, segments } = await fetchManifest(scope);
  return { rows, bytes: segments.reduce((sum, { list, detail }) => sum + list.bytes + detail.bytes, 0) };
});

/** Size of the whole pack. Undefined until the server has answered. */
export function usePackSize(scope: string): PackSize | undefined {
  return useQuery(packSizeCache, scope).answer;
}
