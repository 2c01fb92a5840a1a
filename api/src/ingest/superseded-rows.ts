import { formatCount } from '@nivida/contract/format';
import { type CheckedField, filledFields, lostFactsRejection } from './checked-fields.ts';
import { type KeptRow, type Rejection, type SourceRow, sourceTenderKey } from './source-tender.ts';

/**
 * Finds rows whose tender occurs again in a later row: only the last row of a tender is stored. A later row that loses most
 * facts of the earlier one is rejected instead, unless the operator accepts the loss. Rows are counted from 0 in the order
 * of the source, including rejected ones.
 */
export class SupersededRows {
  private readonly filled = new Map<string, readonly CheckedField[]>();
  private readonly lost = new Map<number, Rejection>();
  private readonly last = new Map<string, number>();
  private rows = 0;
  private superseded = 0;
  private example = '';

  constructor(private readonly acceptsLoss = false) {}

  static of(rows: readonly (SourceRow | KeptRow)[]): SupersededRows {
    const rowsOfSource = new SupersededRows();
    for (const row of rows) rowsOfSource.add(row);
    return rowsOfSource;
  }

  /** Adds the next row. A rejected row supersedes no other. */
  add(row: SourceRow | KeptRow): void {
    const n = this.rows++;
    if (!('tender' in row)) return;
    const key = sourceTenderKey(row.tender);
    const before = this.filled.get(key);
    const filled = filledFields(row.tender);
    const lost = before && !this.acceptsLoss && !row.tender.isListed && rejectLoss(before, filled, row);
    if (lost) {
      this.lost.set(n, lost);
      return;
    }
    this.filled.set(key, filled);
    if (!before) return;
    this.last.set(key, n);
    this.superseded++;
    this.example ||= row.tender.sourceId;
  }

  /** The `n`th row, or its rejection when it loses most facts of an earlier one. */
  rowOrRejection(row: SourceRow | KeptRow, n: number): SourceRow | KeptRow {
    const lost = 'tender' in row ? this.lost.get(n) : undefined;
    return lost ? { line: row.line, rejection: lost } : row;
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

function rejectLoss(
  before: readonly CheckedField[],
  filled: readonly CheckedField[],
  { line, tender }: Extract<SourceRow, { tender: unknown }>,
): Rejection | null {
  const emptied = before.filter((field) => !filled.includes(field)).map(({ name }) => name);
  return lostFactsRejection(emptied, before.length, { line, value: tender.sourceId, kept: 'earlier' });
}
