/** Deposits with their partial releases. */
import type { RecordFields } from '@nivida/contract/bids/records';
import type { DeviceDatabase } from '../device/schema.ts';
import { readRecords } from './record-rows.ts';

/** A part of a deposit that came back. */
export type DepositRelease = RecordFields<'release'> & { id: string };

/** A record of the kind `deposit`. */
export type DepositRecord = RecordFields<'deposit'> & {
  id: string;
  /** Oldest first; absent when there are none. */
  releases?: readonly DepositRelease[];
};

const byDay = (one: DepositRelease, other: DepositRelease): number =>
  (one.releasedOn ?? '').localeCompare(other.releasedOn ?? '') || one.id.localeCompare(other.id);

/** An owner's deposits, last changed first. */
export async function readDeposits(db: DeviceDatabase, owner: string): Promise<DepositRecord[]> {
  // At once: a live query loses track of what nested functions read one after the other.
  const [parts, deposits] = await Promise.all([readRecords(db, owner, 'release'), readRecords(db, owner, 'deposit')]);
  const releases = parts.map(({ id, fields }): DepositRelease => ({ ...fields, id }));
  return deposits.map(({ id, fields }) => {
    const own = releases.filter(({ depositId }) => depositId === id).sort(byDay);
    return { ...fields, id, ...(own.length > 0 && { releases: own }) };
  });
}
