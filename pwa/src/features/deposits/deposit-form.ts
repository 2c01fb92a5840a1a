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
  claimUntil: typedDay,
  obligationUntil: typedDay,
  state: v.picklist(DEPOSIT_STATES),
  dueOn: typedDay,
  returnedOn: typedDay,
  returnedPaise: typedPaise,
});

type DepositTexts = Record<keyof v.InferInput<typeof DepositForm>, string>;

/** True for a way of payment that has a number, a bank and a last day. */
export const hasInstrument = (mode: string): boolean => mode === 'fdr' || mode === 'bg' || mode === 'dd';

/** True for a bank guarantee that has a last day for claims of its own. An EMD has none. */
export const hasClaims = ({ kind, mode }: { kind: string; mode: string }): boolean => mode === 'bg' && kind !== 'emd';

/** True for money that secures a work until its completion or the end of defect liability. */
export const hasObligation = (kind: string): boolean => kind !== 'emd' && kind !== 'tender_fee';

/**
 * The values of the fields that the form shows. The other values are empty, which removes them from the
 * deposit.
 */
export function shownDepositTexts(texts: DepositTexts): DepositTexts {
  return {
    ...texts,
    ...(texts.mode === 'exempt' && { number: '', bank: '' }),
    ...(!hasInstrument(texts.mode) && { validUntil: '' }),
    ...(!hasClaims(texts) && { claimUntil: '' }),
    ...(!hasObligation(texts.kind) && { obligationUntil: '' }),
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
    claimUntil: deposit.claimUntil ?? '',
    obligationUntil: deposit.obligationUntil ?? '',
    state: deposit.state ?? 'locked',
    dueOn: deposit.dueOn ?? '',
    returnedOn: deposit.returnedOn ?? '',
    returnedPaise: toTypedRupees(deposit.returnedPaise),
  };
}
