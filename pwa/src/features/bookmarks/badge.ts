/** The number on the app's icon: bookmarked tenders that close today by the Indian calendar. */
import { daysLeft } from '@nivida/contract/tenders/closing';
import type { TenderSummary } from '@nivida/contract/tenders/tender';

/** How many of these still close today at `now`. */
export function countClosingToday(tenders: readonly TenderSummary[], now: Date): number {
  return tenders.filter(({ status, closing_date, closing_time_known }) => {
    const closing = { at: new Date(closing_date), timeKnown: closing_time_known };
    return (status === 'active' || status === 'upcoming') && daysLeft(closing, now) === 0;
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
