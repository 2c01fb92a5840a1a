/** Finds the first rows of an order without sorting the others. */
import type { SegmentIndex } from '../segments/segment-index.ts';
import type { RowRef } from './merge-page.ts';

/** Keeps the first `limit` rows by two ascending keys, then id, in a heap whose top is the last of them. */
export class TopRows {
  private readonly keys: Float64Array;
  private readonly laterKeys: Float64Array;
  private readonly ids: Int32Array;
  private readonly indexes: Uint32Array;
  private readonly rows: Uint32Array;
  private size = 0;

  constructor(
    private readonly segments: readonly SegmentIndex[],
    private readonly limit: number,
  ) {
    this.keys = new Float64Array(limit);
    this.laterKeys = new Float64Array(limit);
    this.ids = new Int32Array(limit);
    this.indexes = new Uint32Array(limit);
    this.rows = new Uint32Array(limit);
  }

  offer(index: number, row: number, key: number, laterKey: number): void {
    const id = this.segments[index]?.ids[row] as number;
    if (this.size < this.limit) {
      this.size += 1;
      this.rise(this.size - 1, index, row, key, laterKey, id);
    } else if (this.limit > 0 && this.isBehind(0, key, laterKey, id)) {
      this.sink(index, row, key, laterKey, id);
    }
  }

  /** The rows in their order. */
  sorted(): RowRef[] {
    const { keys, laterKeys, ids } = this;
    const key = (values: ArrayLike<number>, at: number) => values[at] as number;
    return Array.from({ length: this.size }, (_, at) => at)
      .sort(
        (one, other) =>
          key(keys, one) - key(keys, other) ||
          key(laterKeys, one) - key(laterKeys, other) ||
          key(ids, one) - key(ids, other),
      )
      .map((at) => ({ segment: this.segments[key(this.indexes, at)] as SegmentIndex, row: key(this.rows, at) }));
  }

  /** True when the entry at `at` comes after these keys. */
  private isBehind(at: number, key: number, laterKey: number, id: number): boolean {
    const own = this.keys[at] as number;
    if (own !== key) return own > key;
    const later = this.laterKeys[at] as number;
    if (later !== laterKey) return later > laterKey;
    return (this.ids[at] as number) > id;
  }

  private put(at: number, index: number, row: number, key: number, laterKey: number, id: number): void {
    this.keys[at] = key;
    this.laterKeys[at] = laterKey;
    this.ids[at] = id;
    this.indexes[at] = index;
    this.rows[at] = row;
  }

  private move(from: number, to: number): void {
    const { indexes, rows, keys, laterKeys, ids } = this;
    this.put(
      to,
      indexes[from] as number,
      rows[from] as number,
      keys[from] as number,
      laterKeys[from] as number,
      ids[from] as number,
    );
  }

  /** Puts an entry at the end and moves it towards the top. */
  private rise(end: number, index: number, row: number, key: number, laterKey: number, id: number): void {
    let at = end;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (this.isBehind(parent, key, laterKey, id)) break;
      this.move(parent, at);
      at = parent;
    }
    this.put(at, index, row, key, laterKey, id);
  }

  /** Replaces the top by an entry and moves it down. */
  private sink(index: number, row: number, key: number, laterKey: number, id: number): void {
    let at = 0;
    for (let child = 1; child < this.size; child = 2 * at + 1) {
      const other = child + 1;
      if (
        other < this.size &&
        this.isBehind(other, this.keys[child] as number, this.laterKeys[child] as number, this.ids[child] as number)
      )
        child = other;
      if (!this.isBehind(child, key, laterKey, id)) break;
      this.move(child, at);
      at = child;
    }
    this.put(at, index, row, key, laterKey, id);
  }
}
