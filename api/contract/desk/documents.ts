/** Official files of tenders, and requests for them, at the desk. */
import * as v from 'valibot';
import { FILE_KINDS } from '../orders/document-package.ts';
import { Reason } from './act.ts';

/** The largest official file of one call. A package has at most 200 MB. */
export const MAX_OFFICIAL_FILE_BYTES = 100_000_000;
/** Most names of one call that finds the tenders of files. */
export const MAX_NAMED_TENDERS = 200;

/** Why a file is refused, as far as the attaching person can do something about it. */
export const FILE_PROBLEMS = ['password', 'empty', 'package-size', 'content', 'program', 'type', 'archive'] as const;
export type FileProblem = (typeof FILE_PROBLEMS)[number];

const instant = v.pipe(v.string(), v.isoTimestamp());

export const DeskDocumentsQuery = v.object({
  /** Id of a tender, ours or the portal's. Without it: the tenders with requests. */
  find: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100)), ''),
});
export type DeskDocumentsQuery = v.InferOutput<typeof DeskDocumentsQuery>;

/** A tender as a row of the list. */
export const DocumentsTender = v.object({
  id: v.number(),
  /** The portal's id. */
  tender: v.string(),
  portal: v.string(),
  title: v.string(),
  /** Open requests for its documents, and when the first one came. */
  asked: v.number(),
  firstAskedAt: v.nullable(instant),
  closesAt: instant,
});
export type DocumentsTender = v.InferOutput<typeof DocumentsTender>;

/** Without `find` the tender whose oldest request waits longest is first. */
export const DeskDocumentsResponse = v.object({ rows: v.array(DocumentsTender) });
export type DeskDocumentsResponse = v.InferOutput<typeof DeskDocumentsResponse>;

/** `waiting`: it is fetched from the portal. `refused`: `note` says why. */
export const FileOfTender = v.object({
  id: v.string(),
  name: v.string(),
  kind: v.picklist(FILE_KINDS),
  /** Whether it belongs to every work of the notice. */
  allWorks: v.boolean(),
  /** False for a file of all works that was attached to another one. */
  isOwn: v.boolean(),
  state: v.picklist(['ready', 'refused', 'waiting']),
  bytes: v.nullable(v.number()),
  note: v.nullable(v.string()),
  problem: v.nullable(v.picklist(FILE_PROBLEMS)),
});
export type FileOfTender = v.InferOutput<typeof FileOfTender>;

/** A tender with its files. */
export const DeskTenderFiles = v.object({
  ...DocumentsTender.entries,
  /** Whether it is one of several works of a notice. */
  hasOtherWorks: v.boolean(),
  /** Whether buyers and requesters get its package: the NIT is among the files. */
  isSellable: v.boolean(),
  files: v.array(FileOfTender),
});
export type DeskTenderFiles = v.InferOutput<typeof DeskTenderFiles>;

/** Query of a call whose body is a file. */
export const AttachQuery = v.object({
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(255)),
  kind: v.picklist(FILE_KINDS),
  /** `true`: it belongs to every work of the notice. */
  allWorks: v.optional(v.picklist(['true', 'false']), 'false'),
  reason: Reason,
});
export type AttachQuery = v.InferOutput<typeof AttachQuery>;

/** What became of a file. `isStored`: the same file was there already. `note`: why it was refused, or a warning. */
export const AttachedFile = v.object({
  name: v.string(),
  kind: v.picklist(FILE_KINDS),
  state: v.picklist(['ready', 'refused']),
  note: v.nullable(v.string()),
  problem: v.optional(v.picklist(FILE_PROBLEMS)),
  isStored: v.optional(v.literal(true)),
});
export type AttachedFile = v.InferOutput<typeof AttachedFile>;

export const FindTendersRequest = v.object({
  names: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(MAX_NAMED_TENDERS)),
});

/** The tenders of names, in the order of the names. `id` is null for a name of none or of several portals. */
export const FindTendersResponse = v.object({
  tenders: v.array(v.object({ name: v.string(), id: v.nullable(v.number()), isAmbiguous: v.boolean() })),
});
export type FindTendersResponse = v.InferOutput<typeof FindTendersResponse>;
