import * as v from 'valibot';

/** The signed-in user as sign-in and registration answer and the device keeps; `mobileNo` with +91. */
export const User = v.object({
  _id: v.string(),
  username: v.string(),
  email: v.string(),
  mobileNo: v.pipe(v.string(), v.regex(/^\+91[6-9]\d{9}$/)),
});
export type User = v.InferOutput<typeof User>;
