/** Texts of filters, for chips and for names of saved searches. */
import { formatRupees } from '../format.ts';
import type { TenderFilter } from './tender-filter.ts';

/** '₹5 Lakh', without '.00': bounds are whole numbers, and the space for them is narrow. */
export const rupeesText = (rupees: number): string => formatRupees(rupees).replace('.00', '');

/** '₹5 Lakh to ₹1 Cr', 'from ₹5 Lakh', 'up to ₹1 Cr'; '' without bounds. */
export function priceRangeText({ min, max }: Pick<TenderFilter, 'min' | 'max'>): string {
  if (min !== null && max !== null) return `${rupeesText(min)} to ${rupeesText(max)}`;
  if (min !== null) return `from ${rupeesText(min)}`;
  return max === null ? '' : `up to ${rupeesText(max)}`;
}

/** 'closing within 7 days'; '' without a window. */
export function closingWindowText(within: number | null): string {
  if (within === null) return '';
  if (within === 0) return 'closing today';
  return within === 1 ? 'closing by tomorrow' : `closing within ${within} days`;
}

/** 'closing today, 6:00 to 6:59 PM', or for closed tenders 'closed today, 6:00 to 6:59 PM'; '' without an hour. */
export function closingHourText({ hour, open }: Pick<TenderFilter, 'hour' | 'open'>): string {
  if (hour === null) return '';
  const number = hour % 12 || 12;
  return `${open ? 'closing' : 'closed'} today, ${number}:00 to ${number}:59 ${hour < 12 ? 'AM' : 'PM'}`;
}

/** 'new since yesterday'; '' without a window. */
export function publicationWindowText(publishedWithin: number | null): string {
  if (publishedWithin === null) return '';
  if (publishedWithin === 0) return 'published today';
  return publishedWithin === 1 ? 'new since yesterday' : `published within ${publishedWithin} days`;
}

/** 'Mandi', 'Kullu and Mandi', '3 districts'; '' without names. */
export function namesText(names: readonly string[], kind: 'districts' | 'departments'): string {
  return names.length > 2 ? `${names.length} ${kind}` : names.join(' and ');
}
