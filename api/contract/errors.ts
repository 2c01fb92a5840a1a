import * as v from 'valibot';

/**
 * HTTP status of each error code. `INVALID` is 400 for wrong fields, 422 for a failed business rule, 413 for a body that is
 * too large, and 415 for a body that is not JSON.
 */
export const ERROR_STATUS = {
  INVALID: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  /** The desk, or this act, needs a passkey that was shown lately. */
  PASSKEY_NEEDED: 403,
  /** The user is not, or no longer, a member of the firm. Devices then delete its data. */
  NOT_A_MEMBER: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  TOO_MANY: 429,
  INTERNAL: 500,
  GATEWAY: 502,
  NOT_READY: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Body of every error answer: a message for the user, and one message per wrong field by the field's name. */
export const ErrorBody = v.object({
  code: v.picklist(Object.keys(ERROR_STATUS) as ErrorCode[]),
  message: v.string(),
  fields: v.optional(v.record(v.string(), v.string())),
  requestId: v.string(),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;
