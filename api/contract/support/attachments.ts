/**
 * Attachments of messages. A device uploads a file in parts of 250 KB, one after the other, and then sends the message that
 * names it. An uploaded file without a message is removed after a day.
 *
 * - `PUT /api/support/attachments/{id}/{part}/{parts}?name=NAME`: bytes as `application/octet-stream` → `UploadResponse`.
 *   `part` counts from 0 and ends before `parts`. A part that is stored already is skipped. CONFLICT when a part before it
 *   is missing: start again with part 0. INVALID when the last part shows a type that is not taken; the upload is then gone.
 *   INVALID with status 413 when the account has no room.
 * - `GET /api/support/attachments/{id}`: the bytes, of own attachments only
 */
import * as v from 'valibot';

/** Types that are taken, by what the bytes are and not by the name. */
export const ATTACHMENT_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain'] as const;
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number];

/** For the `accept` of a file input. */
export const ATTACHMENT_ACCEPT = '.png,.jpg,.jpeg,.webp,.pdf,.txt';

export const MAX_ATTACHMENT_NAME = 120;

export const SupportAttachment = v.object({
  id: v.string(),
  /** File name without a path. */
  name: v.string(),
  type: v.picklist(ATTACHMENT_TYPES),
  bytes: v.number(),
});
export type SupportAttachment = v.InferOutput<typeof SupportAttachment>;

export const UploadResponse = v.object({
  /** Number of stored parts; the next part has this number. */
  stored: v.number(),
  /** Present when all parts are stored. */
  attachment: v.nullable(SupportAttachment),
});
export type UploadResponse = v.InferOutput<typeof UploadResponse>;
