import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { isScope, Manifest, SYNC_SCHEMA } from '@nivida/contract/sync';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Reader } from '../database/reader.ts';
import { AppError } from '../http/app-error.ts';
import { CLOCK, READ_POOL } from '../http/tokens.ts';
import { Bodies, type Encoding } from './bodies.ts';
import { countChanges } from './changes.ts';
import { buildScope, readManifest, rowsOf, type StoredManifest, toBrotli } from './compact.service.ts';
import { cursorText, parseCursor, stampOf } from './cursor.ts';
import { type DeltaRequest, readDeltaPage } from './delta.ts';
import { Kept } from './kept.ts';
import { type Life, type Query, readLife } from './life.ts';
import { readChecked, stateOf } from './scope.ts';

const KEPT_BYTES = 64 * 1_024 * 1_024;
const HEAD_KEPT_MS = 1_000;
const CHECKED_KEPT_MS = 30_000;
/** A pack is cheaper than a delta of more than half of its rows, unless that is little anyway. */
const LARGE_DELTA_SHARE = 0.5;
const LARGE_DELTA_ROWS = 1_000;
/** With more changes than this share of its rows a pack is built anew. */
const WORN_SHARE = 0.1;

/** A delta as it is sent. */
export interface DeltaBody {
  body: Buffer;
  /** The same for the same bytes. */
  tag: string;
}

/**
 * Serves segments and deltas. Heads, manifests and deltas come from the primary: a replica that is behind would send
 * devices back to the start. What it reads of the database it keeps for a second at most, segments for ever.
 */
@Injectable()
export class SyncService implements OnApplicationShutdown {
  private readonly logger = new Logger(SyncService.name);
  private readonly segments = new Bodies(KEPT_BYTES);
  private readonly deltas = new Bodies(KEPT_BYTES);
  private readonly lives = new Kept<Life>(HEAD_KEPT_MS);
  private readonly manifests = new Kept<StoredManifest>(HEAD_KEPT_MS);
  private readonly checks = new Kept<Record<string, string>>(CHECKED_KEPT_MS);
  private readonly building = new Map<string, Promise<void>>();

  constructor(
    @Inject(READ_POOL) private readonly pool: Pool,
    @Inject(Reader) private readonly reader: Reader,
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
  ) {}

  /** No request comes any more; the database closes after what they began. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.building.values());
  }

  private readonly query: Query = async (text, values) => (await this.pool.query({ text, values: values ?? [] })).rows;

  /** The manifest of a scope, whose segments are built now if there are none; NOT_FOUND for no scope. */
  async manifest(scope: string): Promise<Manifest> {
    refuseUnknown(scope);
    const life = await this.life();
    const stored = await this.storedManifest(scope, life);
    const toFile = ({ hash, bytes }: { hash: string; bytes: number }) => ({
      hash,
      bytes,
      url: `/api/sync/segments/${hash}`,
    });
    return {
      schema: SYNC_SCHEMA,
      scope,
      epoch: stored.epoch,
      cursor: cursorText({ epoch: stored.epoch, changeNo: stored.cursor, stamp: stampOf(stored.checked) }),
      rows: rowsOf(stored),
      segments: stored.segments.map(({ rows, list, detail }) => ({ rows, list: toFile(list), detail: toFile(detail) })),
      checked: stored.checked,
    };
  }

  /** A stored file, or NOT_FOUND. */
  async segment(hash: string, encoding: Encoding): Promise<Buffer> {
    const body = /^[0-9a-f]{64}$/.test(hash)
      ? await this.segments.get(hash, encoding, async () => {
          const text = 'SELECT body FROM sync_segment WHERE hash = $1';
          return (await this.reader.find<{ body: Buffer }>({ text, values: [hash] }))?.body;
        })
      : undefined;
    if (!body) throw new AppError('NOT_FOUND', 'There is no such segment');
    return body;
  }

  /**
   * What changed after a cursor; null when nothing did. `reset` with the current epoch: the cursor cannot be gone on
   * from, so the device starts with the manifest. `isComplete`: the device holds the details, too. NOT_FOUND for no scope.
   */
  async delta(
    scope: string,
    text: string,
    isComplete: boolean,
    encoding: Encoding,
  ): Promise<DeltaBody | null | { reset: string }> {
    refuseUnknown(scope);
    const cursor = parseCursor(text);
    let life = await this.life();
    // Another process may have seen a newer head within the last second.
    if (cursor && cursor.epoch === life.epoch && cursor.changeNo > life.head) life = await this.life(true);
    const isOfNow = cursor?.epoch === life.epoch && cursor.changeNo <= life.head && cursor.changeNo >= life.floor;
    if (!cursor || !isOfNow) return { reset: life.epoch };
    const checked = await this.checked(scope, life);
    const stamp = stampOf(checked);
    if (cursor.changeNo === life.head && cursor.stamp === stamp) return null;
    const tag = `${scope}:${cursorText(cursor)}:${life.head}:${stamp}${isComplete ? ':d' : ''}`;
    const request = { scope, cursor, isComplete, head: life.head, checked, now: this.now() };
    const body = await this.deltas.get(tag, encoding, () => this.makeDelta(request, life));
    return body ? { body, tag } : { reset: life.epoch };
  }

  /** The delta in brotli; undefined when the cursor is so far behind that a fresh pack is cheaper. */
  private async makeDelta(request: DeltaRequest, life: Life): Promise<Buffer | undefined> {
    const { scope, cursor } = request;
    const manifest = await this.storedManifest(scope, life);
    const rows = rowsOf(manifest);
    const most = Math.max(LARGE_DELTA_ROWS, Math.ceil(rows * LARGE_DELTA_SHARE)) + 1;
    const isBehind = cursor.changeNo < manifest.cursor;
    if (isBehind && (await countChanges(this.query, scope, cursor.changeNo, life.head, most)) === most)
      return undefined;
    const worn = Math.ceil(rows * WORN_SHARE) + 1;
    if ((await countChanges(this.query, scope, manifest.cursor, life.head, worn)) === worn)
      this.build(scope, manifest.cursor).catch((error) => this.logger.error(error));
    return toBrotli(JSON.stringify(await readDeltaPage(this.query, request)));
  }

  private life(afresh = false): Promise<Life> {
    return this.lives.get('', this.now(), () => readLife(this.query), afresh);
  }

  private async storedManifest(scope: string, life: Life): Promise<StoredManifest> {
    return this.manifests.get(`${scope} ${life.epoch}`, this.now(), async () => {
      const found = await readManifest(this.query, scope, life);
      if (found) return found;
      await this.build(scope, -1);
      return (await readManifest(this.query, scope, await readLife(this.query))) as StoredManifest;
    });
  }

  private build(scope: string, newerThan: number): Promise<void> {
    let building = this.building.get(scope);
    if (!building) {
      building = buildScope(this.dataSource, scope, this.now(), newerThan).finally(() => this.building.delete(scope));
      this.building.set(scope, building);
    }
    return building;
  }

  private checked(scope: string, life: Life): Promise<Record<string, string>> {
    const now = this.now();
    return this.checks.get(`${scope} ${life.head}`, now, () => readChecked(this.query, stateOf(scope), now));
  }
}

function refuseUnknown(scope: string): void {
  if (!isScope(scope)) throw new AppError('NOT_FOUND', 'There is no such scope');
}
