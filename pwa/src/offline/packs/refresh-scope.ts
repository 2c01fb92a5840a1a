/** Updates one scope. Resumes where the last attempt stopped. */
import { type DetailRows, INDIA_SCOPE, type ListRows, type ManifestResponse } from '@nivida/contract/sync/sync';
import { currentTime } from '../../data/clock.ts';
import type { DeviceDatabase, OfflinePack, ScopeRow } from '../../data/device/schema.ts';
import { writeWithEviction } from '../../data/device/storage-quota.ts';
import { type DownloadOptions, deleteDownload, downloadFile } from './download-file.ts';
import {
  type FileSource,
  fetchDelta,
  fetchDetailFile,
  fetchListFile,
  fetchManifest,
  parseListFile as parseList,
} from './fetch-pack.ts';
import { type MergedDelta, mergeDeltas } from './merge-deltas.ts';
import {
  activateFirstPack,
  confirmPack,
  isPackComplete,
  isPackSearchable,
  type ManifestSegment,
  type PackProgressState,
  packFileName,
  planPack,
  readMergedDelta,
  readStoredListFile,
  removeStates,
  replacePack,
  ScopeRemovedError,
  storeListFile,
  storeMergedDelta,
  storeSegment,
} from './pack-store.ts';
import { type ReadSegmentDetails, readStoredDetails } from './stored-details.ts';

/**
 * When a delta would change a larger share of the pack's tenders, the device fetches the server's new
 * segments instead.
 */
const MAX_CHANGED_SHARE = 0.5;

const maxChangedRows = ({ rows }: OfflinePack): number => Math.floor(rows * MAX_CHANGED_SHARE);

export interface RefreshDependencies {
  db: DeviceDatabase;
  /** Builds a segment index in the engine's worker. */
  build(list: ListRows, details: DetailRows | null): Promise<ArrayBuffer>;
  details: ReadSegmentDetails;
  /** Called after each stored step. */
  onStep(row: ScopeRow): void;
  /** Options for each file: when to give up, and progress. */
  download?: DownloadOptions;
}

class ScopeRefresh {
  private readonly files: FileSource;
  /** The CDN of the last manifest; undefined once it has failed. Deltas come from the server only. */
  private assetOrigin: string | undefined;

  constructor(
    private readonly scope: string,
    private readonly tools: RefreshDependencies,
  ) {
    const { db, download } = tools;
    this.files = {
      get: (address) => {
        const assetOrigin = address.searchParams ? undefined : this.assetOrigin;
        return downloadFile(db, scope, address, { ...download, assetOrigin, onAssetFailure: this.dropAssetOrigin });
      },
      discard: (address) => {
        this.dropAssetOrigin();
        return deleteDownload(db, scope, address);
      },
    };
  }

  private readonly dropAssetOrigin = () => {
    this.assetOrigin = undefined;
  };

  private async readManifest(): Promise<ManifestResponse> {
    const manifest = await fetchManifest(this.scope);
    this.assetOrigin = manifest.assetOrigin;
    return manifest;
  }

  async run(): Promise<void> {
    await this.update();
    const { db } = this.tools;
    // All downloaded files are stored in the pack now.
    await db.downloads.where({ scope: this.scope }).delete();
    if (this.scope === INDIA_SCOPE) await removeStates(db);
  }

  private async update(): Promise<void> {
    const row = await this.read();
    // Continues an unfinished fetch. The new manifest includes the server's compactions.
    if (!row.current || row.next) return this.fetchPack();
    const manifest = await this.findNewSegments(row.current, row.changed);
    if (manifest) return this.fetchPack(manifest);
    // The server answers 'reset' to a delta that would change too many tenders.
    if ((await this.fetchDeltas(row.current)) === 'reset') return this.fetchPack();
    await this.completeDetails();
  }

  private async read(): Promise<ScopeRow> {
    const row = await this.tools.db.scopes.get(this.scope);
    if (!row) throw new ScopeRemovedError(this.scope);
    return row;
  }

  /** Stores one step. Makes room when the device is full. */
  private async store(write: () => Promise<ScopeRow>): Promise<ScopeRow> {
    const row = await writeWithEviction(this.tools.db, this.scope, write);
    this.tools.onStep(row);
    return row;
  }

  /** Fetches a new pack. The old pack stays in use until the new one is complete. */
  private async fetchPack(known?: ManifestResponse): Promise<void> {
    const { db } = this.tools;
    const manifest = known ?? (await this.readManifest());
    let row = await this.store(() => planPack(db, this.scope, manifest));
    const planned = row.next;
    if (!planned) return;
    const isFirst = row.current === null;
    for (const segment of planned.segments) row = await this.fetchSegmentList(segment, row, isFirst);
    if (isFirst && isPackSearchable(planned, row.files)) await this.activatePlanned(planned);
    for (const segment of planned.segments) row = await this.fetchSegmentDetails(segment, row);
    if (!isFirst && isPackComplete(planned, row.files)) await this.replaceCurrentPack(planned);
  }

  /**
   * Activates a first pack with the changes since its segments. When the delta cannot be fetched, activates
   * it without them.
   */
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
    // After a reset the plan's cursor is too old: the next refresh starts with a newer manifest.
    if (to !== 'reset') await this.store(() => replacePack(db, this.scope, planned, to));
  }

  private async fetchSegmentList(segment: ManifestSegment, row: ScopeRow, isFirst: boolean): Promise<ScopeRow> {
    const { db, build } = this.tools;
    const isThere = [packFileName.index(segment), packFileName.list(segment)].some((name) => name in row.files);
    if (isThere && (!isFirst || isPackSearchable({ ...(row.next as OfflinePack), segments: [segment] }, row.files)))
      return row;
    const { file, rows } = await fetchListFile(this.files, segment.list);
    const listSegment = isFirst ? await build(rows, null) : null;
    return this.store(() => storeListFile(db, this.scope, segment, file, listSegment));
  }

  private async fetchSegmentDetails(segment: ManifestSegment, row: ScopeRow): Promise<ScopeRow> {
    const { db, build } = this.tools;
    if (packFileName.index(segment) in row.files) return row;
    const list = await this.readOrFetchList(segment);
    const details = await fetchDetailFile(this.files, segment.detail);
    const pack = await build(list, details.rows);
    return this.store(() => storeSegment(db, this.scope, segment, pack));
  }

  /**
   * The list fields from the device, or from the server when they are missing or unreadable on the device.
   */
  private async readOrFetchList(segment: ManifestSegment): Promise<ListRows> {
    const storedFile = await readStoredListFile(this.tools.db, this.scope, segment);
    try {
      if (storedFile) return parseList(storedFile);
    } catch {
      // The stored bytes are corrupt.
    }
    return (await fetchListFile(this.files, segment.list)).rows;
  }

  private async completeDetails(): Promise<void> {
    let row = await this.read();
    for (const segment of row.current?.segments ?? []) row = await this.fetchSegmentDetails(segment, row);
  }

  /** Applies new deltas to the current pack; 'reset' when the server no longer knows its cursor. */
  private async fetchDeltas(pack: OfflinePack): Promise<'reset' | undefined> {
    const { db } = this.tools;
    const storedDelta = await readMergedDelta(db, this.scope);
    const maxChanges = Math.max(0, maxChangedRows(pack) - (storedDelta?.list.id.length ?? 0));
    const to = await this.fetchDeltasSince(pack, storedDelta, maxChanges);
    if (to === 'reset') return 'reset';
    const isNews = to.cursor !== pack.cursor;
    await this.store(() =>
      isNews
        ? storeMergedDelta(db, this.scope, pack.cursor, to)
        : confirmPack(db, this.scope, pack.cursor, to.savedAt, to.checked),
    );
    return undefined;
  }

  /**
   * Merges all deltas after the pack's cursor into `storedDelta` and builds the index of the result. 'reset'
   * when the server no longer knows the cursor, or has newer segments and more than `maxChanges` changes.
   */
  private async fetchDeltasSince(
    offlinePack: OfflinePack,
    storedDelta: (MergedDelta & { index: ArrayBuffer }) | null,
    maxChanges?: number,
  ): Promise<PackProgressState | 'reset'> {
    const { scope } = this;
    const { db, build, details } = this.tools;
    // Differences from stored details are requested only when all details are stored.
    const isWhole = isPackComplete(offlinePack, (await this.read()).files);
    let { cursor, checked } = offlinePack;
    let changes: MergedDelta | null = storedDelta;
    // Only the first page can be refused. After it the device has some of the changes.
    for (let limit = maxChanges; ; limit = undefined) {
      const asOfCursor = { scope, pack: offlinePack, changed: changes?.details ?? null };
      const readThose = (ids: readonly number[]) => readStoredDetails(db, asOfCursor, details, ids);
      const delta = await fetchDelta(this.files, scope, cursor, isWhole ? readThose : null, limit);
      if (delta === 'reset' || (delta && delta.epoch !== offlinePack.epoch)) return 'reset';
      if (!delta) break;
      changes = mergeDeltas(changes, delta);
      checked = { ...checked, ...delta.checked };
      const hasMoved = delta.cursor !== cursor;
      cursor = delta.cursor;
      // Without this check a delta with `more` and an unchanged cursor would loop forever.
      if (!delta.more || !hasMoved) break;
    }
    const savedAt = currentTime().getTime();
    if (changes === storedDelta) return { cursor, checked, savedAt, changes: storedDelta };
    const index = changes && (await build(changes.list, changes.details));
    return { cursor, checked, savedAt, changes: changes && index && { ...changes, index } };
  }

  /**
   * The manifest, when many tenders of the pack have changed and the server has newer segments; otherwise
   * undefined.
   */
  private async findNewSegments(current: OfflinePack, changed: number): Promise<ManifestResponse | undefined> {
    if (changed <= maxChangedRows(current)) return undefined;
    const manifest = await this.readManifest();
    const hashes = (segments: readonly ManifestSegment[]) => segments.map(({ list }) => list.hash).join(' ');
    return hashes(manifest.segments) === hashes(current.segments) ? undefined : manifest;
  }
}

/**
 * Updates a scope that `addScopeRow` has added. A scope with a pack gets deltas; without a pack it gets all
 * segments, list fields first.
 *
 * Throws network and quota errors, SchemaMismatchError, CorruptPackFileError and ScopeRemovedError. Bytes
 * that were stored before the error are not fetched again.
 */
export function refreshScope(scope: string, tools: RefreshDependencies): Promise<void> {
  return new ScopeRefresh(scope, tools).run();
}
