/** Texts of the conditions that were read in the words of a search, for chips. */

import { t } from '@lingui/core/macro';
import { priceRangeText } from '../filter/filter-texts.ts';
import { formatDate, indianDay, joinTwo, startOfIndianDay } from '../format.ts';
import { portalValueLabel } from '../tenders/portal-values.ts';
import type { QueryCondition } from '../tenders/tender.ts';
import type { DayRange } from './days.ts';

/** 'Value up to ₹10 Lakh', 'No EMD', 'Closing by 20 Dec 2025', 'Without “bridge”'. `now` decides what today is. */
export function conditionLabel({ kind, label, facts }: QueryCondition, now: Date): string {
  if (!facts) return label;
  const { from, to, names } = facts;
  switch (kind) {
    case 'price':
      return t`Value ${{ range: priceRangeText({ min: from, max: to }) }}`;
    case 'emd':
      return t`EMD ${{ range: priceRangeText({ min: from, max: to }) }}`;
    case 'no_emd':
      return t`No EMD`;
    case 'emd_exempt':
      return t`No EMD or exemption allowed`;
    case 'closing':
      return t`Closing ${{ days: daysText(facts, indianDay(now), true) }}`;
    case 'published':
      return t`Published ${{ days: daysText(facts, indianDay(now), false) }}`;
    case 'category':
      return joinTwo(names.map(({ text }) => portalValueLabel(text)));
    case 'without':
      return names.map(exclusionText).join(' ');
    default:
      return label;
  }
}

function exclusionText({ text, isPlace }: { text: string; isPlace: boolean }, at: number): string {
  if (at > 0) return isPlace ? t`or ${{ place: text }}` : t`or “${text}”`;
  return isPlace ? t`Not in ${{ place: text }}` : t`Without “${text}”`;
}

/** 'today', 'by 20 Dec 2025', 'since yesterday', '15 Dec 2025 to 20 Dec 2025'. */
function daysText({ from, to }: DayRange, today: number, isClosing: boolean): string {
  const dayText = (day: number) =>
    ({ [-1]: t`yesterday`, 0: t`today`, 1: t`tomorrow` })[day - today] ?? formatDate(startOfIndianDay(day));
  if (from !== null && from === to)
    return Math.abs(from - today) <= 1 ? dayText(from) : t`on ${{ day: dayText(from) }}`;
  if (from !== null && to !== null) return t`${{ first: dayText(from) }} to ${{ last: dayText(to) }}`;
  if (from !== null) return isClosing ? t`from ${{ day: dayText(from) }}` : t`since ${{ day: dayText(from) }}`;
  if (to === null) return '';
  if (!isClosing) return t`until ${{ day: dayText(to) }}`;
  return to === today ? t`today` : t`by ${{ day: dayText(to) }}`;
}
