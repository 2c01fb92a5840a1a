/** Texts of filters, for chips and for names of saved searches. */
import { plural, t } from '@lingui/core/macro';
import { formatHour, formatRupees, joinTwo } from '../format.ts';
import { placeName } from '../regions/states.ts';
import type { PlaceFilter, TenderFilter } from './tender-filter.ts';

/** '₹5 Lakh', without '.00': bounds are whole numbers, and the space for them is narrow. */
export const rupeesText = (rupees: number): string => formatRupees(rupees).replace('.00', '');

/** '₹5 Lakh to ₹1 Cr', 'from ₹5 Lakh', 'up to ₹1 Cr'; '' without bounds. */
export function priceRangeText({ min, max }: Pick<TenderFilter, 'min' | 'max'>): string {
  if (min !== null && max !== null) return t`${{ first: rupeesText(min) }} to ${{ last: rupeesText(max) }}`;
  if (min !== null) return t`from ${{ min: rupeesText(min) }}`;
  return max === null ? '' : t`up to ${{ max: rupeesText(max) }}`;
}

/** 'closing within 7 days'; '' without a window. */
export function closingWindowText(within: number | null): string {
  if (within === null) return '';
  if (within === 0) return t`closing today`;
  return within === 1 ? t`closing by tomorrow` : t`closing within ${within} days`;
}

/** 'closing today, 6:00 to 6:59 PM', or for closed tenders 'closed today, 6:00 to 6:59 PM'; '' without an hour. */
export function closingHourText({ hour, open }: Pick<TenderFilter, 'hour' | 'open'>): string {
  if (hour === null) return '';
  const hours = formatHour(hour);
  return open ? t`closing today, ${hours}` : t`closed today, ${hours}`;
}

/** 'new since yesterday'; '' without a window. */
export function publicationWindowText(publishedWithin: number | null): string {
  if (publishedWithin === null) return '';
  if (publishedWithin === 0) return t`published today`;
  return publishedWithin === 1 ? t`new since yesterday` : t`published within ${publishedWithin} days`;
}

/** 'Mandi', 'Kullu and Mandi', '3 districts'; '' without names. */
export function namesText(names: readonly string[], kind: 'districts' | 'departments'): string {
  if (names.length <= 2) return joinTwo(kind === 'districts' ? names.map(placeName) : names);
  return kind === 'districts'
    ? plural(names.length, { one: '# district', other: '# districts' })
    : plural(names.length, { one: '# department', other: '# departments' });
}

/** 'Himachal Pradesh', '“bailey bridge”', '“bailey bridge” in Himachal Pradesh', with the district before its state. */
export function searchName({ state, districts, q }: PlaceFilter): string {
  const where = [namesText(districts, 'districts'), placeName(state)].filter(Boolean).join(', ');
  if (!q) return where;
  return where ? t`“${q}” in ${where}` : `“${q}”`;
}

/** Heading of the results: 'Tenders in Himachal Pradesh', 'Closed tenders for “bailey bridge”'. */
export function resultsTitle(search: PlaceFilter & Pick<TenderFilter, 'open'>): string {
  const name = searchName(search);
  if (!name) return search.open ? t`Open tenders` : t`Closed tenders`;
  if (search.q) return search.open ? t`Tenders for ${name}` : t`Closed tenders for ${name}`;
  return search.open ? t`Tenders in ${name}` : t`Closed tenders in ${name}`;
}
