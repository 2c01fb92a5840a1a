/** Threads of the server as rows of the device. Without Dexie, for the service worker too. */
import type { SupportMessage, SupportThread } from '@nivida/contract/support/threads';
import type { DeviceDatabase, SupportThreadRow } from '../device/schema.ts';

/** True for an answer that the user has not read. */
export const isUnread = ({ sender, readAt }: SupportMessage): boolean => sender !== 'user' && readAt === null;

/** Number of unread answers in a thread. */
export const unreadOf = ({ messages }: SupportThread): number => messages.filter(isUnread).length;

/** Number of an owner's unread answers. */
export async function countUnreadAnswers(db: DeviceDatabase, owner: string): Promise<number> {
  const rows = await db.supportThreads.where('owner').equals(owner).toArray();
  return rows.reduce((sum, row) => sum + unreadOf(row), 0);
}

/** Marks the answers of a thread as read up to a message. */
export function withRead(thread: SupportThread, upTo: string, readAt: string): SupportThread {
  const end = thread.messages.findIndex(({ id }) => id === upTo);
  const messages = thread.messages.map((message, at) =>
    at <= end && isUnread(message) ? { ...message, readAt } : message,
  );
  return { ...thread, messages };
}

/** The row of a thread that the server has sent. A read mark that the server does not know yet stays. */
export function toThreadRow(
  owner: string,
  thread: SupportThread,
  present: SupportThreadRow | undefined,
): SupportThreadRow {
  const unsentRead = present?.unsentRead ?? null;
  const shown = unsentRead === null ? thread : withRead(thread, unsentRead, thread.updatedAt);
  return { ...shown, owner, unsentRead };
}
