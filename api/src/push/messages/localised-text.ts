/** Counts, dates and times in the two languages of notices. English uses the app's formats. */

import { formatCount, formatDate, formatDateTime, formatTime } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import type { AlertPreferences } from '@nivida/contract/push/push';
import { type Closing, closingLabel, daysLeft } from '@nivida/contract/tenders/closing';
import '../../base/texts.ts';

export type AlertLanguage = AlertPreferences['language'];

/** Singular for 1, else plural. '#' is the count. */
export const plural = (count: number, one: string, other: string): string =>
  (count === 1 ? one : other).replace('#', formatCount(count));

/** 'सुबह 11:00 बजे': the time with the part of the day. */
const hindiTime = (at: Date): string => inLanguage('hi', () => formatTime(at));

const hindiDate = (at: Date): string => inLanguage('hi', () => formatDate(at));

/** The closing in full: '15 Apr 2026, 11:00 AM', '15 अप्रैल 2026, सुबह 11:00 बजे'. */
export function formatClosing({ at, timeKnown }: Closing, language: AlertLanguage): string {
  if (language === 'en-IN') return timeKnown ? formatDateTime(at) : formatDate(at);
  return timeKnown ? `${hindiDate(at)}, ${hindiTime(at)}` : hindiDate(at);
}

/** The badge as a title: 'Closing tomorrow · 11:00 AM', 'कल बंद होगी · सुबह 11:00 बजे'. */
export function formatClosingTitle(closing: Closing, now: Date, language: AlertLanguage): string {
  if (language === 'en-IN') return closingLabel(closing, now);
  const days = daysLeft(closing, now);
  const text = days === 0 ? 'आज बंद होगी' : days === 1 ? 'कल बंद होगी' : `${formatCount(days)} दिन बाकी`;
  return `${text} · ${closing.timeKnown ? hindiTime(closing.at) : 'समय नहीं दिया गया'}`;
}

const segmenters = new Map<string, Intl.Segmenter>();

/** Truncates to `maxGraphemes` visible letters; क्षि is one. */
export function truncateGraphemes(text: string, maxGraphemes: number, language: AlertLanguage = 'hi-IN'): string {
  // A text has at least as many code units as letters.
  if (text.length <= maxGraphemes) return text;
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'grapheme' });
  segmenters.set(language, segmenter);
  let letters = 0;
  let end = 0;
  // Stops early: segmentation of a long text is slow.
  for (const { index } of segmenter.segment(text)) {
    if (letters === maxGraphemes - 1) end = index;
    letters += 1;
    if (letters > maxGraphemes) return `${text.slice(0, end).trimEnd()}…`;
  }
  return text;
}
