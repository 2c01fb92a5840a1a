/** Document packages that the user has saved on the device and can open without a connection. */
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import type { Progress } from 'ky';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { withDatabase } from '../../data/device/database.ts';
import type { PackageFileRow } from '../../data/device/schema.ts';
import { writeWithEviction } from '../../data/device/storage-quota.ts';
import { hashContent } from '../../data/hash.ts';
import { api } from '../../data/server/api.ts';
import { saveFile } from '../../ui/save-file.ts';
import { createDocumentLink } from './document-offer.ts';

const MAX_NAME_CHARACTERS = 60;

/** The received file differs from the file that the library names. */
export class WrongPackageFileError extends Error {
  override name = 'WrongPackageFileError';
}

/**
 * Downloads a package and saves it. `onProgress` gets the progress (0 to 1). On a full device, offline packs
 * are removed to make room. Throws WrongPackageFileError, and the errors of the calls and the database.
 */
export async function savePackageOffline(
  owner: string,
  { nit, tenderId, version, sha256: expected }: PurchasedPackage,
  onProgress: (share: number) => void,
): Promise<void> {
  const link = await createDocumentLink(tenderId);
  const onDownloadProgress = ({ percent }: Progress) => onProgress(percent);
  // No timeout: a slow connection may need longer.
  const file = await api.post(link.slice(1), { timeout: false, onDownloadProgress }).arrayBuffer();
  if ((await hashContent(file)) !== expected)
    throw new WrongPackageFileError('the file does not have the checksum of the library');
  const row: PackageFileRow = { owner, nit, version, file, savedAt: currentTime().getTime() };
  await withDatabase((db) => writeWithEviction(db, null, () => db.packageFiles.put(row)));
  void requestPersistentStorage();
}

/** The versions of an owner's packages on this device, by NIT; empty without storage. */
export async function offlinePackageVersions(owner: string): Promise<ReadonlyMap<string, number>> {
  // Reads only the index, because the files are large.
  const keys = await withDatabase((db) =>
    db.packageFiles
      .where('[owner+nit+version]')
      .between([owner, '', 0], [owner, '\uffff', Number.POSITIVE_INFINITY])
      .keys(),
  ).catch(() => []);
  return new Map((keys as unknown as [string, string, number][]).map(([, nit, version]) => [nit, version]));
}

/** 'nivida-Construction-of-a-bridge.zip': a tender's title as a file name. */
export function packageFileName(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, MAX_NAME_CHARACTERS)
    .replace(/^-|-$/g, '');
  return `nivida-${name || 'documents'}.zip`;
}

/**
 * Saves a stored package as a file. Works without a connection. False when the package is no longer on the
 * device.
 */
export async function openOfflinePackage(owner: string, { nit, title }: PurchasedPackage): Promise<boolean> {
  const row = await withDatabase((db) => db.packageFiles.get([owner, nit]));
  if (row) saveFile(packageFileName(title), new Blob([row.file], { type: 'application/zip' }));
  return row !== undefined;
}

/** Removes a stored package from this device. It stays in the library. */
export async function removeOfflinePackage(owner: string, nit: string): Promise<void> {
  await withDatabase((db) => db.packageFiles.delete([owner, nit]));
}
