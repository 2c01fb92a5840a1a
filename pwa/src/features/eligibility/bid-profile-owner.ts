/** The owner of the contractor's figures. It imports no rules, since each sync and sign-out runs it. */
import type { DeviceDatabase } from '../../data/device/schema.ts';

export const bidProfileKey = (owner: string): string => `bid profile of ${owner}`;

export async function hasBidProfile(db: DeviceDatabase, owner: string): Promise<boolean> {
  return (await db.settings.get(bidProfileKey(owner))) !== undefined;
}

/** Removes a user's figures when the account is deleted. A sign-out keeps them: no server has them. */
export async function deleteBidProfileOf(db: DeviceDatabase, owner: string): Promise<void> {
  await db.settings.delete(bidProfileKey(owner));
}
