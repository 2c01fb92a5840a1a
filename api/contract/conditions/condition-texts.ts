/** Texts of the conditions that were read in the words of a search, for chips. */

import { priceRangeText } from '../filter/filter-texts.ts';
import { formatDate, indianDay, startOfIndianDay } from '../format.ts';
import type { ConditionMeaning } from './condition-meaning.ts';
import type { DayRange } from './days.ts';

/** 'Value up to ₹10 Lakh', 'No EMD', 'Closing by 20 Dec 2025', 'Without “bridge”'. `now` decides what today is. */
export function conditionLabel(meaning: ConditionMeaning, now: Date): string {
  switch (meaning.kind) {
    case 'price':
      return `Value ${priceRangeText(meaning)}`;
    case 'emd':
      return `EMD ${priceRangeText(meaning)}`;
    case 'no_emd':
      return 'No EMD';
    case 'emd_exempt':
      return 'No EMD or exemption allowed';
    case 'closing':
      return `Closing ${daysText(meaning, indianDay(now), ['from', 'by'])}`;
    case 'published':
      return `Published ${daysText(meaning, indianDay(now), ['since', 'until'])}`;
    case 'category':
      return meaning.category;
    case 'without':
      return meaning.exclusions
        .map(
          ({ text, place }, at) => `${at === 0 ? (place ? 'Not in' : 'Without') : 'or'} ${place ? text : `“${text}”`}`,
        )
        .join(' ');
  }
}

/** 'today', 'by 20 Dec 2025', 'since yesterday', '15 Dec 2025 to 20 Dec 2025'. */
function daysText(
  { from, to }: DayRange,
  today: number,
  [since, until]: readonly [since: string, until: string],
): string {
  const dayText = (day: number) =>
    ({ [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' })[day - today] ?? formatDate(startOfIndianDay(day));
  if (from !== null && from === to) return Math.abs(from - today) <= 1 ? dayText(from) : `on ${dayText(from)}`;
  if (from !== null && to !== null) return `${dayText(from)} to ${dayText(to)}`;
  if (from !== null) return `${since} ${dayText(from)}`;
  if (to === null) return '';
  return until === 'by' && to === today ? 'today' : `${until} ${dayText(to)}`;
}
