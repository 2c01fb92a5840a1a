import type { DepositRecord } from '../../data/records/deposits.ts';
import { useRecords } from '../../data/records/useRecords.ts';
import { kindLabel } from '../../features/deposits/deposit.ts';
import type { StoredLetter } from '../../features/letters/letter-kinds.ts';

/** The kept letters of a bid. */
export const useBidLetters = (bidId: string): StoredLetter[] =>
  (useRecords('letter') ?? [])
    .filter(({ fields }) => fields.bidId === bidId)
    .map(({ id, fields }) => ({ ...fields, id }));

/** Names a deposit by its id. */
export const depositNames =
  (deposits: readonly DepositRecord[]) =>
  (id: string): string | undefined => {
    const deposit = deposits.find((each) => each.id === id);
    return deposit && kindLabel(deposit);
  };
