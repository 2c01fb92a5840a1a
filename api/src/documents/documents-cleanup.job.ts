import { DAY_MS } from '@nivida/contract/time';
import type { Job, JobContext } from '../jobs/job.ts';
import { DocumentRequestsService } from './document-requests.service.ts';
import { MARK_PACKAGE_REMOVED, UNUSED_PACKAGES } from './documents.sql.ts';
import { PackagesService } from './packages/packages.service.ts';

/** Longer than any download or upload that began with an old version or an unfinished file. */
const MIN_AGE_MS = DAY_MS;

/**
 * Removes files of old versions without links, and unfinished files. The newest version stays, because buyers get it. No
 * rows are deleted. Returns the number of files.
 */
export async function cleanUpDocuments({ dataSource, now, find }: JobContext): Promise<number> {
  const { store } = await find(PackagesService);
  await (await find(DocumentRequestsService)).deleteOld();
  const settled = new Date(now.getTime() - MIN_AGE_MS);
  const old: { id: string; fileKey: string }[] = await dataSource.query(UNUSED_PACKAGES, [now, settled]);
  for (const { id, fileKey } of old) {
    await store.remove(fileKey);
    await dataSource.query(MARK_PACKAGE_REMOVED, [id, now]);
  }
  return old.length + (await store.removeUnfinished(settled));
}

export const documentsCleanupJob: Job = { name: 'documents-cleanup', cron: '43 3 * * *', run: cleanUpDocuments };
