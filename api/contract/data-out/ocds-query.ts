/** Calls of the OCDS export. */
import * as v from 'valibot';
import { MAX_INTEGER_ID } from '../limits.ts';

/** Tenders on a page, each with its releases. */
export const MAX_OCDS_TENDERS = 100;

const cursor = v.pipe(
  v.string('after must be given once, as a number'),
  v.regex(/^\d{1,10}$/, 'after must be a whole number'),
  v.transform(Number),
  v.maxValue(MAX_INTEGER_ID, 'after must be the id of a tender'),
);

/** Query of `GET /api/ocds/releases` and `GET /api/ocds/records`. */
export const OcdsQuery = v.object({
  /** Name, slug or alias of a state. */
  state: v.optional(v.pipe(v.string('state must be given once, as text'), v.trim(), v.maxLength(100)), ''),
  /** Year of the publication, Indian time. */
  year: v.optional(
    v.pipe(
      v.string('year must be given once'),
      v.regex(/^(?:19|20)\d\d$/, 'year must be a year such as 2026'),
      v.transform(Number),
    ),
  ),
  /** Tenders that have changed at this instant or later. */
  since: v.optional(
    v.pipe(
      v.string('since must be given once'),
      v.isoTimestamp('since must be an instant such as 2026-04-15T11:00:00Z'),
      v.transform((text) => new Date(text)),
    ),
  ),
  /** The last tender of the page before; `links.next` has it. */
  after: v.optional(cursor, '0'),
});
export type OcdsQuery = v.InferOutput<typeof OcdsQuery>;

/** A package of releases or records by OCDS 1.1. Their content has the schema of the standard. */
export const OcdsPackageResponse = v.looseObject({
  uri: v.string(),
  version: v.literal('1.1'),
  publishedDate: v.string(),
  publisher: v.object({ name: v.string() }),
  releases: v.optional(v.array(v.looseObject({ ocid: v.string(), id: v.string(), date: v.string() }))),
  records: v.optional(v.array(v.looseObject({ ocid: v.string() }))),
  links: v.optional(v.object({ next: v.optional(v.string()) })),
});

export type OcdsPackageResponse = v.InferOutput<typeof OcdsPackageResponse>;

/** Answer of `GET /api/ocds/dumps`: the newest file of each state and year. */
export const OcdsDumpListResponse = v.object({
  /** The operator's text on how to name the source; null without one. */
  attribution: v.nullable(v.string()),
  /** Address of the licence; null when the operator has set none. */
  license: v.nullable(v.string()),
  dumps: v.array(
    v.object({
      state: v.string(),
      slug: v.string(),
      year: v.number(),
      /** Address of the file: JSON lines, packed with gzip, one record a line. */
      url: v.string(),
      bytes: v.number(),
      sha256: v.string(),
      records: v.number(),
      madeAt: v.string(),
    }),
  ),
});
export type OcdsDumpListResponse = v.InferOutput<typeof OcdsDumpListResponse>;
