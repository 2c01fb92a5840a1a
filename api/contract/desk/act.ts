/** What every act of an operator has in common, at the desk and as a command. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';

/** Roles of the staff, each with the rights of those before it. */
export const STAFF_ROLES = ['support', 'operator', 'owner'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

/** Whether a role has the rights of another one. */
export const hasRole = (own: StaffRole, needed: StaffRole): boolean =>
  STAFF_ROLES.indexOf(own) >= STAFF_ROLES.indexOf(needed);

export const MIN_REASON_LETTERS = 3;
export const MAX_REASON_LETTERS = 300;

/** Why an act is done: 3 to 300 characters on one line. It is stored with the act. */
export const Reason = v.pipe(
  v.string(),
  v.trim(),
  v.check(
    (text) => text.length >= MIN_REASON_LETTERS && text.length <= MAX_REASON_LETTERS && !/\p{Cc}/u.test(text),
    () => t`Give a reason of 3 to 300 characters`,
  ),
);

/** Body of an act that needs nothing but its reason. */
export const ActRequest = v.object({ reason: Reason });
export type ActRequest = v.InferOutput<typeof ActRequest>;

/** Header of every act, a UUID: an act that is sent twice with the same key is done once and answered twice. */
export const ACT_KEY_HEADER = 'idempotency-key';

/** Header of a call that the page makes by itself while no one uses it. Such a call does not keep the desk open. */
export const UNATTENDED_HEADER = 'desk-unattended';
