import { type Deposit, isHeld } from './deposit.ts';

/** The money of one bid, in paise. */
export function moneyOfBid(deposits: readonly Deposit[]): { heldPaise: number; returnedPaise: number } {
  const sum = (amounts: readonly (number | undefined)[]) => amounts.reduce<number>((all, each) => all + (each ?? 0), 0);
  return {
    heldPaise: sum(deposits.filter(isHeld).map(({ amountPaise }) => amountPaise)),
    returnedPaise: sum(
      deposits
        .filter(({ state }) => state === 'returned')
        .map(({ returnedPaise, amountPaise }) => returnedPaise ?? amountPaise),
    ),
  };
}
