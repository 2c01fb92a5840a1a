import ICAL from 'ical.js';
import { describe, expect, test } from 'vitest';
import { calendarFileName, tenderCalendar } from './calendar.ts';
import type { Tender } from './tender.ts';
import { testTenderDetail } from './test-tender.ts';

const indian = (text: string) => new Date(`${text}:00+05:30`).toISOString();
const NOW = new Date('2026-04-10T12:00:00+05:30');
const ORIGIN = 'https://nivida.example';

const BRIDGE = testTenderDetail({
  _id: '17',
  title: 'Footbridge over the stream',
  description: 'Footbridge over the stream',
  district: 'Mandi',
  emd: '150000.00',
  closing_date: indian('2026-04-15T11:00'),
  fetched_at: indian('2026-04-10T10:30'),
  version: 3,
  updated_at: indian('2026-04-09T09:15'),
});

/** The one event of a file, as a calendar program reads it. */
function eventOf(file: string): ICAL.Event {
  const calendar = new ICAL.Component(ICAL.parse(file));
  const [event, ...more] = calendar.getAllSubcomponents('vevent');
  if (!event || more.length > 0) throw new Error('not one event');
  return new ICAL.Event(event);
}

/** When each alarm rings, reckoned from the closing as a calendar program does. */
function alarmsOf(file: string): string[] {
  const event = eventOf(file);
  return event.component.getAllSubcomponents('valarm').map((alarm) => {
    const trigger = alarm.getFirstPropertyValue('trigger');
    if (trigger instanceof ICAL.Time) return trigger.toJSDate().toISOString();
    const rings = event.startDate.clone();
    rings.addDuration(trigger as ICAL.Duration);
    return rings.toJSDate().toISOString();
  });
}

const file = (changes: Partial<Tender> = {}, now = NOW) => tenderCalendar({ ...BRIDGE, ...changes }, now, ORIGIN);

describe('the calendar file of a closing', () => {
  test('it is this, to the letter', () => {
    expect(file()).toBe(
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Nivida//Tender closings//EN',
        'BEGIN:VEVENT',
        'UID:hptenders-2026_PWD_100001_1@nivida',
        'SEQUENCE:3',
        'DTSTAMP:20260409T034500Z',
        'DTSTART:20260415T053000Z',
        'DURATION:PT0S',
        'SUMMARY:Bid closes: Footbridge over the stream',
        'DESCRIPTION:Tender ID: 2026_PWD_100001_1\\nOrganisation: PWD\\nClosing: 15 Ap',
        ' r 2026\\, 11:00 AM\\nEMD: ₹1.50 Lakh\\nPortal: hptenders.gov.in\\nhttps://ni',
        " vida.example/tenders/17\\nThe portal's clock decides.",
        'URL:https://nivida.example/tenders/17',
        'STATUS:CONFIRMED',
        'TRANSP:TRANSPARENT',
        'BEGIN:VALARM',
        'ACTION:DISPLAY',
        'TRIGGER;VALUE=DATE-TIME:20260414T123000Z',
        'DESCRIPTION:Bid closes: Footbridge over the stream',
        'END:VALARM',
        'BEGIN:VALARM',
        'ACTION:DISPLAY',
        'TRIGGER:-PT3H',
        'DESCRIPTION:Bid closes: Footbridge over the stream',
        'END:VALARM',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    );
  });

  test('separators of the format are escaped in every text', () => {
    const lines = file({ title: 'Road; drain, wall \\ end\nkm 2', org_name: 'PWD; North' }).split('\r\n');
    const text = lines.join('\n').replaceAll('\n ', '');
    expect(text).toContain('\nSUMMARY:Bid closes: Road\\; drain\\, wall \\\\ end\\nkm 2\n');
    expect(text.match(/DESCRIPTION:Bid closes: Road\\; drain\\, wall \\\\ end\\nkm 2\n/g)).toHaveLength(2);
    expect(text).toContain('\\nOrganisation: PWD\\; North\\n');
  });

  test.each<[string, Partial<Tender>, string]>([
    ['a plain title', { title: 'Footbridge' }, 'Bid closes: Footbridge'],
    ['commas and semicolons', { title: 'Road, drain; wall' }, 'Bid closes: Road, drain; wall'],
    ['backslashes', { title: 'A\\B \\n C\\, D\\;' }, 'Bid closes: A\\B \\n C\\, D\\;'],
    ['line breaks of every kind', { title: 'One\r\ntwo\nthree\rfour' }, 'Bid closes: One\ntwo\nthree\nfour'],
    ['lines that look like properties', { title: 'Road\r\nEND:VEVENT' }, 'Bid closes: Road\nEND:VEVENT'],
    ['control characters', { title: 'Road\u0000\u0007\u001b wall\u007f' }, 'Bid closes: Road wall'],
    ['quotes and colons', { title: 'SH: "old" bridge' }, 'Bid closes: SH: "old" bridge'],
    ['Hindi', { title: 'सड़क का निर्माण' }, 'Bid closes: सड़क का निर्माण'],
    ['signs beyond the first plane', { title: `${'𝒜'.repeat(30)} 🏗️` }, `Bid closes: ${'𝒜'.repeat(30)} 🏗️`],
    ['a cancelled tender', { status: 'cancelled' }, 'Cancelled: Footbridge over the stream'],
    ['a retendered tender', { status: 'retendered' }, 'Cancelled: Footbridge over the stream'],
    [
      'a long title',
      { title: 'Construction of a retaining wall '.repeat(6) },
      'Bid closes: Construction of a retaining wall Construction of a retaining wall Construction of a retaining wall Construction of a…',
    ],
  ])('%s comes back whole in the summary', (_name, changes, summary) => {
    expect(eventOf(file(changes)).summary).toBe(summary);
  });

  test.each<[string, Partial<Tender>]>([
    ['ASCII', { title: 'x'.repeat(250), org_name: 'y'.repeat(200) }],
    ['Hindi', { title: 'राष्ट्रीय राजमार्ग का सुदृढ़ीकरण '.repeat(8), org_name: 'लोक निर्माण विभाग'.repeat(9) }],
    ['four-octet characters', { title: '𝒜🏗'.repeat(60), org_name: '🏗'.repeat(80) }],
    ['one octet more', { title: `x${'ा'.repeat(118)}` }],
    ['two octets more', { title: `xx${'₹'.repeat(117)}` }],
  ])('no line of %s is longer than 75 octets and none ends within a character', (_name, changes) => {
    const text = file(changes);
    const lines = text.split('\r\n');
    expect(lines.at(-1)).toBe('');
    expect(lines.join('')).not.toMatch(/[\r\n]/);
    for (const line of lines) {
      const octets = Buffer.from(line);
      expect(octets.length).toBeLessThanOrEqual(75);
      expect(octets.toString()).toBe(line);
      expect(line).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
    }
    expect(eventOf(text).description).toContain(`Organisation: ${changes.org_name ?? 'PWD'}\n`);
  });

  test.each<[string, Partial<Tender>, string]>([
    ['11:00 AM', { closing_date: indian('2026-04-15T11:00') }, '2026-04-15T05:30:00.000Z'],
    ['midnight in India', { closing_date: indian('2026-04-15T00:00') }, '2026-04-14T18:30:00.000Z'],
    ['as the database writes it', { closing_date: '2026-04-15T05:30:00+00:00' }, '2026-04-15T05:30:00.000Z'],
    [
      'the end of a day without an hour',
      { closing_date: '2026-04-15T18:29:59.000Z', closing_time_known: false },
      '2026-04-15T18:29:59.000Z',
    ],
  ])('the event stands at the closing instant: %s', (_name, changes, instant) => {
    const event = eventOf(file(changes));
    expect(event.startDate.toJSDate().toISOString()).toBe(instant);
    expect(event.endDate.toJSDate().toISOString()).toBe(instant);
    expect(event.startDate.zone.tzid).toBe('UTC');
  });

  test('a closing without an hour says so', () => {
    const day = { closing_date: '2026-04-15T18:29:59.000Z', closing_time_known: false };
    expect(eventOf(file(day)).description).toContain('Closing: 15 Apr 2026, time not stated\n');
  });

  test.each<[string, Partial<Tender>, string]>([
    ['none named', { emd: null }, 'EMD: Not specified'],
    ['none asked', { emd: '0.00' }, 'EMD: Not required'],
    ['a few rupees', { emd: '12345.50' }, 'EMD: ₹12,345.50'],
    ['a portal we do not know', { source_portal: 'mahatenders' }, 'Portal: mahatenders'],
    ['a demonstration', { demonstration: true }, 'Demonstration, not a live tender.\nTender ID:'],
  ])('the description names what there is: %s', (_name, changes, text) => {
    expect(eventOf(file(changes)).description).toContain(text);
  });

  test('a later version replaces the event: same UID, greater SEQUENCE', () => {
    const before = eventOf(file());
    const after = eventOf(file({ version: 4, title: 'Another title', closing_date: indian('2026-04-20T17:00') }));
    expect(after.uid).toBe(before.uid);
    expect([before.sequence, after.sequence]).toEqual([3, 4]);
  });

  test('tenders of two portals with one id are two events', () => {
    expect(eventOf(file({ source_portal: 'assamtenders' })).uid).not.toBe(eventOf(file()).uid);
  });

  test('it is stamped with the last change, so that the same tender gives the same file', () => {
    expect(file({}, new Date('2026-04-10T13:00:00+05:30'))).toBe(file());
  });
});

describe('the alarms', () => {
  const EVENING = '2026-04-14T12:30:00.000Z';
  const THREE_HOURS = '2026-04-15T02:30:00.000Z';
  const MORNING = '2026-04-15T03:30:00.000Z';
  const day = { closing_date: '2026-04-15T18:29:59.000Z', closing_time_known: false };

  test.each<[string, Partial<Tender>, string, string[]]>([
    ['days before, both', {}, '2026-04-10T12:00', [EVENING, THREE_HOURS]],
    ['just before the evening, both', {}, '2026-04-14T17:59', [EVENING, THREE_HOURS]],
    ['at 6 PM of the evening, the second', {}, '2026-04-14T18:00', [THREE_HOURS]],
    ['in the night, the second', {}, '2026-04-15T02:00', [THREE_HOURS]],
    ['three hours before, none', {}, '2026-04-15T08:00', []],
    ['after closing, none', {}, '2026-04-16T08:00', []],
    ['without an hour, at 9 AM of the day', day, '2026-04-10T12:00', [EVENING, MORNING]],
    ['without an hour, on the day itself', day, '2026-04-15T08:59', [MORNING]],
    ['without an hour, past the morning', day, '2026-04-15T09:00', []],
    ['cancelled, none', { status: 'cancelled' }, '2026-04-10T12:00', []],
  ])('%s', (_name, changes, now, alarms) => {
    expect(alarmsOf(file(changes, new Date(indian(now))))).toEqual(alarms);
  });
});

describe('the name of the file', () => {
  test.each([
    ['2026_PWD_100001_1', 'nivida-2026_PWD_100001_1.ics'],
    ['ocds-1/2 "x"\r\n', 'nivida-ocds-1_2_x_.ics'],
    ['../../etc', 'nivida-.._.._etc.ics'],
    ['निविदा 7', 'nivida-_7.ics'],
  ])('%s: %s', (id, name) => {
    expect(calendarFileName({ source_tender_id: id })).toBe(name);
  });
});
