/** Changes of partners and joint bids, which only this device has. */
import { t } from '@lingui/core/macro';
import type { BidPartner, JointBid } from '@nivida/contract/rules/joint-bid';
import { DatabaseUnavailableError, storageProblem, withDatabase } from '../../../data/device/database.ts';
import { changeJointBids, type JointBidRows } from '../../../data/joint-bids.ts';
import { currentOwner, ofPresentOwner } from '../../../data/session.ts';
import { showToast } from '../../../ui/feedback/toast.ts';

/** Stores a change. False, after a message, when it was not stored. */
async function save(change: (rows: JointBidRows) => JointBidRows): Promise<boolean> {
  try {
    await withDatabase((db) => changeJointBids(db, currentOwner(), change));
    return true;
  } catch (error) {
    showToast({
      text:
        error instanceof DatabaseUnavailableError
          ? t`${{ problem: storageProblem() }}, so your figures cannot be saved.`
          : t`Your figures were not saved. Free some storage and save again.`,
    });
    return false;
  }
}

/** Adds a partner, or changes the one with its id. */
export const savePartner = (partner: BidPartner): Promise<boolean> =>
  save(({ partners, bids }) => ({
    partners: partners.some(({ id }) => id === partner.id)
      ? partners.map((each) => (each.id === partner.id ? partner : each))
      : [...partners, partner],
    bids,
  }));

/** Removes a partner from the device, with "Undo". */
export async function removePartner(partner: BidPartner): Promise<void> {
  const { id, name } = partner;
  const isRemoved = await save(({ partners, bids }) => ({ partners: partners.filter((each) => each.id !== id), bids }));
  if (!isRemoved) return;
  showToast({
    text: t`${name} removed.`,
    action: { label: t`Undo`, run: ofPresentOwner(() => void savePartner(partner)) },
    passing: true,
  });
}

/** The joint bid of a tender for which none is stored. */
export const EMPTY_JOINT_BID: JointBid = { partnerIds: [], lead: null, rule: null };

/** Changes the stored joint bid for a tender. */
export const changeJointBid = (tenderId: string, change: (bid: JointBid) => Partial<JointBid>): Promise<boolean> =>
  save(({ partners, bids }) => {
    const { [tenderId]: bid = EMPTY_JOINT_BID, ...others } = bids;
    return { partners, bids: { ...others, [tenderId]: { ...bid, ...change(bid) } } };
  });
