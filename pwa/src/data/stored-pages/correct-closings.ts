/** The closings of a day on the stored page of home: the bars of the hours and their total, which change by the minute. */
import { groupIndian, indianDay, startOfIndianDay } from '@nivida/contract/format';
import type { ClosingMinutes } from '@nivida/contract/tenders/tender';
import { MINUTE_MS } from '@nivida/contract/time';

/**
 * Value of the attribute `data-closings` of an element that counts the tenders which still close today: '1020 2,1080 3'
 * means 2 at 5 PM and 3 at 6 PM.
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

/** The tenders that close after a minute of the day. */
export const countClosingAfter = (closing: ClosingMinutes, minute: number): number =>
  closing.reduce((total, [at, tenders]) => total + (at > minute ? tenders : 0), 0);

/** All tenders of a day. */
export const countClosings = (closing: ClosingMinutes): number => countClosingAfter(closing, -1);

/** The look of a bar: nothing is left, the first hour with tenders left, a later one. */
export type BarLook = 'gone' | 'next' | 'later';

/** What screen readers read of a bar after its hour. */
export const barText = (left: number, total: number): string =>
  left > 0 ? `${left} close` : total > 0 ? `${total} closed` : 'none';

const TOTAL = /(<dd[^>]* data-closings="([\d ,]*)"[^>]*>(?:<a[^>]*>)?)[\d,]+/g;
const BAR =
  /<li data-look="\w+" (data-closings="([\d ,]*)"><span class="sr">[^:]*: )[^<]*(<\/span><span[^>]*>)(?:<del>\d+<\/del>|\d*)</g;

/** The page with its closings corrected to a later minute of its day. */
export function correctClosings(html: string, now: Date): string {
  const minute = minuteOfDay(now);
  let isNext = true;
  return html
    .replace(TOTAL, (_whole, before, closings) => {
      return before + groupIndian(String(countClosingAfter(readClosings(closings), minute)));
    })
    .replace(BAR, (_whole, hour, closings, count) => {
      const closing = readClosings(closings);
      const [left, total] = [countClosingAfter(closing, minute), countClosings(closing)];
      const look: BarLook = left === 0 ? 'gone' : isNext ? 'next' : 'later';
      if (left > 0) isNext = false;
      const shown = left > 0 ? left : total > 0 ? `<del>${total}</del>` : '';
      return `<li data-look="${look}" ${hour}${barText(left, total)}${count}${shown}<`;
    });
}
