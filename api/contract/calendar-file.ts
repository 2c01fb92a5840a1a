/** Calendar files (RFC 5545). */
import { startOfIndianDay } from './format.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

const MAX_LINE_OCTETS = 75;
const ALARM_HOUR = 9;

export const CALENDAR_START = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Nivida//Tender closings//EN'];

/** The file of complete lines. */
export const calendarText = (lines: readonly string[]): string => `${lines.map(foldLine).join('\r\n')}\r\n`;

/** '20260415T053000Z' */
export function calendarTime(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** A text as the value of a property. */
export function calendarValue(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the format has no place for them
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      .replace(/[\\;,]/g, '\\$&')
      .replace(/\n/g, '\\n')
  );
}

/** The lines of an alarm that shows `title`. */
export const alarmLines = (trigger: string, title: string): string[] => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  trigger,
  `DESCRIPTION:${calendarValue(title)}`,
  'END:VALARM',
];

/** The trigger of an alarm at an instant. */
export const alarmAt = (instant: Date): string => `TRIGGER;VALUE=DATE-TIME:${calendarTime(instant)}`;

/** Breaks a line at 75 octets, not within a character. A continuation begins with a space. */
function foldLine(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (octets + size > MAX_LINE_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

/** An event that lasts an Indian day. Days are numbers of Indian days. */
interface DayEvent {
  uid: string;
  /** A file with a higher version replaces the event. */
  version: number;
  changedAt: Date;
  day: number;
  title: string;
  description: string;
  link: string;
  /** Days with an alarm at 9 AM. */
  alarmDays: readonly number[];
}

/** '20260415' */
const dayValue = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');

/** The calendar file of one event. Alarms before `now` are omitted. */
export function calendarFile(event: DayEvent, now: Date): string {
  const { uid, version, changedAt, day, title, description, link, alarmDays } = event;
  const alarms = alarmDays
    .map((each) => new Date(startOfIndianDay(each).getTime() + ALARM_HOUR * HOUR_MS))
    .filter((at) => at > now);
  return calendarText([
    ...CALENDAR_START,
    'BEGIN:VEVENT',
    `UID:${calendarValue(`${uid}@nivida`)}`,
    `SEQUENCE:${version}`,
    `DTSTAMP:${calendarTime(changedAt)}`,
    `DTSTART;VALUE=DATE:${dayValue(day)}`,
    `SUMMARY:${calendarValue(title)}`,
    `DESCRIPTION:${calendarValue(description)}`,
    `URL:${link}`,
    'TRANSP:TRANSPARENT',
    ...alarms.flatMap((at) => alarmLines(alarmAt(at), title)),
    'END:VEVENT',
    'END:VCALENDAR',
  ]);
}
