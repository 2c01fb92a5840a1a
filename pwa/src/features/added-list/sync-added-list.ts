import { withDatabase } from '../../data/device/database.ts';
import { currentOwner } from '../../data/session.ts';
import { readAddedList } from './added-list.ts';

/** Looks up the user's list if it waits for a connection. The code is loaded only then. Throws what has failed. */
export async function syncAddedList(): Promise<void> {
  const list = await withDatabase((db) => readAddedList(db, currentOwner()));
  if (list?.askedAt !== null || !navigator.onLine) return;
  const { lookUpWaitingList } = await import('./look-up-list.ts');
  await lookUpWaitingList();
}
