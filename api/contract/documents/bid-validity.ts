/** How long bids are valid: the portal's field, or what a document names. */
import type { Tender } from '../tenders/tender.ts';
import type { TenderReading } from './tender-reading.ts';

/** `fileName` and `page` are null for the portal's field. */
export interface StatedValidity {
  days: number;
  fileName: string | null;
  page: number | null;
}

const DAYS_OF_MONTH = 30;

/**
 * The longest validity that the portal or a document states, in days after the closing. Lines that the operator has checked
 * stand for all others. Null when none is stated.
 */
export function bidValidity(
  { bid_validity_days: portalDays }: Pick<Tender, 'bid_validity_days'>,
  reading: TenderReading | undefined,
): StatedValidity | null {
  const lines = (reading?.facts ?? []).filter(({ topic, value }) => topic === 'validity' && value !== null);
  const checked = lines.filter(({ state }) => state !== 'found');
  const stated: StatedValidity[] = portalDays ? [{ days: portalDays, fileName: null, page: null }] : [];
  for (const { value, fileId, page } of checked.length > 0 ? checked : lines) {
    if (!value || value.unit === 'rupees') continue;
    const days = value.unit === 'months' ? value.amount * DAYS_OF_MONTH : value.amount;
    stated.push({ days, fileName: reading?.files.find(({ id }) => id === fileId)?.name ?? null, page });
  }
  return stated.sort((a, b) => b.days - a.days)[0] ?? null;
}
