/** Changes of the vault by the user. */
import { t } from '@lingui/core/macro';
import type { RecordChange } from '@nivida/contract/bids/records';
import { FilesFullError, removeUnusedFiles, storeFiles } from '../../data/bid-documents/files.ts';
import { documentName, type VaultDocument } from '../../data/bid-documents/vault-document.ts';
import { currentTime } from '../../data/clock.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import { isQuotaExceeded } from '../../data/device/storage-quota.ts';
import { FileRefusedError, type PreparedFile, prepareFile } from '../../data/files/prepare-file.ts';
import { currentRecordOwner, inPresentSpace } from '../../data/firms/space.ts';
import { InvalidRecordError, TooManyRecordsError } from '../../data/records/record-rows.ts';
import { newRecordId, removeRecord, restoreRecord, saveRecord } from '../../data/records/records.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { syncDocumentFiles } from './sync-files.ts';

/** Why a document was not saved. Nothing was stored; the values stay in the form. */
export function saveErrorText(error: unknown): string {
  if (error instanceof FileRefusedError || error instanceof InvalidRecordError) return error.message;
  if (error instanceof TooManyRecordsError) return t`The vault has 500 documents already. Delete one first.`;
  if (error instanceof FilesFullError)
    return t`All files together may have 50 MB on this phone. Remove a file first. The document was not saved.`;
  if (error instanceof DatabaseUnavailableError)
    return t`${{ problem: storageProblem() }}, so documents cannot be saved here.`;
  if (isQuotaExceeded(error))
    return t`The storage of this phone is full. The document was not saved. Free some storage, then save again.`;
  return t`The document was not saved. Please try again.`;
}

/** The files of a document after an edit: stored ones and new ones. */
export type EditedFile = Omit<PreparedFile, 'file'> & { file?: Blob };

/**
 * Saves a document and its new files. Returns the document's id. The files are stored first, so that a
 * document never names a file that this device does not have. Throws the errors of a full storage.
 */
export async function saveDocument(
  present: VaultDocument | undefined,
  change: Omit<RecordChange<'bidDocument'>, 'files'>,
  files: readonly EditedFile[],
): Promise<string> {
  const owner = currentRecordOwner();
  const at = currentTime().getTime();
  const id = present?.id ?? newRecordId();
  const added = files.flatMap(({ hash, bytes, file }) => (file ? [{ owner, hash, bytes, file, at }] : []));
  if (added.length > 0) await withDatabase((db) => storeFiles(db, added));
  const listed = files.map(({ hash, name, type, bytes }) => ({ hash, name, type, bytes }));
  const remove = (hashes: readonly string[]) =>
    // A file that is not removed here only takes space.
    withDatabase((db) => removeUnusedFiles(db, owner, hashes)).catch(() => undefined);
  try {
    const createdAt = present ? {} : { createdAt: new Date(at).toISOString() };
    await saveRecord('bidDocument', id, { ...createdAt, ...change, files: listed.length > 0 ? listed : null }, at);
  } catch (error) {
    await remove(added.map(({ hash }) => hash));
    throw error;
  }
  const listedHashes = new Set(files.map(({ hash }) => hash));
  const dropped = (present?.files ?? []).map(({ hash }) => hash).filter((hash) => !listedHashes.has(hash));
  if (dropped.length > 0) await remove(dropped);
  // Without this the next sync would send them.
  if (added.length > 0) void syncDocumentFiles().catch(() => undefined);
  return id;
}

/**
 * Adds files to the vault as one document of a kind. Returns its id, or null after a toast that says why not.
 */
export async function addDocument(
  fields: Omit<RecordChange<'bidDocument'>, 'files'>,
  chosen: readonly File[],
): Promise<string | null> {
  try {
    const files: PreparedFile[] = [];
    for (const file of chosen) files.push(await prepareFile(file));
    return await saveDocument(undefined, fields, files);
  } catch (error) {
    showToast({ text: saveErrorText(error) });
    return null;
  }
}

/** Adds files to a document. Returns false after a toast that says why not. */
export async function addFiles(document: VaultDocument, chosen: readonly File[]): Promise<boolean> {
  try {
    const files: EditedFile[] = [...(document.files ?? [])];
    for (const file of chosen) files.push(await prepareFile(file));
    await saveDocument(document, {}, files);
    return true;
  } catch (error) {
    showToast({ text: saveErrorText(error) });
    return false;
  }
}

function changeErrorText(error: unknown): string {
  const hasOwnText = error instanceof TooManyRecordsError || error instanceof DatabaseUnavailableError;
  return hasOwnText ? saveErrorText(error) : t`The change was not saved. Free some storage and try again.`;
}

/** Deletes a document, with "Undo". Its files stay for a day. */
export async function deleteDocument(document: VaultDocument): Promise<void> {
  const { id } = document;
  try {
    await removeRecord('bidDocument', id, currentTime().getTime());
  } catch (error) {
    showToast({ text: changeErrorText(error) });
    return;
  }
  const restore = () =>
    restoreRecord('bidDocument', id, currentTime().getTime()).catch((error) =>
      showToast({ text: changeErrorText(error) }),
    );
  showToast({
    text: t`Deleted: ${{ name: documentName(document) }}`,
    passing: true,
    action: { label: t`Undo`, run: inPresentSpace(() => void restore()) },
  });
}
