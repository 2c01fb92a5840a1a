/** Data in at the desk: files, feeds, keys, and the portals that they come from. */
import * as v from 'valibot';
import { ACCEPTANCES, PortalName, PROBLEMS, SENT_FORMATS, SentFile, SentFileCounts } from '../ingest/sent-files.ts';
import { TenderSummary } from '../tenders/tender.ts';
import { ActRequest } from './act.ts';
import { ColumnMapping, FileDescription, MappingPreview, SavedMapping } from './mapping.ts';

/** A file comes in parts, so that a slow line sends one within the time of a call and a lost one is sent again. */
export const DATA_PART_BYTES = 1_000_000;
export const MAX_DESK_FILE_BYTES = 200_000_000;

/** Body of a file that will be sent. */
export const StageFileRequest = v.object({ name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(200)) });

/** A file whose parts come. */
export const StagedFile = v.object({ id: v.string(), parts: v.number() });
export type StagedFile = v.InferOutput<typeof StagedFile>;

const options = {
  portal: PortalName,
  /** Name, slug or alias; null when a column or the mapping names it. */
  state: v.nullable(v.pipe(v.string(), v.trim(), v.maxLength(100))),
  format: v.picklist(SENT_FORMATS),
  /** Columns as they are to be read; null: as the file's format or the saved mapping says. */
  mapping: v.nullable(ColumnMapping),
  /** What is accepted of a file that looks wrong. */
  accepts: v.array(v.picklist(ACCEPTANCES)),
};

/** Counts what an import would do. Nothing is stored. */
export const CountFileRequest = v.object(options);
export type CountFileRequest = v.InferOutput<typeof CountFileRequest>;

/** Imports a file, and saves its mapping as the portal's next version. */
export const ImportFileRequest = v.object({ ...ActRequest.entries, ...options });
export type ImportFileRequest = v.InferOutput<typeof ImportFileRequest>;

/** A file that was sent, with what the desk shows beside. */
export const DeskFile = v.object({
  ...SentFile.entries,
  /** The key or the member of staff that sent it. */
  sender: v.nullable(v.string()),
  bytes: v.number(),
  /** False when its bytes are gone. */
  isHere: v.boolean(),
  hasRejects: v.boolean(),
  /** With portal and state what it was last read with. `mapping` is one that is not saved. */
  accepts: options.accepts,
  mapping: options.mapping,
  /** The first tenders that a count would store, as their cards. */
  tenders: v.array(TenderSummary),
  /** Reasons of rejected rows, the most frequent first. */
  rejections: MappingPreview.entries.rejections,
  /** Sentences of the import in English. */
  notes: v.array(v.string()),
});
export type DeskFile = v.InferOutput<typeof DeskFile>;

/** A file in the list. */
export const DeskFileRow = v.object({
  id: v.string(),
  name: v.string(),
  portal: v.nullable(v.string()),
  status: SentFile.entries.status,
  isDryRun: v.boolean(),
  problem: v.nullable(v.picklist(PROBLEMS)),
  counts: v.nullable(SentFileCounts),
  sender: v.nullable(v.string()),
  sent_at: v.string(),
});
export type DeskFileRow = v.InferOutput<typeof DeskFileRow>;

export const DeskFileQuery = v.object({
  page: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,4}$/), v.transform(Number)), '1'),
});
export type DeskFileQuery = v.InferOutput<typeof DeskFileQuery>;
export const DeskFileList = v.object({ rows: v.array(DeskFileRow), more: v.boolean() });
export type DeskFileList = v.InferOutput<typeof DeskFileList>;

/** The table of a file, and the newest mapping of its portal, whether it fits or not. */
export const FileColumns = v.object({ ...FileDescription.entries, saved: v.nullable(SavedMapping) });
export type FileColumns = v.InferOutput<typeof FileColumns>;
export const FileColumnsQuery = v.object({ portal: v.optional(PortalName) });
export type FileColumnsQuery = v.InferOutput<typeof FileColumnsQuery>;

const nullableInstant = v.nullable(v.string());

const seenFile = { name: v.string(), sha256: v.string() };

/** A file of a feed that waits for the operator, as it was when it was read. */
export const HeldFile = v.object({ ...seenFile, problem: v.picklist(PROBLEMS), text: v.string() });
export type HeldFile = v.InferOutput<typeof HeldFile>;

/** The feeds of the configuration. */
export const DeskFeedList = v.object({
  rows: v.array(
    v.object({
      name: v.string(),
      portal: v.string(),
      source: v.string(),
      every_minutes: v.number(),
      tried_at: nullableInstant,
      succeeded_at: nullableInstant,
      error: v.nullable(v.string()),
      held_files: v.array(HeldFile),
      counts: v.nullable(SentFileCounts),
      paused_at: nullableInstant,
      paused_reason: v.nullable(v.string()),
    }),
  ),
});
export type DeskFeedList = v.InferOutput<typeof DeskFeedList>;
export type DeskFeed = DeskFeedList['rows'][number];

/** What the operator accepts of the files that were seen: of no other file, and of none that has changed since. */
export const AcceptedFiles = v.object({
  accepts: v.array(v.picklist(ACCEPTANCES)),
  files: v.pipe(v.array(v.object(seenFile)), v.maxLength(1_000)),
});
export type AcceptedFiles = v.InferOutput<typeof AcceptedFiles>;

/** Reads a feed now; with `accepts` also files that look wrong. */
export const RunFeedRequest = v.object({ ...ActRequest.entries, ...AcceptedFiles.entries });

/** A new key. The browser makes it and sends its digest, so that no answer and no table has it. */
export const AddKeyRequest = v.object({
  ...ActRequest.entries,
  name: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100)),
  portal: v.nullable(PortalName),
  lists_only: v.boolean(),
  key_sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
});
export type AddKeyRequest = v.InferOutput<typeof AddKeyRequest>;

export const DeskKeyList = v.object({
  rows: v.array(
    v.object({
      id: v.string(),
      name: v.string(),
      portal: v.nullable(v.string()),
      lists_only: v.boolean(),
      created_at: v.string(),
      created_by: v.string(),
      used_at: nullableInstant,
      revoked_at: nullableInstant,
    }),
  ),
});
export type DeskKeyList = v.InferOutput<typeof DeskKeyList>;
export type DeskKey = DeskKeyList['rows'][number];

/** The portals whose tenders are here, by the time of their last import. */
export const DeskPortalList = v.object({
  rows: v.array(
    v.object({
      portal: v.string(),
      tenders: v.number(),
      open: v.number(),
      /** The last import of the portal. */
      imported_at: nullableInstant,
      /** The newest publication among its tenders. */
      published_at: nullableInstant,
      /** Rows that the last import read, and how many of them were rejected. Null without an import, and for a file of several portals. */
      rows: v.nullable(v.number()),
      rejected: v.nullable(v.number()),
      mapping_version: v.nullable(v.number()),
    }),
  ),
});
export type DeskPortalList = v.InferOutput<typeof DeskPortalList>;

/** What an act has changed. */
export const ChangedFeed = v.object({ name: v.string() });
export const ChangedKey = v.object({ id: v.string() });
