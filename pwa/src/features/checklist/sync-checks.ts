import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { mergeChecksAtSignIn } from './checks.ts';

/** Gives marks made signed out to the signed-in user. */
export async function syncChecks(): Promise<void> {
  const owner = currentOwner();
  if (owner !== '') await withDatabase((db) => mergeChecksAtSignIn(db, owner));
}
