/** The notices on this device: the server's list, with read marks that are not sent yet. */
import { MAX_READ_NOTICES, type NoticeListResponse, type ReadNoticesRequest } from '@nivida/contract/push/push';
import { withDatabase } from '../../../data/device/database.ts';
import type { DeviceDatabase, NoticeRow } from '../../../data/device/schema.ts';
import { classifySendError } from '../../../data/server/retry.ts';
import { currentOwner } from '../../../data/session.ts';
import { fetchNotices, type NoticeRecipient, postNoticesRead } from '../alerts-api.ts';
import { readPushDevice } from '../push-device.ts';

/** Paging state of an owner's notices. */
interface NoticePaging {
  /** `before` for the page after the oldest notice on the device; null when there is no such page. */
  next: string | null;
  /** Number of unread notices that are at the server but not on the device. */
  unreadElsewhere: number;
  /** Notices up to this id were marked as read. Null when the server has the marks. */
  readUpTo: string | null;
}

const EMPTY_PAGING: NoticePaging = { next: null, unreadElsewhere: 0, readUpTo: null };

const pagingKey = (owner: string): string => `notice pages of ${owner}`;

const readPaging = async (db: DeviceDatabase, owner: string): Promise<NoticePaging> => ({
  ...EMPTY_PAGING,
  ...((await db.settings.get(pagingKey(owner)))?.value as Partial<NoticePaging> | undefined),
});

const updatePaging = async (db: DeviceDatabase, owner: string, changes: Partial<NoticePaging>): Promise<void> => {
  await db.settings.put({ key: pagingKey(owner), value: { ...(await readPaging(db, owner)), ...changes } });
};

/** An owner's notices, newest first. */
export async function visibleNotices(db: DeviceDatabase, owner: string): Promise<NoticeRow[]> {
  const rows = await db.notices.where('owner').equals(owner).toArray();
  return rows.sort((one, other) => other.at.localeCompare(one.at) || Number(other.id) - Number(one.id));
}

/** An owner's notices, newest first. `hasOlder` is true when the server has older ones. */
export async function readNoticeList(
  db: DeviceDatabase,
  owner: string,
): Promise<{ notices: NoticeRow[]; hasOlder: boolean }> {
  return { notices: await visibleNotices(db, owner), hasOlder: (await readPaging(db, owner)).next !== null };
}

/** Number of an owner's unread notices, on the device and at the server. */
export async function unreadCount(db: DeviceDatabase, owner: string): Promise<number> {
  const rows = await db.notices.where('owner').equals(owner).toArray();
  return rows.filter(({ readAt }) => readAt === null).length + (await readPaging(db, owner)).unreadElsewhere;
}

/**
 * Stores a page of an owner's notices: the newest page, or the one after `before`. Unsent read marks stay.
 * Older pages stay while no notice is missing between them and the newest page. One transaction.
 */
export function storeNotices(
  db: DeviceDatabase,
  owner: string,
  { notices, unread, next }: NoticeListResponse,
  before?: string,
): Promise<void> {
  return db.transaction('rw', db.notices, db.settings, async () => {
    const paging = await readPaging(db, owner);
    const storedRows = await db.notices.where('owner').equals(owner).toArray();
    const byId = new Map(storedRows.map((row) => [row.id, row]));
    const oldest = Math.min(...notices.map(({ id }) => Number(id)));
    const isContiguous = next !== null && notices.some(({ id }) => byId.has(id));
    const isRetained = ({ id }: NoticeRow) => before !== undefined || (isContiguous && Number(id) < oldest);
    await db.notices
      .where('owner')
      .equals(owner)
      .filter((row) => !isRetained(row))
      .delete();
    const isReadLocally = (id: string) => paging.readUpTo !== null && Number(id) <= Number(paging.readUpTo);
    await db.notices.bulkPut(
      notices.map((notice) => {
        const row = byId.get(notice.id);
        const isUnsent = notice.readAt === null && (row?.isUnsent ?? false);
        const readAt = notice.readAt ?? row?.readAt ?? (isReadLocally(notice.id) ? notice.at : null);
        return { ...notice, owner, readAt, isUnsent };
      }),
    );
    const rows = await db.notices.where('owner').equals(owner).toArray();
    const hasOlder = before === undefined && rows.some(({ id }) => Number(id) < oldest);
    const known = rows.filter(({ readAt, isUnsent }) => readAt === null || isUnsent).length;
    await updatePaging(db, owner, {
      next: hasOlder ? paging.next : next,
      unreadElsewhere: paging.readUpTo === null ? Math.max(0, unread - known) : 0,
    });
  });
}

/**
 * Marks the notices of one tender as read at `now`, or all notices, including those that are only at the
 * server. The marks are sent later. Returns how many notices were unread. One transaction.
 */
export function markReadOnDevice(db: DeviceDatabase, owner: string, now: Date, tenderId?: string): Promise<number> {
  return db.transaction('rw', db.notices, db.settings, async () => {
    const rows = db.notices.where('owner').equals(owner);
    const readAt = now.toISOString();
    if (tenderId !== undefined)
      return rows.filter((row) => row.readAt === null && row.tenderId === tenderId).modify({ readAt, isUnsent: true });
    const [newest] = (await rows.toArray()).sort((one, other) => Number(other.id) - Number(one.id));
    if (!newest) return 0;
    const count = await unreadCount(db, owner);
    await db.notices
      .where('owner')
      .equals(owner)
      .filter((row) => row.readAt === null)
      .modify({ readAt });
    await updatePaging(db, owner, { readUpTo: newest.id, unreadElsewhere: 0 });
    return count;
  });
}

/**
 * Sends the read marks. A mark that the server refuses is not sent again. Throws an error that needs a retry.
 */
async function sendReadMarks(db: DeviceDatabase, recipient: NoticeRecipient): Promise<void> {
  const { owner } = recipient;
  const send = async (body: ReadNoticesRequest) => {
    try {
      await postNoticesRead(recipient, body);
    } catch (error) {
      if (classifySendError(error) !== 'rejected') throw error;
    }
  };
  const { readUpTo } = await readPaging(db, owner);
  if (readUpTo !== null) {
    await send({ ids: [], upTo: readUpTo });
    await db.transaction('rw', db.settings, async () => {
      // A mark that was made in the meantime must still be sent.
      if ((await readPaging(db, owner)).readUpTo === readUpTo) await updatePaging(db, owner, { readUpTo: null });
    });
  }
  const unsent = await db.notices
    .where('owner')
    .equals(owner)
    .filter(({ isUnsent }) => isUnsent)
    .toArray();
  for (let from = 0; from < unsent.length; from += MAX_READ_NOTICES) {
    const ids = unsent.slice(from, from + MAX_READ_NOTICES).map(({ id }) => id);
    await send({ ids });
    await db.notices.bulkUpdate(ids.map((id) => ({ key: [owner, id], changes: { isUnsent: false } })));
  }
}

/**
 * The signed-in user, or the signed-out device with alerts. Undefined for a signed-out device without alerts,
 * and without a connection.
 */
async function readNoticeRecipient(): Promise<NoticeRecipient | undefined> {
  const owner = currentOwner();
  const row = await readPushDevice();
  const device = owner === '' && row?.owner === '' ? row : undefined;
  return (owner === '' && !device) || !navigator.onLine ? undefined : { owner, device };
}

/** Sends the read marks and loads the newest page. */
export async function refreshNotices(): Promise<void> {
  const recipient = await readNoticeRecipient();
  if (!recipient) return;
  const { owner } = recipient;
  await withDatabase((db) => sendReadMarks(db, recipient));
  const list = await fetchNotices(recipient);
  // The user may have signed out in the meantime.
  if (currentOwner() === owner) await withDatabase((db) => storeNotices(db, owner, list));
}

/** Loads the page after the oldest notice on the device. */
export async function loadOlderNotices(): Promise<void> {
  const recipient = await readNoticeRecipient();
  if (!recipient) return;
  const { owner } = recipient;
  const { next } = await withDatabase((db) => readPaging(db, owner));
  if (next === null) return;
  const list = await fetchNotices(recipient, next);
  if (currentOwner() === owner) await withDatabase((db) => storeNotices(db, owner, list, next));
}

/** Deletes an owner's notices and their paging. */
export async function deleteNotices(db: DeviceDatabase, owner: string): Promise<void> {
  await db.notices.where('owner').equals(owner).delete();
  await db.settings.delete(pagingKey(owner));
}
