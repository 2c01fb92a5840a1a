/**
 * Tables and rows of the device's database. `database.ts` imports this file after the first paint, because
 * Dexie is larger than the app.
 */

import type { AwardPack, AwardWorksPack, OfficeReference } from '@nivida/contract/awards/awards';
import type { RecordFields, RecordKind } from '@nivida/contract/bids/records';
import type { OwnReading, TenderReading } from '@nivida/contract/documents/tender-reading';
import type { SavedFilter } from '@nivida/contract/filter/saved-search';
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import type { OrderListResponse } from '@nivida/contract/orders/order';
import type { AlertPreferences, Notice, PushEventRequest, TenderPatch } from '@nivida/contract/push/push';
import type { SupportAttachment } from '@nivida/contract/support/attachments';
import type { SupportThread } from '@nivida/contract/support/threads';
import type { DetailRows, ListRows, ManifestResponse } from '@nivida/contract/sync/sync';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { Dexie, liveQuery, type Observable, type Table } from 'dexie';

/** An offline pack of a scope: immutable segments and the cursor for deltas. */
export interface OfflinePack extends Pick<ManifestResponse, 'epoch' | 'rows' | 'segments' | 'checked'> {
  /** Position of the pack's last change. Only the server can read it. */
  cursor: string;
}

/** A scope (a state's slug, or 'india') that the user saves for offline use. */
export interface ScopeRow {
  scope: string;
  /** The pack that is searched. Null until all list fields of the first pack are stored. */
  current: OfflinePack | null;
  /** The pack that is being downloaded to replace `current`. */
  next: OfflinePack | null;
  /** Bytes of each stored file of both packs, by the file's name. */
  files: Record<string, number>;
  /**
   * When the server last confirmed `current` (milliseconds since 1970, server's clock); 0 when there is no
   * pack.
   */
  savedAt: number;
  /** Number of changed and new tenders since the segments of `current`. */
  changed: number;
  /** Always null. A tab with an earlier version of the app reads it. */
  replaces: null;
  /** The user has paused the download; absent otherwise. */
  isPaused?: boolean;
}

interface PackFileKey {
  scope: string;
  /** Name within the scope, from kind and segment. */
  name: string;
}

/** A segment's index, which the engine searches. */
interface SegmentIndexRow extends PackFileKey {
  kind: 'index';
  /** Browsers read a Blob several times faster. Some cannot store a Blob in private windows. */
  index: Blob | ArrayBuffer;
}

/** The verified list file of a segment. It is removed once the index of all its fields is stored. */
interface ListFileRow extends PackFileKey {
  kind: 'list';
  file: ArrayBuffer;
}

/** All changes since the segments: their index, and the rows for the next delta. */
export interface MergedDeltaRow extends PackFileKey {
  kind: 'delta';
  index: ArrayBuffer;
  list: ListRows;
  details: DetailRows;
  removed: number[];
}

export type PackFileRow = SegmentIndexRow | ListFileRow | MergedDeltaRow;

/**
 * Some uncompressed bytes of a file that is being downloaded. Rows of a file may overlap; the later row
 * counts.
 */
export interface DownloadRow {
  scope: string;
  /** Address of the file, with its query. */
  file: string;
  /** Offset of the first byte. */
  at: number;
  /** ETag of the file. */
  etag: string;
  bytes: ArrayBuffer;
}

/** An opened or bookmarked tender with all its fields. It stays readable after it closes. */
export interface TenderRow {
  id: string;
  tender: Tender;
  /**
   * When the server sent the tender, or last confirmed its pack (milliseconds since 1970, server's clock).
   */
  savedAt: number;
}

/** A bookmark. `owner` is a user's id, or '' for a bookmark that was made signed out. */
export interface BookmarkRow {
  owner: string;
  tenderId: string;
  /** When the bookmark was made (milliseconds since 1970). */
  at: number;
  /**
   * The tender's card, shown until `tenders` has the whole tender. Null when another device made the
   * bookmark: the server sends only its id.
   */
  summary: TenderSummary | null;
}

/** The fields of a saved search that are the same on all devices of its owner. */
export interface SavedSearchFields {
  /** UUID from the device that saved it. */
  id: string;
  name: string;
  filter: SavedFilter;
  /** Tenders with a larger id are its new hits. */
  openedUpTo: number;
  /** When the search was saved (milliseconds since 1970). */
  savedAt: number;
}

/** A saved search. `owner` is a user's id, or '' for a search that was saved signed out. */
export interface SavedSearchRow extends SavedSearchFields {
  owner: string;
  /** The server's reason for refusing the search. Null when it was accepted or not sent yet. */
  refusal: string | null;
}

/** The stored awards of a state. Their content is in `awardFiles`. */
export interface AwardPackRow {
  state: string;
  version: string;
  /** Number of the state's awards in the server's list. */
  awards: number;
  /** When the server last confirmed the awards (milliseconds since 1970, server's clock). */
  savedAt: number;
  /** Size of the statistics in bytes, as text. */
  bytes: number;
  /**
   * Past works, among which similar works are found. Null: not wanted. 'wanted': the user wants them, but
   * they are not stored. Otherwise: which version is stored, and when it was stored.
   */
  works: { version: string; savedAt: number; bytes: number } | 'wanted' | null;
}

/** The statistics of a state's offices, or its past works. */
type StoredAwardFile = { state: string } & (
  | { kind: 'offices'; pack: AwardPack }
  | { kind: 'works'; pack: AwardWorksPack }
);

/** An office that the user follows. `owner` is a user's id, or '' for an office followed signed out. */
export interface FollowedOfficeRow {
  owner: string;
  officeId: string;
  office: OfficeReference;
  /** When the user began to follow it (milliseconds since 1970). */
  at: number;
}

/** A row of the outbox; only its owner sees it. */
interface OutboxRowBase {
  /**
   * For a request a UUID, by which the server recognises a repeated request. For a pending change the name of
   * the thing that changes.
   */
  id: string;
  /** The user's id, or '' for the signed-out device. */
  owner: string;
  /** The feature that queued it. */
  kind: string;
  /** When it was queued (milliseconds since 1970). */
  at: number;
}

/** A request that the device sends unchanged; see `outbox.ts`. */
export interface OutboxRequestRow extends OutboxRowBase {
  /** 'POST' when absent. */
  method?: 'POST' | 'DELETE';
  /** Path of the request, with a leading slash. */
  path: string;
  /** JSON body; null for none. */
  body: unknown;
  /**
   * What the request needs: nothing, the owner's session in the app, or the `authorization` header stored in
   * this row.
   */
  needs: 'nothing' | 'session' | 'authorization';
  authorization: string | null;
  /** The server's reason for refusing the request. Null while it waits. */
  refusal: string | null;
  /**
   * When the service worker sent the request (milliseconds since 1970). The app then tells the user and
   * removes the row. Null while it waits.
   */
  sentAt: number | null;
}

/** The last change of one bookmark that the server has not confirmed. */
export interface PendingBookmarkRow extends OutboxRowBase {
  kind: 'bookmark';
  tenderId: string;
  wanted: boolean;
}

/** The last change of one saved search that the server has not confirmed. */
export interface PendingSearchRow extends OutboxRowBase {
  kind: 'search';
  /**
   * 'opened': only `openedUpTo` has changed. Such a change does not restore a search that another device has
   * deleted.
   */
  wanted: 'kept' | 'opened' | 'deleted';
  /** The search after the change, or before its deletion. */
  search: SavedSearchFields;
}

/** Marks a record that the server has not confirmed. The changes themselves are in the record's row. */
export interface PendingRecordRow extends OutboxRowBase {
  kind: 'record';
  recordKind: RecordKind;
  recordId: string;
}

/** The last follow or unfollow of one office that the server has not confirmed. */
export interface PendingOfficeRow extends OutboxRowBase {
  kind: 'office';
  wanted: boolean;
  office: OfficeReference;
}

/** A message to support that the server has not confirmed. Its id is the message's id. */
export interface PendingMessageRow extends OutboxRowBase {
  kind: 'message';
  threadId: string;
  /** The thread that the message begins. Null for a message of a thread that the server has. */
  thread: Pick<SupportThread, 'subject' | 'orderId' | 'tenderId' | 'tenderTitle'> | null;
  text: string;
  /** Their contents are in `supportFiles`. */
  files: SupportAttachment[];
  /** The server's reason for refusing the message. Null while it waits. */
  refusal: string | null;
  /** Why the server has not taken the message yet, such as a limit of messages an hour. It is sent again. */
  delay: string | null;
}

/** A thread that the user has closed. It is sent after a while, until which it can be undone. */
export interface PendingCloseRow extends OutboxRowBase {
  kind: 'close';
  threadId: string;
}

/** A change that is sent together with others of its kind; see `pending-changes.ts`. */
export type PendingChangeRow =
  | PendingBookmarkRow
  | PendingSearchRow
  | PendingRecordRow
  | PendingOfficeRow
  | PendingMessageRow
  | PendingCloseRow;

export type OutboxRow = OutboxRequestRow | PendingChangeRow;

/** The server's last list of an account, stored for offline use. `owner` is the user's id. */
export type AccountListRow = { owner: string; savedAt: number } & (
  | { kind: 'orders'; list: OrderListResponse }
  | { kind: 'packages'; list: PurchasedPackage[] }
);

/** The documents of one NIT as a ZIP file that the user has saved. `owner` is the user's id. */
export interface PackageFileRow {
  owner: string;
  nit: string;
  version: number;
  file: ArrayBuffer;
  /** When the file was saved (milliseconds since 1970). */
  savedAt: number;
}

/**
 * The push subscription of this device. The table has one row while alerts are on. The service worker reads
 * it too.
 */
export interface PushDeviceRow {
  key: 'device';
  /** The user's id, or '' for the signed-out device. */
  owner: string;
  id: string;
  /** Authorizes calls about this subscription only. */
  secret: string;
  /**
   * The recipient of expected pushes; '' while it is unknown. A push to another recipient is shown without
   * its text.
   */
  rcpt: string;
  preferences: AlertPreferences;
  /** The bookmarked tenders of the signed-out device that the server knows. */
  watched: string[];
}

/** A notice of the server. `owner` is a user's id, or '' for the signed-out device. */
export interface NoticeRow extends Notice {
  owner: string;
  /** The notice was read on this device, and the server does not know it yet. */
  isUnsent: boolean;
}

/** A change of a tender from a push. It is applied to tenders from packs until the packs contain it. */
export interface PushedChangeRow extends TenderPatch {
  /** When it arrived (milliseconds since 1970). */
  at: number;
}

/** A click on a notification, or its dismissal, that happened offline. It does not name the user. */
export type PushEventRow = PushEventRequest;

/**
 * A record of the bid desk. `owner` is a user's id, or '' for a record that was made signed out. Records are
 * merged by `merge-records.ts`.
 */
export interface RecordRow<Kind extends RecordKind = RecordKind> {
  owner: string;
  kind: Kind;
  /** UUID. */
  id: string;
  fields: RecordFields<Kind>;
  /** The stamp of each field's last change. A removed field has a stamp too. */
  stamps: Record<string, string>;
  /** The stamp of the last deletion. */
  deleted?: string;
  /** When the record last changed (milliseconds since 1970). */
  at: number;
  /** The server's reason for refusing the record. Null when it was accepted or not sent yet. */
  refusal: string | null;
}

/** A file of a document in the vault. `owner` is a user's id, or '' for a file that was added signed out. */
export interface DocumentFileRow {
  owner: string;
  /** SHA-256 in hex. */
  hash: string;
  bytes: number;
  /** Its type is one of those that `file-type.ts` accepts. */
  file: Blob;
  /** When the file was stored (milliseconds since 1970). */
  at: number;
}

/** A thread of messages with support, as the server last sent it. `owner` is the user's id. */
export interface SupportThreadRow extends SupportThread {
  owner: string;
  /** The message up to which the user has read the thread. Null once the server knows. */
  unsentRead: string | null;
}

/** The content of an attachment: of a draft, of a message that waits, or of one that was opened. */
export interface SupportFileRow {
  owner: string;
  /** The attachment's id. */
  id: string;
  file: Blob;
  /** When it was stored (milliseconds since 1970). */
  at: number;
}

/** What was read in the official documents of a tender. `owner` is the user's id, or '' for a signed-out visitor. */
export interface ReadingRow {
  owner: string;
  tenderId: string;
  reading: TenderReading;
  /** See `readingVersion` of the contract. */
  version: string;
  /** When the server sent it (milliseconds since 1970, server's clock). */
  savedAt: number;
}

/**
 * A file that the user shared into the app or chose, to have it read. `owner` is a user's id, or '' until a signed-in user
 * sees it: the service worker that stores it knows no user.
 */
export interface SharedFileRow {
  id: string;
  owner: string;
  name: string;
  bytes: number;
  /** 'document': a PDF or a workbook, by its bytes. Only documents are read. */
  kind: 'document' | 'picture' | 'other';
  /** Null once it is read, and for a file that is too large to be stored. */
  file: Blob | null;
  /** When it was stored (milliseconds since 1970). */
  at: number;
  /** The tender that the user has chosen for it; '' for none: it is only read. Null until the user has chosen. */
  tenderId: string | null;
  /** Why the server does not take or keep it. */
  refusal: string | null;
  reading: OwnReading | null;
  /** When the user removed it. It is deleted after a while, until which this can be undone. */
  removedAt: number | null;
}

/** One setting of this device, such as the clock's offset or the recent searches. */
export interface SettingRow {
  key: string;
  value: unknown;
}

/** The device's database. A segment is one row with an ArrayBuffer; there is never a row for each tender. */
export class DeviceDatabase extends Dexie {
  declare packFiles: Table<PackFileRow, [scope: string, name: string]>;
  declare scopes: Table<ScopeRow, string>;
  declare downloads: Table<DownloadRow, [scope: string, file: string, at: number]>;
  declare tenders: Table<TenderRow, string>;
  declare bookmarks: Table<BookmarkRow, [owner: string, tenderId: string]>;
  declare settings: Table<SettingRow, string>;
  declare searches: Table<SavedSearchRow, [owner: string, id: string]>;
  declare outbox: Table<OutboxRow, string>;
  declare accountLists: Table<AccountListRow, [owner: string, kind: string]>;
  declare packageFiles: Table<PackageFileRow, [owner: string, nit: string]>;
  declare pushDevice: Table<PushDeviceRow, string>;
  declare notices: Table<NoticeRow, [owner: string, id: string]>;
  declare pushedChanges: Table<PushedChangeRow, string>;
  declare pushEvents: Table<PushEventRow, [nid: string, ev: string]>;
  declare awardPacks: Table<AwardPackRow, string>;
  declare awardFiles: Table<StoredAwardFile, [state: string, kind: string]>;
  declare followedOffices: Table<FollowedOfficeRow, [owner: string, officeId: string]>;
  declare records: Table<RecordRow, [owner: string, kind: string, id: string]>;
  declare documentFiles: Table<DocumentFileRow, [owner: string, hash: string]>;
  declare supportThreads: Table<SupportThreadRow, [owner: string, id: string]>;
  declare supportFiles: Table<SupportFileRow, [owner: string, id: string]>;
  declare readings: Table<ReadingRow, [owner: string, tenderId: string]>;
  declare sharedFiles: Table<SharedFileRow, string>;

  constructor(name: string) {
    super(name, { chromeTransactionDurability: 'relaxed' });
    this.version(1).stores({
      packFiles: '[scope+name], scope',
      scopes: 'scope',
      downloads: '[scope+file+at], [scope+file], scope',
      tenders: 'id, savedAt',
      bookmarks: '[owner+tenderId], owner, tenderId',
      settings: 'key',
      searches: '[owner+id], owner, id',
      outbox: 'id, owner, kind, [owner+kind]',
      accountLists: '[owner+kind], owner',
      // The last index lists the stored packages without reading the files.
      packageFiles: '[owner+nit], owner, [owner+nit+version]',
      // The service worker opens these four tables and others of the list without Dexie: see
      // worker-database.ts.
      pushDevice: 'key',
      notices: '[owner+id], owner',
      pushedChanges: 'tenderId',
      pushEvents: '[nid+ev]',
      awardPacks: 'state',
      awardFiles: '[state+kind]',
      followedOffices: '[owner+officeId], owner',
      records: '[owner+kind+id], owner, [owner+kind], [owner+kind+fields.bidId], [owner+kind+fields.tenderId]',
      // The last index lists the stored files without reading them.
      documentFiles: '[owner+hash], owner, [owner+hash+bytes]',
      supportThreads: '[owner+id], owner',
      // The last index lists the stored files without reading them.
      supportFiles: '[owner+id], owner, [owner+id+at]',
      // The last index lists the stored readings without reading them.
      readings: '[owner+tenderId], owner, [owner+tenderId+savedAt+version]',
      sharedFiles: 'id, owner',
    });
  }

  /** Runs `query` now and after each change of the rows that it read. */
  live<T>(query: (db: this) => Promise<T>): Observable<T> {
    return liveQuery(() => query(this));
  }
}
