/**
 * Documents that a user shares into the app and has read for himself. A device uploads a file in parts of 250 KB, one after
 * the other; the answer to the last one is the reading. The server removes the file as soon as it is read.
 *
 * - `PUT /api/readings/files/{sha256}/{part}/{parts}?name=NAME`: bytes as `application/octet-stream` → `ReadingUpload`.
 *   `part` counts from 0 and ends before `parts`. A part that is not the next one is not stored: go on with number `stored`.
 *   A file that was read before is answered at its first part. INVALID with status 415 for a file that is no PDF or
 *   workbook, 413 for one that is too large or when too many files of the account wait. 503 with `Retry-After` while all
 *   readers are busy: send the last part again.
 * - `GET /api/readings/{id}` → `OwnReading`
 * - `POST /api/readings/{id}/keep` with `KeepReadingRequest` → `OwnReading`
 * - `DELETE /api/readings/{id}`: 204, also for one that is gone
 */
import * as v from 'valibot';
import { OwnReading } from './tender-reading.ts';

/** For the `accept` of a file input. */
export const READING_ACCEPT = '.pdf,.xls,.xlsx,.xlsm';

export const ReadingUpload = v.object({
  /** Number of stored parts; the next part has this number. */
  stored: v.number(),
  /** Present when the file is read. */
  reading: v.nullable(OwnReading),
});
export type ReadingUpload = v.InferOutput<typeof ReadingUpload>;

export const KeepReadingRequest = v.object({
  /** Null: it is not kept any more, and goes after an hour. */
  tenderId: v.nullable(v.pipe(v.string(), v.regex(/^\d{1,9}$/, 'tenderId is not a tender id'))),
});
export type KeepReadingRequest = v.InferOutput<typeof KeepReadingRequest>;
