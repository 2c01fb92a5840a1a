import { formatCount } from '@nivida/contract/format';
import { type KeptRow, type SourceRow, sourceTenderKey } from './source-tender.ts';

/**
 * Rows of a source whose tender a later row names again: only the last row of a tender is stored. Rows are counted from 0
 * in the order of the source, including rejected ones.
 */
export class SupersededRows {
  private readonly seen = new Set<string>();
  private readonly last = new Map<string, number>();
  private rows = 0;
  private superseded = 0;
  private example = '';

  static of(rows: readonly (SourceRow | KeptRow)[]): SupersededRows {
    const rowsOfSource = new SupersededRows();
    for (const row of rows) rowsOfSource.add(row);
    return rowsOfSource;
  }

  /** Adds the next row. A rejected row supersedes none. */
  add(row: SourceRow | KeptRow): void {
    const n = this.rows++;
    if (!('tender' in row)) return;
    const key = sourceTenderKey(row.tender);
    if (!this.seen.has(key)) {
      this.seen.add(key);
      return;
    }
    this.last.set(key, n);
    this.superseded++;
    this.example ||= row.tender.sourceId;
  }

  /** Whether a row after the `n`th names the same tender. */
  isSuperseded(row: SourceRow | KeptRow, n: number): boolean {
    return 'tender' in row && n < (this.last.get(sourceTenderKey(row.tender)) ?? n);
  }

  /** The sentence of the report; undefined when every tender is named once. */
  get report(): string | undefined {
    if (this.superseded === 0) return undefined;
    const rows = this.superseded === 1 ? '1 row was' : `${formatCount(this.superseded)} rows were`;
    return `${rows} skipped and counted as unchanged: a later row names the same tender, like ${this.example}, and the last row counts`;
  }
}
