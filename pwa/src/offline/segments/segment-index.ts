/** The index of a segment or delta, opened for reading: typed columns, terms with their rows, and shown values. */
import { type FieldClass, INDEX_TERMS_VERSION } from '@nivida/contract/search/index-terms';
import type { DetailRow } from '@nivida/contract/sync/sync-wire';
import {
  DEMONSTRATION_FLAG,
  DETAIL_VALUE_COLUMNS,
  type NameColumn,
  type ValueColumn,
  type ValueOf,
} from './columns.ts';
import { type CompactNumbers, hashText } from './compact-numbers.ts';
import { findText, type PackedTexts, unpackTexts } from './packed-texts.ts';
import { readSegmentIndex, type Section } from './segment-index-file.ts';
import { type PackedValues, readValue } from './shown-values.ts';

/** Field classes by their number in a posting. */
export const FIELD_CLASSES = ['A', 'B', 'C'] as const satisfies readonly FieldClass[];
/**
 * A posting has the class in its lowest bits and the row above them. Up to 16,384 rows fit into two bytes.
 */
export const CLASS_BITS = 2;
export const CLASS_MASK = (1 << CLASS_BITS) - 1;

/** Sort key and direction of a stored order of rows. */
export type SortColumn = 'priceAsc' | 'priceDesc' | 'closingAsc' | 'closingDesc';

/** Consecutive terms, `to` exclusive: one term, or all terms with one prefix. */
interface TermRange {
  from: number;
  to: number;
}

/** Opened index of a segment or delta. Columns are public for fast loops. Rows are sorted by id. */
export class SegmentIndex {
  readonly rows: number;
  readonly hasDetails: boolean;
  readonly names: readonly string[];
  /** False for an index of an earlier version. It must be rebuilt before words are searched. */
  readonly hasPresentTerms: boolean;
  readonly ids: Int32Array;
  /** Rupees; NaN without an estimate. */
  readonly price: Float64Array;
  readonly publishedAt: Float64Array;
  readonly bidStartAt: Float64Array;
  readonly closesAt: Float64Array;
  readonly flags: Uint8Array;
  /** 1 for live rows, 0 for rows that were removed or that a newer index overrides. */
  readonly live: Uint8Array;
  liveRows: number;
  private emdOfRows: Float64Array | undefined;
  private readonly values: PackedValues;
  private readonly terms: PackedTexts;
  private readonly postings: CompactNumbers;
  private readonly postingStarts: Uint32Array;

  private constructor(
    private readonly sections: Record<string, Section>,
    facts: ReturnType<typeof readSegmentIndex>['facts'],
  ) {
    this.rows = facts.rows;
    this.hasDetails = facts.hasDetails;
    this.names = facts.names;
    this.ids = sections.id as Int32Array;
    this.price = sections.price as Float64Array;
    this.publishedAt = sections.publishedAt as Float64Array;
    this.bidStartAt = sections.bidStartAt as Float64Array;
    this.closesAt = sections.closesAt as Float64Array;
    this.flags = sections.flags as Uint8Array;
    this.live = new Uint8Array(this.rows).fill(1);
    this.liveRows = this.rows;
    this.values = {
      pieces: { bytes: sections.pieces as Uint8Array, starts: sections.pieceStarts as Uint32Array },
      numbers: sections.valuePieces as CompactNumbers,
      starts: sections.valueStarts as Uint32Array,
    };
    this.terms = { bytes: sections.terms as Uint8Array, starts: sections.termStarts as Uint32Array };
    this.postings = sections.postings as CompactNumbers;
    this.hasPresentTerms = facts.termsVersion === INDEX_TERMS_VERSION;
    this.postingStarts = sections.postingStarts as Uint32Array;
  }

  /** Throws CorruptSegmentIndexError unless the buffer is from `buildSegmentIndex`. */
  static open(buffer: ArrayBuffer): SegmentIndex {
    const { facts, sections } = readSegmentIndex(buffer);
    return new SegmentIndex(sections, facts);
  }

  /** One code per row; 0 is null. All 0 when the index was built before the column existed. */
  codesOf(column: NameColumn): CompactNumbers {
    return (this.sections[column] as CompactNumbers | undefined) ?? new Uint8Array(this.rows);
  }

  /** Code of a name, the same in all name columns. Undefined when no row has the name. */
  codeOf(name: string): number | undefined {
    // A query has few names, so building a map of all names would not pay.
    const code = this.names.indexOf(name);
    return code < 0 ? undefined : code;
  }

  nameAt(column: NameColumn, row: number): string | null {
    return this.names[this.codesOf(column)[row] as number] || null;
  }

  /** Undefined when the column needs details that are missing. */
  valueAt<Column extends ValueColumn>(column: Column, row: number): ValueOf<Column> | undefined {
    const code = this.sections[column]?.[row];
    return code === undefined ? undefined : JSON.parse(readValue(this.values, code));
  }

  /** The EMD of each row in rupees; NaN where it is not specified. Computed at the first condition on it. */
  get emd(): Float64Array {
    if (!this.emdOfRows) {
      const codes = this.sections.emd as CompactNumbers;
      const byCode = new Map<number, number>();
      this.emdOfRows = Float64Array.from(codes, (code) => {
        const known = byCode.get(code);
        if (known !== undefined) return known;
        const value: string | null = JSON.parse(readValue(this.values, code));
        const rupees = value === null ? Number.NaN : Number(value);
        byCode.set(code, rupees);
        return rupees;
      });
    }
    return this.emdOfRows;
  }

  /** A row's details exactly as the server sent them. Undefined without details. */
  detailsAt(row: number): DetailRow | undefined {
    if (!this.hasDetails) return undefined;
    const fields = DETAIL_VALUE_COLUMNS.map((column) => [column, this.valueAt(column, row) ?? null]);
    return { id: this.ids[row], ...Object.fromEntries(fields) } as DetailRow;
  }

  /** Live rows of the works of one NIT; empty without details. */
  rowsOfNit(nit: string): number[] {
    const digests = this.sections.nit ?? [];
    const wantedHash = hashText(nit);
    const rows: number[] = [];
    for (let row = 0; row < digests.length; row += 1) {
      if (digests[row] === wantedHash && this.live[row] === 1 && this.valueAt('nitId', row) === nit) rows.push(row);
    }
    return rows;
  }

  /** A digest of each row's NIT; undefined without details. */
  get nitDigests(): Uint32Array | undefined {
    return this.sections.nit as Uint32Array | undefined;
  }

  /**
   * A text that all works of one NIT have in this index; null for a tender without a NIT. Without details the
   * text is the tender's id without the number of the work.
   */
  nitAt(row: number): string | null {
    if (this.hasDetails) return this.valueAt('nitId', row) ?? null;
    if (this.valueAt('nitWorks', row) === 1) return null;
    return `${this.nameAt('portal', row)} ${this.valueAt('sourceTenderId', row)?.replace(/_\d+$/, '')}`;
  }

  isDemonstration(row: number): boolean {
    return ((this.flags[row] as number) & DEMONSTRATION_FLAG) !== 0;
  }

  /** The live row of a tender; -1 when there is none. */
  rowOf(id: number): number {
    let [low, high] = [0, this.rows];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.ids[middle] as number) < id) low = middle + 1;
      else high = middle;
    }
    return this.ids[low] === id && this.live[low] === 1 ? low : -1;
  }

  /** False when the two indexes cannot have a tender in common. This is so for the segments of one pack. */
  overlaps(other: SegmentIndex): boolean {
    return this.firstId <= other.lastId && other.firstId <= this.lastId;
  }

  private get firstId(): number {
    return this.ids[0] ?? Infinity;
  }

  private get lastId(): number {
    return this.ids[this.rows - 1] ?? -Infinity;
  }

  /** Hides the rows of these tenders. */
  hide(ids: ArrayLike<number>): void {
    const { firstId, lastId } = this;
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] as number;
      const row = id < firstId || id > lastId ? -1 : this.rowOf(id);
      if (row < 0) continue;
      this.live[row] = 0;
      this.liveRows -= 1;
    }
  }

  /** All rows in the stored order; nulls last, ties by id. */
  sortedBy(order: SortColumn): CompactNumbers {
    return this.sections[order] as CompactNumbers;
  }

  /** The terms that equal `term` or, with `isPrefix`, begin with it. */
  find(term: Uint8Array, isPrefix: boolean): TermRange {
    return findText(this.terms, term, isPrefix);
  }

  /** Postings of these terms. Rows ascend within a term; a row is repeated for each of its terms. */
  postingsOf({ from, to }: TermRange): CompactNumbers {
    return this.postings.subarray(this.postingStarts[from], this.postingStarts[to]);
  }

  /** The text of a term by its number. */
  termAt(term: number): string {
    return unpackTexts(this.terms, term, term + 1)[0] ?? '';
  }
}
