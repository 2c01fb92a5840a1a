/** What a user does with shared files. Everything is stored on the device first; then it is sent. */
import { t } from '@lingui/core/macro';
import { formatBytes } from '@nivida/contract/format';
import { MAX_READING_BYTES } from '@nivida/contract/limits';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { SharedFileRow } from '../../data/device/schema.ts';
import { isQuotaExceeded, writeForUser } from '../../data/device/storage-quota.ts';
import { refreshReading } from '../../data/readings/readings.ts';
import { apiOf, assertOnline, failureText } from '../../data/server/api.ts';
import { currentOwner, ofPresentOwner } from '../../data/session.ts';
import { newSharedFile } from '../../data/shared-files/new-shared-file.ts';
import { sendSharedFilesSoon } from '../../data/shared-files/send-shared-files.ts';
import { changeSharedFile, UNDO_REMOVAL_MS } from '../../data/shared-files/shared-file-rows.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** Why a file cannot be read; null for one that can, and for a picture. */
export function refusedText({ name, bytes, kind, file, reading }: SharedFileRow): string | null {
  if (kind === 'other')
    return t`“${name}” is no PDF, Excel workbook or picture, so it was not taken. Save it as a PDF, then share the PDF.`;
  if (file || reading || bytes <= MAX_READING_BYTES) return null;
  const limit = `${MAX_READING_BYTES / 1_000_000} MB`;
  return t`“${name}” has ${{ size: formatBytes(bytes) }}; at most ${{ limit }} can be read. Share a smaller part of it. The file itself is still where you shared it from.`;
}

function storeErrorText(error: unknown): string {
  if (error instanceof DatabaseUnavailableError)
    return t`${{ problem: storageProblem() }}, so files cannot be read here.`;
  if (isQuotaExceeded(error))
    return t`The storage of this phone is full. The file was not added. Free some storage, then try again.`;
  return t`The file was not added. Please try again.`;
}

async function change(id: string, changes: Partial<SharedFileRow>): Promise<boolean> {
  try {
    await withDatabase((db) => changeSharedFile(db, id, changes));
    return true;
  } catch {
    showToast({ text: t`The change was not saved. Free some storage and try again.` });
    return false;
  }
}

/** Adds files that the user has chosen, for a tender or, with null, for none yet. Says why a file was not added. */
export async function addOwnFiles(files: readonly File[], tenderId: string | null): Promise<void> {
  for (const file of files) {
    try {
      const row = { ...(await newSharedFile(file, currentTime().getTime(), currentOwner())), tenderId };
      const refusal =
        refusedText(row) ??
        (row.kind === 'picture' && tenderId !== null
          ? t`“${{ name: row.name }}” is a picture, which cannot be read. Add it to your documents instead.`
          : null);
      if (refusal !== null) showToast({ text: refusal });
      else await withDatabase((db) => writeForUser(db, () => db.sharedFiles.put(row)));
    } catch (error) {
      showToast({ text: storeErrorText(error) });
    }
  }
  void requestPersistentStorage();
  sendSharedFilesSoon();
}

/** Chooses the tender of a file, '' for none, and sends it. A reading that is kept elsewhere moves, with "Undo". */
export async function chooseTender(row: SharedFileRow, tenderId: string): Promise<void> {
  if (!(await change(row.id, { tenderId, refusal: null }))) return;
  sendSharedFilesSoon();
  if (!row.reading) return;
  const before = row.tenderId ?? '';
  showToast({
    text: tenderId === '' ? t`It is not kept any more. It is deleted within an hour.` : t`Kept with this tender.`,
    passing: true,
    action: {
      label: t`Undo`,
      run: ofPresentOwner(() => void change(row.id, { tenderId: before }).then(sendSharedFilesSoon)),
    },
  });
}

/** Stops sending. What the server has of the file goes within an hour. */
export const cancelSending = (row: SharedFileRow): Promise<boolean> =>
  change(row.id, { tenderId: null, refusal: null });

/** Removes a file and what was read in it, with "Undo". */
export async function removeSharedFile(row: SharedFileRow): Promise<void> {
  if (!(await change(row.id, { removedAt: currentTime().getTime() }))) return;
  setTimeout(sendSharedFilesSoon, UNDO_REMOVAL_MS + 100);
  showToast({
    text: t`Removed: ${{ name: row.name }}`,
    passing: true,
    action: { label: t`Undo`, run: ofPresentOwner(() => void change(row.id, { removedAt: null })) },
  });
}

/** Lets a kept document of a tender go, with "Undo". Needs a connection. */
export async function letGo(tenderId: string, readingId: string): Promise<void> {
  const owner = currentOwner();
  const keep = async (json: { tenderId: string | null }) => {
    try {
      assertOnline();
      await apiOf(owner).post(`api/readings/${readingId}/keep`, { json }).json();
      await withDatabase((db) =>
        db.sharedFiles
          .filter((row) => row.reading?.id === readingId)
          .modify((row) => {
            row.tenderId = json.tenderId ?? '';
            if (row.reading) row.reading = { ...row.reading, tenderId: json.tenderId };
          }),
      ).catch(() => undefined);
      void refreshReading(owner, tenderId);
      return true;
    } catch (error) {
      showToast({ text: failureText(error, t`The document was not removed`) });
      return false;
    }
  };
  if (!(await keep({ tenderId: null }))) return;
  showToast({
    text: t`It is not kept any more. It is deleted within an hour.`,
    passing: true,
    action: { label: t`Undo`, run: ofPresentOwner(() => void keep({ tenderId })) },
  });
}
