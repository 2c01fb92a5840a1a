/** The marks of the checklists in the device's database. */
import { withDatabase } from '../../data/device/database.ts';
import type { CheckRow, DeviceDatabase } from '../../data/device/schema.ts';
import { currentOwner } from '../../data/session.ts';

/** The primary key of a mark. */
export type CheckKey = [owner: string, tenderId: string, key: string];

/** Own rows of one checklist; more are refused. */
export const MAX_OWN_ROWS = 50;

/** An owner's marks of a tender's checklist, in the order in which they were made. */
export async function readChecks(db: DeviceDatabase, owner: string, tenderId: string): Promise<CheckRow[]> {
  const rows = await db.checks.where('[owner+tenderId]').equals([owner, tenderId]).toArray();
  return rows.sort((a, b) => a.at - b.at);
}

/** A change of a mark; without a state the mark is removed. */
export type CheckChange = Pick<CheckRow, 'state'> &
  Partial<Pick<CheckRow, 'reason' | 'validUntil' | 'text' | 'documentId'>>;

/** A mark after a change; null when nothing is left of it. The time of an own row stays, so that it keeps its place. */
function changedCheck(
  previous: CheckRow | undefined,
  [owner, tenderId, key]: CheckKey,
  change: CheckChange,
  now: number,
): CheckRow | null {
  const { validUntil = previous?.validUntil, text = previous?.text, ...rest } = change;
  if (rest.state === null && text === undefined) return null;
  return {
    ...rest,
    ...(validUntil && { validUntil }),
    ...(text !== undefined && { text }),
    ...{ owner, tenderId, key },
    at: text === undefined ? now : (previous?.at ?? now),
  };
}

/** The stored marks with changes that are being stored. */
export function withPending(
  rows: readonly CheckRow[],
  tenderId: string,
  pending: ReadonlyMap<string, CheckChange>,
): CheckRow[] {
  const changed = new Map(rows.map((row) => [row.key, row]));
  for (const [key, change] of pending) {
    const row = changedCheck(changed.get(key), ['', tenderId, key], change, 0);
    if (row) changed.set(key, row);
    else changed.delete(key);
  }
  return [...changed.values()];
}

/** Changes a mark. One transaction. */
export function changeCheck(db: DeviceDatabase, key: CheckKey, change: CheckChange, now: number): Promise<void> {
  return db.transaction('rw', db.checks, async () => {
    const row = changedCheck(await db.checks.get(key), key, change, now);
    if (row) await db.checks.put(row);
    else await db.checks.delete(key);
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

/** Gives marks made signed out to the signed-in user. */
export async function syncChecks(): Promise<void> {
  const owner = currentOwner();
  if (owner !== '') await withDatabase((db) => mergeChecksAtSignIn(db, owner));
}
