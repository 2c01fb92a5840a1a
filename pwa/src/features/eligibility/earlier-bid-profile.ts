import type { DeviceDatabase } from '../../data/device/schema.ts';

/** Removes figures that an earlier build stored in a shape which this build cannot read, when the account is deleted. */
export async function deleteEarlierBidProfile(db: DeviceDatabase, owner: string): Promise<void> {
  await db.settings.delete(`bid profile of ${owner}`);
}
