import { describe, expect, test } from 'vitest';
import { dueReminder, nextDigest, upcomingReminders } from './reminders.ts';

const at = (text: string) => new Date(`2026-04-${text}+05:30`);
/** The tender closes on 15 April at 11:00. */
const CLOSING = { at: at('15T11:00:00'), timeKnown: true };

describe('the reminder that is due', () => {
  test.each([
    ['08T17:59:59', null, []],
    ['08T18:00:00', 'closing_in_7_days', []],
    ['08T23:59:59', 'closing_in_7_days', []],
    ['09T00:00:00', null, []],
    ['12T17:59:59', null, []],
    ['12T18:00:00', 'closing_in_3_days', []],
    ['13T00:00:00', null, []],
    ['14T17:59:59', null, []],
    ['14T18:00:00', 'closing_tomorrow', []],
    ['15T07:59:59', 'closing_tomorrow', []],
    ['15T08:00:00', 'closing_in_3_hours', ['closing_tomorrow']],
    ['15T10:59:59', 'closing_in_3_hours', ['closing_tomorrow']],
    ['15T11:00:00', null, []],
    ['15T11:00:01', null, []],
  ])('at %s of April is %s, instead of %j', (now, due, skipped) => {
    expect(dueReminder(CLOSING, at(now))).toEqual({ due, skipped });
  });

  test.each([
    ['15T08:59:59', 'closing_tomorrow', []],
    ['15T09:00:00', 'closing_in_3_hours', ['closing_tomorrow']],
  ])('at %s of a last day without an hour is %s', (now, due, skipped) => {
    expect(dueReminder({ at: at('15T23:59:59'), timeKnown: false }, at(now))).toEqual({ due, skipped });
  });

  test('is that of the evening when a tender closes an hour after midnight: three hours before is later', () => {
    const closing = { at: at('15T01:00:00'), timeKnown: true };
    expect(dueReminder(closing, at('14T18:00:00'))).toEqual({ due: 'closing_tomorrow', skipped: [] });
    expect(dueReminder(closing, at('14T22:00:00'))).toEqual({
      due: 'closing_in_3_hours',
      skipped: ['closing_tomorrow'],
    });
  });
});

test('the reminders to come are those of the last day, without the ones whose time is now', () => {
  const kinds = (now: string) => upcomingReminders(CLOSING, at(now)).map(({ kind, at: due }) => [kind, due]);
  const [evening, morning] = [at('14T18:00:00'), at('15T08:00:00')];
  expect(kinds('08T12:00:00')).toEqual([
    ['closing_in_3_hours', morning],
    ['closing_tomorrow', evening],
  ]);
  expect(kinds('14T18:00:00')).toEqual([['closing_in_3_hours', morning]]);
  expect(kinds('15T08:00:00')).toEqual([]);
});

test.each([
  ['14T18:30:00', '14T18:30:00'],
  ['14T18:30:01', '15T18:30:00'],
  ['14T00:00:00', '14T18:30:00'],
  ['14T23:59:59', '15T18:30:00'],
])('the digest after %s comes at %s', (instant, digest) => {
  expect(nextDigest(at(instant))).toEqual(at(digest));
});
