/**
 * Records of the bid desk: bids, marks of checklists, deposits and their partial releases, letters, documents, completed
 * works, enlistments, the profile, rates for items of BOQs, and in firms comments and shared searches. They belong to an
 * account or to a firm.
 * Every field is optional. Amounts are in paise, days are Indian days ('2026-04-15'), instants are ISO texts.
 */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { MAX_LETTER_TEXT, MAX_RECORD_CHANGES } from '../limits.ts';
import { STAMP_PATTERN } from './hybrid-clock.ts';

/** 1,00,000 crore rupees. */
export const MAX_PAISE = 100_000_000_000_000;

/** Maximum characters of a comment on a bid. */
export const MAX_COMMENT_CHARACTERS = 2_000;

const text = (maxCharacters: number) =>
  v.pipe(
    v.string('This must be text'),
    v.maxLength(maxCharacters, () => t`At most ${maxCharacters} characters`),
    // PostgreSQL stores neither NUL nor half of a surrogate pair.
    v.check(
      (value) => !/[\0\p{Cs}]/u.test(value),
      () => t`This text has characters that cannot be stored`,
    ),
  );
const paise = v.pipe(
  v.number('An amount must be a number'),
  v.integer(() => t`An amount must be in whole paise`),
  v.minValue(0, () => t`An amount must not be negative`),
  v.maxValue(MAX_PAISE, () => t`This amount is too large`),
);
const day = v.pipe(v.string('A day must be text'), v.isoDate('A day must look like 2026-04-15'));
const instant = v.pipe(
  v.string('A time must be text'),
  v.isoTimestamp('A time must look like 2026-04-15T10:00:00.000Z'),
  v.maxLength(40, 'A time must look like 2026-04-15T10:00:00.000Z'),
);
const recordId = v.pipe(v.string('An id must be text'), v.uuid('An id must be a UUID'));
const tenderId = v.pipe(v.string('tenderId must be text'), v.regex(/^\d{1,10}$/, 'tenderId is not a tender id'));
const flag = v.boolean('This must be true or false');
const optionalPaise = () => v.optional(paise);

const FIRST_YEAR = 2000;
const YEARS = 100;

/** A field in paise for each financial year, so that two devices can enter different years. `turnover2025` is 2025-26. */
function paiseByYear<Name extends string>(name: Name) {
  const names = Array.from({ length: YEARS }, (_, year) => `${name}${FIRST_YEAR + year}`);
  const entries = Object.fromEntries(names.map((each) => [each, optionalPaise()]));
  return entries as { [Year in `${Name}${number}`]: ReturnType<typeof optionalPaise> };
}

/** A file of a document. The file itself is on the device. */
const DocumentFile = v.strictObject({
  /** SHA-256 of its content, in hexadecimal digits. */
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'hash must be a SHA-256 in hexadecimal digits')),
  name: text(200),
  type: text(100),
  bytes: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(10 * 1_048_576, () => t`A file may have at most 10 MB`),
  ),
});

export const BID_STAGES = ['considering', 'preparing', 'submitted', 'opened', 'won', 'lost', 'dropped'] as const;
const CHECK_STATES = ['ready', 'missing', 'not_needed', 'ask_office'] as const;
export const DEPOSIT_KINDS = ['emd', 'tender_fee', 'performance', 'additional', 'retention'] as const;
export const DEPOSIT_MODES = ['online', 'fdr', 'bg', 'dd', 'exempt'] as const;
export const DEPOSIT_STATES = ['locked', 'due_back', 'asked', 'returned', 'adjusted', 'forfeited'] as const;

export const LETTER_KINDS = ['reasons', 'clarification', 'grievance', 'rti', 'return'] as const;

/** Fields of every kind. */
const common = {
  createdAt: v.optional(instant),
  /** Set when a deletion is undone. */
  restored: v.optional(flag),
};

/** The fields of each kind, with their limits. */
export const RECORD_FIELDS = {
  bid: v.strictObject({
    ...common,
    /** Absent for an own entry, which has `title`, `organisation` and `closingAt` instead. */
    tenderId: v.optional(tenderId),
    title: v.optional(text(1_000)),
    organisation: v.optional(text(1_000)),
    closingAt: v.optional(instant),
    /** False: the source names only the day of the closing. */
    closingTimeKnown: v.optional(flag),
    stage: v.optional(v.picklist(BID_STAGES, 'Unknown stage')),
    rateKind: v.optional(v.picklist(['amount', 'percent'], 'Unknown kind of rate')),
    ratePaise: v.optional(paise),
    /** Above the estimate is positive, below it negative. */
    ratePercent: v.optional(
      v.pipe(
        v.number(),
        v.minValue(-100, () => t`At most 100 % below`),
        v.maxValue(1_000),
      ),
    ),
    submittedAt: v.optional(instant),
    portalBidId: v.optional(text(60)),
    note: v.optional(text(4_000)),
    awardedPaise: v.optional(paise),
    winner: v.optional(text(300)),
    rank: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1_000))),
    rejectionReason: v.optional(text(1_000)),
    /** The app shows a reminder of the bid from this time on. */
    reminderAt: v.optional(instant),
  }),
  check: v.strictObject({
    ...common,
    bidId: v.optional(recordId),
    tenderId: v.optional(tenderId),
    /** The row of the checklist: a kind of document, a portal's line, a standing row or an own one. */
    kind: v.optional(text(1_000)),
    /** Name of an own row. */
    text: v.optional(text(300)),
    state: v.optional(v.picklist(CHECK_STATES, 'Unknown state of a document')),
    /** Why the document is not needed. */
    reason: v.optional(text(300)),
    documentId: v.optional(recordId),
    validUntil: v.optional(day),
    /** The member of the firm who does it. */
    assigneeId: v.optional(recordId),
  }),
  deposit: v.strictObject({
    ...common,
    bidId: v.optional(recordId),
    kind: v.optional(v.picklist(DEPOSIT_KINDS, 'Unknown kind of deposit')),
    amountPaise: v.optional(paise),
    mode: v.optional(v.picklist(DEPOSIT_MODES, 'Unknown mode of payment')),
    number: v.optional(text(60)),
    bank: v.optional(text(120)),
    paidOn: v.optional(day),
    validUntil: v.optional(day),
    /** The last day on which the office may claim on a bank guarantee. */
    claimUntil: v.optional(day),
    /** The last day of what the deposit secures: the completion, or the end of defect liability. */
    obligationUntil: v.optional(day),
    /** The deposit that became this one. */
    continues: v.optional(recordId),
    state: v.optional(v.picklist(DEPOSIT_STATES, 'Unknown state of a deposit')),
    dueOn: v.optional(day),
    returnedOn: v.optional(day),
    returnedPaise: v.optional(paise),
  }),
  /** A part of a deposit that came back. One record a part, so that parts entered on two devices both count. */
  release: v.strictObject({
    ...common,
    depositId: v.optional(recordId),
    amountPaise: v.optional(paise),
    releasedOn: v.optional(day),
  }),
  letter: v.strictObject({
    ...common,
    bidId: v.optional(recordId),
    kind: v.optional(v.picklist(LETTER_KINDS, 'Unknown kind of letter')),
    /** The money that a letter of the kind `return` asks for. */
    depositId: v.optional(recordId),
    language: v.optional(text(8)),
    text: v.optional(text(MAX_LETTER_TEXT)),
    sentOn: v.optional(day),
    answerDueOn: v.optional(day),
    answeredOn: v.optional(day),
  }),
  bidDocument: v.strictObject({
    ...common,
    kind: v.optional(text(60)),
    title: v.optional(text(200)),
    number: v.optional(text(60)),
    issuer: v.optional(text(200)),
    forState: v.optional(text(60)),
    validUntil: v.optional(day),
    files: v.optional(
      v.pipe(
        v.array(DocumentFile),
        v.maxLength(20, () => t`At most 20 files`),
      ),
    ),
  }),
  workDone: v.strictObject({
    ...common,
    name: v.optional(text(200)),
    client: v.optional(text(200)),
    valuePaise: v.optional(paise),
    completedOn: v.optional(day),
  }),
  enlistment: v.strictObject({
    ...common,
    authority: v.optional(text(60)),
    class: v.optional(text(60)),
    category: v.optional(text(60)),
    /** Limit on the certificate. It takes precedence over the table. */
    limitPaise: v.optional(paise),
    validUntil: v.optional(day),
  }),
  profile: v.strictObject({
    ...common,
    ...paiseByYear('turnover'),
    worksInHandPaise: v.optional(paise),
    multiplier: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(10))),
    /** Values of past works are raised to today's prices. */
    raisesValues: v.optional(flag),
    /** Names of the firm as portals write them. */
    firmNames: v.optional(
      v.pipe(
        v.array(text(200)),
        v.maxLength(20, () => t`At most 20 names`),
      ),
    ),
    /** Address of the firm in letters, in lines. */
    firmAddress: v.optional(text(500)),
  }),
  /** A comment on a bid of a firm. Its author writes it once and may delete it. */
  comment: v.strictObject({
    ...common,
    bidId: v.optional(recordId),
    /** Id of the author's account. */
    by: v.optional(recordId),
    text: v.optional(text(MAX_COMMENT_CHARACTERS)),
  }),
  /** A search that a firm shares. */
  sharedSearch: v.strictObject({
    ...common,
    name: v.optional(text(80)),
    /** Query of the list's address: 'state=Assam&q=bridge'. */
    query: v.optional(text(1_000)),
  }),
  /**
   * The bidder's rate for one row of a BOQ. One record a row: a change sends 1 KB instead of the whole BOQ, two devices merge
   * row by row, and the rate book is the list of these records.
   */
  rate: v.strictObject({
    ...common,
    tenderId: v.optional(tenderId),
    /** SHA-256 of the BOQ's file. */
    file: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'file must be a SHA-256 in hexadecimal digits'))),
    /** The row of the sheet; 0 for the per cent of a percentage BOQ. */
    row: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000))),
    /** Rupees for one unit, a decimal. */
    rate: v.optional(v.pipe(v.string(), v.regex(/^\d{1,12}(\.\d{1,4})?$/, 'a rate looks like 110.5'))),
    /** Above the office's rates, or below them when negative. */
    percent: v.optional(v.pipe(v.string(), v.regex(/^-?\d{1,3}(\.\d{1,4})?$/, 'a per cent looks like -4.2'))),
    /** Beginning of the item's text. */
    text: v.optional(text(200)),
    unit: v.optional(text(40)),
    /** Beginning of the tender's title. */
    source: v.optional(text(200)),
    /** When the rate was entered. */
    ratedAt: v.optional(instant),
  }),
};

export type RecordKind = keyof typeof RECORD_FIELDS;

export const RECORD_KINDS = Object.keys(RECORD_FIELDS) as RecordKind[];
export const isRecordKind = (kind: string): kind is RecordKind => Object.hasOwn(RECORD_FIELDS, kind);

/** The fields of a record of one kind. */
export type RecordFields<Kind extends RecordKind> = v.InferOutput<(typeof RECORD_FIELDS)[Kind]>;

/** Fields to set; null removes a field. */
export type RecordChange<Kind extends RecordKind> = {
  [Name in keyof RecordFields<Kind>]?: RecordFields<Kind>[Name] | null;
};

/** Why the server or the device refuses the fields of a record; undefined when they are valid. Null is a removed field. */
export function fieldsRefusal(kind: RecordKind, fields: Readonly<Record<string, unknown>>): string | undefined {
  const present = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const parsed = v.safeParse(RECORD_FIELDS[kind], present, { abortEarly: true });
  if (parsed.success) return undefined;
  const [issue] = parsed.issues;
  return `${v.getDotPath(issue) ?? kind}: ${issue.message}`;
}

const stamp = v.pipe(v.string(), v.regex(STAMP_PATTERN, 'a stamp is not valid'));

/** A record on the wire. The server checks its fields by kind and refuses single records. A removed field is null or absent. */
export const WireRecord = v.object({
  kind: v.pipe(v.string(), v.maxLength(20)),
  id: recordId,
  fields: v.record(v.string(), v.unknown()),
  stamps: v.record(v.string(), stamp),
  deleted: v.optional(stamp),
});
export type WireRecord = v.InferOutput<typeof WireRecord>;

/**
 * A schema that stops at the first issue. A body of 512 KB may have 250,000 wrong items, and an issue for each would take
 * seconds.
 */
function stopAtFirstIssue<Schema extends v.GenericSchema>(schema: Schema): Schema {
  const run: Schema['~run'] = (dataset, config) => schema['~run'](dataset, { ...config, abortEarly: true });
  const validate = (value: unknown) => run({ value }, v.getGlobalConfig());
  return { ...schema, '~run': run, '~standard': { ...schema['~standard'], validate } };
}

/** Body of `POST /api/bids/changes`. Sending it again changes nothing. */
export const RecordChangesRequest = stopAtFirstIssue(
  v.strictObject(
    {
      records: v.pipe(
        v.array(WireRecord, 'records must be a list'),
        v.maxLength(MAX_RECORD_CHANGES, `at most ${MAX_RECORD_CHANGES} records`),
      ),
    },
    'The body must have records and nothing else',
  ),
);
export type RecordChangesRequest = v.InferOutput<typeof RecordChangesRequest>;

/**
 * One result for each record, in the order of the request. 'ahead': a stamp is too far ahead of the server's clock; the
 * device corrects it and sends the record again. 'refused': the record stays on the device, with `message`.
 */
export const RecordChangesResponse = v.object({
  results: v.array(
    v.object({
      kind: v.string(),
      id: v.string(),
      result: v.picklist(['accepted', 'ahead', 'refused']),
      message: v.optional(v.string()),
      /** With 'ahead': the latest stamp of the record on the server. */
      latest: v.optional(v.string()),
    }),
  ),
  /** The server's time in milliseconds since 1970. */
  now: v.number(),
  /** The owner's cursor before and after this request. A device at `before` can move to `after` without reading a page. */
  before: v.string(),
  after: v.string(),
});
export type RecordChangesResponse = v.InferOutput<typeof RecordChangesResponse>;

/**
 * Answer of `GET /api/bids/changes?after=…`: the owner's changed records, including deleted ones. 204 when nothing has
 * changed after the cursor. With `restart` the page begins with the first record. 'restored': the database comes from a
 * backup. 'removed': deletions after the cursor are no longer stored.
 */
export const RecordChangesPage = v.object({
  records: v.array(WireRecord),
  /** Opaque; the next `after`. */
  cursor: v.string(),
  /** More pages follow. */
  more: v.boolean(),
  restart: v.optional(v.picklist(['restored', 'removed'])),
});
export type RecordChangesPage = v.InferOutput<typeof RecordChangesPage>;

/** A stored record in an export. */
const RecordOfExport = v.object({
  kind: v.string(),
  id: v.string(),
  fields: v.record(v.string(), v.unknown()),
  isDeleted: v.boolean(),
  changedAt: v.string(),
});

/** Answer of `GET /api/bids/export?firm=…`. Instants in UTC. */
export const RecordsExport = v.object({ exportedAt: v.string(), records: v.array(RecordOfExport) });
export type RecordsExport = v.InferOutput<typeof RecordsExport>;
