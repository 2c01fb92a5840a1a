/**
 * Formats dates and rupees in the Indian way (SPEC section 5, R9) and in the present language, and shortens texts. Intl is
 * not used, because its en-IN casing and compact units change between versions. The examples are in English.
 */
import { plural, t } from '@lingui/core/macro';
import { placeName } from './regions/states.ts';
import { DAY_MS, INDIAN_OFFSET_MS } from './time.ts';

const LAKH = 100_000;
const CRORE = 10_000_000;

/** An instant whose UTC fields are the Indian wall time; use it only to read fields. */
function toIndianWallClock(instant: Date): Date {
  return new Date(instant.getTime() + INDIAN_OFFSET_MS);
}

/** Number of the Indian calendar day of the instant (days since 1 January 1970). */
export function indianDay(instant: Date): number {
  return Math.floor((instant.getTime() + INDIAN_OFFSET_MS) / DAY_MS);
}

/** The instant at which an Indian calendar day begins; `day` is counted as by `indianDay`. */
export function startOfIndianDay(day: number): Date {
  return new Date(day * DAY_MS - INDIAN_OFFSET_MS);
}

/** The last millisecond of an Indian day that is written like '2026-04-15'. */
export function endOfIndianDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(fromIndianTime(year, month, date).getTime() + DAY_MS - 1);
}

/** Indian hour of the instant, 0 to 23. */
export function indianHour(instant: Date): number {
  return toIndianWallClock(instant).getUTCHours();
}

/** The instant of an Indian wall time; `month` is 1 to 12. */
export function fromIndianTime(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): Date {
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second) - INDIAN_OFFSET_MS);
}

type DateInput = Date | string | null | undefined;

/** A Date, or a text: 'Not specified' for an empty value, 'Invalid date' for an invalid one. */
function readDate(value: DateInput): Date | string {
  if (value === null || value === undefined || value === '') return t`Not specified`;
  const date = typeof value === 'string' ? new Date(value) : value;
  return Number.isNaN(date.getTime()) ? t`Invalid date` : date;
}

// Words that belong together are one message, so that a translator sees them side by side.

const months = (): string[] =>
  t({ message: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec', comment: 'The months, separated by spaces' }).split(
    ' ',
  );

const weekdays = (): string[] =>
  t({ message: 'Sun Mon Tue Wed Thu Fri Sat', comment: 'The days of the week, separated by spaces' }).split(' ');

/** The part of the day of an hour, 0 to 23: 'AM', 'PM'. */
function dayPart(hour: number): string | undefined {
  const parts = t({
    message: 'AM AM PM PM PM',
    comment:
      'The part of the day before 4, 12, 16, 20 and 24 o’clock, separated by spaces. Hindi: रात सुबह दोपहर शाम रात',
  }).split(' ');
  return parts[[4, 12, 16, 20, 24].findIndex((end) => hour < end)];
}

/** A time of a clock with 12 hours in the given hour of the day, 0 to 23: '11:00 AM', 'सुबह 11:00 बजे'. */
export function clockText(clock: string, hour: number): string {
  const part = dayPart(hour) ?? '';
  return t({ message: `${clock} ${part}`, context: 'time of day' });
}

/** A time as the end of a period: '11:00 AM', 'सुबह 11:00 बजे तक'. */
export const untilText = (time: string): string => t({ message: `${time}`, context: 'until this time' });

const dayAndMonth = (at: Date): string => `${at.getUTCDate()} ${months()[at.getUTCMonth()]}`;

/** '15 Apr 2026' */
export function formatDate(value: DateInput): string {
  const date = readDate(value);
  if (typeof date === 'string') return date;
  const at = toIndianWallClock(date);
  return `${dayAndMonth(at)} ${at.getUTCFullYear()}`;
}

/** '11:00 AM', 'सुबह 11:00 बजे' */
export function formatTime(instant: Date): string {
  const at = toIndianWallClock(instant);
  const hour = at.getUTCHours();
  return clockText(`${hour % 12 || 12}:${String(at.getUTCMinutes()).padStart(2, '0')}`, hour);
}

/** The minutes of an hour of the day, 0 to 23: '6:00 to 6:59 PM'. */
export function formatHour(hour: number): string {
  const number = hour % 12 || 12;
  return clockText(t`${{ first: `${number}:00` }} to ${{ last: `${number}:59` }}`, hour);
}

/** '15 Apr 2026, 11:00 AM' */
export function formatDateTime(value: DateInput): string {
  const date = readDate(value);
  return typeof date === 'string' ? date : `${formatDate(date)}, ${formatTime(date)}`;
}

/** 'Wed 15 Apr, 11:00 AM', 'बुधवार, 15 अप्रैल, सुबह 11:00 बजे'; in another year than that of `now` 'Wed 15 Apr 2026, 11:00 AM'. */
export function formatDay(value: DateInput, now: Date): string {
  const date = readDate(value);
  return typeof date === 'string' ? date : `${formatWeekday(date, now)}, ${formatTime(date)}`;
}

/** As `formatDay`, without the weekday: '15 Apr, 11:00 AM'. */
export function formatDayOfYear(date: Date, now: Date): string {
  return `${formatDateOfYear(date, now)}, ${formatTime(date)}`;
}

/** As `formatDay`, without the time: 'Wed 15 Apr'. */
export function formatWeekday(date: Date, now: Date): string {
  const weekday = weekdays()[toIndianWallClock(date).getUTCDay()] ?? '';
  const day = formatDateOfYear(date, now);
  return t({ message: `${weekday} ${day}`, context: 'a date with its weekday' });
}

/** The date, with the year only when it is not that of `now`: '15 Apr', '15 Apr 2027'. */
export function formatDateOfYear(date: Date, now: Date): string {
  const at = toIndianWallClock(date);
  const year = at.getUTCFullYear();
  return year === toIndianWallClock(now).getUTCFullYear() ? dayAndMonth(at) : `${dayAndMonth(at)} ${year}`;
}

/** Approximate age: 'just now', '5 min ago', '14 h ago', '3 days ago'. */
export function formatAge(since: Date, now: Date): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / 60_000);
  if (minutes < 1) return t`just now`;
  if (minutes < 60) return t`${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return t`${hours} h ago`;
  const days = Math.floor(hours / 24);
  return t`${days} days ago`;
}

/** Digits in Indian groups: 1234567 → '12,34,567'. */
export function groupIndian(digits: string): string {
  const last = digits.slice(-3);
  const rest = digits.slice(0, -3);
  return rest ? `${rest.replace(/\B(?=(\d\d)+$)/g, ',')},${last}` : last;
}

/** A count as text: '1,23,456'. */
export const formatCount = (count: number): string => groupIndian(String(count));

/** 'and 9 more works of this NIT', under the first of them. */
export const moreWorksText = (more: number): string =>
  plural(more, { one: 'and # more work of this NIT', other: 'and # more works of this NIT' });

/** A number of tenders. `has_more`: counting stopped at this number. */
export interface CountedTotal {
  total: number;
  has_more?: boolean | undefined;
}

/** '353', or '10,000+' if counting stopped. */
export const formatTotal = ({ total, has_more: hasMore }: CountedTotal): string =>
  hasMore ? `${formatCount(total)}+` : `${total}`;

/** Rupees: '₹0' for zero, '₹12,345.00' below a lakh, '₹4.50 Lakh', '₹1.25 Cr', '₹4.50 लाख'. The unit is chosen before rounding. */
export function formatRupees(value: number | string | null | undefined): string {
  const rupees = Number(value ?? 0);
  if (!Number.isFinite(rupees) || rupees === 0) return '₹0';
  const amount = Math.abs(rupees);
  const sign = rupees < 0 ? '-' : '';
  const inUnits = (unit: number) => `${sign}₹${(amount / unit).toFixed(2)}`;
  if (amount >= CRORE) return t`${{ amount: inUnits(CRORE) }} Cr`;
  if (amount >= LAKH) return t`${{ amount: inUnits(LAKH) }} Lakh`;
  const [integerPart = '0', paise] = amount.toFixed(2).split('.');
  return `${sign}₹${groupIndian(integerPart)}.${paise}`;
}

/** Rupees in full: '₹4,50,000', with paise only when they are not zero: '₹4,50,000.50'. */
export function formatFullRupees(value: number | string): string {
  const rupees = Number(value);
  const [integerPart = '0', paise = '00'] = Math.abs(rupees).toFixed(2).split('.');
  return `${rupees < 0 ? '-' : ''}₹${groupIndian(integerPart)}${paise === '00' ? '' : `.${paise}`}`;
}

/** The short form, with the exact amount when it is rounded: '₹4.50 Lakh (₹4,50,000)'. */
export function formatExactRupees(value: number | string): string {
  const short = formatRupees(value);
  return Math.abs(Number(value)) < LAKH ? short : `${short} (${formatFullRupees(value)})`;
}

/** '48 KB', '2.6 MB', '10.7 GB': a thousand bytes make a KB, as data plans count them. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} KB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** EMD or a fee as a value: '₹1.50 Lakh', 'Not required' for '0.00', 'Not specified' for null (R8). */
export function amountText(rupees: string | null): string {
  if (rupees === null) return t`Not specified`;
  return Number(rupees) === 0 ? t`Not required` : formatRupees(rupees);
}

/** 'Solan', 'Solan and Sirmaur' for a work in two districts; null without a district. */
export const districtsText = (of: { district: string | null; second_district: string | null }): string | null =>
  joinTwo([of.district, of.second_district].flatMap((name) => (name ? [placeName(name)] : []))) || null;

/** 'Mandi', 'Kullu and Mandi'; '' without names. */
export const joinTwo = ([first = '', second]: readonly string[]): string =>
  second === undefined ? first : t`${first} and ${second}`;

/** Cuts a longer text to `maxCharacters` with '…', at the end of a word if one is near. */
export function truncateText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let truncated = '';
  // Combining marks belong to their letter: कि counts as one.
  for (const [letter] of text.matchAll(/\P{M}\p{M}*/gsu)) {
    if (truncated.length + letter.length >= maxCharacters) break;
    truncated += letter;
  }
  const lastWord = truncated.lastIndexOf(' ');
  const isNear = lastWord > truncated.length * 0.7;
  return `${(isNear ? truncated.slice(0, lastWord) : truncated).trimEnd()}…`;
}
