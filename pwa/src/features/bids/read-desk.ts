/** Reads the user's bids with their tenders and deposits from the device. */
import { PROFILE_ID } from '@nivida/contract/bids/record-ids';
import type { Tender } from '@nivida/contract/tenders/tender';
import type { DeviceDatabase } from '../../data/device/schema.ts';
import { readFirms } from '../../data/firms/firm-list.ts';
import { firmOf, userOf } from '../../data/firms/space.ts';
import { readDeposits } from '../../data/records/deposits.ts';
import { readRecord, readRecords } from '../../data/records/record-rows.ts';
import type { Bid } from './rules/bid.ts';
import type { BidDeposit } from './rules/bid-changes.ts';

/** Everything that the screens of bids read. */
export interface DeskRows {
  bids: Bid[];
  deposits: BidDeposit[];
  /** The tenders of bids that are on the device, by id. */
  tenders: ReadonlyMap<string, Tender>;
  /** Names of the firm as portals write them; in the space of a firm without them its name. */
  firmNames: readonly string[];
  /** Address of the firm, in lines; '' when it is not entered. */
  firmAddress: string;
}

/** An owner's bids with their tenders and deposits. */
export async function readDesk(db: DeviceDatabase, owner: string): Promise<DeskRows> {
  const [bidRows, deposits, profile, firms] = await Promise.all([
    readRecords(db, owner, 'bid'),
    readDeposits(db, owner),
    readRecord(db, owner, 'profile', PROFILE_ID),
    readFirms(db, userOf(owner)),
  ]);
  const bids = bidRows.map(({ id, fields }) => ({ ...fields, id }));
  const firm = firms.find(({ id }) => id === firmOf(owner));
  const rows = await db.tenders.bulkGet(bids.flatMap(({ tenderId }) => tenderId ?? []));
  return {
    bids,
    deposits,
    tenders: new Map(rows.flatMap((row) => (row ? [[row.id, row.tender] as const] : []))),
    firmNames: profile?.fields.firmNames ?? (firm ? [firm.name] : []),
    firmAddress: profile?.fields.firmAddress ?? firm?.address ?? '',
  };
}
