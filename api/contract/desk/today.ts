/** The start of the desk: what waits. */
import * as v from 'valibot';

const instant = v.pipe(v.string(), v.isoTimestamp());

export const TODAY_KINDS = [
  'messages',
  'orders',
  'approval',
  'documents',
  'reports',
  'corrections',
  'installation',
] as const;

export const TodayEntry = v.object({
  kind: v.picklist(TODAY_KINDS),
  /** Of the same kind: threads, orders, tenders, reports, fields; 1 for an approval and a finding. */
  count: v.number(),
  /** When the oldest began to wait; null when that is not known. */
  since: v.nullable(instant),
  /** The object: an order or an account to be approved, the subject of a finding ('backup', 'feeds'); '' for several. */
  subject: v.string(),
  /** The act to be approved, or a finding in the English words of `doctor`; '' otherwise. */
  text: v.string(),
  /** What repairs a finding when it is entered on the server; null where no command does. */
  command: v.nullable(v.string()),
  /** The section of the documents about a finding; '' otherwise. */
  section: v.string(),
  /** A failure of `doctor`, which shows before its warnings. */
  isFailure: v.boolean(),
});
export type TodayEntry = v.InferOutput<typeof TodayEntry>;

/** Failures first, then what has waited longest. Only what the role may act on. */
export const TodayResponse = v.object({ entries: v.array(TodayEntry) });
export type TodayResponse = v.InferOutput<typeof TodayResponse>;
