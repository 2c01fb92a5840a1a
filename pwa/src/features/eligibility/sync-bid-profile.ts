import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { hasBidProfile } from './bid-profile-owner.ts';

/** Gives figures entered signed out to the signed-in user. The rules are loaded only when there are such figures. */
export async function syncBidProfile(): Promise<void> {
  const owner = currentOwner();
  if (owner === '' || !(await withDatabase((db) => hasBidProfile(db, '')))) return;
  const { mergeBidProfileAtSignIn } = await import('./bid-profile.ts');
  await withDatabase((db) => mergeBidProfileAtSignIn(db, owner));
}
