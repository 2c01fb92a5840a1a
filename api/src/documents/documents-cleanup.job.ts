import type { JobContext } from '../jobs/schedule.ts';
import { DocumentRequestsService } from './document-requests.service.ts';
import { PackagesService } from './packages/packages.service.ts';

/** Longer than any download or upload that began with an old version or an unfinished file. */
const MIN_AGE_MS = 86_400_000;

/**
 * The job: removes files of old versions without links, and unfinished files. Buyers get the newest version, which
 * stays, as do all rows. Returns the number of files.
 */
export async function cleanUpDocuments({ dataSource, now, find }: JobContext): Promise<number> {
  const { store } = await find(PackagesService);
  await (await find(DocumentRequestsService)).deleteOld();
  const settled = new Date(now.getTime() - MIN_AGE_MS);
  const old: { id: string; fileKey: string }[] = await dataSource.query(UNUSED_PACKAGES, [now, settled]);
  for (const { id, fileKey } of old) {
    await store.remove(fileKey);
    await dataSource.query('UPDATE document_package SET removed_at = $2 WHERE id = $1', [id, now]);
  }
  return old.length + (await store.removeUnfinished(settled));
}

/** $1 now, $2 the latest instant at which a newer version replaced this one. */
const UNUSED_PACKAGES = `
  SELECT p.id, p.file_key AS "fileKey" FROM document_package p
  WHERE p.removed_at IS NULL
    AND EXISTS (SELECT 1 FROM document_package n WHERE n.nit = p.nit AND n.version > p.version AND n.created_at <= $2)
    AND NOT EXISTS (
      SELECT 1 FROM download_link l WHERE l.package_id = p.id AND l.revoked_at IS NULL AND l.expires_at > $1)
  ORDER BY p.id`;
