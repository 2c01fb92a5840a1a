/** Packages kept on the device because the user asked for it, to be opened without signal. */
import type { OwnedPackage } from '@nivida/contract/document';
import type { Progress } from 'ky';
import { api } from '../../data/api.ts';
import { currentTime } from '../../data/clock.ts';
import type { PackageFileRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { withRoom } from '../../data/room.ts';
import { askToPersist } from '../../data/storage.ts';
import { saveFile } from '../../ui/save-file.ts';
import { makeLink } from './access.ts';

const LONGEST_NAME = 60;

/** Thrown when what came is not the file that the library names. */
export class WrongFile extends Error {
  override name = 'WrongFile';
}

async function sha256(file: ArrayBuffer): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', file);
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Downloads a package and keeps it; `report` hears how much has come (0 to 1). Other packs give way when the device is
 * full. Throws WrongFile, and what the calls and the database throw.
 */
export async function keepPackage(
  owner: string,
  { nit, tenderId, version, sha256: expected }: OwnedPackage,
  report: (share: number) => void,
): Promise<void> {
  const link = await makeLink(tenderId);
  const onDownloadProgress = ({ percent }: Progress) => report(percent);
  // a slow line is no broken one
  const file = await api.post(link.slice(1), { timeout: false, onDownloadProgress }).arrayBuffer();
  if ((await sha256(file)) !== expected) throw new WrongFile('the file does not have the checksum of the library');
  const row: PackageFileRow = { owner, nit, version, file, savedAt: currentTime().getTime() };
  await onDevice((db) => withRoom(db, null, () => db.packageFiles.put(row)));
  void askToPersist();
}

/** The versions of an owner's packages that are on this device, by NIT; empty where the browser keeps nothing. */
export async function keptVersions(owner: string): Promise<ReadonlyMap<string, number>> {
  // by the index alone: the files are large
  const keys = await onDevice((db) =>
    db.packageFiles
      .where('[owner+nit+version]')
      .between([owner, '', 0], [owner, '\uffff', Number.POSITIVE_INFINITY])
      .keys(),
  ).catch(() => []);
  return new Map((keys as unknown as [string, string, number][]).map(([, nit, version]) => [nit, version]));
}

/** 'nivida-Construction-of-a-bridge.zip': a tender's title as a file's name. */
export function packageName(title: string): string {
  const name = title
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-|-$/g, '');
  return `nivida-${name || 'documents'}.zip`;
}

/** Hands a kept package to the device as a file, without signal too; false when it is not here any more. */
export async function openKept(owner: string, { nit, title }: OwnedPackage): Promise<boolean> {
  const row = await onDevice((db) => db.packageFiles.get([owner, nit]));
  if (row) saveFile(packageName(title), new Blob([row.file], { type: 'application/zip' }));
  return row !== undefined;
}

/** Removes a kept package from this device; the library still has it. */
export async function removeKept(owner: string, nit: string): Promise<void> {
  await onDevice((db) => db.packageFiles.delete([owner, nit]));
}
