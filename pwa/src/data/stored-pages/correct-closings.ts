/**
 * Corrects the closings of a day on a stored home page: the bars of the hours and their total, which change
 * by the minute.
 */
import { t } from '@lingui/core/macro';
import { groupIndian, indianDay, startOfIndianDay } from '@nivida/contract/format';
import type { ClosingMinutes } from '@nivida/contract/tenders/tender';
import { MINUTE_MS } from '@nivida/contract/time';

/**
 * Value of the attribute `data-closings`, on an element that counts the tenders which still close today.
 * '1020 2,1080 3' means 2 at 5 PM and 3 at 6 PM.
 */
export const closingsAttribute = (closing: ClosingMinutes): string => closing.map((each) => each.join(' ')).join(',');

const readClosings = (attribute: string): ClosingMinutes =>
  attribute.split(',').flatMap((each) => {
    const [at, tenders] = each.split(' ').map(Number);
    return at === undefined || tenders === undefined ? [] : [[at, tenders]];
  });

/** Whole minutes since the Indian midnight. Tenders close on full minutes. */
export const minuteOfDay = (now: Date): number =>
  Math.floor((now.getTime() - startOfIndianDay(indianDay(now)).getTime()) / MINUTE_MS);

/** Number of tenders that close after a minute of the day. */
export const countClosingAfter = (closing: ClosingMinutes, minute: number): number =>
  closing.reduce((total, [at, tenders]) => total + (at > minute ? tenders : 0), 0);

/** Number of all tenders that close on a day. */
export const countClosings = (closing: ClosingMinutes): number => countClosingAfter(closing, -1);

/** The look of a bar: no tender is left, the first hour with tenders left, or a later hour. */
export type BarLook = 'gone' | 'next' | 'later';

/** The text that screen readers read for a bar, after its hour. */
export function barText(left: number, total: number): string {
  if (left === 0)
    return total > 0 ? t`${total} closed` : t({ message: 'none', context: 'tenders that close in an hour' });
  return left === total ? t`${left} close` : t`${left} of ${total} still close`;
}

/** The height of a bar, in tenders. A bar for few tenders is still visible. */
export const barHeight = (tenders: number, highest: number): number =>
  tenders === 0 ? 0 : Math.max(tenders, highest / 25);

const TOTAL = /(<dd[^>]* data-closings="([\d ,]*)"[^>]*>(?:<a[^>]*>)?)[\d,]+/g;
const BAR = /<li data-look="\w+" data-closings="([\d ,]*)">.*?<\/li>/gs;
/**
 * The parts of a bar that change: its list, its text, its two numbers, and the rectangle of the tenders that
 * are left.
 */
const BAR_LIST = /( href="[^"]*hour=\d+&amp;)[^"]*/;
const BAR_TEXT = /(<span class="sr">[^:]*: )[^<]*/;
const BAR_COUNTS = /<del>\d*<\/del><b>\d*<\/b>/;
const BAR_LEFT = /(<svg viewBox="0 0 1 (\d+)".*<rect )y="[^"]*" (width="1") height="[^"]*"/s;

function correctBar(bar: string, left: number, total: number, look: BarLook): string {
  return bar
    .replace(/data-look="\w+"/, `data-look="${look}"`)
    .replace(BAR_LIST, (_whole, path) => path + (left > 0 ? 'sort=closing_date' : 'open=0'))
    .replace(BAR_TEXT, (_whole, hour) => hour + barText(left, total))
    .replace(BAR_COUNTS, `<del>${total - left || ''}</del><b>${left || ''}</b>`)
    .replace(BAR_LEFT, (_whole, before, scale, width) => {
      const height = barHeight(left, Number(scale));
      return `${before}y="${Number(scale) - height}" ${width} height="${height}"`;
    });
}

/** The page with its closings corrected to a later minute of its day. */
export function correctClosings(html: string, now: Date): string {
  const minute = minuteOfDay(now);
  let isNext = true;
  return html
    .replace(TOTAL, (_whole, before, closings) => {
      return before + groupIndian(String(countClosingAfter(readClosings(closings), minute)));
    })
    .replace(BAR, (bar, closings) => {
      const closing = readClosings(closings);
      const [left, total] = [countClosingAfter(closing, minute), countClosings(closing)];
      const look: BarLook = left === 0 ? 'gone' : isNext ? 'next' : 'later';
      if (left > 0) isNext = false;
      return correctBar(bar, left, total, look);
    });
}
