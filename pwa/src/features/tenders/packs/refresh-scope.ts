/** Brings one scope up to date, from wherever the last attempt stopped. */
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { currentTime } from '../../../data/clock.ts';
import type { DeviceDatabase, OfflinePack, ScopeRow } from '../../../data/device/schema.ts';
import { type EvictedData, writeWithEviction } from '../../../data/device/storage-quota.ts';
import { fetchDelta, fetchDetailFile, fetchListFile, fetchManifest, parseListFile as parseList } from './fetch-pack.ts';
import { type MergedDelta, mergeDeltas } from './merge-deltas.ts';
import {
  activateFirstPack,
  confirmPack,
  isPackComplete,
  isPackSearchable,
  type ManifestSegment,
  type PackProgressState,
  partName,
  planPack,
  readMergedDelta,
  readStoredListFile,
  replacePack,
  ScopeRemovedError,
  storeListFile,
  storeMergedDelta,
  storeSegment,
} from './pack-store.ts';
import { type ReadSegmentDetails, readStoredDetails } from './stored-details.ts';

/** Beyond this share of changed tenders a new manifest is asked for: the server has compacted meanwhile. */
const MAX_CHANGED_SHARE = 0.1;

/** What a refresh needs of its surroundings. */
export interface RefreshDependencies {
  db: DeviceDatabase;
  /** Makes a pack, in the engine's worker. */
  build(list: ListRows, details: DetailRows | null): Promise<ArrayBuffer>;
  details: ReadSegmentDetails;
  /** Called after each step that is safely on the device. */
  onStep(row: ScopeRow): void;
  /** Something had to go to make room. */
  onEvicted(evicted: EvictedData): void;
}

class ScopeRefresh {
  constructor(
    private readonly scope: string,
    private readonly tools: RefreshDependencies,
  ) {}

  async run(): Promise<void> {
    const row = await this.read();
    // a copy on its way goes on; what the server has compacted meanwhile is told by the next manifest
    if (!row.current || row.next) return this.fetchPack();
    if ((await this.fetchDeltas(row.current)) === 'reset') return this.fetchPack();
    await this.completeDetails();
    await this.refetchIfCompacted();
  }

  private async read(): Promise<ScopeRow> {
    const row = await this.tools.db.scopes.get(this.scope);
    if (!row) throw new ScopeRemovedError(this.scope);
    return row;
  }

  /** Writes one step; makes room for it when the device is full. */
  private async store(write: () => Promise<ScopeRow>): Promise<ScopeRow> {
    const { value, evicted } = await writeWithEviction(this.tools.db, this.scope, write);
    if (evicted.scopes.length > 0 || evicted.tenders > 0) this.tools.onEvicted(evicted);
    this.tools.onStep(value);
    return value;
  }

  /** A new copy by a new manifest; the old one is used until this one is all there. */
  private async fetchPack(): Promise<void> {
    const { db } = this.tools;
    const manifest = await fetchManifest(this.scope);
    let row = await this.store(() => planPack(db, this.scope, manifest));
    const planned = row.next;
    if (!planned) return;
    const isFirst = row.current === null;
    for (const segment of planned.segments) row = await this.fetchSegmentList(segment, row, isFirst);
    if (isFirst && isPackSearchable(planned, row.parts)) await this.activatePlanned(planned);
    for (const segment of planned.segments) row = await this.fetchSegmentDetails(segment, row);
    if (!isFirst && isPackComplete(planned, row.parts)) await this.replaceCurrentPack(planned);
  }

  /** A first copy is searched with what has changed since its segments, or without when that cannot be fetched now. */
  private async activatePlanned(planned: OfflinePack): Promise<void> {
    try {
      await this.replaceCurrentPack(planned);
    } finally {
      await this.store(() => activateFirstPack(this.tools.db, this.scope));
    }
  }

  private async replaceCurrentPack(planned: OfflinePack): Promise<void> {
    const { db } = this.tools;
    const to = await this.fetchDeltasSince(planned, null);
    // the plan's own cursor is too old already: the next refresh starts with a newer manifest
    if (to !== 'reset') await this.store(() => replacePack(db, this.scope, planned, to));
  }

  private async fetchSegmentList(segment: ManifestSegment, row: ScopeRow, isFirst: boolean): Promise<ScopeRow> {
    const { db, build } = this.tools;
    const isThere = [partName.pack(segment), partName.list(segment)].some((name) => name in row.parts);
    if (isThere && (!isFirst || isPackSearchable({ ...(row.next as OfflinePack), segments: [segment] }, row.parts)))
      return row;
    const { file, rows } = await fetchListFile(segment.list);
    const listSegment = isFirst ? await build(rows, null) : null;
    return this.store(() => storeListFile(db, this.scope, segment, file, listSegment));
  }

  private async fetchSegmentDetails(segment: ManifestSegment, row: ScopeRow): Promise<ScopeRow> {
    const { db, build } = this.tools;
    if (partName.pack(segment) in row.parts) return row;
    const list = await this.readOrFetchList(segment);
    const details = await fetchDetailFile(segment.detail);
    const pack = await build(list, details.rows);
    return this.store(() => storeSegment(db, this.scope, segment, pack));
  }

  /** The list fields from the device, or from the server where they are not or have become unreadable. */
  private async readOrFetchList(segment: ManifestSegment): Promise<ListRows> {
    const storedFile = await readStoredListFile(this.tools.db, this.scope, segment);
    try {
      if (storedFile) return parseList(storedFile);
    } catch {
      // the disk gave other bytes than it was given
    }
    return (await fetchListFile(segment.list)).rows;
  }

  private async completeDetails(): Promise<void> {
    let row = await this.read();
    for (const segment of row.current?.segments ?? []) row = await this.fetchSegmentDetails(segment, row);
  }

  /** Moves the current copy on by what changed; 'reset' when the server cannot tell that any more. */
  private async fetchDeltas(pack: OfflinePack): Promise<'reset' | undefined> {
    const { db } = this.tools;
    const storedDelta = await readMergedDelta(db, this.scope);
    const to = await this.fetchDeltasSince(pack, storedDelta);
    if (to === 'reset') return 'reset';
    const isNews = to.cursor !== pack.cursor;
    await this.store(() =>
      isNews
        ? storeMergedDelta(db, this.scope, pack.cursor, to)
        : confirmPack(db, this.scope, pack.cursor, to.savedAt, to.checked),
    );
    return undefined;
  }

  /** All deltas after the copy's cursor on top of `held`, packed. */
  private async fetchDeltasSince(
    offlinePack: OfflinePack,
    storedDelta: (MergedDelta & { pack: ArrayBuffer }) | null,
  ): Promise<PackProgressState | 'reset'> {
    const { scope } = this;
    const { db, build, details } = this.tools;
    // only who has all details may be told of new ones as being like those
    const isWhole = isPackComplete(offlinePack, (await this.read()).parts);
    let { cursor, checked } = offlinePack;
    let changes: MergedDelta | null = storedDelta;
    for (;;) {
      const asOfCursor = { scope, copy: offlinePack, changed: changes?.details ?? null };
      const readThose = (ids: readonly number[]) => readStoredDetails(db, asOfCursor, details, ids);
      const delta = await fetchDelta(scope, cursor, isWhole ? readThose : null);
      if (delta === 'reset' || (delta && delta.epoch !== offlinePack.epoch)) return 'reset';
      if (!delta) break;
      changes = mergeDeltas(changes, delta);
      checked = { ...checked, ...delta.checked };
      const hasMoved = delta.cursor !== cursor;
      cursor = delta.cursor;
      // an answer that promises more without moving on would never end
      if (!delta.more || !hasMoved) break;
    }
    const savedAt = currentTime().getTime();
    if (changes === storedDelta) return { cursor, checked, savedAt, changes: storedDelta };
    const pack = changes && (await build(changes.list, changes.details));
    return { cursor, checked, savedAt, changes: changes && pack && { ...changes, pack } };
  }

  /** Asks for a new manifest when much has changed, and takes it when the server has compacted. */
  private async refetchIfCompacted(): Promise<void> {
    const { current, changed } = await this.read();
    if (!current || changed <= current.rows * MAX_CHANGED_SHARE) return;
    const manifest = await fetchManifest(this.scope);
    const hashes = (segments: readonly ManifestSegment[]) => segments.map(({ list }) => list.hash).join(' ');
    if (hashes(manifest.segments) !== hashes(current.segments)) await this.fetchPack();
  }
}

/**
 * Brings a scope that the device keeps (`addScopeRow`) up to date: changes where there is a copy, else the whole of it,
 * list fields first. Throws what stopped it - no network, SchemaMismatchError, CorruptFile, a full device, ScopeRemovedError -; what
 * was fetched until then stays and is not fetched again.
 */
export function refreshScope(scope: string, tools: RefreshDependencies): Promise<void> {
  return new ScopeRefresh(scope, tools).run();
}
