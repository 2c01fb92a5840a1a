/** The marks of the checklists in the device's database. */
import type { CheckRow, DeviceDatabase } from '../../data/device/schema.ts';

/** Own rows of one checklist; more are refused. */
export const MAX_OWN_ROWS = 50;

/** An owner's marks of a tender's checklist, in the order in which they were made. */
export async function readChecks(db: DeviceDatabase, owner: string, tenderId: string): Promise<CheckRow[]> {
  const rows = await db.checks.where('[owner+tenderId]').equals([owner, tenderId]).toArray();
  return rows.sort((a, b) => a.at - b.at);
}

/** Changes a mark. The time of an own row stays, so that it keeps its place. */
export function changeCheck(
  db: DeviceDatabase,
  [owner, tenderId, key]: [owner: string, tenderId: string, key: string],
  change: Pick<CheckRow, 'state'> & Partial<CheckRow>,
  now: number,
): Promise<void> {
  return db.transaction('rw', db.checks, async () => {
    const previous = await db.checks.get([owner, tenderId, key]);
    const { validUntil, text, at } = previous ?? {};
    const kept = { ...(validUntil && { validUntil }), ...(text !== undefined && { text }) };
    const row = { ...kept, ...change, owner, tenderId, key, at: text === undefined ? now : (at ?? now) };
    if (row.validUntil === '') delete row.validUntil;
    if (row.state === null && row.text === undefined) await db.checks.delete([owner, tenderId, key]);
    else await db.checks.put(row);
  });
}

/** Removes an own row. */
export async function deleteCheck(db: DeviceDatabase, owner: string, tenderId: string, key: string): Promise<void> {
  await db.checks.delete([owner, tenderId, key]);
}

/** Gives the marks made signed out to the user who signs in; of two marks of one row the newer one stays. One transaction. */
export function mergeChecksAtSignIn(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.checks, async () => {
    const unowned = await db.checks.where('owner').equals('').toArray();
    for (const row of unowned) {
      const present = await db.checks.get([owner, row.tenderId, row.key]);
      if (!present || present.at < row.at) await db.checks.put({ ...row, owner });
    }
    await db.checks.where('owner').equals('').delete();
  });
}

/** Removes a user's marks when the account is deleted. A sign-out keeps them: no server has them. */
export async function deleteChecksOf(db: DeviceDatabase, owner: string): Promise<void> {
  await db.checks.where('owner').equals(owner).delete();
}
