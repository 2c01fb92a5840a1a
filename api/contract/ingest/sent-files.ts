/** Files that operators and programs send for import. */
import * as v from 'valibot';

/** Formats that a sender may name; `auto` is read from the file. */
export const SENT_FORMATS = ['auto', 'gepnic', 'gepnic-list', 'ocds', 'awards'] as const;
export type SentFormat = (typeof SENT_FORMATS)[number];

/** The largest file of one call of POST /api/import. Gzip makes lists about ten times smaller. */
export const MAX_SENT_BYTES = 50_000_000;

export const PortalName = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.regex(/^[a-z0-9][a-z0-9.-]{0,62}$/, 'must be a short name of letters, digits, dots and dashes, like hptenders'),
);

/** Query of POST /api/import. */
export const ImportQuery = v.object({
  portal: v.optional(PortalName),
  /** Name, slug or alias of a state. */
  state: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100))),
  format: v.optional(v.picklist(SENT_FORMATS), 'auto'),
  /** `true`: answers what would change, and stores nothing. */
  dryRun: v.optional(v.picklist(['true', 'false'], 'must be true or false'), 'false'),
  /** Name of the file, for people. */
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
});
export type ImportQuery = v.InferOutput<typeof ImportQuery>;

/** What a file waits for that was not imported: a decision of the operator, other options, or another file. */
export const PROBLEMS = ['mass-change', 'state', 'columns', 'options', 'file', 'rejected', 'failed'] as const;

/** The problems that an operator may accept after a look at the file. */
export const ACCEPTANCES = ['mass-change', 'state'] as const satisfies readonly (typeof PROBLEMS)[number][];
export type Acceptance = (typeof ACCEPTANCES)[number];

const Rows = v.pipe(v.number(), v.integer(), v.minValue(0));

export const SentFileCounts = v.object({
  read: Rows,
  new: Rows,
  changed: Rows,
  unchanged: Rows,
  rejected: Rows,
  /** Cells that were not used. */
  warnings: v.optional(Rows),
  /** New tenders that another portal has published already. */
  attached: v.optional(Rows),
});

export const RejectedRow = v.object({ line: v.number(), column: v.string(), value: v.string(), reason: v.string() });
export type RejectedRow = v.InferOutput<typeof RejectedRow>;

/** The state of a file: `staged` waits for its sender, `waiting` for a worker; `done` and `refused` are final. */
export const SENT_STATUSES = ['staged', 'waiting', 'running', 'done', 'refused'] as const;

/** A file that was sent, and what came of it. */
export const SentFile = v.object({
  id: v.string(),
  name: v.string(),
  portal: v.nullable(v.string()),
  state: v.nullable(v.string()),
  format: v.string(),
  status: v.picklist(SENT_STATUSES),
  isDryRun: v.boolean(),
  /** Rows of a running import. */
  progress: v.nullable(v.object({ read: Rows, all: Rows })),
  counts: v.nullable(SentFileCounts),
  problem: v.nullable(v.object({ code: v.picklist(PROBLEMS), text: v.string() })),
  /** The first rejected rows; `counts.rejected` is the number of all. */
  rejects: v.array(RejectedRow),
  sentAt: v.string(),
  endedAt: v.nullable(v.string()),
  /** Set when the same file was sent before and nothing was done. */
  isRepeated: v.optional(v.literal(true)),
});
export type SentFile = v.InferOutput<typeof SentFile>;
