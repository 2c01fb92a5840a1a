/**
 * Detects a file with a likely error before anything is stored: it empties a field in many stored tenders, or moves all
 * dates of most of them by the same time. A single row that loses most facts of its tender is rejected.
 */
import { formatCount } from '@nivida/contract/format';
import { DAY_MS } from '@nivida/contract/time';
import type { DataSource } from 'typeorm';
import type { TenderEntity } from '../tenders/tender.entity.ts';
import { CHECKED_FIELDS, type CheckedField, lostFactsRejection, type StoredColumns } from './checked-fields.ts';
import { COMPARED_TENDERS, HAS_REAL_TENDERS } from './ingest.sql.ts';
import { type KeptRow, type Rejection, type SourceRow, type SourceTender, sourceTenderKey } from './source-tender.ts';
import { contentHash } from './stored-row.ts';
import type { WriteOptions } from './tender-rows.ts';

const BATCH_ROWS = 1_000;
/** Below this number of tenders a share is not meaningful. */
const MIN_TENDERS = 20;
const MAX_EMPTIED_SHARE = 0.2;
const MIN_MOVED_SHARE = 0.8;
/** Maximum number of rows held in memory. The new and changed rows of a day are fewer. */
const MAX_GATHERED_ROWS = 2_000;

/** A stored tender; the compared columns are null when it is unchanged. */
type ComparedRow = StoredColumns & {
  n: number;
  id: number;
  same: boolean;
  /** Whether the stored cells are the same too; true for a row without cells. */
  same_cells: boolean;
  origin: TenderEntity['origin'];
  shift_days: number;
};

const DATE_COLUMNS: [string, keyof SourceTender][] = [
  ['published_at', 'publishedAt'],
  ['bid_start_at', 'bidStartAt'],
  ['closes_at', 'closesAt'],
  ['opens_at', 'opensAt'],
  ['pre_bid_at', 'preBidAt'],
];

/** The collected rows of an import, if they fit in memory. The file is then not read a second time. */
export interface GatheredWork {
  /** Ids of unchanged tenders. */
  unchanged: number[];
  /** All other rows. */
  rows: (SourceRow | KeptRow)[];
}

/** Compares the rows of one file: call `add` for each and `findProblem` once. Writes nothing. */
export class MassChangeCheck {
  private batch: Extract<SourceRow, { tender: SourceTender }>[] = [];
  private gathered: GatheredWork | null = { unchanged: [], rows: [] };
  /** Tenders among the collected rows. A tender may occur again later in the file. */
  private readonly gatheredKeys = new Set<string>();
  /** Rejections of rows that lose most facts of their tender. */
  private readonly lost = new Map<string, Rejection>();
  private known = 0;
  private otherOrigin = 0;
  private readonly filled = new Map<CheckedField, number>();
  private readonly emptied = new Map<CheckedField, number>();
  /** For each shift in milliseconds: the number of tenders whose dates all move by it. */
  private readonly moved = new Map<number, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: Pick<WriteOptions, 'origin' | 'shiftDays'>,
  ) {}

  /** True when there are stored tenders that an import could change. */
  static async isNeeded(dataSource: DataSource, portal: string | undefined): Promise<boolean> {
    const [{ some }] = await dataSource.query(HAS_REAL_TENDERS, [portal]);
    return some;
  }

  async add(row: SourceRow | KeptRow): Promise<void> {
    if (!('tender' in row)) return this.gather(row);
    this.batch.push(row);
    if (this.batch.length >= BATCH_ROWS) await this.compareBatch();
  }

  /** The collected rows; null when they do not fit in memory. Call it after `findProblem`. */
  get work(): GatheredWork | null {
    return this.gathered;
  }

  /** The row, or its rejection when it loses most facts of its tender. Call it after `findProblem`. */
  rowOrRejection(row: SourceRow | KeptRow): SourceRow | KeptRow {
    const lost = 'tender' in row ? this.lost.get(lostRowKey(row)) : undefined;
    return lost ? { line: row.line, rejection: lost } : row;
  }

  private gather(row: SourceRow | KeptRow): void {
    if (!this.gathered) return;
    this.gathered.rows.push(row);
    if (this.gathered.rows.length > MAX_GATHERED_ROWS) this.gathered = null;
  }

  /** Describes the suspicious change; null for an ordinary file. The text continues a sentence that begins with the file's name. */
  async findProblem(): Promise<string | null> {
    await this.compareBatch();
    if (this.otherOrigin > 0) {
      const isOne = this.otherOrigin === 1;
      const tenders = `${tenderCount(this.otherOrigin)} that ${isOne ? 'is' : 'are'} stored`;
      return this.options.origin === 'rebased'
        ? `holds ${tenders} with the portal's own dates; --rebase would turn ${isOne ? 'it' : 'them'} into a demonstration`
        : `holds ${tenders} as a demonstration with moved dates; import it with --rebase as before`;
    }
    if (this.known < MIN_TENDERS) return null;
    for (const [delta, tenders] of this.moved)
      if (tenders > this.known * MIN_MOVED_SHARE)
        return `would move all dates of ${formatCount(tenders)} of ${tenderCount(this.known)} by ${durationText(delta)}`;
    const emptied = CHECKED_FIELDS.filter((field) => this.isEmptied(field));
    const [first, ...others] = emptied;
    if (!first) return null;
    const also = others.length > 0 ? ` (also ${others.map(({ name }) => `"${name}"`).join(', ')})` : '';
    return `would empty "${first.name}" in ${this.emptied.get(first)} of ${tenderCount(this.known)} that are stored${also}`;
  }

  /** Whether a field is emptied in a large share of all tenders, or of those with a value. The second share protects rare fields. */
  private isEmptied(field: CheckedField): boolean {
    const emptied = this.emptied.get(field) ?? 0;
    const filled = this.filled.get(field) ?? 0;
    if (emptied > this.known * MAX_EMPTIED_SHARE) return true;
    return filled >= MIN_TENDERS && emptied > filled * MAX_EMPTIED_SHARE;
  }

  private async compareBatch(): Promise<void> {
    const batch = this.batch;
    this.batch = [];
    if (batch.length === 0) return;
    const tenders = batch.map(({ tender }) => tender);
    // For an unchanged tender the database sends no columns.
    const found: ComparedRow[] = await this.dataSource.query(COMPARED_TENDERS, [
      tenders.map(({ portal }) => portal),
      tenders.map(({ sourceId }) => sourceId),
      tenders.map(contentHash),
      batch.map(({ cells }) => cells?.digest ?? null),
      tenders.map(({ isListed }) => isListed ?? false),
    ]);
    const byRow = new Map(found.map((row) => [row.n, row]));
    batch.forEach((row, n) => {
      const stored = byRow.get(n);
      const lost = stored && this.compareRow(stored, row);
      if (lost) {
        this.lost.set(lostRowKey(row), lost);
        this.gather({ line: row.line, rejection: lost });
        return;
      }
      // An unchanged row with warnings is imported again, so that its warnings are counted.
      const isDone = stored && !row.warnings && !row.statement && this.isUnchanged(stored, row.tender);
      if (isDone) this.gathered?.unchanged.push(stored.id);
      else {
        this.gatheredKeys.add(sourceTenderKey(row.tender));
        this.gather(row);
      }
    });
  }

  private isUnchanged({ same, same_cells, origin, shift_days }: ComparedRow, tender: SourceTender): boolean {
    const isHere = origin === this.options.origin && shift_days === this.options.shiftDays;
    return same && same_cells && isHere && !this.gatheredKeys.has(sourceTenderKey(tender));
  }

  /** Counts the differences; returns a rejection when the row loses most facts of its tender. */
  private compareRow(row: ComparedRow, { line, tender }: { line: number; tender: SourceTender }): Rejection | null {
    this.known++;
    if (row.origin !== this.options.origin) this.otherOrigin++;
    // A list empties nothing.
    const { isListed } = tender;
    let filled = 0;
    const emptied: string[] = [];
    for (const field of CHECKED_FIELDS) {
      const wasFilled = row.same ? field.isFilled(tender) : field.wasFilled(row);
      if (!wasFilled) continue;
      filled++;
      this.filled.set(field, (this.filled.get(field) ?? 0) + 1);
      if (row.same || isListed || field.isFilled(tender)) continue;
      emptied.push(field.name);
      this.emptied.set(field, (this.emptied.get(field) ?? 0) + 1);
    }
    const delta = row.same ? 0 : dateShift(row, tender);
    if (delta !== 0) this.moved.set(delta, (this.moved.get(delta) ?? 0) + 1);
    return lostFactsRejection(emptied, filled, { line, value: tender.sourceId, kept: 'stored' });
  }
}

/** Key of a row. It has the tender too, because a line of JSON may hold several rows. */
const lostRowKey = ({ line, tender }: { line: number; tender: SourceTender }) => `${line} ${sourceTenderKey(tender)}`;

/** Milliseconds by which every date moves; 0 when they move differently or not at all. */
function dateShift(row: ComparedRow, tender: SourceTender): number {
  const deltas = DATE_COLUMNS.flatMap(([column, property]) => {
    const before = row[column] as Date | null;
    const after = tender[property] as Date | null;
    return before && after ? [after.getTime() - (before.getTime() - row.shift_days * DAY_MS)] : [];
  });
  const [first = 0] = deltas;
  return deltas.every((delta) => delta === first) ? first : 0;
}

const tenderCount = (tenders: number) => `${formatCount(tenders)} ${tenders === 1 ? 'tender' : 'tenders'}`;

function durationText(ms: number): string {
  const direction = ms < 0 ? 'back' : 'ahead';
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes % 1_440 !== 0) return `${minutes} minutes ${direction}`;
  return minutes === 1_440 ? `1 day ${direction}` : `${minutes / 1_440} days ${direction}`;
}
