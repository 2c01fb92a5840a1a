import { formatDate, formatFullRupees } from '@nivida/contract/format';
import { type Deposit, KIND_LABELS, kindOf, MODE_LABELS } from './deposit.ts';

/** A deposit on a printed checklist: 'EMD: ₹50,000, FDR (fixed deposit), No. 1234, paid 12 Apr 2026'. */
export function depositSheetLine(deposit: Deposit): string {
  const { amountPaise, mode, number, bank, paidOn, validUntil } = deposit;
  const facts = [
    amountPaise !== undefined && mode !== 'exempt' && formatFullRupees(amountPaise / 100),
    mode && MODE_LABELS[mode],
    number && `No. ${number}`,
    bank,
    paidOn ? `paid ${formatDate(paidOn)}` : mode !== 'exempt' && 'day of payment not entered',
    validUntil && `valid till ${formatDate(validUntil)}`,
  ].filter(Boolean);
  return `${KIND_LABELS[kindOf(deposit)]}: ${facts.join(', ')}`;
}
