import { createHash, randomInt } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { isScope, ManifestResponse, SYNC_SCHEMA } from '@nivida/contract/sync/sync';
import type { Pool } from 'pg';
import { AppError, forPrograms, packNotReady } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG, READ_POOL } from '../base/injection-tokens.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { ReplicaReader } from '../database/replica-reader.ts';
import { BodyCache, type ContentEncoding, compressBrotli } from '../http/body-cache.ts';
import { manifestRowCount, readManifest, type ScopeManifest } from './build-pack.ts';
import { checkedStamp, formatCursor, parseCursor } from './cursor.ts';
import { type DeltaRequest, readDeltaPage } from './delta.ts';
import type { EpochState, SqlQuery } from './epoch.ts';
import { PackBuildsService } from './pack-builds.service.ts';
import { countScopeChanges } from './scope-changes.sql.ts';
import { ScopeHeads } from './scope-heads.ts';
import { hasScopeRows, readCheckedTimes, scopeState } from './scope-rows.sql.ts';
import type { StoredSegmentFile } from './sync.entity.ts';
import { SEGMENT_BODY } from './sync.sql.ts';

const MAX_CACHE_BYTES = 64 * 1_024 * 1_024;
const HEAD_TTL_MS = 1_000;
const CHECKED_TTL_MS = 30_000;
/** A delta with more changes than this share of the rows, and more than 1,000, costs more than a pack. */
const LARGE_DELTA_SHARE = 0.5;
const LARGE_DELTA_ROWS = 1_000;
/** A pack with more changes than this share of its rows is built again. */
const REBUILD_SHARE = 0.1;

/** Seconds after which a device requests a pack again that is being built. They vary, so that devices do not return all at once. */
const MIN_BUILD_RETRY_SECONDS = 2;
const MAX_BUILD_RETRY_SECONDS = 6;

/** Twice as fast as the highest quality, for 2 % more bytes. Quality 9 would give 12 % more. */
const REST_QUALITY = 10;

/** A compressed file, or the rest of one. */
export interface PartialBody {
  body: Buffer;
  /** The number of uncompressed bytes before it; 0 for the whole file. */
  from: number;
}

/** A delta as it is sent. */
export interface EncodedDelta extends PartialBody {
  /** Equal for equal bytes of the whole delta. */
  tag: string;
}

/** A device's options of a request for a delta. */
export interface DeltaOptions {
  /** Whether the device has the details of all its tenders. */
  isComplete: boolean;
  /** The device prefers new segments to more changes than this. Without a value the server decides alone. */
  maxChanges?: number | undefined;
}

/** What a device has of a delta: the first `from` uncompressed bytes of the answer with the ETag `tag`. */
export interface ContinuedDelta {
  from: number;
  tag: string;
}

/**
 * Serves segments and deltas. Heads, manifests and deltas are read from the primary, because a replica that is behind would
 * make devices start again. Heads and manifests are at most a second old, segments are cached until the cache is full.
 */
@Injectable()
export class SyncService {
  private readonly logger = new Logger(SyncService.name);
  private readonly segments = new BodyCache(MAX_CACHE_BYTES);
  private readonly deltas = new BodyCache(MAX_CACHE_BYTES);
  private readonly tags = new WeakMap<Buffer, string>();
  private readonly manifests = new TtlCache<ScopeManifest | undefined>(HEAD_TTL_MS);
  private readonly scopesWithRows = new TtlCache<boolean>(HEAD_TTL_MS);
  private readonly changeCounts = new TtlCache<number>(HEAD_TTL_MS);
  private readonly checkedTimes = new TtlCache<Record<string, string>>(CHECKED_TTL_MS);

  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    private readonly reader: ReplicaReader,
    private readonly builds: PackBuildsService,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  private readonly query: SqlQuery = async (text, values) =>
    (await this.pool.query({ text, values: values ?? [] })).rows;

  private readonly heads = new ScopeHeads((text, values) => this.query(text, values));

  /** The manifest of a scope. NOT_FOUND for an unknown scope; NOT_READY without a pack, which a worker then builds. */
  async manifest(scope: string): Promise<ManifestResponse> {
    assertScope(scope);
    const epochState = await this.heads.state(this.now());
    const stored = (await this.storedManifest(scope, epochState)) ?? (await this.emptyManifest(scope, epochState));
    if (!stored) {
      await this.builds.request({ scope, newerThan: -1 });
      throw packNotReady(randomInt(MIN_BUILD_RETRY_SECONDS, MAX_BUILD_RETRY_SECONDS + 1));
    }
    const { assetOrigin } = this.config;
    const toFile = (file: StoredSegmentFile) => ({ ...file, url: `/api/sync/segments/${file.hash}` });
    return {
      schema: SYNC_SCHEMA,
      scope,
      epoch: stored.epoch,
      cursor: formatCursor({ epoch: stored.epoch, changeNo: stored.cursor, stamp: checkedStamp(stored.checked) }),
      rows: manifestRowCount(stored),
      segments: stored.segments.map(({ rows, list, detail }) => ({ rows, list: toFile(list), detail: toFile(detail) })),
      checked: stored.checked,
      ...(assetOrigin && { assetOrigin }),
    };
  }

  /** A stored file, or its rest from an offset; NOT_FOUND without the file, INVALID for an offset after its end. */
  async segment(hash: string, encoding: ContentEncoding, from: number): Promise<PartialBody> {
    const load = async () => (await this.reader.find<{ body: Buffer }>({ text: SEGMENT_BODY, values: [hash] }))?.body;
    const isName = /^[0-9a-f]{64}$/.test(hash);
    const rest = isName ? await partOf(this.segments, hash, encoding, from, load) : undefined;
    if (!rest) throw new AppError('NOT_FOUND', forPrograms('There is no such segment'));
    return rest;
  }

  /**
   * The changes after a cursor; null when there are none. `reset` with the current epoch makes the device start with the
   * manifest: the cursor is not valid, or the segments cost less than the changes. NOT_FOUND for an unknown scope. A continued
   * answer is sent from its offset if it is still the same, else from the start.
   */
  async delta(
    scope: string,
    text: string,
    { isComplete, maxChanges }: DeltaOptions,
    encoding: ContentEncoding,
    continued: ContinuedDelta = { from: 0, tag: '' },
  ): Promise<EncodedDelta | null | { reset: string }> {
    assertScope(scope);
    const cursor = parseCursor(text);
    let epochState = await this.heads.state(this.now());
    // Another process may have seen a newer head within the last second.
    if (cursor && cursor.epoch === epochState.epoch && cursor.changeNo > epochState.head)
      epochState = await this.heads.state(this.now(), true);
    const isOfNow =
      cursor?.epoch === epochState.epoch && cursor.changeNo <= epochState.head && cursor.changeNo >= epochState.floor;
    if (!cursor || !isOfNow) return { reset: epochState.epoch };
    const scopeHead = this.heads.of(scope, epochState);
    const checked = await this.readCheckedTimes(scope, epochState);
    const stamp = checkedStamp(checked);
    if (cursor.changeNo >= scopeHead && cursor.stamp === stamp) return null;
    // Not the head of all India: an import of another state leaves cached deltas valid.
    const head = Math.max(cursor.changeNo, scopeHead);
    const key = `${scope}:${formatCursor(cursor)}:${head}:${stamp}${isComplete ? ':d' : ''}`;
    const request = { scope, cursor, isComplete, head, checked, now: this.now() };
    const load = () => this.makeDelta(request, epochState);
    const manifest = maxChanges === undefined ? undefined : await this.storedManifest(scope, epochState);
    if (await this.hasNewerPack(request, epochState, manifest, maxChanges)) return { reset: epochState.epoch };
    const whole = await this.deltas.get(key, 'br', load);
    if (!whole) return { reset: epochState.epoch };
    // The answer to the same request may differ in another process or a minute later, so the tag is compared.
    const tag = this.tagOf(whole);
    const from = continued.tag === tag ? continued.from : 0;
    const rest = await partOf(this.deltas, key, encoding, from, load);
    return rest ? { ...rest, tag } : { reset: epochState.epoch };
  }

  private tagOf(body: Buffer): string {
    const tag = this.tags.get(body) ?? createHash('sha256').update(body).digest('hex');
    this.tags.set(body, tag);
    return tag;
  }

  /** The delta in brotli; undefined when the cursor is so far behind that a fresh pack is cheaper. */
  private async makeDelta(request: DeltaRequest, epochState: EpochState): Promise<Buffer | undefined> {
    const { scope } = request;
    const manifest = await this.storedManifest(scope, epochState);
    if (manifest) {
      if (await this.hasNewerPack(request, epochState, manifest)) return undefined;
      // Not awaited: a device that follows the deltas does not need the new pack.
      this.requestRebuild(scope, manifest, epochState).catch((error) => this.logger.error(error));
    }
    return compressBrotli(JSON.stringify(await readDeltaPage(this.query, request)));
  }

  /** Requests a new pack when more than a tenth of its rows have changed. Devices with different cursors share the count. */
  private async requestRebuild(scope: string, manifest: ScopeManifest, { epoch, head }: EpochState): Promise<void> {
    const threshold = Math.ceil(manifestRowCount(manifest) * REBUILD_SHARE) + 1;
    const changes = await this.changeCounts.get(
      [epoch, scope, 'rebuild', manifest.cursor, head].join(' '),
      this.now(),
      () => countScopeChanges(this.query, scope, manifest.cursor, head, threshold),
    );
    if (changes === threshold) await this.builds.request({ scope, newerThan: manifest.cursor });
  }

  /**
   * Whether the device should load segments instead of a delta. There must be segments newer than the cursor, and more
   * changes than the device accepts or than cost less than the segments. `maxChanges` can lower this limit, not raise it.
   */
  private async hasNewerPack(
    { scope, cursor, now }: DeltaRequest,
    { epoch, head }: EpochState,
    manifest: ScopeManifest | undefined,
    maxChanges = Number.POSITIVE_INFINITY,
  ): Promise<boolean> {
    if (!manifest || cursor.changeNo >= manifest.cursor) return false;
    const limit = Math.max(LARGE_DELTA_ROWS, Math.ceil(manifestRowCount(manifest) * LARGE_DELTA_SHARE));
    // Cached, because after an import many devices have the same cursor.
    const key = [epoch, scope, cursor.changeNo, head, manifest.cursor].join(' ');
    const changes = await this.changeCounts.get(key, now, () =>
      countScopeChanges(this.query, scope, cursor.changeNo, head, limit + 1),
    );
    return changes > Math.min(limit, maxChanges);
  }

  /** The epoch of the database. It changes after a restore. */
  async epoch(): Promise<string> {
    return (await this.heads.state(this.now())).epoch;
  }

  /** The manifest of a scope without rows, which needs no build; undefined for one with rows. */
  private async emptyManifest(scope: string, { epoch, head }: EpochState) {
    const now = this.now();
    // The cached answer is valid for one head only, because a cursor must not skip rows that were stored later.
    const hasRows = this.scopesWithRows.get(`${scope} ${epoch} ${head}`, now, () =>
      hasScopeRows(this.query, scopeState(scope), now),
    );
    if (await hasRows) return undefined;
    return { epoch, cursor: head, segments: [], checked: {} };
  }

  private storedManifest(scope: string, epochState: EpochState): Promise<ScopeManifest | undefined> {
    return this.manifests.get(`${scope} ${epochState.epoch}`, this.now(), () =>
      readManifest(this.query, scope, epochState),
    );
  }

  private readCheckedTimes(scope: string, epochState: EpochState): Promise<Record<string, string>> {
    const now = this.now();
    // By the scope's own head: an import of another state needs no statement here.
    return this.checkedTimes.get(`${scope} ${epochState.epoch} ${this.heads.of(scope, epochState)}`, now, () =>
      readCheckedTimes(this.query, scopeState(scope), now),
    );
  }
}

/** The rest of a cached body from an offset; undefined without the body, INVALID for an offset after its end. */
async function partOf(
  cache: BodyCache,
  key: string,
  encoding: ContentEncoding,
  from: number,
  load: () => Promise<Buffer | undefined>,
): Promise<PartialBody | undefined> {
  const loadRest = async () => {
    const plain = await cache.get(key, 'identity', load);
    if (plain && from > plain.length) throw new AppError('INVALID', forPrograms('The file is shorter'));
    return plain && compressBrotli(plain.subarray(from), REST_QUALITY);
  };
  const body = await (from === 0 ? cache.get(key, encoding, load) : cache.get(`${key}@${from}`, encoding, loadRest));
  return body && { body, from };
}

function assertScope(scope: string): void {
  if (!isScope(scope)) throw new AppError('NOT_FOUND', forPrograms('There is no such scope'));
}
