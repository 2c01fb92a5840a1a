/** Warnings of expiry that a user has marked as read on this device. */

import { withDatabase } from '../device/database.ts';
import type { DeviceQuery } from '../device/live-query.ts';
import type { DeviceDatabase } from '../device/schema.ts';
import { currentRecordOwner } from '../firms/space.ts';
import { useSpaceRows } from '../firms/useSpaceRows.ts';

const MAX_READ = 200;
const keyOf = (owner: string): string => `read expiry warnings of ${owner}`;

async function read(db: DeviceDatabase, owner: string): Promise<string[]> {
  return ((await db.settings.get(keyOf(owner)))?.value as string[] | undefined) ?? [];
}

/** The warnings that an owner has read, by their keys. */
const readWarnings: DeviceQuery<Set<string>> = async (db, owner) => new Set(await read(db, owner));

const loadReadWarnings = async (): Promise<DeviceQuery<Set<string>>> => readWarnings;

/** The keys of the warnings that the user has hidden. Undefined while they are read. */
export const useReadWarnings = (): Set<string> | undefined => useSpaceRows(loadReadWarnings).rows;

/** Hides a warning on this device. Never throws. */
export async function markWarningRead(warning: string): Promise<void> {
  const owner = currentRecordOwner();
  await withDatabase((db) =>
    db.transaction('rw', db.settings, async () => {
      const value = [...(await read(db, owner)), warning].slice(-MAX_READ);
      await db.settings.put({ key: keyOf(owner), value });
    }),
  ).catch(() => undefined);
}

/** Removes an owner's read marks when the account is deleted. */
export async function deleteReadWarningsOf(db: DeviceDatabase, owner: string): Promise<void> {
  await db.settings.delete(keyOf(owner));
}
