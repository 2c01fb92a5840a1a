/** Closing and rupees for any instant, any amount and any zone of the device. */

import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { formatDateTime, formatRupees, fromIndianTime, groupIndian, indianDay, startOfIndianDay } from '../format.ts';
import { DAY_MS } from '../time.ts';
import { closingLabel, closingText, closingTone, daysLeft, endOfClosingWindow, isClosed } from './closing.ts';

const HALF_HOURS = 48;
/** With and without summer time, from one end of the day to the other. */
const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'America/St_Johns', 'Asia/Kolkata', 'UTC'];

const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true });
const closing = fc.record({ at: instant, timeKnown: fc.boolean() });
/** Instants around a closing, where badges change. */
const moment = fc
  .tuple(closing, fc.integer({ min: -20 * HALF_HOURS, max: 2 * HALF_HOURS }), fc.integer({ min: -1, max: 1 }))
  .map(([each, halfHours, ms]) => ({
    closing: each,
    now: new Date(each.at.getTime() + (halfHours * DAY_MS) / HALF_HOURS + ms),
  }));

// biome-ignore lint/style/noProcessEnv: the zone of this process is what these tests change
const device = process.env;
const home = device.TZ;
afterEach(() => {
  device.TZ = home;
});

describe('a closing', () => {
  test('reads the same on devices of all zones', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...ZONES), ({ closing, now }, zone) => {
        const read = () => [closingLabel(closing, now), closingTone(closing, now), closingText(closing)];
        device.TZ = home;
        const here = read();
        device.TZ = zone;
        expect(read()).toEqual(here);
      }),
      { numRuns: 300 },
    );
  });

  test('is as many days away as there are Indian midnights before it', () => {
    fc.assert(
      fc.property(moment, ({ closing, now }) => {
        let midnights = 0;
        for (let day = indianDay(now) + 1; startOfIndianDay(day) <= closing.at; day++) midnights += 1;
        expect(daysLeft(closing, now)).toBe(closing.at <= now ? -1 : midnights);
      }),
    );
  });

  test('comes nearer and never goes back', () => {
    fc.assert(
      fc.property(closing, fc.array(instant, { maxLength: 10 }), (each, instants) => {
        const days = instants
          .toSorted((one, other) => one.getTime() - other.getTime())
          .map((now) => daysLeft(each, now));
        expect(days).toEqual(days.toSorted((one, other) => other - one));
      }),
    );
  });

  test('is within a number of days exactly when at most that many days are left', () => {
    fc.assert(
      fc.property(moment, fc.nat(30), ({ closing, now }, days) => {
        if (isClosed(closing, now)) return;
        expect(closing.at < endOfClosingWindow(days, now)).toBe(daysLeft(closing, now) <= days);
      }),
    );
  });
});

describe('an Indian day', () => {
  test('holds every instant from its start to the next one', () => {
    fc.assert(
      fc.property(instant, (at) => {
        const day = indianDay(at);
        expect(startOfIndianDay(day) <= at && at < startOfIndianDay(day + 1)).toBe(true);
        expect(indianDay(startOfIndianDay(day))).toBe(day);
        expect(indianDay(new Date(startOfIndianDay(day).getTime() - 1))).toBe(day - 1);
      }),
    );
  });

  test('is written as the wall clock in India shows it', () => {
    const time = { hour: fc.nat(23), minute: fc.nat(59) };
    fc.assert(
      fc.property(fc.record({ day: fc.integer({ min: 1, max: 28 }), ...time }), ({ day, hour, minute }) => {
        const clock = `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
        expect(formatDateTime(fromIndianTime(2026, 4, day, hour, minute))).toBe(`${day} Apr 2026, ${clock}`);
      }),
    );
  });
});

describe('rupees', () => {
  test('grouped the Indian way are the same digits, with a comma before the last three and before each two further up', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), (rupees) => {
        const grouped = groupIndian(String(rupees));
        expect(grouped.replaceAll(',', '')).toBe(String(rupees));
        expect(grouped).toMatch(/^(?:\d{1,3}|\d{1,2}(?:,\d\d)*,\d{3})$/);
      }),
    );
  });

  test('are shown within half of the last digit that is shown', () => {
    const units = { '': 1, ' Lakh': 100_000, ' Cr': 10_000_000 };
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), (paise) => {
        const text = formatRupees(paise / 100);
        const [, sign, digits = '', unit = ''] = /^(-?)₹([\d,]+(?:\.\d\d)?)( Lakh| Cr)?$/.exec(text) ?? [];
        const factor = units[unit as keyof typeof units];
        const displayed = Number(`${sign}${digits.replaceAll(',', '')}`) * factor;
        expect(Math.abs(displayed - paise / 100)).toBeLessThanOrEqual(0.00501 * factor);
      }),
    );
  });
});
