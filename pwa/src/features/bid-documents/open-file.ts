/** Opens, shares and saves files of the vault, without a network. */
import { readFile } from '../../data/bid-documents/files.ts';
import type { DocumentFile } from '../../data/bid-documents/vault-document.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';

export const NOT_HERE_TEXT = 'This file is not on this phone. It is on the device that added it.';

/** The content of a file of the current owner; undefined where this device does not have it. */
export async function loadFile({ hash, name, type }: DocumentFile): Promise<File | undefined> {
  const owner = currentOwner();
  const content = await withDatabase((db) => readFile(db, owner, hash)).catch(() => undefined);
  return content && new File([content], name, { type });
}

/** True where this browser can hand a file to another app. */
export const canShareFile = (file: File): boolean => Boolean(navigator.canShare?.({ files: [file] }));

/** Offers the file to the device's apps; does nothing when the user closes the list. */
export async function shareFile(file: File): Promise<void> {
  await navigator.share({ files: [file], title: file.name }).catch(() => undefined);
}
