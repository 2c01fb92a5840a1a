/** The database on the device. It is loaded through `device.ts`, after the first paint: Dexie is larger than the app. */
import type { DetailRows, ListRows, Manifest } from '@nivida/contract/sync';
import type { Tender, TenderSummary } from '@nivida/contract/tender';
import { Dexie, type Table } from 'dexie';

/** One copy of a scope: immutable segments and where deltas go on from. */
export interface CopyRow extends Pick<Manifest, 'epoch' | 'rows' | 'segments' | 'checked'> {
  /** Opaque; what changed after it is still to come. */
  cursor: string;
}

/** A scope (a state's slug, or 'india') that this device keeps or is to keep. */
export interface ScopeRow {
  scope: string;
  /** The copy that is searched; null until the list fields of a first copy are all there. */
  current: CopyRow | null;
  /** The copy that is being fetched to take its place. */
  next: CopyRow | null;
  /** What of both is on the device, and the bytes it takes there, by the part's name. */
  parts: Record<string, number>;
  /** When the server last confirmed `current` (milliseconds since 1970, its clock); 0 without one. */
  savedAt: number;
  /** Changed and new tenders beside the segments of `current`. */
  changed: number;
  /** The scope that is removed as soon as this one can be searched; null for none. */
  replaces: string | null;
}

interface PartBase {
  scope: string;
  /** Its name in the scope, by kind and segment. */
  part: string;
}

/** A segment as the engine reads it. */
export interface PackRow extends PartBase {
  kind: 'base';
  pack: ArrayBuffer;
}

/** The checked list file of a segment, kept only until its details are there to be packed with it. */
export interface ListFileRow extends PartBase {
  kind: 'list';
  file: ArrayBuffer;
}

/** Everything that changed since the segments: a pack for the engine, and its rows to merge the next delta into. */
export interface DeltaPackRow extends PartBase {
  kind: 'delta';
  pack: ArrayBuffer;
  list: ListRows;
  details: DetailRows;
  removed: number[];
}

/** One large thing of a scope. */
export type PartRow = PackRow | ListFileRow | DeltaPackRow;

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

/** What an owner wants for one tender and the server has not yet confirmed: the last wish wins. */
export interface WishRow {
  owner: string;
  tenderId: string;
  wanted: boolean;
  /** When it was wished (milliseconds since 1970). */
  at: number;
}

/** One setting of this device, such as the clock's offset or the recent searches. */
export interface SettingRow {
  key: string;
  value: unknown;
}

/** The database 'nivida'. Large things are few rows: a segment is one ArrayBuffer, never one row per tender. */
export class DeviceDatabase extends Dexie {
  declare packs: Table<PartRow, [scope: string, part: string]>;
  declare scopes: Table<ScopeRow, string>;
  declare tenders: Table<TenderRow, string>;
  declare bookmarks: Table<BookmarkRow, [owner: string, tenderId: string]>;
  declare wishes: Table<WishRow, [owner: string, tenderId: string]>;
  declare settings: Table<SettingRow, string>;

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
  }
}
