/**
 * Stores the tenders of a source (docs/architecture.md, Import): upserts by (portal, source id) in batches. Every difference
 * becomes a history row with the next change number, and a corrigendum where it concerns bidders.
 */
import { setImmediate } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { markAwardedTenders, removeGeneratedAwards } from '../awards/award-storage.service.ts';
import { takeChangeLock } from '../database/locks.sql.ts';
import type { TenderEntity } from '../tenders/tender.entity.ts';
import { attachSources, findAttached, updateAttached } from './attached-sources.ts';
import { storeAttachments } from './attachments.ts';
import { KNOWN_TENDERS, PORTALS_OF, RECORD_IMPORT, REMOVE_GENERATED_TENDERS, UPSERT_STATEMENTS } from './ingest.sql.ts';
import type { PincodeTable } from './places/places.ts';
import { readPincodes } from './places/rederive-places.job.ts';
import type { CellsOfTender } from './source-rows.ts';
import { type SourceTender, type Stated, type Statement, sourceTenderKey } from './source-tender.ts';
import { contentHash, type PreparedRow, prepareRow } from './stored-row.ts';
import { TenderRowWriter, tenderRowKey, type WriteOptions } from './tender-rows.ts';

/** Rows of one transaction; a larger batch holds the change lock for too long. */
const MAX_BATCH_ROWS = 1_000;
/** Number of rows that are prepared in one turn of the event loop. */
const ROWS_PER_TURN = 50;

/** Counts of the rows of one source. */
export interface IngestCounts {
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  rejected: number;
  /** Cells that were not used: unreadable ones, and empty ones whose stored fact was kept. Absent when there are none. */
  warnings?: number;
  /** New tenders that another portal has already published. Absent when there are none. */
  attached?: number;
}

/** Adds counts to others. */
export function addCounts(total: IngestCounts, counts: IngestCounts): void {
  for (const [key, count] of Object.entries(counts) as [keyof IngestCounts, number][])
    total[key] = (total[key] ?? 0) + count;
}

/** Options of a run. */
export interface IngestOptions extends WriteOptions {
  /** Counts the changes and stores nothing. */
  dryRun?: boolean;
}

/** Rolls back the transaction of a dry run. */
class DryRunRollback extends Error {}

/** A source tender of the current batch with the digest of its content. */
interface PendingTender extends Stated {
  tender: SourceTender;
  hash: string;
  /** Set for tenders that looked new or changed before the batch was stored. */
  prepared?: PreparedRow;
}

interface StoredTenderRow {
  id: number;
  portal: string;
  source_id: string;
  content_hash: string;
  shift_days: number;
  origin: TenderEntity['origin'];
}

/** Splits a batch by portal. A tender may be the same as one of an earlier portal in the batch, so portals are stored one by one. */
function splitByPortal(batch: Map<string, PendingTender>): Map<string, PendingTender>[] {
  const parts = new Map<string, Map<string, PendingTender>>();
  for (const [key, pending] of batch) {
    const { portal } = pending.tender;
    parts.set(portal, (parts.get(portal) ?? new Map()).set(key, pending));
  }
  return [...parts.values()];
}

/** One run over one source; call `add` for each source tender and `finish` once. Counts grow as batches are stored. */
export class IngestRun {
  readonly counts: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  /** Stored tenders that were not changed because the source's row is older. */
  readonly outdated: string[] = [];
  /** Tenders that keep a fact which their row does not state, by the name of its column. */
  readonly unstated = new Map<string, string[]>();
  /** Tenders whose dates moved to another shift, and the number of moved dates of each kind. */
  readonly moved = { tenders: 0, dates: new Map<string, number>() };
  private batch = new Map<string, PendingTender>();
  private waiting: Statement[] = [];
  private storing: Promise<void> | undefined;
  private readonly clearedStates = new Set<string>();
  private readonly portals = new Set<string>();
  private readonly started = performance.now();

  private constructor(
    private readonly dataSource: DataSource,
    private readonly options: IngestOptions,
    private readonly pincodes: PincodeTable,
  ) {}

  /** Loads the PIN table and starts a run. */
  static async start(dataSource: DataSource, options: IngestOptions): Promise<IngestRun> {
    const pincodes = await readPincodes(dataSource);
    return new IngestRun(dataSource, options, pincodes);
  }

  /** Adds one source tender; a full batch is stored. */
  async add(tender: SourceTender, stated: Stated = {}): Promise<void> {
    this.counts.read++;
    this.portals.add(tender.portal);
    const key = sourceTenderKey(tender);
    // Only the last row of a tender arrives here (superseded-rows.ts).
    if (this.batch.has(key)) await this.startStoring();
    this.batch.set(key, { ...stated, tender, hash: contentHash(tender) });
    if (this.batch.size >= MAX_BATCH_ROWS) await this.startStoring();
  }

  /** Counts unchanged tenders. */
  async addUnchanged(ids: readonly number[]): Promise<void> {
    this.counts.read += ids.length;
    this.counts.unchanged += ids.length;
    if (this.options.dryRun) return;
    for (let from = 0; from < ids.length; from += MAX_BATCH_ROWS) {
      const batch = ids.slice(from, from + MAX_BATCH_ROWS);
      await this.dataSource.transaction(async (manager) => {
        await takeChangeLock(manager);
        await new TenderRowWriter(manager, this.options).markSeen(batch);
      });
      for (const { portal } of await this.dataSource.query(PORTALS_OF, [batch])) this.portals.add(portal);
    }
  }

  /** Counts a row that is superseded by a later row, or that waits for a later file. */
  skip(statement?: Statement): void {
    this.counts.read++;
    this.counts.unchanged++;
    if (statement) this.waiting.push(statement);
  }

  /** Counts the cells of a row that are not used. */
  warn(cells: number): void {
    if (cells > 0) this.counts.warnings = (this.counts.warnings ?? 0) + cells;
  }

  /** Records a rejected row. */
  reject(statement?: Statement): void {
    this.counts.read++;
    this.counts.rejected++;
    if (statement) this.waiting.push(statement);
  }

  /** Stores the last batch, marks tenders whose award is already known, and records the import of each portal. */
  async finish(): Promise<IngestCounts> {
    await this.startStoring();
    await this.storing;
    const { now, origin, dryRun } = this.options;
    if (dryRun || origin !== 'portal') return this.counts;
    await this.dataSource.transaction(async (manager) => {
      await takeChangeLock(manager);
      await markAwardedTenders(manager, [...this.portals], now);
    });
    const seconds = (performance.now() - this.started) / 1_000;
    // If a file has several portals, its counts are not those of a single portal.
    const counts = this.portals.size === 1 ? JSON.stringify(this.counts) : null;
    await this.dataSource.query(RECORD_IMPORT, [[...this.portals], now, seconds, counts]);
    return this.counts;
  }

  /** Starts to store the batch while reading continues; at most one batch is being stored. */
  private async startStoring(): Promise<void> {
    const { batch, waiting } = this;
    this.batch = new Map();
    this.waiting = [];
    try {
      await this.prepare(batch);
    } finally {
      await this.storing;
    }
    if (batch.size === 0 && waiting.length === 0) return;
    this.storing = this.store(batch, waiting);
    // It is awaited with the next batch; until then its failure must not be an unhandled rejection.
    this.storing.catch(() => {});
  }

  /**
   * Derives places and words of tenders that look new or changed, while the previous batch is stored. The lock decides later
   * which ones really are.
   */
  private async prepare(batch: Map<string, PendingTender>): Promise<void> {
    if (batch.size === 0) return;
    const known = await this.findKnown(this.dataSource.manager, batch);
    const unknown = [...batch].flatMap(([key, { tender }]) => (known.has(key) ? [] : tender));
    const attached = await findAttached(this.dataSource.manager, unknown);
    let prepared = 0;
    for (const [key, pending] of batch) {
      if (known.get(key)?.content_hash === pending.hash || attached.has(key)) continue;
      this.prepareRow(pending);
      // Gives the event loop time to read the answers of the database.
      if (++prepared % ROWS_PER_TURN === 0) await setImmediate();
    }
  }

  private prepareRow(pending: PendingTender): PreparedRow {
    const { tender, hash, cells } = pending;
    pending.prepared ??= { ...prepareRow(tender, hash, this.options.shiftDays, this.pincodes), cells };
    return pending.prepared;
  }

  private async store(batch: Map<string, PendingTender>, waiting: Statement[]): Promise<void> {
    await this.dataSource
      .transaction(async (manager) => {
        await takeChangeLock(manager);
        for (const part of splitByPortal(batch)) await this.storeBatch(manager, part);
        const statements = [...waiting, ...[...batch.values()].flatMap(({ statement }) => statement ?? [])];
        if (statements.length > 0)
          await manager.query(UPSERT_STATEMENTS, [JSON.stringify(statements), this.options.now]);
        if (this.options.dryRun) throw new DryRunRollback();
      })
      .catch((error) => {
        if (!(error instanceof DryRunRollback)) throw error;
      });
  }

  /** Sorts the batch into new, changed, moved and unchanged tenders, and stores it. */
  private async storeBatch(manager: EntityManager, batch: Map<string, PendingTender>): Promise<void> {
    const { origin, shiftDays } = this.options;
    await this.removeGenerated(manager, batch);
    const known = await this.findKnown(manager, batch);
    const attached = await this.storeAttached(manager, batch, known);
    const fresh: PreparedRow[] = [];
    const touched: { id: number; prepared: PreparedRow }[] = [];
    const moved: { id: number; tender: SourceTender }[] = [];
    const seenAgain: number[] = [];
    const again: CellsOfTender[] = [];
    for (const [key, pending] of batch) {
      if (attached.has(key)) continue;
      const before = known.get(key);
      const { tender, hash, cells } = pending;
      // Places and words are derived only for new and changed tenders, because most of a daily file is unchanged.
      if (!before) fresh.push(this.prepareRow(pending));
      else if (before.content_hash !== hash) touched.push({ id: before.id, prepared: this.prepareRow(pending) });
      else if (before.shift_days !== shiftDays || before.origin !== origin) moved.push({ id: before.id, tender });
      else seenAgain.push(before.id);
      if (before?.content_hash === hash) again.push({ id: before.id, isListed: tender.isListed ?? false, cells });
    }
    const rows = new TenderRowWriter(manager, this.options);
    await rows.insert(fresh.map((prepared) => this.prepareEarlier(batch, prepared) ?? prepared));
    await this.changeInserted(manager, rows, batch, fresh);
    await rows.markSeen(seenAgain);
    const dates = await rows.moveDates(moved);
    this.moved.tenders += moved.length;
    for (const [kind, count] of Object.entries(dates))
      this.moved.dates.set(kind, (this.moved.dates.get(kind) ?? 0) + count);
    const changed = await rows.updateChanged(touched);
    await rows.storeCells(again);
    this.outdated.push(...rows.outdated);
    for (const [column, ids] of Object.entries(rows.unstated)) {
      this.unstated.set(column, [...(this.unstated.get(column) ?? []), ...ids]);
      this.warn(ids.length);
    }
    await this.storeAttachments(manager, batch, [...fresh, ...touched.map(({ prepared }) => prepared)]);
    this.counts.new += fresh.length;
    this.counts.changed += changed;
    this.counts.unchanged += batch.size - attached.size - fresh.length - changed;
  }

  /** Stores the portal's facts about tenders that another portal has published. Returns their keys. */
  private async storeAttached(
    manager: EntityManager,
    batch: Map<string, PendingTender>,
    known: Map<string, StoredTenderRow>,
  ): Promise<Set<string>> {
    const { now } = this.options;
    const unknown = [...batch].flatMap(([key, { tender }]) => (known.has(key) ? [] : tender));
    const before = await findAttached(manager, unknown);
    const again = unknown.flatMap((tender) => {
      const source = before.get(sourceTenderKey(tender));
      return source ? { tender, source } : [];
    });
    const changed = await updateAttached(manager, again, now);
    const others = unknown.filter((tender) => !before.has(sourceTenderKey(tender)));
    const added = await attachSources(manager, others, this.options);
    this.counts.changed += changed;
    this.counts.unchanged += again.length - changed;
    if (added.size > 0) this.counts.attached = (this.counts.attached ?? 0) + added.size;
    return new Set([...before.keys(), ...added]);
  }

  private prepareEarlier(batch: Map<string, PendingTender>, { row }: PreparedRow): PreparedRow | undefined {
    const earlier = batch.get(tenderRowKey(row))?.earlier;
    return earlier && prepareRow(earlier, contentHash(earlier), this.options.shiftDays, this.pincodes);
  }

  /** Applies the changes to new tenders. They were first stored in their earlier form, so that the changes get history rows. */
  private async changeInserted(
    manager: EntityManager,
    rows: TenderRowWriter,
    batch: Map<string, PendingTender>,
    fresh: PreparedRow[],
  ): Promise<void> {
    const changing = fresh.filter(({ row }) => batch.get(tenderRowKey(row))?.earlier);
    if (changing.length === 0) return;
    const known = await this.findKnown(manager, batch);
    await rows.updateChanged(
      changing.flatMap((prepared) => {
        const id = known.get(tenderRowKey(prepared.row))?.id;
        return id === undefined ? [] : [{ id, prepared }];
      }),
    );
  }

  /** Stores files and bills of quantities. Most sources have neither. */
  private async storeAttachments(
    manager: EntityManager,
    batch: Map<string, PendingTender>,
    written: PreparedRow[],
  ): Promise<void> {
    const tenders = written.flatMap(({ row }) => batch.get(tenderRowKey(row))?.tender ?? []);
    const some = tenders.some(({ files, boq }) => files || boq);
    if (some) await storeAttachments(manager, tenders, this.options);
  }

  private async findKnown(
    manager: EntityManager,
    batch: Map<string, PendingTender>,
  ): Promise<Map<string, StoredTenderRow>> {
    const tenders = [...batch.values()].map(({ tender }) => tender);
    const found: StoredTenderRow[] = await manager.query(KNOWN_TENDERS, [
      tenders.map(({ portal }) => portal),
      tenders.map(({ sourceId }) => sourceId),
    ]);
    return new Map(found.map((row) => [tenderRowKey(row), row]));
  }

  /** The first import for a state removes the state's generated awards and tenders. Each tender leaves a tombstone in the history. */
  private async removeGenerated(manager: EntityManager, batch: Map<string, PendingTender>): Promise<void> {
    if (this.options.origin === 'generated') return;
    const named = new Set([...batch.values()].map(({ tender }) => tender.state));
    const states = [...named].filter((state) => !this.clearedStates.has(state));
    if (states.length === 0) return;
    await manager.query(REMOVE_GENERATED_TENDERS, [states, this.options.now]);
    await removeGeneratedAwards(manager, states);
    for (const state of states) this.clearedStates.add(state);
  }
}
