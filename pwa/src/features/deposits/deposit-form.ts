/** Validates the form of a deposit. */
import { t } from '@lingui/core/macro';
import { DEPOSIT_KINDS, DEPOSIT_MODES, DEPOSIT_STATES } from '@nivida/contract/bids/records';
import * as v from 'valibot';
import { toTypedRupees, typedDay, typedPaise, typedReference, typedText } from '../../data/typed-values.ts';
import type { Deposit } from './deposit.ts';

export const DepositForm = v.object({
  kind: v.picklist(DEPOSIT_KINDS),
  amountPaise: typedPaise,
  mode: v.picklist(DEPOSIT_MODES, () => t`Choose how it was paid`),
  number: typedReference,
  bank: typedText(120),
  paidOn: typedDay,
  validUntil: typedDay,
  state: v.picklist(DEPOSIT_STATES),
  dueOn: typedDay,
  returnedOn: typedDay,
  returnedPaise: typedPaise,
});

type DepositTexts = Record<keyof v.InferInput<typeof DepositForm>, string>;

/** True for a way of payment that has a number, a bank and a last day. */
export const hasInstrument = (mode: string): boolean => mode === 'fdr' || mode === 'bg' || mode === 'dd';

/**
 * The values of the fields that the form shows. The other values are empty, which removes them from the
 * deposit.
 */
export function shownDepositTexts(texts: DepositTexts): DepositTexts {
  return {
    ...texts,
    ...(texts.mode === 'exempt' && { number: '', bank: '' }),
    ...(!hasInstrument(texts.mode) && { validUntil: '' }),
    ...(texts.state !== 'returned' && { returnedOn: '', returnedPaise: '' }),
  };
}

/** The form's values for a deposit, or for a new one of a kind. */
export function depositTexts(deposit: Omit<Deposit, 'id'>): DepositTexts {
  return {
    kind: deposit.kind ?? 'emd',
    amountPaise: toTypedRupees(deposit.amountPaise),
    mode: deposit.mode ?? '',
    number: deposit.number ?? '',
    bank: deposit.bank ?? '',
    paidOn: deposit.paidOn ?? '',
    validUntil: deposit.validUntil ?? '',
    state: deposit.state ?? 'locked',
    dueOn: deposit.dueOn ?? '',
    returnedOn: deposit.returnedOn ?? '',
    returnedPaise: toTypedRupees(deposit.returnedPaise),
  };
}
