/** The number on the app's icon: bookmarked tenders that close today by the Indian calendar. */
import { daysLeft } from '@nivida/contract/tenders/closing';
import { isOpenForBids } from '@nivida/contract/tenders/status';
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** How many of these still close today at `now`. */
export function countClosingToday(tenders: readonly TenderSummary[], now: Date): number {
  return tenders.filter((tender) => {
    const closing = { at: new Date(tender.closing_date), timeKnown: tender.closing_time_known };
    return isOpenForBids(tender, now) && daysLeft(closing, now) === 0;
  }).length;
}

/** Puts the number on the icon, or takes it away at none; where there is no icon to write on, nothing happens. */
export async function showAppBadge(count: number): Promise<void> {
  try {
    await (count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.());
  } catch {
    // browsers refuse it outside an installed app
  }
}
