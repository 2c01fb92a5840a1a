/** What operators do to tenders. */
import * as v from 'valibot';
import { languages } from '../languages.ts';
import { ThreadText } from '../support/threads.ts';
import { REPORT_KINDS } from '../tenders/tender-report.ts';
import { ActRequest } from './act.ts';

/** Fields of a tender that an operator may correct. */
export const CORRECTABLE_FIELDS = [
  'title',
  'closing',
  'opening',
  'bid_start',
  'pre_bid',
  'value',
  'emd',
  'fee',
  'pincode',
  'district',
  'department',
] as const;
export type CorrectableField = (typeof CORRECTABLE_FIELDS)[number];

/** Corrects a field. An empty value empties the field. `version` is the tender's version that the member of staff saw. */
export const CorrectTenderRequest = v.object({
  ...ActRequest.entries,
  field: v.picklist(CORRECTABLE_FIELDS),
  value: v.pipe(v.string(), v.maxLength(500)),
  version: v.optional(v.number()),
});
export type CorrectTenderRequest = v.InferOutput<typeof CorrectTenderRequest>;

const nullableText = v.nullable(v.string());
const changedValue = v.object({ field: v.string(), old: v.unknown(), new: v.unknown() });

/** Uncorrects a field. */
export const UncorrectTenderRequest = v.object({ ...ActRequest.entries, field: v.picklist(CORRECTABLE_FIELDS) });
export type UncorrectTenderRequest = v.InferOutput<typeof UncorrectTenderRequest>;

/** What gives a tender its district, for example PIN code "171001". */
export const PLACE_EVIDENCE = ['pincode', 'title', 'description', 'place', 'address', 'organisation'] as const;

/** A row as its file has it, without people and the ways to reach them. Long cells end with '…'. */
export const TenderSourceRow = v.object({
  is_listed: v.boolean(),
  file: v.string(),
  line: v.number(),
  /** When it was first read in this form. */
  read_at: v.string(),
  cells: v.array(v.object({ column: v.string(), value: v.string() })),
});
export type TenderSourceRow = v.InferOutput<typeof TenderSourceRow>;

/** One tender through every stage, from its source to its readers. */
export const TenderStages = v.object({
  id: v.number(),
  version: v.number(),
  title: v.string(),
  source: v.object({
    portal: v.string(),
    id: v.string(),
    first_read_at: v.string(),
    last_read_at: v.string(),
    /** The newest row of a notice and that of a list. */
    rows: v.array(TenderSourceRow),
    /** The releases of an OCDS source, the oldest first. */
    releases: v.array(v.unknown()),
  }),
  /** The present value of each field that can be corrected. */
  read_as: v.array(v.object({ field: v.picklist(CORRECTABLE_FIELDS), value: nullableText })),
  place: v.object({
    district: nullableText,
    second_district: nullableText,
    confidence: v.nullable(v.number()),
    /** What each text says by itself. */
    evidence: v.array(v.object({ from: v.picklist(PLACE_EVIDENCE), text: v.string(), district: v.string() })),
  }),
  department: v.object({ name: nullableText, organisation: v.array(v.string()), is_listed: v.boolean() }),
  published: v.object({ at: nullableText, is_public: v.boolean() }),
  changes: v.array(
    v.object({ at: v.string(), kind: v.picklist(['published', 'changed', 'removed']), changes: v.array(changedValue) }),
  ),
  /** How many notices of each kind were made; never for whom. */
  alerts: v.array(v.object({ kind: v.string(), count: v.number() })),
  corrections: v.array(
    v.object({
      field: v.picklist(CORRECTABLE_FIELDS),
      value: nullableText,
      source_value: nullableText,
      reason: v.string(),
      at: v.string(),
      ended_at: nullableText,
      ended_because: v.nullable(v.picklist(['source', 'operator', 'replaced'])),
    }),
  ),
  hidden: v.nullable(v.object({ at: v.string(), reason: v.string() })),
  /** Mistakes that readers report, the newest first. */
  reports: v.array(
    v.object({
      id: v.string(),
      kind: v.picklist(REPORT_KINDS),
      text: v.string(),
      at: v.string(),
      /** The closing needs an answer to its reader, which then is a thread with the report's id. */
      has_account: v.boolean(),
      /** The reader's language; null without an account. */
      language: v.nullable(v.picklist(languages())),
      closed_at: nullableText,
      closed_reason: nullableText,
    }),
  ),
  /** Number of older reports, which are not in `reports`. */
  more_reports: v.number(),
});
export type TenderStages = v.InferOutput<typeof TenderStages>;

/** Closes a report. `answer` is for its reader; the reason stays with the staff. */
export const CloseReportRequest = v.object({
  ...ActRequest.entries,
  answer: v.optional(v.union([v.literal(''), ThreadText]), ''),
});
export type CloseReportRequest = v.InferOutput<typeof CloseReportRequest>;

/** Tenders that operators have changed, the last change first, those with open reports, the oldest first, or those with the id or words of `find`. */
export const DeskTenderList = v.object({
  rows: v.array(
    v.object({
      id: v.number(),
      title: v.string(),
      portal: v.string(),
      source_id: v.string(),
      is_hidden: v.boolean(),
      corrected: v.array(v.picklist(CORRECTABLE_FIELDS)),
      /** Number of open reports. */
      reports: v.number(),
    }),
  ),
});
export type DeskTenderList = v.InferOutput<typeof DeskTenderList>;

export const DeskTenderQuery = v.object({
  find: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
  show: v.optional(v.picklist(['changed', 'reported'], 'The choice is changed or reported'), 'changed'),
});
export type DeskTenderQuery = v.InferOutput<typeof DeskTenderQuery>;
