/** What was read in the official documents of a tender. */
import * as v from 'valibot';
import { BOQ_KINDS, Boq, BoqItem, boqTotalPaise, isItem, isLumpSum, TOTAL_STATES, totalState } from './boq.ts';
import { billionths, paiseOf } from './decimals.ts';
import { DocumentFact, READING_STATES, UnreadPage } from './document-facts.ts';

const FILE_KINDS = ['nit', 'boq', 'other'] as const;

/** A file of the package and the state of its reading. Instants in UTC. */
export const ReadFile = v.object({
  id: v.string(),
  /** Its name in the package; a file within a zip is 'documents.zip/nit.pdf'. */
  name: v.string(),
  kind: v.picklist(FILE_KINDS),
  sha256: v.string(),
  state: v.picklist(READING_STATES),
  pages: v.nullable(v.number()),
  unreadPages: v.array(UnreadPage),
  readAt: v.nullable(v.string()),
  /** The user shared it into the app and kept it with this tender; only this user sees it. */
  isOwn: v.boolean(),
});
export type ReadFile = v.InferOutput<typeof ReadFile>;

/** Who stands for the line: the reader, or the operator who compared it with the document. */
export const FACT_STATES = ['found', 'confirmed', 'corrected'] as const;

/** A line with its id and its file. Hidden lines are not sent. */
export const TenderFact = v.object({
  ...DocumentFact.entries,
  id: v.string(),
  fileId: v.string(),
  state: v.picklist(FACT_STATES),
});
export type TenderFact = v.InferOutput<typeof TenderFact>;

/** What everybody may know of a BOQ. Amounts in paise. */
export const BoqSummary = v.object({
  kind: v.picklist(BOQ_KINDS),
  /** Items with a quantity. */
  items: v.number(),
  isLumpSum: v.boolean(),
  /** Sum of the office's amounts; null where the bidder fills in the rates. */
  totalPaise: v.nullable(v.number()),
  statedTotalPaise: v.nullable(v.number()),
  totalState: v.picklist(TOTAL_STATES),
});
export type BoqSummary = v.InferOutput<typeof BoqSummary>;

/** The summary of a BOQ. */
export const boqSummary = (boq: Boq): BoqSummary => ({
  kind: boq.kind,
  items: boq.items.filter(isItem).length,
  isLumpSum: isLumpSum(boq),
  totalPaise: boqTotalPaise(boq),
  statedTotalPaise: boq.statedTotal === null ? null : paiseOf(billionths(boq.statedTotal)),
  totalState: totalState(boq),
});

/** Lines that a later file of the same name changed. Rows of `removed` are those of the earlier file. */
export const BoqChanges = v.object({
  added: v.array(BoqItem),
  removed: v.array(BoqItem),
  changed: v.array(v.object({ before: BoqItem, after: BoqItem })),
});
export type BoqChanges = v.InferOutput<typeof BoqChanges>;

/** A BOQ of the package. `boq` and `changes` are null for a reader without the package. */
export const TenderBoq = v.object({
  fileId: v.string(),
  summary: BoqSummary,
  boq: v.nullable(Boq),
  /** What a corrigendum changed; null without an earlier file. */
  changes: v.nullable(BoqChanges),
});
export type TenderBoq = v.InferOutput<typeof TenderBoq>;

/** Answer of `GET /api/tenders/{id}/reading`. Empty lists when nothing was read. */
export const TenderReading = v.object({
  files: v.array(ReadFile),
  facts: v.array(TenderFact),
  boqs: v.array(TenderBoq),
});
export type TenderReading = v.InferOutput<typeof TenderReading>;

/** What changes when official files, their readings or the decisions on their lines change. */
export interface ReadingCounts {
  files: number;
  /** When the newest file was read, in UTC; null when none was. */
  readAt: string | null;
  /** Lines that are not hidden. */
  lines: number;
  /** Lines that an operator has confirmed or corrected. */
  checked: number;
}

/** The version of what the official documents of a tender say. */
export const readingVersion = ({ files, readAt, lines, checked }: ReadingCounts): string =>
  `${files} ${readAt ?? ''} ${lines} ${checked}`;

/** The counts of a reading, without the user's own files. */
export function readingCounts({ files, facts }: Pick<TenderReading, 'files' | 'facts'>): ReadingCounts {
  const official = files.filter(({ isOwn }) => !isOwn);
  const ids = new Set(official.map(({ id }) => id));
  const lines = facts.filter(({ fileId }) => ids.has(fileId));
  return {
    files: official.length,
    readAt: official.flatMap(({ readAt }) => readAt ?? []).reduce<string | null>(latest, null),
    lines: lines.length,
    checked: lines.filter(({ state }) => state !== 'found').length,
  };
}

const latest = (one: string | null, other: string): string => (one !== null && one > other ? one : other);

/** Answer of `GET /api/tenders/readings?ids=1,2`: the versions by id. A tender without official files is left out. */
export const ReadingVersions = v.object({ versions: v.record(v.string(), v.string()) });
export type ReadingVersions = v.InferOutput<typeof ReadingVersions>;

/**
 * What was read in a file that the user shared into the app; answer of `POST /api/readings`. It is deleted at `expiresAt`
 * unless the user keeps it with a tender.
 */
export const OwnReading = v.object({
  id: v.string(),
  name: v.string(),
  sha256: v.string(),
  state: v.picklist(READING_STATES),
  pages: v.nullable(v.number()),
  unreadPages: v.array(UnreadPage),
  facts: v.array(DocumentFact),
  boq: v.nullable(Boq),
  /** The tender it is kept with; null until then. */
  tenderId: v.nullable(v.string()),
  /** Instant in UTC; null when it is kept. */
  expiresAt: v.nullable(v.string()),
});
export type OwnReading = v.InferOutput<typeof OwnReading>;

/** Own readings in the shape of a tender's reading. */
export const tenderReadingOf = (own: readonly OwnReading[]): TenderReading => ({
  files: own.map(({ id, name, sha256, state, pages, unreadPages, boq }) => ({
    ...{ id, name, sha256, state, pages, unreadPages, readAt: null, isOwn: true },
    kind: boq ? 'boq' : pages === null ? 'other' : 'nit',
  })),
  facts: own.flatMap(({ id, facts }) =>
    facts.map((fact, index) => ({ ...fact, id: `${id}-${index}`, fileId: id, state: 'found' as const })),
  ),
  boqs: own.flatMap(({ id, boq }) => (boq ? [{ fileId: id, summary: boqSummary(boq), boq, changes: null }] : [])),
});
