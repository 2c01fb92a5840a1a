/** Opens files of the vault, without a network. */
import { t } from '@lingui/core/macro';
import { isBackupOn } from '../../data/bid-documents/file-backup-setting.ts';
import { readFile, storeFiles } from '../../data/bid-documents/files.ts';
import type { DocumentFile } from '../../data/bid-documents/vault-document.ts';
import { currentTime } from '../../data/clock.ts';
import { withDatabase } from '../../data/device/database.ts';
import { currentRecordOwner, firmOf } from '../../data/firms/space.ts';
import { isConnectionError } from '../../data/server/api.ts';

export const noConnectionText = () => t`This file is in your account. It opens here when there is a connection.`;
export const notHereText = () => t`This file is not on this phone. It is on the device that added it.`;

/** The file is in the account's backup, and the backup cannot be reached now. */
class BackupUnreachableError extends Error {
  override name = 'BackupUnreachableError';
}

/**
 * The content of a file of the current owner, from this device or from the account's backup. Undefined when
 * neither has it. Throws BackupUnreachableError.
 */
export async function loadFile({ hash, name, type }: DocumentFile): Promise<File | undefined> {
  const owner = currentRecordOwner();
  const content =
    (await withDatabase((db) => readFile(db, owner, hash)).catch(() => undefined)) ??
    (await restoreFile(owner, hash, type));
  return content && new File([content], name, { type });
}

/** Downloads a file from the backup and stores it on this device. */
async function restoreFile(owner: string, hash: string, type: string): Promise<Blob | undefined> {
  if (owner === '') return undefined;
  // A firm's files are always in its backup.
  const isBackedUp =
    firmOf(owner) !== undefined || (await withDatabase((db) => isBackupOn(db, owner)).catch(() => false));
  if (!isBackedUp) return undefined;
  const { fetchBackedUpFile } = await import('../../data/bid-documents/file-backup.ts');
  const content = await fetchBackedUpFile(owner, hash).catch((error) => {
    if (isConnectionError(error)) throw new BackupUnreachableError('no answer', { cause: error });
    return undefined;
  });
  if (!content || currentRecordOwner() !== owner) return undefined;
  const file = new Blob([content], { type });
  const row = { owner, hash, bytes: content.byteLength, file, at: currentTime().getTime() };
  // A full phone can still show the file.
  await withDatabase((db) => storeFiles(db, [row])).catch(() => undefined);
  return file;
}
