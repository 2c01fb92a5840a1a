/**
 * Sends messages to support, from a page or from the service worker. `SupportStore` accesses the device's database with
 * Dexie or without it.
 */
import { t } from '@lingui/core/macro';
import { FILE_PART_BYTES } from '@nivida/contract/limits';
import type { SupportAttachment, UploadResponse } from '@nivida/contract/support/attachments';
import type { CreateThreadRequest, SendMessageRequest, SupportThread } from '@nivida/contract/support/threads';
import type { OutboxRow, PendingMessageRow, SupportThreadRow } from '../device/schema.ts';
import { deleteSentChanges, type OutboxTable } from '../outbox/pending-changes.ts';
import { defaultRefusal } from '../outbox/send-outbox.ts';
import { isTemporaryStatus } from '../server/retry.ts';

/** The threads within a transaction. */
export interface ThreadTable {
  get(key: [owner: string, id: string]): PromiseLike<SupportThreadRow | undefined>;
  put(row: SupportThreadRow): unknown;
}

export interface SupportStore {
  /** All rows of the outbox. */
  read(): Promise<OutboxRow[]>;
  /** The content of an attachment. */
  readFile(owner: string, id: string): Promise<Blob | undefined>;
  /** Runs `work` in one transaction. */
  change(work: (outbox: OutboxTable, threads: ThreadTable) => Promise<void>): Promise<void>;
}

/** A call to the server for the owner of the messages. It throws when there is no answer. */
export type SupportCall = (request: {
  method: 'POST' | 'PUT';
  /** Path with a leading slash. */
  path: string;
  /** JSON, or a part of a file. */
  body: object | Blob;
}) => Promise<Response>;

export interface SupportListener {
  onSent?(row: PendingMessageRow): void;
  onRefused?(row: PendingMessageRow, reason: string): void;
}

/** The server has refused a message or one of its files for good. */
class RefusedMessageError extends Error {}

/** The server takes the message later. `reason` is for the user. */
class DelayedMessageError extends Error {
  constructor(
    status: number,
    readonly reason: string | null,
  ) {
    super(`status ${status}`);
  }
}

async function messageOf(response: Response): Promise<string | undefined> {
  const answer: unknown = await response.json().catch(() => undefined);
  const message = typeof answer === 'object' && answer !== null && 'message' in answer ? answer.message : undefined;
  return typeof message === 'string' && message !== '' ? message : undefined;
}

/** Throws unless the server has accepted the call. */
async function assertAccepted(response: Response): Promise<void> {
  const { ok, status } = response;
  if (ok) return;
  // Without a session the message waits for the next sign-in.
  if (status === 401) throw new DelayedMessageError(status, null);
  if (isTemporaryStatus(status))
    throw new DelayedMessageError(status, status === 429 ? ((await messageOf(response)) ?? null) : null);
  throw new RefusedMessageError((await messageOf(response)) ?? defaultRefusal());
}

/** Sends the parts of an attachment that the server does not have. Throws what the call throws. */
export async function uploadParts(
  { id, name }: Pick<SupportAttachment, 'id' | 'name'>,
  file: Blob,
  call: SupportCall,
): Promise<void> {
  const parts = Math.max(1, Math.ceil(file.size / FILE_PART_BYTES));
  let isRestarted = false;
  for (let part = 0; part < parts; ) {
    const path = `/api/support/attachments/${id}/${part}/${parts}?name=${encodeURIComponent(name)}`;
    const body = file.slice(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES);
    const response = await call({ method: 'PUT', path, body });
    // The server has removed the parts that it had.
    if (response.status === 409 && part > 0 && !isRestarted) {
      isRestarted = true;
      part = 0;
      continue;
    }
    await assertAccepted(response);
    const { stored, attachment }: UploadResponse = await response.json();
    if (attachment) return;
    part = Math.max(part + 1, stored);
  }
}

async function uploadFiles({ owner, files }: PendingMessageRow, store: SupportStore, call: SupportCall): Promise<void> {
  for (const attachment of files) {
    const file = await store.readFile(owner, attachment.id);
    if (!file)
      throw new RefusedMessageError(
        t`The file “${{ name: attachment.name }}” is no longer on this phone. Edit the message and add it again.`,
      );
    await uploadParts(attachment, file, call);
  }
}

async function postMessage(row: PendingMessageRow, call: SupportCall): Promise<SupportThread> {
  const { id, threadId, thread, text, files } = row;
  const message: SendMessageRequest = { id, text, attachmentIds: files.map((file) => file.id) };
  const { subject = '', orderId = null, tenderId = null } = thread ?? {};
  const created: CreateThreadRequest = { id: threadId, subject, orderId, tenderId, message };
  const response = await call({
    method: 'POST',
    path: thread ? '/api/support/threads' : `/api/support/threads/${threadId}/messages`,
    body: thread ? created : message,
  });
  await assertAccepted(response);
  return response.json();
}

const messagesOf = (rows: readonly OutboxRow[], owner: string): PendingMessageRow[] =>
  rows
    .filter((row): row is PendingMessageRow => row.kind === 'message' && row.owner === owner)
    .sort((one, other) => one.at - other.at);

/** Stores a change of a waiting message, unless the user has removed or changed it in the meantime. */
function updateRow(store: SupportStore, row: PendingMessageRow, change: Partial<PendingMessageRow>): Promise<void> {
  return store.change(async (outbox) => {
    if ((await outbox.get(row.id))?.at === row.at) await outbox.put({ ...row, ...change });
  });
}

/**
 * Sends an owner's messages, oldest first, each with its files. A failure holds back the later messages of the same thread
 * only; the first failure is thrown at the end. `toRow` makes the thread's row; null stores none.
 */
export async function sendMessages(
  store: SupportStore,
  call: SupportCall,
  owner: string,
  toRow: (thread: SupportThread, present: SupportThreadRow | undefined) => SupportThreadRow | null,
  { onSent, onRefused }: SupportListener = {},
): Promise<void> {
  const failures: unknown[] = [];
  const waiting = new Set<string>();
  for (const { id } of messagesOf(await store.read(), owner)) {
    // The user may have removed it in the meantime.
    const rows = messagesOf(await store.read(), owner);
    const row = rows.find((each) => each.id === id);
    if (!row || row.refusal !== null || waiting.has(row.threadId)) continue;
    const begin = rows.find(({ threadId, thread }) => threadId === row.threadId && thread !== null);
    if (begin && begin !== row) continue;
    try {
      await uploadFiles(row, store, call);
      const thread = await postMessage(row, call);
      await store.change(async (outbox, threads) => {
        await deleteSentChanges(outbox, [row]);
        const stored = toRow(thread, await threads.get([owner, thread.id]));
        if (stored) await threads.put(stored);
      });
      onSent?.(row);
    } catch (error) {
      if (error instanceof RefusedMessageError) {
        await updateRow(store, row, { refusal: error.message, delay: null });
        onRefused?.(row, error.message);
        continue;
      }
      if (error instanceof DelayedMessageError && error.reason !== row.delay)
        await updateRow(store, row, { delay: error.reason });
      waiting.add(row.threadId);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
