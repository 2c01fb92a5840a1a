/** Tables and rows of the device's database. `database.ts` imports it after the first paint, since Dexie is larger than the app. */

import type { AwardPack, AwardWorksPack, OfficeReference } from '@nivida/contract/awards/awards';
import type { RecordFields, RecordKind } from '@nivida/contract/bids/records';
import type { SavedFilter } from '@nivida/contract/filter/saved-search';
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import type { OrderListResponse } from '@nivida/contract/orders/order';
import type { AlertPreferences, Notice, PushEventRequest, TenderPatch } from '@nivida/contract/push/push';
import type { DetailRows, ListRows, ManifestResponse } from '@nivida/contract/sync/sync';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { Dexie, liveQuery, type Observable, type Table } from 'dexie';

/** An offline pack of a scope: immutable segments and the cursor for deltas. */
export interface OfflinePack extends Pick<ManifestResponse, 'epoch' | 'rows' | 'segments' | 'checked'> {
  /** Opaque position of the last change in the pack. */
  cursor: string;
}

/** A scope (a state's slug, or 'india') that the user saves for offline use. */
export interface ScopeRow {
  scope: string;
  /** The pack that is searched; null until the list fields of the first pack are complete. */
  current: OfflinePack | null;
  /** The pack that is being downloaded to replace `current`. */
  next: OfflinePack | null;
  /** Bytes of each stored file of both packs, by the file's name. */
  files: Record<string, number>;
  /** When the server last confirmed `current` (milliseconds since 1970, its clock); 0 without one. */
  savedAt: number;
  /** Number of changed and new tenders that the segments of `current` do not have. */
  changed: number;
  /** The scope to remove when this one can be searched; null for none. */
  replaces: string | null;
  /** The user has paused the download; absent otherwise. */
  isPaused?: boolean;
}

interface PackFileKey {
  scope: string;
  /** Name within the scope, from kind and segment. */
  name: string;
}

/** A segment's index, which the engine searches. */
export interface SegmentIndexRow extends PackFileKey {
  kind: 'index';
  /** Browsers read a Blob several times faster; some store none in private windows. */
  index: Blob | ArrayBuffer;
}

/** The verified list file of a segment. It is removed when the index of all its fields is stored. */
export interface ListFileRow extends PackFileKey {
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

/** Some bytes of a file that is being downloaded, uncompressed. Rows of a file may overlap; the later one counts. */
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
  /** When the server sent it, or the pack it came from was confirmed (milliseconds since 1970, server's clock). */
  savedAt: number;
}

/** A bookmark; `owner` is a user's id, or '' for those made signed out. */
export interface BookmarkRow {
  owner: string;
  tenderId: string;
  /** When it was made (milliseconds since 1970). */
  at: number;
  /** The tender as its list had it, shown until `tenders` has the whole; null for a bookmark that came as an id. */
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
  /** When it was saved (milliseconds since 1970). */
  savedAt: number;
}

/** A saved search; `owner` is a user's id, or '' for those made signed out. */
export interface SavedSearchRow extends SavedSearchFields {
  owner: string;
  /** The server's reason for refusing it; null when it was accepted or not sent yet. */
  refusal: string | null;
}

/** The awards of a state that are stored beside its offline pack. Their content is in `awardFiles`. */
export interface AwardPackRow {
  state: string;
  version: string;
  /** Awards of the state, by the server's list. */
  awards: number;
  /** When the server last confirmed it (milliseconds since 1970, its clock). */
  savedAt: number;
  /** Size of the statistics as text. */
  bytes: number;
  /** The user also wants the past works, among which similar ones are found; then when and which were stored. */
  works: { version: string; savedAt: number; bytes: number } | 'wanted' | null;
}

/** The statistics of a state's offices, or its past works. */
type StoredAwardFile = { state: string } & (
  | { kind: 'offices'; pack: AwardPack }
  | { kind: 'works'; pack: AwardWorksPack }
);

/** An office that the user follows; `owner` is a user's id, or '' for those followed signed out. */
export interface FollowedOfficeRow {
  owner: string;
  officeId: string;
  office: OfficeReference;
  /** When it was followed (milliseconds since 1970). */
  at: number;
}

/** A row of the outbox; only its owner sees it. */
interface OutboxRowBase {
  /** UUID of a request, where the server recognises a repeated one by it; or the name of the thing that changes. */
  id: string;
  /** The user's id, or '' for the signed-out device. */
  owner: string;
  /** The feature that queued it. */
  kind: string;
  /** When it was queued (milliseconds since 1970). */
  at: number;
}

/** A request that the device sends as it is; see `outbox.ts`. */
export interface OutboxRequestRow extends OutboxRowBase {
  /** 'POST' where it is absent. */
  method?: 'POST' | 'DELETE';
  /** Path of the request, with a leading slash. */
  path: string;
  /** JSON body; null for none. */
  body: unknown;
  /** What the request needs: nothing, the owner's session in the app, or the `authorization` header of this row. */
  needs: 'nothing' | 'session' | 'authorization';
  authorization: string | null;
  /** The server's reason for refusing it; null while it waits. */
  refusal: string | null;
  /** When the service worker sent it (milliseconds since 1970), until the app shows that; null while it waits. */
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
  /** 'opened': only `openedUpTo` is new. It does not restore a search that another device has deleted. */
  wanted: 'kept' | 'opened' | 'deleted';
  /** The search after the change, or before its deletion. */
  search: SavedSearchFields;
}

/** The mark of a record that the server has not confirmed. The changes are in the record's row. */
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

/** A change that is sent together with others of its kind; see `pending-changes.ts`. */
export type PendingChangeRow = PendingBookmarkRow | PendingSearchRow | PendingRecordRow | PendingOfficeRow;

export type OutboxRow = OutboxRequestRow | PendingChangeRow;

/** The server's last list of an account, readable offline; `owner` is the user's id. */
export type AccountListRow = { owner: string; savedAt: number } & (
  | { kind: 'orders'; list: OrderListResponse }
  | { kind: 'packages'; list: PurchasedPackage[] }
);

/** The documents of one NIT as a ZIP file that the user saved; `owner` is the user's id. */
export interface PackageFileRow {
  owner: string;
  nit: string;
  version: number;
  file: ArrayBuffer;
  /** When it was saved (milliseconds since 1970). */
  savedAt: number;
}

/** The push subscription of this device: one row while alerts are on. The service worker reads it too. */
export interface PushDeviceRow {
  key: 'device';
  /** The user's id, or '' for the signed-out device. */
  owner: string;
  id: string;
  /** Authorizes calls about this subscription only. */
  secret: string;
  /** The recipient of expected pushes; '' while it is unknown. Another recipient's push is shown without its text. */
  rcpt: string;
  preferences: AlertPreferences;
  /** The bookmarked tenders that the server has for the signed-out device. */
  watched: string[];
}

/** A notice of the server; `owner` is a user's id, or '' for the signed-out device. */
export interface NoticeRow extends Notice {
  owner: string;
  /** Read on this device and not yet on the server. */
  isUnsent: boolean;
}

/** A change of a tender from a push. It applies over the packs until they have it. */
export interface PushedChangeRow extends TenderPatch {
  /** When it arrived (milliseconds since 1970). */
  at: number;
}

/** A click or dismissal of a notification while offline, without the user. */
export type PushEventRow = PushEventRequest;

/** A record of the bid desk; `owner` is a user's id, or '' for those made signed out. Merged by `merge-records.ts`. */
export interface RecordRow<Kind extends RecordKind = RecordKind> {
  owner: string;
  kind: Kind;
  /** UUID. */
  id: string;
  fields: RecordFields<Kind>;
  /** The stamp of each field's last change; a removed field has one too. */
  stamps: Record<string, string>;
  /** The stamp of the last deletion. */
  deleted?: string;
  /** When it last changed (milliseconds since 1970). */
  at: number;
  /** The server's reason for refusing it; null when it was accepted or not sent yet. */
  refusal: string | null;
}

/** A file of a document in the vault; `owner` is a user's id, or '' for those added signed out. */
export interface DocumentFileRow {
  owner: string;
  /** SHA-256 in hex. */
  hash: string;
  bytes: number;
  /** Its type is one of those accepted by `file-type.ts`. */
  file: Blob;
  /** When it was stored (milliseconds since 1970). */
  at: number;
}

/** One setting of this device, such as the clock's offset or the recent searches. */
export interface SettingRow {
  key: string;
  value: unknown;
}

/** The device's database. A segment is one row with an ArrayBuffer, never one row per tender. */
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
      // The service worker opens these four, and others of the list, without Dexie: see worker-database.ts.
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
    });
  }

  /** Runs `query` now and after each change of the rows that it read. */
  live<T>(query: (db: this) => Promise<T>): Observable<T> {
    return liveQuery(() => query(this));
  }
}
