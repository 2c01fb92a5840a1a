import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import {
  emailField,
  indianMobileField,
  mobileField,
  passwordField,
  requiredText,
  UNKNOWN_FIELD_MESSAGE,
} from '../fields.ts';

/** The signed-in user in answers and on the device; `mobileNo` with +91. */
export const User = v.object({
  _id: v.string(),
  username: v.string(),
  email: v.string(),
  mobileNo: v.pipe(v.string(), v.regex(/^\+91[6-9]\d{9}$/)),
});
export type User = v.InferOutput<typeof User>;

const username = requiredText(() => t`Username is required`, 100);

/** The profile form. */
export const ProfileForm = v.object({ username, email: emailField, mobileNo: mobileField });

/** Body of `PUT /api/user-info/{id}`. A new number or address needs the password, unless the sign-in was in the last 15 minutes. */
export const UserInfoRequest = v.strictObject(
  { username, email: emailField, mobileNo: indianMobileField, password: v.optional(passwordField.wrapped) },
  UNKNOWN_FIELD_MESSAGE,
);
export type UserInfoRequest = v.InferOutput<typeof UserInfoRequest>;

/**
 * Answer of `PUT /api/user-info/{id}`: the stored user. If this browser has not verified a new e-mail, it is returned in
 * `pendingEmail` and gets a code. After `POST /api/auth/otp/verify` the same call stores it (R15).
 */
export const UserInfoResponse = v.object({ message: v.string(), user: User, pendingEmail: v.nullable(v.string()) });
export type UserInfoResponse = v.InferOutput<typeof UserInfoResponse>;

/** Answer of `GET /api/me` and `PUT /api/me/company`. Instants in UTC. */
export const MeResponse = v.object({
  user: User,
  companyName: v.string(),
  companyType: v.string(),
  state: v.string(),
  districts: v.array(v.string()),
  departments: v.array(v.string()),
  address: v.string(),
  /** For tax invoices; `gstin` is '' when unset. */
  billing: v.object({ gstin: v.string(), firm: v.string(), firmAddress: v.string() }),
  createdAt: v.string(),
});
export type MeResponse = v.InferOutput<typeof MeResponse>;

/** Body of `DELETE /api/me`. */
export const DeleteAccountRequest = v.strictObject({ password: passwordField }, UNKNOWN_FIELD_MESSAGE);
