/** The end of a bank guarantee as a calendar file, so that the phone's own alarm rings without a network. */
import { t } from '@lingui/core/macro';
import { calendarFile } from '@nivida/contract/calendar-file';
import { formatDate, formatFullRupees, truncateText } from '@nivida/contract/format';
import { dayNumber } from '@nivida/contract/time';
import { type Deposit, kindLabel, leftPaise, RENEWAL_DAYS } from '../deposit.ts';

const MAX_TITLE_CHARACTERS = 120;

/**
 * The calendar file of a guarantee with a last day, with alarms on its days of warning. Importing the file of a
 * renewed guarantee replaces the event.
 */
export function guaranteeCalendar(
  deposit: Deposit & { validUntil: string },
  bid: { title: string; link: string },
  now: Date,
): string {
  const { id, validUntil, claimUntil, number, bank } = deposit;
  const kind = kindLabel(deposit);
  const left = leftPaise(deposit);
  const end = dayNumber(validUntil);
  return calendarFile(
    {
      uid: id,
      // A later day is a later version of the event.
      version: end,
      changedAt: now,
      day: end,
      title: t`Bank guarantee ends: ${kind}, ${{ title: truncateText(bid.title, MAX_TITLE_CHARACTERS) }}`,
      description: [
        left !== undefined && t`Amount: ${{ amount: formatFullRupees(left / 100) }}`,
        number && t`Number: ${{ number }}`,
        bank && t`Bank: ${{ bank }}`,
        claimUntil && t`claims until ${{ day: formatDate(claimUntil) }}`,
        bid.link,
      ]
        .filter(Boolean)
        .join('\n'),
      link: bid.link,
      alarmDays: RENEWAL_DAYS.map((days) => end - days),
    },
    now,
  );
}
