/** The number on the app's icon: bookmarked tenders that close today, in Indian time. */
import { daysLeft } from '@nivida/contract/tenders/closing';
import { isOpenForBids } from '@nivida/contract/tenders/status';
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** How many of the tenders still close on the Indian day of `now`. */
export function countClosingToday(tenders: readonly TenderSummary[], now: Date): number {
  return tenders.filter((tender) => {
    const closing = { at: new Date(tender.closing_date), timeKnown: tender.closing_time_known };
    return isOpenForBids(tender, now) && daysLeft(closing, now) === 0;
  }).length;
}

/** Shows the number on the app's icon; 0 removes it. Does nothing where the browser has no badge. */
export async function showAppBadge(count: number): Promise<void> {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
  } catch {
    // Browsers refuse it outside an installed app.
  }
}
