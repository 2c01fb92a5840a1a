/** The notices on this device: as the server listed them, with what was read here meanwhile. */
import type { NoticeList } from '@nivida/contract/push';
import { liveQuery } from 'dexie';
import type { DeviceDatabase, NoticeRow } from '../../data/db.ts';
import { onDevice } from '../../data/device.ts';
import { outcomeOf } from '../../data/outcome.ts';
import { currentOwner } from '../../data/session.ts';
import { getNotices, postRead } from './calls.ts';
import { readRow } from './device.ts';

/** An owner's notices, the newest first. */
export async function visibleNotices(db: DeviceDatabase, owner: string): Promise<NoticeRow[]> {
  const rows = await db.notices.where('owner').equals(owner).toArray();
  return rows.sort((one, other) => other.at.localeCompare(one.at) || Number(other.id) - Number(one.id));
}

/** Makes an owner's notices those of the server; what was read here and not yet told stays read. One transaction. */
export function receiveNotices(db: DeviceDatabase, owner: string, { notices }: NoticeList): Promise<void> {
  return db.transaction('rw', db.notices, async () => {
    const before = await db.notices.bulkGet(notices.map(({ id }) => [owner, id]));
    await db.notices.where('owner').equals(owner).delete();
    await db.notices.bulkPut(
      notices.map((notice, index) => {
        const isUnsent = notice.readAt === null && (before[index]?.isUnsent ?? false);
        return { ...notice, owner, readAt: notice.readAt ?? before[index]?.readAt ?? null, isUnsent };
      }),
    );
  });
}

/** Notes notices of an owner, or those of one tender, as read at `now`, to be told to the server. Gives their number. */
export function markRead(db: DeviceDatabase, owner: string, now: Date, tenderId?: string): Promise<number> {
  return db.notices
    .where('owner')
    .equals(owner)
    .filter((row) => row.readAt === null && (tenderId === undefined || row.tenderId === tenderId))
    .modify({ readAt: now.toISOString(), isUnsent: true });
}

/** Tells the server what was read here. What it will not hear is told no more; throws what is to be tried again. */
async function sendRead(db: DeviceDatabase, owner: string, device: Parameters<typeof postRead>[0]): Promise<void> {
  const unsent = await db.notices
    .where('owner')
    .equals(owner)
    .filter(({ isUnsent }) => isUnsent)
    .toArray();
  if (unsent.length === 0) return;
  try {
    await postRead(
      device,
      unsent.map(({ id }) => id),
    );
  } catch (error) {
    if (outcomeOf(error) !== 'rejected') throw error;
  }
  await db.notices.bulkUpdate(unsent.map(({ id }) => ({ key: [owner, id], changes: { isUnsent: false } })));
}

/**
 * Sends what was read and receives the list; also what no push came for. Nothing for who is neither signed in nor a
 * device with alerts.
 */
export async function refreshNotices(): Promise<void> {
  const owner = currentOwner();
  const row = await readRow();
  const device = owner === '' && row?.owner === '' ? row : undefined;
  if ((owner === '' && !device) || !navigator.onLine) return;
  await onDevice((db) => sendRead(db, owner, device));
  const list = await getNotices(device);
  // whoever has signed out meanwhile must not find them back on the device
  if (currentOwner() === owner) await onDevice((db) => receiveNotices(db, owner, list));
}

/** Calls `then` with the present user's notices now and after each change, until stopped. */
export async function observeNotices(
  then: (notices: NoticeRow[]) => void,
  failed: (error: unknown) => void,
): Promise<() => void> {
  const db = await onDevice(async (opened) => opened);
  const owner = currentOwner();
  const watch = liveQuery(() => visibleNotices(db, owner)).subscribe({ next: then, error: failed });
  return () => watch.unsubscribe();
}
