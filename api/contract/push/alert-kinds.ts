/** The kinds of alerts, one entry for each. How to add one: docs/architecture.md. */

import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

/** Kinds of messages. Due notices of one kind of message are sent together. */
export const MESSAGE_KINDS = ['closing', 'changed', 'match', 'office', 'document', 'answer', 'assigned'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

interface AlertKind {
  message: MessageKind;
  /** Label of the checkbox in the alert settings. */
  preference: MessageDescriptor;
  /** Heading of a notice in the app. Changes and matches have a more precise one if the details are known. */
  heading: MessageDescriptor;
  isOnByDefault: boolean;
  /** Who can get it: everyone, accounts, or accounts with a plan or the free trial. */
  needs: 'nothing' | 'account' | 'plan';
  /** Sent by e-mail to accounts that asked for alerts by e-mail. */
  isMailed: boolean;
  /** Counts towards the limit of messages a day. */
  isLimited: boolean;
  urgency: 'low' | 'normal' | 'high';
  /** For a reminder: Indian days before closing, at 18:00. 0: three hours before closing. */
  daysBefore?: number;
}

const REMINDER = {
  message: 'closing',
  isOnByDefault: true,
  needs: 'nothing',
  isMailed: true,
  isLimited: false,
  urgency: 'normal',
} as const;

/** All kinds in the order of the alert settings. The keys are stored and sent. */
export const ALERT_KINDS = {
  closing_tomorrow: {
    ...REMINDER,
    preference: msg`The evening before closing, at 6 PM`,
    heading: msg`Closes the next day`,
    daysBefore: 1,
  },
  closing_in_3_hours: {
    ...REMINDER,
    preference: msg`3 hours before closing`,
    heading: msg`Closes within hours`,
    urgency: 'high',
    daysBefore: 0,
  },
  closing_in_3_days: {
    ...REMINDER,
    preference: msg`3 days before closing`,
    heading: msg`Closes within 3 days`,
    isOnByDefault: false,
    isLimited: true,
    daysBefore: 3,
  },
  closing_in_7_days: {
    ...REMINDER,
    preference: msg`7 days before closing`,
    heading: msg`Closes within 7 days`,
    isOnByDefault: false,
    isLimited: true,
    urgency: 'low',
    daysBefore: 7,
  },
  changed: {
    message: 'changed',
    preference: msg`A bookmarked tender has changed`,
    heading: msg`A corrigendum was published`,
    isOnByDefault: true,
    needs: 'nothing',
    isMailed: true,
    isLimited: false,
    urgency: 'normal',
  },
  match: {
    message: 'match',
    preference: msg`New tenders of my saved searches`,
    heading: msg`New in a saved search`,
    isOnByDefault: true,
    needs: 'plan',
    isMailed: true,
    isLimited: true,
    urgency: 'normal',
  },
  office: {
    message: 'office',
    preference: msg`New tenders and results of offices I follow`,
    heading: msg`New at an office you follow`,
    isOnByDefault: true,
    needs: 'plan',
    isMailed: true,
    isLimited: true,
    urgency: 'normal',
  },
  expiry: {
    message: 'document',
    preference: msg`A document of my vault expires in 30 or 7 days`,
    heading: msg`A document expires`,
    isOnByDefault: true,
    needs: 'account',
    isMailed: true,
    isLimited: false,
    urgency: 'normal',
  },
  answer: {
    message: 'answer',
    preference: msg`Support has answered my message`,
    heading: msg`Support has answered`,
    isOnByDefault: true,
    needs: 'account',
    // Every answer is mailed, also without alerts by mail.
    isMailed: false,
    isLimited: false,
    urgency: 'normal',
  },
  assigned: {
    message: 'assigned',
    preference: msg`My firm gives me a row of a checklist`,
    heading: msg`Yours to do`,
    isOnByDefault: true,
    needs: 'account',
    isMailed: false,
    isLimited: false,
    urgency: 'normal',
  },
} as const satisfies Record<string, AlertKind>;

export type NoticeKind = keyof typeof ALERT_KINDS;
export type ReminderKind = {
  [Kind in NoticeKind]: (typeof ALERT_KINDS)[Kind] extends { daysBefore: number } ? Kind : never;
}[NoticeKind];

export const NOTICE_KINDS = Object.keys(ALERT_KINDS) as NoticeKind[];

/** Indian days before closing at which a reminder is due; 0 is three hours before. */
export const daysBeforeClosing = (kind: ReminderKind): number => ALERT_KINDS[kind].daysBefore;

/** Reminders, the most urgent first. */
export const REMINDER_KINDS = NOTICE_KINDS.filter(
  (kind): kind is ReminderKind => 'daysBefore' in ALERT_KINDS[kind],
).sort((one, other) => daysBeforeClosing(one) - daysBeforeClosing(other));

/** The entry of a kind; undefined for a kind of a newer version. */
export const findAlertKind = (kind: string): AlertKind | undefined =>
  Object.hasOwn(ALERT_KINDS, kind) ? ALERT_KINDS[kind as NoticeKind] : undefined;

/** Names of the fields in texts about a changed tender. */
export const CHANGED_FIELD_LABELS: Readonly<Record<string, MessageDescriptor>> = {
  closing_date: msg`closing date`,
  opening_date: msg`opening date`,
  bid_start_date: msg`bid start`,
  price: msg`estimated value`,
  emd: msg`EMD`,
  documents: msg`documents`,
};
