import * as v from 'valibot';
import { email, givenPassword, indianMobile, mobile, required } from './fields.ts';

/** The signed-in user as sign-in and registration answer and the device keeps; `mobileNo` with +91. */
export const User = v.object({
  _id: v.string(),
  username: v.string(),
  email: v.string(),
  mobileNo: v.pipe(v.string(), v.regex(/^\+91[6-9]\d{9}$/)),
});
export type User = v.InferOutput<typeof User>;

const closed = 'The body holds a field that does not belong there';

const username = required('Username is required', 100);

/** The profile form. */
export const ProfileForm = v.object({ username, email, mobileNo: mobile });

/** Body of `PUT /api/user-info/{id}`. */
export const UserInfo = v.strictObject({ username, email, mobileNo: indianMobile }, closed);
export type UserInfo = v.InferOutput<typeof UserInfo>;

/**
 * Answer of `PUT /api/user-info/{id}`: the user as stored. A changed e-mail that this browser has not verified yet is
 * not stored: it stands in `pendingEmail`, a code was sent to it, and the same call counts after
 * `POST /api/auth/otp/verify` (RESOLUTIONS R15).
 */
export const UserInfoAnswer = v.object({ message: v.string(), user: User, pendingEmail: v.nullable(v.string()) });
export type UserInfoAnswer = v.InferOutput<typeof UserInfoAnswer>;

/** Answer of `GET /api/me`. Instants in UTC. */
export const Me = v.object({
  user: User,
  companyName: v.string(),
  companyType: v.string(),
  state: v.string(),
  districts: v.array(v.string()),
  departments: v.array(v.string()),
  address: v.string(),
  /** For tax invoices; `gstin` is '' when none was given. */
  billing: v.object({ gstin: v.string(), firm: v.string(), firmAddress: v.string() }),
  createdAt: v.string(),
});
export type Me = v.InferOutput<typeof Me>;

/** Body of `DELETE /api/me`. */
export const DeleteAccount = v.strictObject({ password: givenPassword }, closed);
