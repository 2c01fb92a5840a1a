/** One page of what matches, in order, from packs that are each sorted for themselves. */
import type { Numbers } from './numbers.ts';
import type { Pack, SortedBy } from './pack.ts';
import type { EngineQuery } from './query.ts';

/** A row of a pack. */
export interface Place {
  pack: Pack;
  row: number;
}

/** Walks the matching rows of one pack in order. `key` ascends in both directions; it is Infinity for nulls and at the end. */
class Cursor {
  row = -1;
  key = Infinity;
  private at = -1;
  private readonly rows: Numbers;
  private readonly keys: Float64Array;

  constructor(
    readonly pack: Pack,
    private readonly mask: Uint8Array,
    sort: EngineQuery['sort'],
    private readonly isDescending: boolean,
  ) {
    const key = sort === 'price' ? 'price' : 'closing';
    const order: SortedBy = `${key}${isDescending ? 'Desc' : 'Asc'}`;
    this.rows = pack.sortedBy(order);
    this.keys = sort === 'price' ? pack.price : pack.closesAt;
    this.advance();
  }

  get isAtEnd(): boolean {
    return this.at >= this.rows.length;
  }

  advance(): void {
    do this.at += 1;
    while (this.at < this.rows.length && this.mask[this.rows[this.at] as number] === 0);
    if (this.isAtEnd) return;
    this.row = this.rows[this.at] as number;
    const key = this.keys[this.row] as number;
    if (Number.isNaN(key)) this.key = Infinity;
    else this.key = this.isDescending ? -key : key;
  }

  isBefore(other: Cursor): boolean {
    if (this.key !== other.key) return this.key < other.key;
    return (this.pack.ids[this.row] as number) < (other.pack.ids[other.row] as number);
  }
}

/** The page of the query, nulls last in both directions, ties by id; `masks` has an array for each pack. */
export function pageOf(
  packs: readonly Pack[],
  masks: readonly Uint8Array[],
  { sort, order, page, limit }: Pick<EngineQuery, 'sort' | 'order' | 'page' | 'limit'>,
): Place[] {
  const cursors = packs
    .map((pack, index) => new Cursor(pack, masks[index] as Uint8Array, sort, order === 'desc'))
    .filter((cursor) => !cursor.isAtEnd);
  const places: Place[] = [];
  const start = (page - 1) * limit;
  for (let passed = 0; passed < start + limit && cursors.length > 0; passed += 1) {
    const next = cursors.reduce((first, each) => (each.isBefore(first) ? each : first));
    if (passed >= start) places.push({ pack: next.pack, row: next.row });
    next.advance();
    if (next.isAtEnd) cursors.splice(cursors.indexOf(next), 1);
  }
  return places;
}
