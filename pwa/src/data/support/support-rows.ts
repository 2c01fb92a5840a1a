/** Threads with support on this device: the server's, and the messages that wait in the outbox. */
import type { SupportThread } from '@nivida/contract/support/threads';
import { DAY_MS } from '@nivida/contract/time';
import type {
  DeviceDatabase,
  PendingCloseRow,
  PendingMessageRow,
  SupportFileRow,
  SupportThreadRow,
} from '../device/schema.ts';
import { writeForUser } from '../device/storage-quota.ts';
import { pendingChanges } from '../outbox/pending-changes.ts';
import { isUnread, toThreadRow, unreadOf, withRead } from './thread-rows.ts';

/** A thread as the screens show it. */
export interface ShownThread extends SupportThread {
  /** The user's messages that the server has not confirmed, oldest first. */
  pending: PendingMessageRow[];
  /** The server does not have the thread yet. */
  isNew: boolean;
  /** Number of unread answers. */
  unread: number;
}

/** All threads of an owner. */
export interface ShownSupport {
  /** The last change first. */
  threads: ShownThread[];
  /** The device has received the server's list at least once. */
  isReceived: boolean;
}

/** The last list of the server. */
export interface ReceivedList {
  /** The position of the list; '' before the first one. */
  cursor: string;
  /** When it was received (milliseconds since 1970); 0 before the first one. */
  at: number;
}

const listKey = (owner: string): string => `support list of ${owner}`;

export async function readReceivedList(db: DeviceDatabase, owner: string): Promise<ReceivedList> {
  return {
    cursor: '',
    at: 0,
    ...((await db.settings.get(listKey(owner)))?.value as Partial<ReceivedList> | undefined),
  };
}

/** Notes that the server's list has not changed. */
export async function noteReceivedList(db: DeviceDatabase, owner: string, list: ReceivedList): Promise<void> {
  await db.settings.put({ key: listKey(owner), value: list });
}

/** The time of a thread's last change, of the server or of this device. */
const changedAt = ({ updatedAt, pending }: ShownThread): number =>
  Math.max(Date.parse(updatedAt), ...pending.map(({ at }) => at));

function toShown(
  { owner: _owner, unsentRead: _unsentRead, ...thread }: SupportThreadRow,
  pending: PendingMessageRow[],
  isClosing: boolean,
): ShownThread {
  return {
    ...thread,
    state: isClosing ? 'closed' : thread.state,
    pending,
    isNew: false,
    unread: unreadOf(thread),
  };
}

/** A thread whose first message waits. */
function newThread(threadId: string, begin: PendingMessageRow, pending: PendingMessageRow[]): ShownThread | undefined {
  if (!begin.thread) return undefined;
  const at = new Date(begin.at).toISOString();
  return {
    ...begin.thread,
    ...{ id: threadId, state: 'waiting', createdAt: at, updatedAt: at, messages: [] },
    ...{ pending, isNew: true, unread: 0 },
  };
}

/** An owner's threads with the waiting messages, the last change first. */
export async function readSupport(db: DeviceDatabase, owner: string): Promise<ShownSupport> {
  // At once: a live query loses track of what nested functions read one after the other.
  const [rows, waiting, closings, { at: receivedAt }] = await Promise.all([
    db.supportThreads.where('owner').equals(owner).toArray(),
    pendingChanges(db, owner, 'message'),
    pendingChanges(db, owner, 'close'),
    readReceivedList(db, owner),
  ]);
  const messages = waiting.sort((one, other) => one.at - other.at);
  const closing = new Set(closings.map(({ threadId }) => threadId));
  const pendingOf = (id: string) => messages.filter(({ threadId }) => threadId === id);
  const known = new Set(rows.map(({ id }) => id));
  const begun = messages.flatMap((message) => {
    const { threadId } = message;
    return known.has(threadId) ? [] : (newThread(threadId, message, pendingOf(threadId)) ?? []);
  });
  const threads = [...begun, ...rows.map((row) => toShown(row, pendingOf(row.id), closing.has(row.id)))];
  return {
    threads: threads.sort((one, other) => changedAt(other) - changedAt(one)),
    isReceived: receivedAt > 0,
  };
}

/** An owner's threads with unread answers, the last change first. */
export const readUnreadThreads = async (db: DeviceDatabase, owner: string): Promise<ShownThread[]> =>
  (await readSupport(db, owner)).threads.filter(({ unread }) => unread > 0);

/** Stores a page of the server's list: changed threads, and the ids of all. One transaction. */
export function storeThreads(
  db: DeviceDatabase,
  owner: string,
  { threads, ids, cursor }: { threads: readonly SupportThread[]; ids: readonly string[]; cursor: string },
  at: number,
): Promise<void> {
  return db.transaction('rw', db.supportThreads, db.settings, async () => {
    const present = await db.supportThreads.where('owner').equals(owner).toArray();
    const rowOf = new Map(present.map((row) => [row.id, row]));
    const listed = new Set(ids);
    await db.supportThreads.bulkDelete(present.filter(({ id }) => !listed.has(id)).map(({ id }) => [owner, id]));
    await db.supportThreads.bulkPut(threads.map((thread) => toThreadRow(owner, thread, rowOf.get(thread.id))));
    await noteReceivedList(db, owner, { cursor, at });
  });
}

/** Marks all answers of a thread as read at `now`. Returns false when none was unread. One transaction. */
export function markThreadRead(db: DeviceDatabase, owner: string, id: string, now: Date): Promise<boolean> {
  return db.transaction('rw', db.supportThreads, async () => {
    const row = await db.supportThreads.get([owner, id]);
    const last = row?.messages.findLast(isUnread)?.id;
    if (!row || last === undefined) return false;
    await db.supportThreads.put({ ...row, ...withRead(row, last, now.toISOString()), unsentRead: last });
    return true;
  });
}

/** The outbox row of a closed thread. A thread is closed once, so the row has the thread's name. */
export const closeChange = (owner: string, threadId: string, at: number): PendingCloseRow => ({
  ...{ id: `close ${owner} ${threadId}`, owner, kind: 'close', threadId, at },
});

/** Stores a message that waits. A message reopens its thread, so a waiting close is removed. One transaction. */
export function putPendingMessage(db: DeviceDatabase, row: PendingMessageRow): Promise<void> {
  return db.transaction('rw', db.outbox, async () => {
    await db.outbox.put(row);
    await db.outbox.delete(closeChange(row.owner, row.threadId, row.at).id);
  });
}

/** Stores the content of an attachment. On a full device, offline packs and opened tenders are removed first. */
export async function storeSupportFile(db: DeviceDatabase, row: SupportFileRow): Promise<void> {
  await writeForUser(db, () => db.supportFiles.put(row));
}

/** The content of an attachment; undefined where it is not on this device. */
export async function readSupportFile(db: DeviceDatabase, owner: string, id: string): Promise<Blob | undefined> {
  return (await db.supportFiles.get([owner, id]))?.file;
}

/** Removes an owner's files that no message has and that were stored a day ago: those of forgotten drafts. */
export function removeUnusedSupportFiles(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return db.transaction('rw', db.supportFiles, db.supportThreads, db.outbox, async () => {
    const threads = await db.supportThreads.where('owner').equals(owner).toArray();
    const pending = await pendingChanges(db, owner, 'message');
    const used = new Set([
      ...threads.flatMap(({ messages }) => messages.flatMap(({ attachments }) => attachments.map(({ id }) => id))),
      ...pending.flatMap(({ files }) => files.map(({ id }) => id)),
    ]);
    // Reads the index only.
    const stored = (await db.supportFiles
      .where('[owner+id+at]')
      .between([owner, '', 0], [owner, '\uffff', Number.POSITIVE_INFINITY])
      .keys()) as unknown as [string, string, number][];
    const unused = stored.filter(([, id, at]) => !used.has(id) && at < now - DAY_MS);
    await db.supportFiles.bulkDelete(unused.map(([, id]) => [owner, id]));
  });
}

/** Number of an owner's messages that wait for the server. */
export const countWaitingMessages = async (db: DeviceDatabase, owner: string): Promise<number> =>
  (await pendingChanges(db, owner, 'message')).length;

const deleteThreadsOf = async (db: DeviceDatabase, owner: string): Promise<void> => {
  await db.supportThreads.where('owner').equals(owner).delete();
  await db.settings.delete(listKey(owner));
};

/**
 * Removes an owner's threads and files after the sign-out, and the messages that the server has refused. Messages that
 * wait stay with their files; they are sent after the next sign-in.
 */
export function deleteSupportAtSignOut(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.supportThreads, db.supportFiles, db.outbox, db.settings, async () => {
    await deleteThreadsOf(db, owner);
    const messages = await pendingChanges(db, owner, 'message');
    const refused = messages.filter(({ refusal }) => refusal !== null);
    await db.outbox.bulkDelete(refused.map(({ id }) => id));
    const waiting = new Set(
      messages.filter(({ refusal }) => refusal === null).flatMap(({ files }) => files.map(({ id }) => id)),
    );
    await db.supportFiles
      .where('owner')
      .equals(owner)
      .filter(({ id }) => !waiting.has(id))
      .delete();
  });
}

/** Removes all that an owner wrote, when the account is deleted. */
export function deleteSupportOf(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.supportThreads, db.supportFiles, db.outbox, db.settings, async () => {
    await deleteThreadsOf(db, owner);
    await db.supportFiles.where('owner').equals(owner).delete();
    const changes = [...(await pendingChanges(db, owner, 'message')), ...(await pendingChanges(db, owner, 'close'))];
    await db.outbox.bulkDelete(changes.map(({ id }) => id));
  });
}
