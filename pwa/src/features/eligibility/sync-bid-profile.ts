/** Whose the contractor's figures are. It imports no rules, since each sync runs it. */
import { withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { currentOwner } from '../../data/session.ts';

export const bidProfileKey = (owner: string): string => `bid profile of ${owner}`;

/** Gives figures entered signed out to the user who signs in, unless the user has own ones. One transaction. */
export function mergeBidProfileAtSignIn(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    const unowned = await db.settings.get(bidProfileKey(''));
    if (!unowned) return;
    if (!(await db.settings.get(bidProfileKey(owner))))
      await db.settings.put({ ...unowned, key: bidProfileKey(owner) });
    await db.settings.delete(bidProfileKey(''));
  });
}

/** Removes a user's figures when the account is deleted. A sign-out keeps them: no server has them. */
export async function deleteBidProfileOf(db: DeviceDatabase, owner: string): Promise<void> {
  await db.settings.delete(bidProfileKey(owner));
}

/** Gives figures entered signed out to the signed-in user. */
export async function syncBidProfile(): Promise<void> {
  const owner = currentOwner();
  if (owner !== '') await withDatabase((db) => mergeBidProfileAtSignIn(db, owner));
}
