/** The database on the device, over 200 lines of what its rows mean. It is loaded through `device.ts`, after the first paint: Dexie is larger than the app. */
import type { PurchasedPackage } from '@nivida/contract/orders/documents';
import type { OrderListResponse } from '@nivida/contract/orders/order';
import type { AlertPreferences, Notice, PushEventRequest, TenderPatch } from '@nivida/contract/push/push';
import type { SavedSearch } from '@nivida/contract/search/saved-search';
import type { DetailRows, ListRows, ManifestResponse } from '@nivida/contract/sync/sync';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { Dexie, liveQuery, type Observable, type Table } from 'dexie';
import { bookmarkChange, searchChange } from '../outbox/pending-changes.ts';
import { browserStorage } from './browser-storage.ts';

/** One copy of a scope: immutable segments and where deltas go on from. */
export interface OfflinePack extends Pick<ManifestResponse, 'epoch' | 'rows' | 'segments' | 'checked'> {
  /** Opaque; what changed after it is still to come. */
  cursor: string;
}

/** A scope (a state's slug, or 'india') that this device keeps or is to keep. */
export interface ScopeRow {
  scope: string;
  /** The copy that is searched; null until the list fields of a first copy are all there. */
  current: OfflinePack | null;
  /** The copy that is being fetched to take its place. */
  next: OfflinePack | null;
  /** What of both is on the device, and the bytes it takes there, by the part's name. */
  parts: Record<string, number>;
  /** When the server last confirmed `current` (milliseconds since 1970, its clock); 0 without one. */
  savedAt: number;
  /** Changed and new tenders beside the segments of `current`. */
  changed: number;
  /** The scope that is removed as soon as this one can be searched; null for none. */
  replaces: string | null;
}

interface PackPartKey {
  scope: string;
  /** Its name in the scope, by kind and segment. */
  part: string;
}

/** A segment as the engine reads it. */
export interface SegmentRow extends PackPartKey {
  kind: 'base';
  pack: ArrayBuffer;
}

/** The checked list file of a segment, kept only until its details are there to be packed with it. */
export interface ListFileRow extends PackPartKey {
  kind: 'list';
  file: ArrayBuffer;
}

/** Everything that changed since the segments: a pack for the engine, and its rows to merge the next delta into. */
export interface MergedDeltaRow extends PackPartKey {
  kind: 'delta';
  pack: ArrayBuffer;
  list: ListRows;
  details: DetailRows;
  removed: number[];
}

/** One large thing of a scope. */
export type PackPartRow = SegmentRow | ListFileRow | MergedDeltaRow;

/** A tender with all its fields, kept because it was opened or bookmarked; it stays readable after it closes. */
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
  /** What the list knew of the tender, shown until the whole of it is in `tenders`; null for a bare id. */
  summary: TenderSummary | null;
}

/** What a saved search is, whoever owns it. */
export interface SavedSearchFields {
  /** Made by the device that saved it (UUID); the same on all devices. */
  id: string;
  name: string;
  filter: SavedSearch['filter'];
  /** Tenders with a larger id are its new hits. */
  openedUpTo: number;
  /** When it was saved (milliseconds since 1970). */
  savedAt: number;
}

/** A saved search; `owner` is a user's id, or '' for those made signed out. */
export interface SavedSearchRow extends SavedSearchFields {
  owner: string;
  /** Why the server would not take it; null when it has it, or has not been asked. */
  refusal: string | null;
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

/** A change that is sent together with others of its kind; see `pending-changes.ts`. */
export type PendingChangeRow = PendingBookmarkRow | PendingSearchRow;

export type OutboxRow = OutboxRequestRow | PendingChangeRow;

/** A list of an account as the server last told it, kept to be read without signal; `owner` is the user's id. */
export type AccountListRow = { owner: string; savedAt: number } & (
  | { kind: 'orders'; list: OrderListResponse }
  | { kind: 'packages'; list: PurchasedPackage[] }
);

/** The documents of one NIT as a zip file, kept because the user asked for it; `owner` is the user's id. */
export interface PackageFileRow {
  owner: string;
  nit: string;
  version: number;
  file: ArrayBuffer;
  /** When it was saved (milliseconds since 1970). */
  savedAt: number;
}

/** The push subscription of this device as the server knows it; one row while alerts are on, read by the service worker too. */
export interface PushDeviceRow {
  key: 'device';
  /** Whose alerts these are: a user's id, or '' for a device that nobody is signed in to. */
  owner: string;
  id: string;
  /** Opens this subscription at the server, and nothing else. */
  secret: string;
  /** A push with another one is shown without its text; '' while it is not known whose pushes come. */
  rcpt: string;
  preferences: AlertPreferences;
  /** The tenders that the server was told of; of a device that nobody is signed in to. */
  watched: string[];
}

/** A notice as the server listed it; `owner` is a user's id, or '' for those of the device itself. */
export interface NoticeRow extends Notice {
  owner: string;
  /** Read here, and the server has not been told. */
  isUnsent: boolean;
}

/** A change of a tender that a push brought, laid over what packs hold until they have it themselves. */
export interface PushedChangeRow extends TenderPatch {
  /** When it came (milliseconds since 1970). */
  at: number;
}

/** A push that was clicked or dismissed without signal; it says nothing about who did. */
export type PushEventRow = PushEventRequest;

/** One setting of this device, such as the clock's offset or the recent searches. */
export interface SettingRow {
  key: string;
  value: unknown;
}

/** A message of the contact form as version 4 kept it, without an owner. */
interface Version4MessageRow {
  id: string;
  form: object;
  at: number;
  refusal: string | null;
}

/** A pending change as version 5 stored it, in a table for each kind. */
type Version5BookmarkChange = Pick<PendingBookmarkRow, 'owner' | 'tenderId' | 'wanted' | 'at'>;
type Version5SearchChange = Pick<PendingSearchRow, 'owner' | 'wanted' | 'search' | 'at'>;

/** As `currentOwner`, which needs this file; '' when signed out. */
function storedUserId(): string {
  try {
    return String(JSON.parse(browserStorage()?.getItem('user') ?? '{}')._id ?? '');
  } catch {
    return '';
  }
}

/** Earlier versions showed the recent searches to every user of the device; they go to the present one. */
async function assignRecentSearches(settings: Table<SettingRow, string>, owner: string): Promise<void> {
  const row = await settings.get('recent searches');
  if (!row || owner === '') return;
  await settings.put({ key: `recent searches of ${owner}`, value: row.value });
  await settings.delete('recent searches');
}

/** A message of an earlier version goes to the present user: earlier ones showed it to every user of the device. */
function toOutboxRow({ id, form, at, refusal }: Version4MessageRow, owner: string): OutboxRequestRow {
  const body = { ...form, messageId: id, website: '' };
  const contact = { kind: 'contact', path: '/api/contact', needs: 'nothing', authorization: null } as const;
  return { ...contact, id, owner, body, at, refusal, sentAt: null };
}

/** The database 'nivida'. Large things are few rows: a segment is one ArrayBuffer, never one row per tender. */
export class DeviceDatabase extends Dexie {
  declare packs: Table<PackPartRow, [scope: string, part: string]>;
  declare scopes: Table<ScopeRow, string>;
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

  constructor(name = 'nivida') {
    super(name, { chromeTransactionDurability: 'relaxed' });
    this.version(1).stores({
      packs: '[scope+part], scope',
      scopes: 'scope',
      tenders: 'id, savedAt',
      bookmarks: '[owner+tenderId], owner, tenderId',
      wishes: '[owner+tenderId], owner',
      settings: 'key',
    });
    this.version(2).stores({
      searches: '[owner+id], owner, id',
      searchWishes: '[owner+id], owner',
      messages: 'id',
    });
    this.version(3).stores({
      ownedLists: '[owner+kind], owner',
      // the last index tells what is here without reading the files
      packageFiles: '[owner+nit], owner, [owner+nit+version]',
    });
    // the service worker opens these without Dexie: see stores.ts
    this.version(4).stores({
      pushDevice: 'key',
      notices: '[owner+id], owner',
      patches: 'tenderId',
      pushEvents: '[nid+ev]',
    });
    // the service worker opens the outbox too: see outbox-worker.ts
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
  }

  /** Runs `query` now and after each change of the rows that it read. */
  live<T>(query: (db: this) => Promise<T>): Observable<T> {
    return liveQuery(() => query(this));
  }
}
