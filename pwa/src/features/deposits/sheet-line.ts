import { t } from '@lingui/core/macro';
import { formatDate, formatFullRupees } from '@nivida/contract/format';
import { type Deposit, kindLabel, modeLabels, releasedPaise } from './deposit.ts';

/** A deposit on a printed checklist: 'EMD: ₹50,000, FDR (fixed deposit), No. 1234, paid 12 Apr 2026'. */
export function depositSheetLine(deposit: Deposit): string {
  const { amountPaise, mode, number, bank, paidOn, validUntil, claimUntil } = deposit;
  const released = releasedPaise(deposit);
  const facts = [
    amountPaise !== undefined && mode !== 'exempt' && formatFullRupees(amountPaise / 100),
    mode && modeLabels()[mode],
    number && t`No. ${number}`,
    bank,
    paidOn ? t`paid ${{ day: formatDate(paidOn) }}` : mode !== 'exempt' && t`day of payment not entered`,
    validUntil && t`valid till ${{ day: formatDate(validUntil) }}`,
    claimUntil && t`claims until ${{ day: formatDate(claimUntil) }}`,
    released > 0 && t`${{ amount: formatFullRupees(released / 100) }} came back`,
  ].filter(Boolean);
  return `${kindLabel(deposit)}: ${facts.join(', ')}`;
}
