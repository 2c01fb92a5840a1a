/** Checks what is typed into the form of a deposit. */
import { DEPOSIT_KINDS, DEPOSIT_MODES, DEPOSIT_STATES, MAX_PAISE } from '@nivida/contract/bids/records';
import * as v from 'valibot';
import type { Deposit } from './deposit.ts';

/** The text of an empty field becomes null, which removes the value. */
const orNone = <T>(schema: v.GenericSchema<string, T>) =>
  v.union([
    v.pipe(
      v.literal(''),
      v.transform(() => null),
    ),
    schema,
  ]);

const AMOUNT_TEXT = 'Write rupees as a number, such as 25,000';
const paise = orNone(
  v.pipe(
    v.string(),
    v.transform((text) => text.replace(/[,\s₹]/g, '')),
    v.regex(/^\d+(\.\d{1,2})?$/, AMOUNT_TEXT),
    v.transform((text) => Math.round(Number(text) * 100)),
    v.maxValue(MAX_PAISE, AMOUNT_TEXT),
  ),
);
const day = orNone(v.pipe(v.string(), v.isoDate('Choose the day')));
const text = (max: number) => orNone(v.pipe(v.string(), v.trim(), v.maxLength(max, `At most ${max} letters`)));

export const DepositForm = v.object({
  kind: v.picklist(DEPOSIT_KINDS),
  amountPaise: paise,
  mode: v.picklist(DEPOSIT_MODES, 'Choose how it was paid'),
  number: text(60),
  bank: text(120),
  paidOn: day,
  validUntil: day,
  state: v.picklist(DEPOSIT_STATES),
  dueOn: day,
  returnedOn: day,
  returnedPaise: paise,
});

export type DepositTexts = Record<keyof v.InferInput<typeof DepositForm>, string>;

const rupees = (amount: number | undefined): string => (amount === undefined ? '' : String(amount / 100));

/** The values of the form for a deposit, or for a new one of a kind. */
export function depositTexts(deposit: Omit<Deposit, 'id'>): DepositTexts {
  return {
    kind: deposit.kind ?? 'emd',
    amountPaise: rupees(deposit.amountPaise),
    mode: deposit.mode ?? '',
    number: deposit.number ?? '',
    bank: deposit.bank ?? '',
    paidOn: deposit.paidOn ?? '',
    validUntil: deposit.validUntil ?? '',
    state: deposit.state ?? 'locked',
    dueOn: deposit.dueOn ?? '',
    returnedOn: deposit.returnedOn ?? '',
    returnedPaise: rupees(deposit.returnedPaise),
  };
}
