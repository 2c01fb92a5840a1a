/** Instruments of a bid that end too early for the closing and for the validity of bids. */
import { plural, t } from '@lingui/core/macro';
import type { StatedValidity } from '@nivida/contract/documents/bid-validity';
import { formatDate, indianDay } from '@nivida/contract/format';
import type { Tender } from '@nivida/contract/tenders/tender';
import { dayNumber, dayText } from '@nivida/contract/time';
import { type Deposit, isHeld, kindLabel, modeLabels } from './deposit.ts';

type ClosingTender = Pick<Tender, 'closing_date' | 'corrigenda'>;

const isMoved = ({ corrigenda }: ClosingTender): boolean =>
  corrigenda.some(({ changes }) => changes.some(({ field }) => field === 'closing_date'));

function sourceOf({ fileName, page }: StatedValidity): string {
  return page === null ? t`the portal says` : t`${{ file: fileName ?? t`the document` }} says, p. ${page}`;
}

function shortText(deposit: Deposit, closingDay: number, validity: StatedValidity | null): string | null {
  if (!isHeld(deposit) || !deposit.validUntil) return null;
  const end = dayNumber(deposit.validUntil);
  const instrument = deposit.mode ? `${modeLabels()[deposit.mode]} (${kindLabel(deposit)})` : kindLabel(deposit);
  const until = formatDate(deposit.validUntil);
  if (end < closingDay)
    return t`Your ${instrument} is valid until ${until}, before the closing on ${{ closing: formatDate(dayText(closingDay)) }}. Extend it first.`;
  if (validity === null || end >= closingDay + validity.days) return null;
  const needed = formatDate(dayText(closingDay + validity.days));
  const days = plural(validity.days, { one: '# day', other: '# days' });
  return t`Your ${instrument} is valid until ${until}, but bids stay valid until ${needed}: ${days} after the closing, ${{ source: sourceOf(validity) }}. Extend it or ask the office.`;
}

/** What to extend, one sentence for each instrument; the first sentence names a closing that has moved. */
export function shortInstruments(
  deposits: readonly Deposit[],
  tender: ClosingTender,
  validity: StatedValidity | null,
): string[] {
  const closingDay = indianDay(new Date(tender.closing_date));
  const texts = deposits.flatMap((deposit) => shortText(deposit, closingDay, validity) ?? []);
  if (texts.length === 0 || !isMoved(tender)) return texts;
  return [t`The closing moved to ${{ day: formatDate(tender.closing_date) }}.`, ...texts];
}
