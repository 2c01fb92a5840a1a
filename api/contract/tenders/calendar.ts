/**
 * The closing of a tender as a calendar file (RFC 5545), so that the phone's own alarm rings without a network. Server and
 * device create the same file.
 */

import { t } from '@lingui/core/macro';
import { alarmAt, alarmLines, CALENDAR_START, calendarText, calendarTime, calendarValue } from '../calendar-file.ts';
import { indianDay, startOfIndianDay, truncateText } from '../format.ts';
import { currentLanguage } from '../i18n.ts';
import { pathIn } from '../languages.ts';
import { HOUR_MS, INDIAN_OFFSET_MS } from '../time.ts';
import { closingText } from './closing.ts';
import { tenderAmount } from './missing-value.ts';
import { portalInfo } from './portals.ts';
import type { Tender } from './tender.ts';

const MAX_TITLE_CHARACTERS = 120;
const EVENING_HOUR = 18;
const MORNING_HOUR = 9;

interface Alarm {
  at: Date;
  trigger: string;
}

/** Name of the file: 'nivida-2026_PWD_100001_1.ics'. Characters that are unsafe in file names and headers are replaced. */
export function calendarFileName(tender: Pick<Tender, 'source_tender_id'>): string {
  return `nivida-${tender.source_tender_id.replace(/[^A-Za-z0-9._-]+/g, '_')}.ics`;
}

/**
 * The calendar file of a tender's closing. Importing a later version replaces the event, because the UID stays and SEQUENCE
 * is the tender's version. Alarms before `now` are omitted. It is in the present language, as the tender's page at `origin`, to which it links.
 */
export function tenderCalendar(tender: Tender, now: Date, origin: string): string {
  const start = [`DTSTART:${calendarTime(new Date(tender.closing_date))}`, NO_DURATION];
  const alarms = isCancelledTender(tender) ? [] : closingAlarms(tender).filter(({ at }) => at > now);
  return calendarText([...CALENDAR_START, ...eventLines(tender, start, alarms, origin), 'END:VCALENDAR']);
}

/** A tender of a list with what an event needs. */
export type ListedClosing = ClosingFacts;

/**
 * The closings of a list as a calendar to subscribe to, named `name`. Times are those of India, and a closing without an hour
 * is a whole day. It has no alarms, because a list is long. UIDs are those of `tenderCalendar`.
 */
export function listCalendar(tenders: readonly ListedClosing[], name: string, origin: string): string {
  const events = tenders.flatMap((tender) => {
    const local = formatIndian(new Date(tender.closing_date));
    const start = tender.closing_time_known
      ? [`DTSTART;TZID=Asia/Kolkata:${local}`, NO_DURATION]
      : [`DTSTART;VALUE=DATE:${local.slice(0, 8)}`];
    return eventLines(tender, start, [], origin);
  });
  const head = [
    `X-WR-CALNAME:${calendarValue(name)}`,
    'X-WR-TIMEZONE:Asia/Kolkata',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...INDIAN_ZONE,
  ];
  return calendarText([...CALENDAR_START, ...head, ...events, 'END:VCALENDAR']);
}

/** Bids are refused from the closing instant on. Without it some calendars show an hour more; a DTEND must be later than the start. */
const NO_DURATION = 'DURATION:PT0S';

/** India has one zone and no daylight saving time. */
const INDIAN_ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:Asia/Kolkata',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0530',
  'TZOFFSETTO:+0530',
  'TZNAME:IST',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** The facts of a tender that an event shows. */
type ClosingFacts = Pick<
  Tender,
  | ('_id' | 'title' | 'status' | 'closing_date' | 'closing_time_known' | 'source_portal' | 'source_tender_id')
  | ('version' | 'updated_at' | 'demonstration' | 'org_name' | 'emd' | 'is_listed')
>;

const isCancelledTender = ({ status }: Pick<Tender, 'status'>) => status === 'cancelled' || status === 'retendered';

function eventLines(
  tender: ClosingFacts,
  start: readonly string[],
  alarms: readonly Alarm[],
  origin: string,
): string[] {
  const link = `${origin}${pathIn(currentLanguage(), `/tenders/${tender._id}`)}`;
  const isCancelled = isCancelledTender(tender);
  const short = truncateText(tender.title, MAX_TITLE_CHARACTERS);
  const title = isCancelled ? t`Cancelled: ${short}` : t`Bid closes: ${short}`;
  return [
    'BEGIN:VEVENT',
    `UID:${calendarValue(`${tender.source_portal}-${tender.source_tender_id}@nivida`)}`,
    `SEQUENCE:${tender.version}`,
    // Without a METHOD, DTSTAMP is the last change of the event.
    `DTSTAMP:${calendarTime(new Date(tender.updated_at))}`,
    ...start,
    `SUMMARY:${calendarValue(title)}`,
    `DESCRIPTION:${calendarValue(eventDescription(tender, link))}`,
    `URL:${link}`,
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    ...alarms.flatMap(({ trigger }) => alarmLines(trigger, title)),
    'END:VEVENT',
  ];
}

function eventDescription(tender: ClosingFacts, link: string): string {
  const closing = closingText({ at: new Date(tender.closing_date), timeKnown: tender.closing_time_known });
  return [
    ...(tender.demonstration ? [t`Demonstration, not a live tender.`] : []),
    t`Tender ID: ${{ id: tender.source_tender_id }}`,
    t`Organisation: ${{ name: tender.org_name }}`,
    t`Closing: ${closing}`,
    t`EMD: ${{ amount: tenderAmount(tender.emd, tender) }}`,
    t`Portal: ${{ name: portalInfo(tender.source_portal).name }}`,
    link,
    t`The portal's clock decides.`,
  ].join('\n');
}

/** Alarms at 6 PM on the evening before, and three hours before closing, or at 9 AM when the source states no time. */
function closingAlarms({ closing_date, closing_time_known }: ClosingFacts): Alarm[] {
  const closing = new Date(closing_date);
  const evening = atHour(EVENING_HOUR, indianDay(closing) - 1);
  const morning = atHour(MORNING_HOUR, indianDay(closing));
  return [
    { at: evening, trigger: alarmAt(evening) },
    closing_time_known
      ? { at: new Date(closing.getTime() - 3 * HOUR_MS), trigger: 'TRIGGER:-PT3H' }
      : { at: morning, trigger: alarmAt(morning) },
  ];
}

function atHour(hour: number, day: number): Date {
  return new Date(startOfIndianDay(day).getTime() + hour * HOUR_MS);
}

/** '20260415T110000' in India. */
function formatIndian(instant: Date): string {
  return calendarTime(new Date(instant.getTime() + INDIAN_OFFSET_MS)).slice(0, -1);
}
