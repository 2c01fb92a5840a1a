/** What a user does with messages to support. Everything is stored on the device first; then it is sent. */
import { t } from '@lingui/core/macro';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import { currentTime } from '../../data/clock.ts';
import { requestPersistentStorage } from '../../data/device/browser-storage.ts';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../data/device/database.ts';
import type { PendingMessageRow } from '../../data/device/schema.ts';
import { isQuotaExceeded } from '../../data/device/storage-quota.ts';
import { FileRefusedError } from '../../data/files/prepare-file.ts';
import { removeFromOutbox } from '../../data/outbox/outbox.ts';
import { putPendingChange } from '../../data/outbox/pending-changes.ts';
import { apiOf } from '../../data/server/api.ts';
import { currentOwner, ofPresentOwner } from '../../data/session.ts';
import { exchangeSupport, UNDO_CLOSE_MS } from '../../data/support/exchange-support.ts';
import { prepareAttachment } from '../../data/support/prepare-attachment.ts';
import {
  closeChange,
  markThreadRead,
  putPendingMessage,
  readSupportFile,
  storeSupportFile,
} from '../../data/support/support-rows.ts';
import { showToast } from '../../ui/feedback/toast.ts';

/** A message as it is written. */
export interface WrittenMessage {
  text: string;
  files: readonly SupportAttachment[];
}

const sendSoon = () => void exchangeSupport().catch(() => undefined);

/** Why a message or a file was not stored on this device. */
export function messageErrorText(error: unknown): string {
  if (error instanceof FileRefusedError) return error.message;
  if (error instanceof DatabaseUnavailableError)
    return t`${{ problem: storageProblem() }}, so messages cannot wait here. Write to us by email.`;
  if (isQuotaExceeded(error)) return t`The storage of this phone is full. Free some storage, then try again.`;
  return t`The message was not saved. Please try again.`;
}

async function putMessage(
  threadId: string,
  thread: PendingMessageRow['thread'],
  { text, files }: WrittenMessage,
): Promise<PendingMessageRow> {
  const row: PendingMessageRow = {
    ...{ id: crypto.randomUUID(), owner: currentOwner(), kind: 'message', at: currentTime().getTime() },
    ...{ threadId, thread, text, files: [...files], refusal: null, delay: null },
  };
  await withDatabase((db) => putPendingMessage(db, row));
  void requestPersistentStorage();
  return row;
}

/** Queues a reply and starts to send it. Throws where the browser stores nothing. */
export async function sendReply(threadId: string, message: WrittenMessage): Promise<void> {
  await putMessage(threadId, null, message);
  sendSoon();
}

/** Queues the first message of a new thread and starts to send it. Returns the thread's id. Throws like `sendReply`. */
export async function beginThread(
  thread: NonNullable<PendingMessageRow['thread']>,
  message: WrittenMessage,
): Promise<string> {
  const { threadId } = await putMessage(crypto.randomUUID(), thread, message);
  sendSoon();
  return threadId;
}

/** Result of `sendFromContactForm`. A refused message is not queued any more. */
export type SupportOutcome = { kind: 'sent' | 'queued'; threadId: string } | { kind: 'refused'; reason: string };

/** Sends the first message of a new thread and waits for the first attempt. Throws like `sendReply`. */
export async function sendFromContactForm(subject: string, text: string): Promise<SupportOutcome> {
  const thread = { subject, orderId: null, tenderId: null, tenderTitle: null };
  const { id, threadId } = await putMessage(crypto.randomUUID(), thread, { text, files: [] });
  await exchangeSupport().catch(() => undefined);
  const row = await withDatabase((db) => db.outbox.get(id));
  if (!row) return { kind: 'sent', threadId };
  if (row.kind !== 'message' || !('refusal' in row) || row.refusal === null) return { kind: 'queued', threadId };
  await removeFromOutbox(id);
  return { kind: 'refused', reason: row.refusal };
}

/** Takes a message out of the outbox. Returns false after a toast when that failed. */
export async function takeBack({ id }: PendingMessageRow): Promise<boolean> {
  try {
    await removeFromOutbox(id);
    return true;
  } catch {
    showToast({ text: t`The message could not be removed. Please try again.` });
    return false;
  }
}

/** Removes a message that was not sent, with "Undo". Returns false after a toast when that failed. */
export async function discardMessage(row: PendingMessageRow): Promise<boolean> {
  if (!(await takeBack(row))) return false;
  const restore = async () => {
    await withDatabase((db) => putPendingMessage(db, row));
    sendSoon();
  };
  showToast({
    text: t`Message removed.`,
    passing: true,
    action: {
      label: t`Undo`,
      run: ofPresentOwner(() => void restore().catch((error) => showToast({ text: messageErrorText(error) }))),
    },
  });
  return true;
}

/** Sends a refused message again as it is. */
export async function sendAgain(row: PendingMessageRow): Promise<void> {
  await withDatabase((db) => putPendingMessage(db, { ...row, refusal: null })).catch(() => undefined);
  sendSoon();
}

/** Closes a thread, with "Undo" until it is sent. */
export async function closeOwnThread(threadId: string): Promise<void> {
  const change = closeChange(currentOwner(), threadId, currentTime().getTime());
  try {
    await withDatabase((db) => db.transaction('rw', db.outbox, () => putPendingChange(db.outbox, change)));
  } catch {
    showToast({ text: t`The conversation was not closed. Please try again.` });
    return;
  }
  const sending = setTimeout(sendSoon, UNDO_CLOSE_MS + 500);
  const undo = () => {
    clearTimeout(sending);
    void removeFromOutbox(change.id).catch(() => undefined);
  };
  showToast({
    text: t`Conversation closed. A new message opens it again.`,
    passing: true,
    action: { label: t`Undo`, run: ofPresentOwner(undo) },
  });
}

/** Marks the answers of a thread as read, here and on the server. Never throws. */
export async function markAnswersRead(threadId: string): Promise<void> {
  const owner = currentOwner();
  try {
    if (await withDatabase((db) => markThreadRead(db, owner, threadId, currentTime()))) await exchangeSupport();
  } catch {
    // The next sync sends the mark.
  }
}

/** Prepares a chosen file and stores it on the device. Throws FileRefusedError and the errors of the storage. */
export async function addAttachment(chosen: File): Promise<SupportAttachment> {
  const { attachment, file } = await prepareAttachment(chosen);
  const row = { owner: currentOwner(), id: attachment.id, file, at: currentTime().getTime() };
  await withDatabase((db) => storeSupportFile(db, row));
  return attachment;
}

/** The content of an attachment, from this device or from the server, which is then stored here. Throws the call's errors. */
export async function loadAttachment({ id, name, type }: SupportAttachment): Promise<File> {
  const owner = currentOwner();
  const stored = await withDatabase((db) => readSupportFile(db, owner, id)).catch(() => undefined);
  if (stored) return new File([stored], name, { type });
  const content = await apiOf(owner).get(`api/support/attachments/${id}`, { timeout: false }).arrayBuffer();
  const file = new Blob([content], { type });
  const row = { owner, id, file, at: currentTime().getTime() };
  // A full phone can still show the file.
  if (currentOwner() === owner) await withDatabase((db) => storeSupportFile(db, row)).catch(() => undefined);
  return new File([file], name, { type });
}
