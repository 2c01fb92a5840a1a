/** Texts and data of the dashboard: the greeting, the plan, and the bookmarked tenders that close next. */
import { plural, t } from '@lingui/core/macro';
import { formatDate, indianHour } from '@nivida/contract/format';
import type { PlanState } from '@nivida/contract/orders/order';
import { PLANS } from '@nivida/contract/orders/plans';
import type { TenderSummary } from '@nivida/contract/tenders/tender';
import type { BookmarkedTender } from '../../features/bookmarks/bookmarked-tenders.ts';
import { closingFacts } from '../../features/tender/labels.ts';

/** 'Good morning' before 12, 'Good afternoon' before 18, otherwise 'Good evening', by Indian time (SPEC section 2). */
export function greetingFor(now: Date): string {
  const hour = indianHour(now);
  if (hour < 12) return t`Good morning`;
  return hour < 18 ? t`Good afternoon` : t`Good evening`;
}

/** 'Trial of Basic until 2 Dec 2026 · Himachal Pradesh on this phone'. Unknown parts are left out. */
export function accountText(plan: PlanState | null, states: readonly string[]): string {
  const onPhone = states.length > 0 && t`${{ states: states.join(', ') }} on this phone`;
  return [plan && planText(plan), onPhone].filter(Boolean).join(' · ');
}

function planText({ planId, isTrial, endsAt }: PlanState): string {
  const [plan, day] = [PLANS[planId].name, formatDate(endsAt)];
  return isTrial ? t`Trial of ${plan} until ${day}` : t`${plan} until ${day}`;
}

interface NextClosing {
  /** Open tenders, soonest closing first. */
  open: TenderSummary[];
  /** Why there is no open tender to show; null when there is one. */
  emptyText: string | null;
}

function emptyText(bookmarks: readonly BookmarkedTender[]): string {
  if (bookmarks.length === 0) return t`Tap the bookmark of a tender that you bid for. You see here which closes next.`;
  const unknown = bookmarks.filter(({ tender }) => !tender).length;
  if (unknown === 0) return t`All your bookmarked tenders have closed.`;
  return plural(unknown, {
    one: 'This phone does not have the details of # bookmark yet. They load when you are online.',
    other: 'This phone does not have the details of # bookmarks yet. They load when you are online.',
  });
}

/** The open tenders of the bookmarks, or why there are none. */
export function nextClosing(bookmarks: readonly BookmarkedTender[], now: Date): NextClosing {
  const open = bookmarks
    .flatMap(({ tender }) => tender ?? [])
    .filter((tender) => !closingFacts(tender, now).isOver)
    .sort((one, other) => one.closing_date.localeCompare(other.closing_date));
  return { open, emptyText: open.length > 0 ? null : emptyText(bookmarks) };
}
