/** The contractor's own figures. They stay on the device and belong to the user who entered them. */
import { BidProfile, EMPTY_BID_PROFILE } from '@nivida/contract/rules/may-i-bid';
import { safeParse } from 'valibot';
import { DatabaseUnavailableError, withDatabase } from '../../data/device/database.ts';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { currentOwner } from '../../data/session.ts';
import { showToast } from '../../ui/feedback/toast.ts';
import { bidProfileKey } from './bid-profile-owner.ts';

/** Thrown when the stored figures have the shape of another version of the app. Nothing is written over them. */
export class UnreadableBidProfileError extends Error {
  override name = 'UnreadableBidProfileError';
}

/** An owner's figures; an empty profile where none is stored or its shape is of another version. */
export async function readBidProfile(db: DeviceDatabase, owner: string): Promise<BidProfile> {
  const parsed = safeParse(BidProfile, (await db.settings.get(bidProfileKey(owner)))?.value);
  return parsed.success ? parsed.output : EMPTY_BID_PROFILE;
}

/** An owner's figures; undefined where none is stored. Throws UnreadableBidProfileError. */
async function storedProfile(db: DeviceDatabase, owner: string): Promise<BidProfile | undefined> {
  const row = await db.settings.get(bidProfileKey(owner));
  if (!row) return undefined;
  const parsed = safeParse(BidProfile, row.value);
  if (!parsed.success) throw new UnreadableBidProfileError();
  return parsed.output;
}

/** Changes an owner's figures. One transaction. Throws UnreadableBidProfileError. */
export function changeBidProfile(
  db: DeviceDatabase,
  owner: string,
  change: (profile: BidProfile) => BidProfile,
): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    const profile = (await storedProfile(db, owner)) ?? EMPTY_BID_PROFILE;
    await db.settings.put({ key: bidProfileKey(owner), value: change(profile) });
  });
}

/** All entries of two lists; of two entries with one id the first list's stays. */
function mergeById<T extends { id: string }>(first: readonly T[], second: readonly T[]): T[] {
  const ids = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !ids.has(id))];
}

/** The user's own figures, completed by those entered signed out. */
function mergeBidProfiles(own: BidProfile, unowned: BidProfile): BidProfile {
  return {
    ...own,
    enlistments: mergeById(own.enlistments, unowned.enlistments),
    works: mergeById(own.works, unowned.works),
    turnover: { ...unowned.turnover, ...own.turnover },
    commitments: own.commitments ?? unowned.commitments,
  };
}

/**
 * Gives figures entered signed out to the user who signs in. One transaction. Throws UnreadableBidProfileError; both
 * profiles then stay as they are.
 */
export function mergeBidProfileAtSignIn(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    const unowned = await storedProfile(db, '');
    if (!unowned) return;
    const own = await storedProfile(db, owner);
    await db.settings.put({ key: bidProfileKey(owner), value: own ? mergeBidProfiles(own, unowned) : unowned });
    await db.settings.delete(bidProfileKey(''));
  });
}

const UNREADABLE_TEXT =
  'Your figures were entered in another version of the app, so they are not changed. Reload the app and save again.';

/** Stores a change of the user's figures; false when it was not stored. */
export async function saveBidProfile(change: (profile: BidProfile) => BidProfile): Promise<boolean> {
  try {
    await withDatabase((db) => changeBidProfile(db, currentOwner(), change));
    return true;
  } catch (error) {
    showToast({ text: notSavedText(error) });
    return false;
  }
}

function notSavedText(error: unknown): string {
  if (error instanceof UnreadableBidProfileError) return UNREADABLE_TEXT;
  return error instanceof DatabaseUnavailableError
    ? 'This browser blocks storage, so your figures cannot be saved.'
    : 'Your figures were not saved. Free some storage and save again.';
}
