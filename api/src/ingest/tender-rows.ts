/** Writes tenders with their history and corrigenda, inside a transaction that holds the change lock. */
import { formatDateTime } from '@nivida/contract/format';
import type { EntityManager } from 'typeorm';
import { hasKnownResult } from '../awards/award-storage.service.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { compareRows, type Difference, IGNORED_TYPES } from './differences.ts';
import {
  INSERT_CHANGE,
  INSERT_CORRIGENDA,
  INSERT_TENDERS,
  MARK_SEEN,
  MOVE_DATES,
  NAMED_TITLES,
  UPDATE_TENDER,
} from './ingest.sql.ts';
import { contradictionEntry, type SourceTender } from './source-tender.ts';
import { type PreparedRow, type StoredRow, shiftDate, shiftedDates } from './stored-row.ts';

/** Origin and time of the rows. */
export interface WriteOptions {
  now: Date;
  origin: TenderEntity['origin'];
  /** Whole days added to every date; 0 unless rebased. */
  shiftDays: number;
}

/** The unique key of a stored row, for maps. */
export const tenderRowKey = (row: { portal: string; source_id: string }) => `${row.portal}\u0000${row.source_id}`;

/** Writes one batch. */
export class TenderRowWriter {
  constructor(
    private readonly manager: EntityManager,
    private readonly options: WriteOptions,
  ) {}

  /** Stores new tenders; those already published get their first history row. */
  async insert(rows: PreparedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { now, origin } = this.options;
    const inserted: { id: number; portal: string; source_id: string }[] = await this.manager.query(INSERT_TENDERS, [
      JSON.stringify(
        rows.map(({ row, corrigenda }) => ({ ...row, last_corrigendum: namedCorrigendumKind(corrigenda) })),
      ),
      origin,
      now,
    ]);
    const ids = new Map(inserted.map((row) => [tenderRowKey(row), row.id]));
    const named = rows.flatMap(({ row, corrigenda }) =>
      corrigenda.map((each) => ({
        tender_id: ids.get(tenderRowKey(row)) as number,
        ...each,
        changes: [],
      })),
    );
    await this.addCorrigenda(named);
  }

  /** Stores when unchanged tenders were last read. */
  async markSeen(ids: number[]): Promise<void> {
    if (ids.length > 0) await this.manager.query(MARK_SEEN, [this.options.now, ids]);
  }

  /** Moves the dates of unchanged tenders to another shift, without history. Devices receive the new dates. */
  async moveDates(moved: { id: number; tender: SourceTender }[]): Promise<void> {
    if (moved.length === 0) return;
    const { origin, shiftDays } = this.options;
    const rows = moved.map(({ id, tender }) => ({ id, origin, ...shiftedDates(tender, shiftDays) }));
    await this.manager.query(MOVE_DATES, [JSON.stringify(rows), this.options.now]);
  }

  /** Updates differing rows. Returns the number of tenders that really changed. */
  async updateChanged(touched: { id: number; prepared: PreparedRow }[]): Promise<number> {
    let changed = 0;
    for (const { id, prepared } of touched) {
      const before = await this.manager.getRepository(TenderEntity).findOneByOrFail({ id });
      const moved = this.restorePublishing(before, prepared);
      await this.restoreAwardedStage(before, prepared);
      const known = await readNamedTitles(this.manager, id);
      const added = [...prepared.corrigenda, ...moved].filter(({ title, type }) => !known.has(`${type}\u0000${title}`));
      const difference = compareRows(before, prepared.row, added);
      await this.update(id, prepared.row, difference);
      if (difference.changes.length === 0 && added.length === 0) continue;
      changed++;
      // A draft was never visible, so its changes are no corrigenda; its first history row is its publication.
      if (before.changeNo === null) continue;
      await this.insertHistory(before, difference);
    }
    return changed;
  }

  /**
   * Sets the stored publishing date again when the source's is only derived, and when it would hide a public tender:
   * devices have stored it and would not remove it. Returns the corrigendum entry for the second case.
   */
  private restorePublishing(
    before: TenderEntity,
    { row, publishedIsConcluded }: PreparedRow,
  ): SourceTender['corrigenda'] {
    const stored = shiftDate(before.publishedAt, row.shift_days - before.shiftDays);
    const published = row.published_at;
    if (publishedIsConcluded && stored < published) row.published_at = stored;
    if (before.changeNo === null || row.published_at <= this.options.now) return [];
    row.published_at = before.publishedAt;
    if (row.shift_days !== before.shiftDays || stored.getTime() === published.getTime()) return [];
    return [contradictionEntry(`Publishing date changed: ${formatDateTime(stored)} → ${formatDateTime(published)}`)];
  }

  /** The stage of a known award stays when the portal no longer updates the notice. */
  private async restoreAwardedStage(before: TenderEntity, { row }: PreparedRow): Promise<void> {
    const { now, origin } = this.options;
    const isLowered = before.stage === 'awarded' && (row.stage === 'published' || row.stage === 'under_evaluation');
    if (!isLowered || origin !== 'portal' || (row.closes_at as Date) > now) return;
    if (await hasKnownResult(this.manager, before, now)) row.stage = 'awarded';
  }

  private async update(id: number, row: StoredRow, difference: Difference): Promise<void> {
    const isChange = difference.changes.length > 0 || difference.corrigenda.length > 0;
    await this.manager.query(UPDATE_TENDER, [
      JSON.stringify(row),
      this.options.origin,
      this.options.now,
      difference.kind,
      isChange,
      id,
    ]);
  }

  private async insertHistory(before: TenderEntity, difference: Difference): Promise<void> {
    const { now } = this.options;
    await this.manager.query(INSERT_CHANGE, [before.id, JSON.stringify(difference.changes), now]);
    await this.addCorrigenda(difference.corrigenda.map((corrigendum) => ({ tender_id: before.id, ...corrigendum })));
  }

  private async addCorrigenda(
    rows: { tender_id: number; title: string; type: string | null; changes: unknown[] }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.manager.query(INSERT_CORRIGENDA, [JSON.stringify(rows), this.options.now]);
  }
}

function namedCorrigendumKind(corrigenda: SourceTender['corrigenda']): 'date' | 'other' | null {
  const last = corrigenda.findLast(({ type }) => !IGNORED_TYPES.includes(type));
  if (!last) return null;
  return /date/i.test(last.type ?? '') ? 'date' : 'other';
}

async function readNamedTitles(manager: EntityManager, tenderId: number): Promise<Set<string>> {
  const rows: { title: string; type: string | null }[] = await manager.query(NAMED_TITLES, [tenderId]);
  return new Set(rows.map(({ title, type }) => `${type}\u0000${title}`));
}
