/** Partners of joint bids with their figures. Only this device has them: they are never sent, and no sync reads them. */
import type { BidPartner, JointBid } from '@nivida/contract/rules/joint-bid';
import type { DeviceDatabase } from './device/schema.ts';

/** An owner's partners, and the joint bids by the id of their tender. */
export interface JointBidRows {
  partners: BidPartner[];
  bids: Record<string, JointBid>;
}

/** Joint bids that are stored; the oldest are removed. */
const MAX_JOINT_BIDS = 200;

const keyOf = (owner: string): string => `joint bids of ${owner}`;

/** An owner's partners and joint bids; empty when there are none. */
export async function readJointBids(db: DeviceDatabase, owner: string): Promise<JointBidRows> {
  const stored = (await db.settings.get(keyOf(owner)))?.value as JointBidRows | undefined;
  return stored ?? { partners: [], bids: {} };
}

/** Changes an owner's partners and joint bids. One transaction. */
export function changeJointBids(
  db: DeviceDatabase,
  owner: string,
  change: (rows: JointBidRows) => JointBidRows,
): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    const { partners, bids } = change(await readJointBids(db, owner));
    const value = { partners, bids: Object.fromEntries(Object.entries(bids).slice(-MAX_JOINT_BIDS)) };
    await db.settings.put({ key: keyOf(owner), value });
  });
}

/** Called after a sign-in: what was entered signed out becomes the user's. One transaction. */
export function moveJointBidsAtSignIn(db: DeviceDatabase, owner: string): Promise<void> {
  return db.transaction('rw', db.settings, async () => {
    const unowned = await readJointBids(db, '');
    if (unowned.partners.length === 0) return;
    await changeJointBids(db, owner, ({ partners, bids }) => ({
      partners: [...partners, ...unowned.partners.filter(({ id }) => !partners.some((each) => each.id === id))],
      bids: { ...bids, ...unowned.bids },
    }));
    await deleteJointBidsOf(db, '');
  });
}

/** Removes an owner's partners and joint bids. */
export async function deleteJointBidsOf(db: DeviceDatabase, owner: string): Promise<void> {
  await db.settings.delete(keyOf(owner));
}
