/** Texts and figures of a tender for cards and the tender page. */

import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import {
  formatAge,
  formatDate,
  formatDateOfYear,
  formatDateTime,
  formatDay,
  formatRupees,
  formatTime,
} from '@nivida/contract/format';
import { i18n, inLanguage } from '@nivida/contract/i18n';
import { placeName } from '@nivida/contract/regions/states';
import {
  type Closing,
  type ClosingTone,
  closingLabel,
  closingOnWeekday,
  closingTone,
} from '@nivida/contract/tenders/closing';
import { missingValueText } from '@nivida/contract/tenders/missing-value';
import { portalInfo } from '@nivida/contract/tenders/portals';
import { isOpenForBids, type TenderStatus } from '@nivida/contract/tenders/status';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { DAY_MS, HOUR_MS } from '@nivida/contract/time';
import type { Tone } from '../../ui/display/Badge.tsx';
import type { IconName } from '../../ui/display/Icon.tsx';

const WEEK_MS = 7 * DAY_MS;

const STATUS_LABELS: Record<TenderStatus, MessageDescriptor> = {
  upcoming: msg`Upcoming`,
  active: msg`Active`,
  closed: msg`Closed`,
  under_evaluation: msg`Under evaluation`,
  awarded: msg`Awarded`,
  cancelled: msg`Cancelled`,
  retendered: msg`Retendered`,
};

export function tenderStatusLabel(status: TenderStatus): string {
  return i18n._(STATUS_LABELS[status]);
}

/** The status colours of SPEC section 4. The stages after closing are all purple. */
export function tenderStatusTone(status: TenderStatus): Tone {
  if (status === 'active') return 'green';
  if (status === 'closed') return 'red';
  return status === 'upcoming' ? 'blue' : 'purple';
}

function tenderClosing(tender: TenderSummary): Closing {
  return { at: new Date(tender.closing_date), timeKnown: tender.closing_time_known };
}

/** Closing badge and gauge of a tender. */
interface ClosingFacts {
  label: string;
  tone: ClosingTone;
  /**
   * Remaining share of the last week before closing, 0 to 1. At least 0.04 while bids are accepted, so that
   * it is visible.
   */
  left: number;
  /** True after closing, or when the portal has cancelled or retendered the tender. */
  isOver: boolean;
}

/** A cancelled or retendered tender counts as closed before its closing date. */
export function closingFacts(tender: TenderSummary, now: Date): ClosingFacts {
  if (!isOpenForBids(tender, now)) return { label: t`Closed`, tone: 'gray', left: 0, isOver: true };
  const closing = tenderClosing(tender);
  const share = (closing.at.getTime() - now.getTime()) / WEEK_MS;
  return {
    label: closingLabel(closing, now),
    tone: closingTone(closing, now),
    left: Math.min(1, Math.max(0.04, share)),
    isOver: false,
  };
}

/** The tone of the countdown on the tender page: red from 7 days before closing (SPEC section 4). */
export function detailPageTone({ tone }: ClosingFacts): Tone {
  return tone === 'amber' ? 'red' : tone;
}

/** True when the closing date may have changed: closing within 48 hours, and our data older than 6 hours. */
export function isClosingDateStale(tender: TenderSummary, now: Date): boolean {
  const untilClosing = Date.parse(tender.closing_date) - now.getTime();
  const age = now.getTime() - Date.parse(tender.fetched_at);
  // A demonstration is never compared again.
  return !tender.demonstration && untilClosing > 0 && untilClosing <= 2 * DAY_MS && age > 6 * HOUR_MS;
}

interface CardMark {
  text: string;
  icon: IconName | null;
}

/** The most urgent mark of a card, or null. */
export function cardMark(tender: TenderSummary, now: Date): CardMark | null {
  if (isClosingDateStale(tender, now))
    return { text: t`Checked ${formatAge(new Date(tender.fetched_at), now)}`, icon: 'clock' };
  if (tender.last_corrigendum === 'date') return { text: t`Date changed`, icon: 'change' };
  if (tender.last_corrigendum === 'other') return { text: t`Corrigendum`, icon: 'change' };
  if (tender.nit_works > 1) return { text: t`${tender.nit_works} works in this NIT`, icon: null };
  return tender.demonstration ? { text: t`Demonstration`, icon: null } : null;
}

const placeWords = (text: string) => ` ${(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} `;

/**
 * Joins places from the smallest to the largest. A place that another one already names is left out: portals write places in
 * English, so the names are compared in English.
 */
export function placesText(places: () => readonly (string | null)[]): string {
  const compared = inLanguage('en', places);
  const named = places().flatMap((place, at) =>
    place === null ? [] : [{ place: placeName(place), words: placeWords(compared[at] ?? place) }],
  );
  const isSaid = (words: string, at: number) =>
    named.some((other, index) => other.words.includes(words) && (other.words !== words || index < at));
  return named
    .filter(({ words }, at) => !isSaid(words, at))
    .map(({ place }) => place)
    .join(', ');
}

/** The estimate; without one, a hint. */
export function priceFacts(tender: TenderSummary): { text: string; hint: string | null } {
  if (tender.price !== null) return { text: formatRupees(tender.price), hint: null };
  if (tender.price_text !== null) return { text: tender.price_text, hint: null };
  if (tender.is_listed) return { text: missingValueText(tender), hint: null };
  return { text: formatRupees(null), hint: t`(estimate not published)` };
}

/** The price of the tender form. Null means not specified. */
export function feeText(fee: string | null): string {
  return fee === null ? t`Not specified` : formatRupees(fee);
}

/** The price of the form of a tender, also of one that is known from a list only. */
export const tenderFeeText = (tender: Pick<Tender, 'tender_fee' | 'is_listed'>): string =>
  tender.tender_fee === null ? missingValueText(tender) : feeText(tender.tender_fee);

/** 'EMD ₹1.50 Lakh', 'EMD not required', 'EMD not in the list'. */
export function emdCardText({ emd, is_listed }: Pick<TenderSummary, 'emd' | 'is_listed'>): string {
  if (emd === null) return is_listed ? t`EMD not in the list` : t`EMD not specified`;
  return Number(emd) === 0 ? t`EMD not required` : t`EMD ${formatRupees(emd)}`;
}

/** 'Tue 16 Dec, 9:00 AM', or only the date when the source gives no hour. */
export function closingDateText(tender: TenderSummary, now: Date): string {
  return tender.closing_time_known
    ? closingOnWeekday(new Date(tender.closing_date), now)
    : t`${formatDate(tender.closing_date)}, time not stated`;
}

const isCalledOff = (stage: Tender['stage']) => stage === 'cancelled' || stage === 'retendered';

/**
 * 'eprocure says 12 Dec 2026, 11:00 AM', one sentence for each other portal that differs. Empty for a
 * cancelled tender.
 */
export function otherSourceSentences(tender: Tender): string[] {
  if (isCalledOff(tender.stage)) return [];
  return tender.other_sources.flatMap(({ portal, stage, closing_date, closing_time_known }) => {
    // If one of the closings has no hour, only the days are compared.
    const format = closing_time_known && tender.closing_time_known ? formatDateTime : formatDate;
    const { name } = portalInfo(portal);
    if (stage === 'cancelled') return t`${name} says cancelled`;
    if (stage === 'retendered') return t`${name} says retendered`;
    const closing = format(closing_date);
    return closing === format(tender.closing_date) ? [] : t`${name} says ${closing}`;
  });
}

/** '16 Dec, 10:00 AM' without the weekday and without a line break in the time. 'Not specified' for null. */
export function shortInstantText(instant: string | null, now: Date): string {
  return instant === null
    ? formatDay(null, now)
    : `${formatDateOfYear(new Date(instant), now)}, ${formatTime(new Date(instant)).replaceAll(' ', '\u00a0')}`;
}

/** Advice on when to submit, by the days left. */
export function submissionAdvice(tender: TenderSummary, now: Date): string {
  const { isOver, tone } = closingFacts(tender, now);
  if (isOver) return t`Bids are closed.`;
  return tone === 'today'
    ? t`The portal's clock decides. Submit as early today as you can.`
    : t`The portal's clock decides. Submit a day early.`;
}

/** '2 (technical, finance)': the number of covers, with their usual contents. */
export function coversText(covers: number | null): string {
  if (covers === null) return t`Not specified`;
  return covers === 2 ? t`2 (technical, finance)` : String(covers);
}

/** Only the tender's own flag counts, because most state works allow no exemption. */
export function exemptionText(allowed: boolean | null): string {
  if (allowed === null) return t`Not specified`;
  return allowed ? t`Allowed` : t`Not allowed`;
}

/** A tab of the tender page. */
type TenderTab = 'overview' | 'documents' | 'bidding' | 'checklist';

/**
 * The tab for '#documents', '#checklist' or '#bidding'. '#changes' is a part of bidding, '#fact-' and an id a line of the
 * documents. The overview for anything else.
 */
export function tenderTabOfHash(hash: string): TenderTab {
  if (hash === '#documents' || hash.startsWith('#fact-')) return 'documents';
  if (hash === '#checklist') return 'checklist';
  return hash === '#bidding' || hash === '#changes' ? 'bidding' : 'overview';
}
