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
import { bookmarkChange, searchChange } from '../outbox/pending-changes.ts';
import { browserStorage } from './browser-storage.ts';
import { moveToRecords } from './move-to-records.ts';

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
  /** Bytes of each stored part of both packs, by the part's name. */
  parts: Record<string, number>;
  /** When the server last confirmed `current` (milliseconds since 1970, its clock); 0 without one. */
  savedAt: number;
  /** Number of changed and new tenders that the segments of `current` do not have. */
  changed: number;
  /** The scope to remove when this one can be searched; null for none. */
  replaces: string | null;
  /** The user has paused the download; absent otherwise. */
  isPaused?: boolean;
}

interface PackPartKey {
  scope: string;
  /** Name within the scope, from kind and segment. */
  part: string;
}

/** A segment in the engine's format. */
export interface SegmentRow extends PackPartKey {
  kind: 'base';
  /** Browsers read a Blob several times faster. Earlier versions of the app stored buffers. */
  pack: Blob | ArrayBuffer;
}

/** The verified list file of a segment. It is removed when the details arrive and both are packed. */
export interface ListFileRow extends PackPartKey {
  kind: 'list';
  file: ArrayBuffer;
}

/** All changes since the segments, in the engine's format and as rows for the next delta. */
export interface MergedDeltaRow extends PackPartKey {
  kind: 'delta';
  pack: ArrayBuffer;
  list: ListRows;
  details: DetailRows;
  removed: number[];
}

export type PackPartRow = SegmentRow | ListFileRow | MergedDeltaRow;

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

/** A mark in the checklist of a tender; `owner` is a user's id, or '' for those made signed out. */
export interface CheckRow {
  owner: string;
  tenderId: string;
  /** The row of the checklist: a kind of document, a portal's line, a standing row or an own one. */
  key: string;
  /** Null for an own row that is not marked. */
  state: 'ready' | 'missing' | 'not_needed' | 'ask_office' | null;
  /** Why the document is not needed. */
  reason?: string;
  /** Last day of validity, an Indian day: '2026-04-15'. */
  validUntil?: string;
  /** The document of the vault that serves the row. */
  documentId?: string;
  /** Name of an own row. */
  text?: string;
  /** When it was made (milliseconds since 1970). */
  at: number;
}

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

/** A message of the contact form as version 4 stored it, without an owner. */
interface Version4MessageRow {
  id: string;
  form: object;
  at: number;
  refusal: string | null;
}

/** A pending change as version 5 stored it, in a table for each kind. */
type Version5BookmarkChange = Pick<PendingBookmarkRow, 'owner' | 'tenderId' | 'wanted' | 'at'>;
type Version5SearchChange = Pick<PendingSearchRow, 'owner' | 'wanted' | 'search' | 'at'>;

/** The stored user's id, '' when signed out. `currentOwner` would import this file in a circle. */
function storedUserId(): string {
  try {
    return String(JSON.parse(browserStorage()?.getItem('user') ?? '{}')._id ?? '');
  } catch {
    return '';
  }
}

/** Gives recent searches without an owner, which version 4 stored, to the signed-in user. */
async function assignRecentSearches(settings: Table<SettingRow, string>, owner: string): Promise<void> {
  const row = await settings.get('recent searches');
  if (!row || owner === '') return;
  await settings.put({ key: `recent searches of ${owner}`, value: row.value });
  await settings.delete('recent searches');
}

/** Gives a message without an owner, which version 4 stored, to the signed-in user. */
function toOutboxRow({ id, form, at, refusal }: Version4MessageRow, owner: string): OutboxRequestRow {
  const body = { ...form, messageId: id, website: '' };
  const contact = { kind: 'contact', path: '/api/contact', needs: 'nothing', authorization: null } as const;
  return { ...contact, id, owner, body, at, refusal, sentAt: null };
}

/** Searches of earlier versions stay as they were: no place is read in their words, as on the server. */
function markAsTyped({ filter }: SavedSearchFields): void {
  if (filter.q !== '') filter.literal ??= 'all';
}

function markChangeAsTyped(change: OutboxRow): void {
  if (change.kind === 'search' && 'search' in change) markAsTyped(change.search);
}

/** The device's database. A segment is one row with an ArrayBuffer, never one row per tender. */
export class DeviceDatabase extends Dexie {
  declare packs: Table<PackPartRow, [scope: string, part: string]>;
  declare scopes: Table<ScopeRow, string>;
  declare downloads: Table<DownloadRow, [scope: string, file: string, at: number]>;
  declare tenders: Table<TenderRow, string>;
  declare bookmarks: Table<BookmarkRow, [owner: string, tenderId: string]>;
  declare settings: Table<SettingRow, string>;
  declare searches: Table<SavedSearchRow, [owner: string, id: string]>;
  declare outbox: Table<OutboxRow, string>;
  declare ownedLists: Table<AccountListRow, [owner: string, kind: string]>;
  declare packageFiles: Table<PackageFileRow, [owner: string, nit: string]>;
  declare pushDevice: Table<PushDeviceRow, string>;
  declare notices: Table<NoticeRow, [owner: string, id: string]>;
  declare patches: Table<PushedChangeRow, string>;
  declare pushEvents: Table<PushEventRow, [nid: string, ev: string]>;
  declare awardPacks: Table<AwardPackRow, string>;
  declare awardFiles: Table<StoredAwardFile, [state: string, kind: string]>;
  declare followedOffices: Table<FollowedOfficeRow, [owner: string, officeId: string]>;
  declare records: Table<RecordRow, [owner: string, kind: string, id: string]>;
  declare documentFiles: Table<DocumentFileRow, [owner: string, hash: string]>;

  constructor(name: string) {
    super(name, { chromeTransactionDurability: 'relaxed' });
    // Versions without an upgrade are declared with the next one that has it: Dexie reads all declared tables again for each.
    this.version(4).stores({
      packs: '[scope+part], scope',
      scopes: 'scope',
      tenders: 'id, savedAt',
      bookmarks: '[owner+tenderId], owner, tenderId',
      wishes: '[owner+tenderId], owner',
      settings: 'key',
      searches: '[owner+id], owner, id',
      searchWishes: '[owner+id], owner',
      messages: 'id',
      ownedLists: '[owner+kind], owner',
      // The last index lists the stored packages without reading the files.
      packageFiles: '[owner+nit], owner, [owner+nit+version]',
      // The service worker opens these and the outbox without Dexie: see worker-database.ts.
      pushDevice: 'key',
      notices: '[owner+id], owner',
      patches: 'tenderId',
      pushEvents: '[nid+ev]',
    });
    this.version(5)
      .stores({ outbox: 'id, owner, kind', messages: null })
      .upgrade(async (transaction) => {
        const owner = storedUserId();
        await assignRecentSearches(transaction.table('settings'), owner);
        const messages: Version4MessageRow[] = await transaction.table('messages').toArray();
        await transaction.table('outbox').bulkAdd(messages.map((message) => toOutboxRow(message, owner)));
      });
    this.version(6)
      .stores({ outbox: 'id, owner, kind, [owner+kind]', wishes: null, searchWishes: null })
      .upgrade(async (transaction) => {
        const outbox: Table<OutboxRow, string> = transaction.table('outbox');
        const bookmarks: Version5BookmarkChange[] = await transaction.table('wishes').toArray();
        const searches: Version5SearchChange[] = await transaction.table('searchWishes').toArray();
        const changes = [
          ...bookmarks.map(({ owner, tenderId, wanted, at }) => bookmarkChange(owner, tenderId, wanted, at)),
          ...searches.map(({ owner, wanted, search, at }) => searchChange(owner, wanted, search, at)),
        ];
        // A newer service worker may have queued a later change before the app was opened.
        const queued = await outbox.bulkGet(changes.map(({ id }) => id));
        await outbox.bulkPut(changes.filter(({ at }, index) => at > (queued[index]?.at ?? 0)));
      });
    this.version(7)
      .stores({})
      .upgrade(async (transaction) => {
        await transaction.table('searches').toCollection().modify(markAsTyped);
        await transaction.table('outbox').where('kind').equals('search').modify(markChangeAsTyped);
      });
    this.version(12).stores({
      downloads: '[scope+file+at], [scope+file], scope',
      checks: '[owner+tenderId+key], [owner+tenderId], owner',
      records: '[owner+kind+id], owner, [owner+kind], [owner+kind+fields.bidId], [owner+kind+fields.tenderId]',
      followedOffices: '[owner+officeId], owner',
      // The last index lists the stored files without reading them.
      documentFiles: '[owner+hash], owner, [owner+hash+bytes]',
    });
    this.version(13)
      .stores({ checks: null, awardPacks: 'state', awardFiles: '[state+kind]' })
      .upgrade((transaction) => moveToRecords(transaction, Date.now()));
  }

  /** Runs `query` now and after each change of the rows that it read. */
  live<T>(query: (db: this) => Promise<T>): Observable<T> {
    return liveQuery(() => query(this));
  }
}
