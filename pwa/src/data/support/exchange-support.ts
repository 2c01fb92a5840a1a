/** Sends messages, read marks and closed threads, and receives the user's threads with support. */
import { SupportThread, SupportThreadsPage } from '@nivida/contract/support/threads';
import { parse } from 'valibot';
import { currentTime } from '../clock.ts';
import { withDatabase } from '../device/database.ts';
import type { DeviceDatabase } from '../device/schema.ts';
import { createOutboxLoop } from '../outbox/outbox.ts';
import { deleteSentChanges, pendingChanges } from '../outbox/pending-changes.ts';
import { apiOf } from '../server/api.ts';
import { classifySendError } from '../server/retry.ts';
import { currentOwner } from '../session.ts';
import { reportMessage } from './message-news.ts';
import { type SupportCall, type SupportStore, sendMessages } from './send-messages.ts';
import {
  noteReceivedList,
  readReceivedList,
  readSupportFile,
  removeUnusedSupportFiles,
  storeThreads,
} from './support-rows.ts';
import { toThreadRow } from './thread-rows.ts';

const ADDRESS = 'api/support/threads';

/** A closed thread can be opened again for as long as the message with "Undo" is shown. */
export const UNDO_CLOSE_MS = 6_000;
/** A message that was sent this soon is not announced: the user still sees it. */
const SEEN_MS = 10_000;

const storeOf = (db: DeviceDatabase): SupportStore => ({
  read: () => db.outbox.toArray(),
  readFile: (owner, id) => readSupportFile(db, owner, id),
  change: (work) => db.transaction('rw', db.outbox, db.supportThreads, () => work(db.outbox, db.supportThreads)),
});

const callOf =
  (owner: string): SupportCall =>
  ({ method, path, body }) =>
    apiOf(owner)(path.slice(1), {
      method,
      ...(body instanceof Blob ? { body, headers: { 'content-type': 'application/octet-stream' } } : { json: body }),
      throwHttpErrors: false,
    });

/** A call whose refusal is final: there is nothing to repeat. Undefined when the server has refused it. */
async function callOnce(owner: string, path: string, json: object): Promise<SupportThread | undefined> {
  try {
    return parse(SupportThread, await apiOf(owner).post(`${ADDRESS}/${path}`, { json }).json());
  } catch (error) {
    if (classifySendError(error) !== 'rejected') throw error;
    return undefined;
  }
}

async function putThread(db: DeviceDatabase, owner: string, thread: SupportThread): Promise<void> {
  // After a sign-out no thread must stay on the device.
  if (currentOwner() !== owner) return;
  await db.supportThreads.put(toThreadRow(owner, thread, await db.supportThreads.get([owner, thread.id])));
}

async function sendReadMarks(db: DeviceDatabase, owner: string): Promise<void> {
  const rows = await db.supportThreads.where('owner').equals(owner).toArray();
  for (const { id, unsentRead } of rows) {
    if (unsentRead === null) continue;
    const thread = await callOnce(owner, `${id}/read`, { messageId: unsentRead });
    await db.transaction('rw', db.supportThreads, async () => {
      const row = await db.supportThreads.get([owner, id]);
      // A mark that was made in the meantime must still be sent.
      if (row?.unsentRead === unsentRead) await db.supportThreads.put({ ...row, unsentRead: null });
      if (row && thread) await putThread(db, owner, thread);
    });
  }
}

async function sendClosed(db: DeviceDatabase, owner: string): Promise<void> {
  const now = currentTime().getTime();
  const changes = await pendingChanges(db, owner, 'close');
  const due = changes.filter(({ at }) => at + UNDO_CLOSE_MS <= now);
  for (const change of due) {
    // A message that waits comes first: after the close it would open the thread again.
    if ((await pendingChanges(db, owner, 'message')).some(({ threadId }) => threadId === change.threadId)) continue;
    const thread = await callOnce(owner, `${change.threadId}/close`, {});
    await db.transaction('rw', db.outbox, db.supportThreads, async () => {
      await deleteSentChanges(db.outbox, [change]);
      if (thread) await putThread(db, owner, thread);
    });
  }
}

async function receiveThreads(db: DeviceDatabase, owner: string): Promise<void> {
  for (let isMore = true; isMore && currentOwner() === owner; ) {
    const { cursor } = await readReceivedList(db, owner);
    const response = await apiOf(owner).get(ADDRESS, { searchParams: cursor === '' ? {} : { after: cursor } });
    const at = currentTime().getTime();
    if (response.status === 204) return noteReceivedList(db, owner, { cursor, at });
    const page = parse(SupportThreadsPage, await response.json());
    if (currentOwner() === owner) await storeThreads(db, owner, page, at);
    isMore = page.more;
  }
}

async function exchangeOnce(db: DeviceDatabase): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  const now = currentTime().getTime();
  const failures: unknown[] = [];
  const run = (step: Promise<void>) => step.catch((error: unknown) => void failures.push(error));
  const sending = sendMessages(
    storeOf(db),
    callOf(owner),
    owner,
    (thread, present) => (currentOwner() === owner ? toThreadRow(owner, thread, present) : null),
    {
      onSent: (row) => now - row.at > SEEN_MS && reportMessage(row, null),
      onRefused: reportMessage,
    },
  );
  await run(sending);
  await run(sendClosed(db, owner));
  await run(sendReadMarks(db, owner));
  await run(receiveThreads(db, owner));
  await removeUnusedSupportFiles(db, owner, now).catch(() => undefined);
  if (failures.length > 0) throw failures[0];
}

const loop = createOutboxLoop('support', () => withDatabase(exchangeOnce));

/** Cancels the next attempt. */
export const stopSupport = loop.stop;

/** Exchanges the threads of the signed-in user, and retries what fails. Throws the first failure. */
export async function exchangeSupport(): Promise<void> {
  if (currentOwner() === '') return loop.stop();
  await loop.run();
}
