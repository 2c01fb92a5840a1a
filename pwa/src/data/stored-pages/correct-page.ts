/**
 * Corrects a stored page at the next visit. Its closing labels and today's closings are set to the current
 * time, and its age is shown. Other texts that depend on the clock are hidden until the app renders them.
 * Texts that are true for a day (`data-clock="day"`) are hidden on another day.
 */
import { t } from '@lingui/core/macro';
import { formatDay, indianDay } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import { languageOfLocale } from '@nivida/contract/languages';
import { closingLabel, closingTone } from '@nivida/contract/tenders/closing';
import { correctClosings } from './correct-closings.ts';

/** A younger page is shown without corrections and is not fetched again, except on a reload. */
export const FRESH_FOR_MS = 60_000;

/** Matches a closing label with `data-closes`: the instant, whether its hour is known, and the tones of its screen. */
const CLOSING = /data-tone="(\w+)" data-closes="([\d:.TZ-]+) (time|day) (card|page)"[^>]*>((?:<time[^>]*>)?)([^<]*)/g;
const ANSWERED_AT = /<script type="application\/json" id="answer">\{"call":"[^"]*","at":"([^"]+)"/;

/** The instant for which the server rendered a page. Null for a page without an answer or without content. */
export function renderedAt(html: string): Date | null {
  const at = new Date(ANSWERED_AT.exec(html)?.[1] ?? '');
  return Number.isNaN(at.getTime()) || html.includes('<div id="root"></div>') ? null : at;
}

/** The value of `data-closes` for a label that closes at an ISO 8601 instant. */
export function closesAttribute(closingDate: string, isTimeKnown: boolean, screen: 'card' | 'page'): string {
  return `${closingDate} ${isTimeKnown ? 'time' : 'day'} ${screen}`;
}

/** The language in which the server has rendered a page. */
export const languageOf = (html: string) => languageOfLocale(/<html[^>]* lang="([^"]*)"/.exec(html)?.[1] ?? '');

/** True for a page that is corrected before it is shown. A reload corrects a young page too. */
export const needsCorrection = (at: Date, now: Date, isReload: boolean): boolean =>
  isReload || now.getTime() - at.getTime() >= FRESH_FOR_MS;

/** The stored page, with the texts corrected to `now`, in its own language. */
export function correctPage(html: string, now: Date, isReload = false): string {
  const at = renderedAt(html);
  if (!at || !needsCorrection(at, now, isReload)) return html;
  return inLanguage(languageOf(html), () => correctTexts(html, at, now));
}

function correctTexts(html: string, at: Date, now: Date): string {
  const corrected = html.replace(CLOSING, (whole, tone, date, known, screen, tag, label) => {
    // The tender is closed by its status, at any time.
    if (tone === 'gray') return whole;
    const closing = { at: new Date(date), timeKnown: known === 'time' };
    const present = closingTone(closing, now);
    const shown = screen === 'page' && present === 'amber' ? 'red' : present;
    return whole
      .replace(`data-tone="${tone}"`, `data-tone="${shown}"`)
      .replace(`${tag}${label}`, () => `${tag}${closingLabel(closing, now)}`);
  });
  const isSameDay = indianDay(at) === indianDay(now);
  const note = `data-saved="${t`Saved ${{ day: formatDay(at.toISOString(), now) }}`}"`;
  const hidden = `data-clock-hidden="${isSameDay ? 'minute' : 'day'}"`;
  return (isSameDay ? correctClosings(corrected, now) : corrected).replace('<html ', `<html ${note} ${hidden} `);
}
