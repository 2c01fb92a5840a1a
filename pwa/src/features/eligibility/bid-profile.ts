/** The contractor's own figures. They stay on the device and belong to the user who entered them. */
import { BidProfile, EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import { safeParse } from 'valibot';
import { DatabaseUnavailableError, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { bidProfileKey } from './sync-bid-profile.ts';

/** An owner's figures; an empty profile where none is stored or its shape is of another version. */
export async function readBidProfile(db: DeviceDatabase, owner: string): Promise<BidProfile> {
  const parsed = safeParse(BidProfile, (await db.settings.get(bidProfileKey(owner)))?.value);
  return parsed.success ? parsed.output : EMPTY_BID_PROFILE;
}

/** Changes an owner's figures. One transaction. */
export function changeBidProfile(
  db: DeviceDatabase,
  owner: string,
  change: (profile: BidProfile) => BidProfile,
): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    await db.settings.put({ key: bidProfileKey(owner), value: change(await readBidProfile(db, owner)) });
  });
}

/** Stores a change of the user's figures; false when it was not stored. */
export async function saveBidProfile(change: (profile: BidProfile) => BidProfile): Promise<boolean> {
  try {
    await withDatabase((db) => changeBidProfile(db, currentOwner(), change));
    return true;
  } catch (error) {
    showToast({
      text:
        error instanceof DatabaseUnavailableError
          ? 'This browser blocks storage, so your figures cannot be saved.'
          : 'Your figures were not saved. Free some storage and save again.',
    });
    return false;
  }
}
