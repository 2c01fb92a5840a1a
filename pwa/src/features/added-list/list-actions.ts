/** What a user does with a list of tenders. */
import { t } from '@lingui/core/macro';
import { formatBytes, formatCount } from '@nivida/contract/format';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import { writeForUser } from '../../data/device/storage-quota.ts';
import { currentOwner, ofPresentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import {
  addToList,
  ListTooLongError,
  MAX_LIST_BYTES,
  MAX_LIST_LINES,
  restoreAddedList,
  takeAddedList,
} from './added-list.ts';

const maxSize = () => `${MAX_LIST_BYTES / 1_000_000} MB`;
const maxLines = () => formatCount(MAX_LIST_LINES);

/** What a list may have, for the form. */
export const limitsText = (): string => t`At most ${{ size: maxSize() }} and ${{ lines: maxLines() }} lines.`;

function problemText(error: unknown): string {
  if (error instanceof ListTooLongError)
    return t`The list would have more than ${{ lines: maxLines() }} lines. Split it, or remove the list that you have.`;
  if (error instanceof DatabaseUnavailableError) return t`${{ problem: storageProblem() }}, so a list cannot be saved.`;
  return t`The list was not saved. Please try again.`;
}

/** Adds a text to the user's list. Returns why it was not added; undefined when it was. */
export async function saveList(text: string): Promise<string | undefined> {
  if (text.trim() === '') return t`Paste a list, or choose a file.`;
  if (text.length > MAX_LIST_BYTES) return t`The list is longer than ${{ size: maxSize() }}. Split it.`;
  try {
    await withDatabase((db) => writeForUser(db, () => addToList(db, currentOwner(), text)));
    return undefined;
  } catch (error) {
    return problemText(error);
  }
}

/** The text of a file. Spreadsheets save in UTF-8, in UTF-16, or in the code of an old Windows. */
function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Adds the content of a file to the user's list. Returns why it was not added; undefined when it was. */
export async function saveListFile(file: File): Promise<string | undefined> {
  const { name } = file;
  if (file.size > MAX_LIST_BYTES)
    return t`“${name}” has ${{ size: formatBytes(file.size) }}, and at most ${{ max: maxSize() }} can be read. Split it.`;
  let text: string;
  try {
    text = decodeText(new Uint8Array(await file.arrayBuffer()));
  } catch {
    return t`“${name}” could not be read. Choose it again.`;
  }
  // Workbooks and PDFs have bytes that no text has.
  if (text.includes('\0')) return t`“${name}” is no text. Save it as CSV, then choose the CSV.`;
  return saveList(text);
}

/** Removes the user's list, with "Undo". */
export async function removeList(): Promise<void> {
  const owner = currentOwner();
  try {
    const list = await withDatabase((db) => takeAddedList(db, owner));
    if (!list) return;
    const restore = () => withDatabase((db) => restoreAddedList(db, owner, list)).catch(showProblem);
    showToast({
      text: t`The list was removed. Bookmarks stay.`,
      passing: true,
      action: { label: t`Undo`, run: ofPresentOwner(() => void restore()) },
    });
  } catch (error) {
    showProblem(error);
  }
}

const showProblem = (error: unknown): void => showToast({ text: problemText(error) });
