/** Brings one scope up to date, from wherever the last attempt stopped. */
import type { DetailRows, ListRows } from '@nivida/contract/sync';
import { currentTime } from '../../../data/clock.ts';
import type { CopyRow, DeviceDatabase, ScopeRow } from '../../../data/db.ts';
import { type Evicted, withRoom } from '../../../data/room.ts';
import { fetchDelta, fetchDetails, fetchList, fetchManifest, readListFile as parseList } from './fetch.ts';
import { type ReadPack, readHeld } from './held.ts';
import { type Changes, mergeChanges } from './merge.ts';
import {
  confirmCopy,
  isComplete,
  isSearchable,
  keepChanges,
  keepList,
  keepPack,
  nameOf,
  type Progressed,
  planCopy,
  readChanges,
  readListFile,
  replaceCopy,
  ScopeRemoved,
  type Segment,
  startFirstCopy,
} from './scopes.ts';

/** Beyond this share of changed tenders a new manifest is asked for: the server has compacted meanwhile. */
const MOST_CHANGED = 0.1;

/** What a refresh needs of its surroundings. */
export interface RefreshTools {
  db: DeviceDatabase;
  /** Makes a pack, in the engine's worker. */
  build(list: ListRows, details: DetailRows | null): Promise<ArrayBuffer>;
  details: ReadPack;
  /** Called after each step that is safely on the device. */
  onStep(row: ScopeRow): void;
  /** Something had to go to make room. */
  onEvicted(evicted: Evicted): void;
}

class Refresh {
  constructor(
    private readonly scope: string,
    private readonly tools: RefreshTools,
  ) {}

  async run(): Promise<void> {
    const row = await this.read();
    // a copy on its way goes on; what the server has compacted meanwhile is told by the next manifest
    if (!row.current || row.next) return this.fetchCopy();
    if ((await this.fetchChanges(row.current)) === 'reset') return this.fetchCopy();
    await this.completeDetails();
    await this.compact();
  }

  private async read(): Promise<ScopeRow> {
    const row = await this.tools.db.scopes.get(this.scope);
    if (!row) throw new ScopeRemoved(this.scope);
    return row;
  }

  /** Writes one step; makes room for it when the device is full. */
  private async keep(write: () => Promise<ScopeRow>): Promise<ScopeRow> {
    const { value, evicted } = await withRoom(this.tools.db, this.scope, write);
    if (evicted.scopes.length > 0 || evicted.tenders > 0) this.tools.onEvicted(evicted);
    this.tools.onStep(value);
    return value;
  }

  /** A new copy by a new manifest; the old one is used until this one is all there. */
  private async fetchCopy(): Promise<void> {
    const { db } = this.tools;
    const manifest = await fetchManifest(this.scope);
    let row = await this.keep(() => planCopy(db, this.scope, manifest));
    const planned = row.next;
    if (!planned) return;
    const isFirst = row.current === null;
    for (const segment of planned.segments) row = await this.fetchSegmentList(segment, row, isFirst);
    if (isFirst && isSearchable(planned, row.parts)) await this.startUsing(planned);
    for (const segment of planned.segments) row = await this.fetchSegmentDetails(segment, row);
    if (!isFirst && isComplete(planned, row.parts)) await this.replace(planned);
  }

  /** A first copy is searched with what has changed since its segments, or without when that cannot be fetched now. */
  private async startUsing(planned: CopyRow): Promise<void> {
    try {
      await this.replace(planned);
    } finally {
      await this.keep(() => startFirstCopy(this.tools.db, this.scope));
    }
  }

  private async replace(planned: CopyRow): Promise<void> {
    const { db } = this.tools;
    const to = await this.changesSince(planned, null);
    // the plan's own cursor is too old already: the next refresh starts with a newer manifest
    if (to !== 'reset') await this.keep(() => replaceCopy(db, this.scope, planned, to));
  }

  private async fetchSegmentList(segment: Segment, row: ScopeRow, isFirst: boolean): Promise<ScopeRow> {
    const { db, build } = this.tools;
    const isThere = [nameOf.pack(segment), nameOf.list(segment)].some((name) => name in row.parts);
    if (isThere && (!isFirst || isSearchable({ ...(row.next as CopyRow), segments: [segment] }, row.parts))) return row;
    const { file, rows } = await fetchList(segment.list);
    const words = isFirst ? await build(rows, null) : null;
    return this.keep(() => keepList(db, this.scope, segment, file, words));
  }

  private async fetchSegmentDetails(segment: Segment, row: ScopeRow): Promise<ScopeRow> {
    const { db, build } = this.tools;
    if (nameOf.pack(segment) in row.parts) return row;
    const list = await this.listOf(segment);
    const details = await fetchDetails(segment.detail);
    const pack = await build(list, details.rows);
    return this.keep(() => keepPack(db, this.scope, segment, pack));
  }

  /** The list fields from the device, or from the server where they are not or have become unreadable. */
  private async listOf(segment: Segment): Promise<ListRows> {
    const kept = await readListFile(this.tools.db, this.scope, segment);
    try {
      if (kept) return parseList(kept);
    } catch {
      // the disk gave other bytes than it was given
    }
    return (await fetchList(segment.list)).rows;
  }

  private async completeDetails(): Promise<void> {
    let row = await this.read();
    for (const segment of row.current?.segments ?? []) row = await this.fetchSegmentDetails(segment, row);
  }

  /** Moves the current copy on by what changed; 'reset' when the server cannot tell that any more. */
  private async fetchChanges(copy: CopyRow): Promise<'reset' | undefined> {
    const { db } = this.tools;
    const held = await readChanges(db, this.scope);
    const to = await this.changesSince(copy, held);
    if (to === 'reset') return 'reset';
    const isNews = to.cursor !== copy.cursor;
    await this.keep(() =>
      isNews
        ? keepChanges(db, this.scope, copy.cursor, to)
        : confirmCopy(db, this.scope, copy.cursor, to.savedAt, to.checked),
    );
    return undefined;
  }

  /** All deltas after the copy's cursor on top of `held`, packed. */
  private async changesSince(
    copy: CopyRow,
    held: (Changes & { pack: ArrayBuffer }) | null,
  ): Promise<Progressed | 'reset'> {
    const { scope } = this;
    const { db, build, details } = this.tools;
    // only who has all details may be told of new ones as being like those
    const isWhole = isComplete(copy, (await this.read()).parts);
    let { cursor, checked } = copy;
    let changes: Changes | null = held;
    for (;;) {
      const asOfCursor = { scope, copy, changed: changes?.details ?? null };
      const readThose = (ids: readonly number[]) => readHeld(db, asOfCursor, details, ids);
      const delta = await fetchDelta(scope, cursor, isWhole ? readThose : null);
      if (delta === 'reset' || (delta && delta.epoch !== copy.epoch)) return 'reset';
      if (!delta) break;
      changes = mergeChanges(changes, delta);
      checked = { ...checked, ...delta.checked };
      const hasMoved = delta.cursor !== cursor;
      cursor = delta.cursor;
      // an answer that promises more without moving on would never end
      if (!delta.more || !hasMoved) break;
    }
    const savedAt = currentTime().getTime();
    if (changes === held) return { cursor, checked, savedAt, changes: held };
    const pack = changes && (await build(changes.list, changes.details));
    return { cursor, checked, savedAt, changes: changes && pack && { ...changes, pack } };
  }

  /** Asks for a new manifest when much has changed, and takes it when the server has compacted. */
  private async compact(): Promise<void> {
    const { current, changed } = await this.read();
    if (!current || changed <= current.rows * MOST_CHANGED) return;
    const manifest = await fetchManifest(this.scope);
    const hashes = (segments: readonly Segment[]) => segments.map(({ list }) => list.hash).join(' ');
    if (hashes(manifest.segments) !== hashes(current.segments)) await this.fetchCopy();
  }
}

/**
 * Brings a scope that the device keeps (`wantScope`) up to date: changes where there is a copy, else the whole of it,
 * list fields first. Throws what stopped it - no network, OtherSchema, CorruptFile, a full device, ScopeRemoved -; what
 * was fetched until then stays and is not fetched again.
 */
export function refreshScope(scope: string, tools: RefreshTools): Promise<void> {
  return new Refresh(scope, tools).run();
}
