/**
 * The offline pack of a scope (a state, or all India): a manifest of immutable segments, then deltas by change number.
 * Rows are columns of equal length; `sync-wire.ts` packs them for the wire.
 * `GET /api/sync/{scope}/delta?cursor=` answers 200 with a Delta, 204 when nothing is new, 409 with a SyncReset.
 * `&details=1` means that the device has the details of all its rows. The delta is then shorter by a sixth. `&max=` is the
 * number of changes above which the device prefers newer segments, if there are any. It then loads no delta.
 */

import * as v from 'valibot';
import { ErrorBody } from '../errors.ts';
import type { PackageContents } from '../orders/document-package.ts';
import { STATES } from '../regions/states.ts';
import type { TenderStage } from '../tenders/status.ts';
import type { Corrigendum, OtherSource, TenderSummary } from '../tenders/tender.ts';
import type { TenderFieldValues } from '../tenders/tender-fields.ts';

/** Raise it when the meaning of a file changes. A device that finds another number keeps its old pack. */
export const SYNC_SCHEMA = 1;
/** A scope includes tenders that closed within this many days. */
export const CLOSED_RETENTION_DAYS = 30;
export const INDIA_SCOPE = 'india';

/**
 * An interrupted download of a segment or delta continues with `?from=`. The server sends the rest of the uncompressed file,
 * compressed again. A `Range` header is not used, because browsers then request the uncompressed file, which is five times
 * as long. `from` is a multiple of this number, so that servers and caches store few different rests.
 */
export const RESUME_STEP = 4_096;
/** The ETag of the whole file. A rest has it too. */
export const FILE_ETAG_HEADER = 'X-File-ETag';
/** Where the rest begins. Absent on a whole file. */
export const FILE_OFFSET_HEADER = 'X-File-Offset';

/** True for a state's slug or 'india'. */
export function isScope(text: string): boolean {
  return text === INDIA_SCOPE || STATES.some(({ slug }) => slug === text);
}

const instant = v.pipe(v.string(), v.isoTimestamp());

/**
 * One immutable file; `hash` is the SHA-256 of its uncompressed bytes in hexadecimal, `bytes` its size on the wire, `size`
 * its uncompressed size.
 */
export const SegmentFileRef = v.object({
  hash: v.string(),
  bytes: v.number(),
  size: v.number(),
  url: v.string(),
});
export type SegmentFileRef = v.InferOutput<typeof SegmentFileRef>;

/** Answer of `GET /api/sync/{scope}`. A segment is complete when the device has both of its files. The list is used first. */
export const ManifestResponse = v.object({
  schema: v.literal(SYNC_SCHEMA),
  scope: v.string(),
  /** If it has changed, the database is another one, and the device loads everything again. */
  epoch: v.string(),
  /** Where the next delta starts; opaque. */
  cursor: v.string(),
  rows: v.number(),
  segments: v.array(v.object({ rows: v.number(), list: SegmentFileRef, detail: SegmentFileRef })),
  /** When each portal was last compared, by portal. */
  checked: v.record(v.string(), instant),
  /** The origin of a CDN that has the files too. `url` stays a path. */
  assetOrigin: v.optional(v.string()),
});
export type ManifestResponse = v.InferOutput<typeof ManifestResponse>;

/** Answer 409 of `GET /api/sync/{scope}/delta`: the cursor is not valid. The device starts again with the manifest. */
export const SyncResetResponse = v.object({
  ...ErrorBody.entries,
  reset: v.literal(true),
  epoch: v.string(),
});
export type SyncResetResponse = v.InferOutput<typeof SyncResetResponse>;

/** List fields of some tenders; instants are milliseconds since 1970, money is rupees as text with two decimals. */
export interface ListRows {
  /** The tender's row number, `_id` as a number. */
  id: number[];
  title: string[];
  orgName: string[];
  state: string[];
  district: (string | null)[];
  secondDistrict: (string | null)[];
  /** True: known from a portal's list only. Null otherwise, so that other files do not have the column. */
  isListed: (boolean | null)[];
  department: (string | null)[];
  category: (string | null)[];
  price: (string | null)[];
  priceText: (string | null)[];
  emd: (string | null)[];
  publishedAt: number[];
  bidStartAt: (number | null)[];
  closesAt: number[];
  closingTimeKnown: boolean[];
  stage: TenderStage[];
  lastCorrigendum: TenderSummary['last_corrigendum'][];
  demonstration: boolean[];
  portal: string[];
  sourceTenderId: string[];
  nitWorks: number[];
}

type TenderFieldRows = { [Key in keyof TenderFieldValues]: TenderFieldValues[Key][] };

/** The other fields of the detail screen, for the same tenders in the same order as the list fields. */
export interface DetailRows extends TenderFieldRows {
  id: number[];
  /** '' if it equals the title. */
  description: string[];
  reference: (string | null)[];
  nitId: (string | null)[];
  organisationChain: string[][];
  opensAt: (number | null)[];
  preBidAt: (number | null)[];
  documents: { cover: string; type: string; name: string }[][];
  corrigenda: Corrigendum[][];
  districtConfidence: (number | null)[];
  version: number[];
  updatedAt: number[];
  documentPackage: (PackageContents | null)[];
  /** Other portals with the same tender; null for none. */
  otherSources: (OtherSource[] | null)[];
}
