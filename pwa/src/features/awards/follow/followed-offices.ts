/** Followed offices and their pending changes on the device, with ownership, sign-in and sign-out. */
import { t } from '@lingui/core/macro';
import type { FollowedOfficesResponse, OfficeReference } from '@nivida/contract/awards/awards';
import { MAX_FOLLOWED_OFFICES } from '@nivida/contract/limits';
import { currentTime } from '../../../data/clock.ts';
import { withDatabase } from '../../../data/device/database.ts';
import type { DeviceDatabase, FollowedOfficeRow } from '../../../data/device/schema.ts';
import { exchangeChanges, registerChanges } from '../../../data/outbox/outbox.ts';
import {
  deleteSentChanges,
  officeChange,
  pendingChanges,
  putPendingChange,
} from '../../../data/outbox/pending-changes.ts';
import { currentOwner } from '../../../data/session.ts';
import { showToast } from '../../../ui/feedback/toast.ts';

/** Thrown when an office would exceed the limit. */
export class TooManyOfficesError extends Error {
  override name = 'TooManyOfficesError';
}

/**
 * The owner's offices, newest first. Signed out (`owner` ''), the offices of a session that the server has
 * ended are included.
 */
export async function visibleOffices(db: DeviceDatabase, owner: string): Promise<FollowedOfficeRow[]> {
  const rows = owner === '' ? db.followedOffices.toArray() : db.followedOffices.where('owner').equals(owner).toArray();
  return (await rows).sort((one, other) => other.at - one.at || (one.officeId < other.officeId ? -1 : 1));
}

const inOfficeTransaction = <T>(db: DeviceDatabase, work: () => Promise<T>): Promise<T> =>
  db.transaction('rw', db.followedOffices, db.outbox, work);

async function queueChange(db: DeviceDatabase, row: FollowedOfficeRow, wanted: boolean, now: number): Promise<void> {
  if (row.owner !== '') await putPendingChange(db.outbox, officeChange(row.owner, row.office, wanted, now));
}

/** Follows an office, with its pending change. Throws TooManyOfficesError. */
export function followOffice(db: DeviceDatabase, owner: string, office: OfficeReference, now: number): Promise<void> {
  return inOfficeTransaction(db, async () => {
    const visible = await visibleOffices(db, owner);
    if (visible.some(({ officeId }) => officeId === office.id)) return;
    if (visible.length >= MAX_FOLLOWED_OFFICES) throw new TooManyOfficesError();
    const row = { owner, officeId: office.id, office, at: now };
    await db.followedOffices.put(row);
    await queueChange(db, row, true, now);
  });
}

/** Ends following an office in all visible rows, and queues the changes for their owners. */
export function unfollowOffice(db: DeviceDatabase, owner: string, officeId: string, now: number): Promise<void> {
  return inOfficeTransaction(db, async () => {
    for (const row of await visibleOffices(db, owner)) {
      if (row.officeId !== officeId) continue;
      await db.followedOffices.delete([row.owner, row.officeId]);
      await queueChange(db, row, false, now);
    }
  });
}

/**
 * Called after a sign-in: the user's pending changes are applied again, and offices without an owner become
 * the user's. Rows of other users are removed.
 */
export function mergeOfficesAtSignIn(db: DeviceDatabase, owner: string, now: number): Promise<void> {
  return inOfficeTransaction(db, async () => {
    for (const { wanted, office, at } of await pendingChanges(db, owner, 'office')) {
      if (wanted) await db.followedOffices.put({ owner, officeId: office.id, office, at });
      else await db.followedOffices.delete([owner, office.id]);
    }
    const known = new Set((await visibleOffices(db, owner)).map(({ officeId }) => officeId));
    for (const row of await db.followedOffices.where('owner').equals('').toArray()) {
      if (known.has(row.officeId)) continue;
      await db.followedOffices.put({ ...row, owner });
      await queueChange(db, { ...row, owner }, true, now);
    }
    await db.followedOffices.where('owner').notEqual(owner).delete();
  });
}

/** Called after a sign-out: removes the user's offices. Pending changes stay. */
export async function deleteOfficesAtSignOut(db: DeviceDatabase, owner: string): Promise<void> {
  await db.followedOffices.where('owner').equals(owner).delete();
}

/** Replaces the owner's rows by the server's list, except those with a pending change. One transaction. */
function receiveOffices(db: DeviceDatabase, owner: string, list: FollowedOfficesResponse['offices']): Promise<void> {
  return inOfficeTransaction(db, async () => {
    // After a sign-out the list must not come back to the device.
    if (currentOwner() !== owner) return;
    const pending = new Set((await pendingChanges(db, owner, 'office')).map(({ office }) => office.id));
    const mine = db.followedOffices.where('owner').equals(owner);
    await mine.and(({ officeId }) => !pending.has(officeId)).delete();
    const rows = list.filter(({ id }) => !pending.has(id));
    await db.followedOffices.bulkPut(
      rows.map(({ followedAt, ...office }) => ({ owner, officeId: office.id, office, at: Date.parse(followedAt) })),
    );
  });
}

registerChanges('office', {
  async refused(db, refused) {
    for (const { change, refusal } of refused) {
      if (change.kind !== 'office') continue;
      showToast({ text: t`${{ office: change.office.name }} is not followed: ${{ reason: refusal.message }}` });
    }
    const changes = refused.map(({ change }) => change);
    await db.transaction('rw', db.outbox, () => deleteSentChanges(db.outbox, changes));
  },
  receive: (db, owner, { offices }) => receiveOffices(db, owner, offices),
});

/** Exchanges the signed-in user's changes and repeats what fails. Throws what has failed. */
export const refreshOffices = (): Promise<void> => exchangeChanges();

/** Gives the device's offices to the signed-in user, then exchanges them with the server. */
export async function syncOffices(): Promise<void> {
  const owner = currentOwner();
  if (owner === '') return;
  await withDatabase((db) => mergeOfficesAtSignIn(db, owner, currentTime().getTime()));
  await refreshOffices();
}
