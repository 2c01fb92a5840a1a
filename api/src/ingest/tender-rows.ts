/** Writes tenders with their history and corrigenda, inside a transaction that holds the change lock. */
import { formatDateTime, indianDay } from '@nivida/contract/format';
import { type EntityManager, In } from 'typeorm';
import { hasKnownResult } from '../awards/award-storage.service.ts';
import { copyRows } from '../database/copy-rows.ts';
import { isArchivedAt } from '../tenders/archive-tenders.job.ts';
import { HiddenTenderEntity, isHidden } from '../tenders/hidden-tender.entity.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import {
  applyCorrections,
  applyStated,
  endCorrections,
  isOfDate,
  readCorrections,
} from './corrections/apply-corrections.ts';
import { CORRECTED_FIELDS } from './corrections/corrected-fields.ts';
import type { CorrectionEntity } from './corrections/correction.entity.ts';
import { compareRows, type Difference, IGNORED_TYPES, isFillOf } from './differences.ts';
import {
  COPIED_COLUMNS,
  COPY_SEEN,
  COPY_TENDERS,
  INSERT_CHANGES,
  INSERT_CORRIGENDA,
  INSERT_PUBLICATIONS,
  MOVE_DATES,
  NAMED_TITLES,
  RESERVE_NUMBERS,
  UPDATE_SEEN,
  UPDATE_TENDERS,
} from './ingest.sql.ts';
import { readPincodes } from './places/rederive-places.job.ts';
import { type CellsOfTender, copySourceRows, updateSourceRows } from './source-rows.ts';
import { contradictionEntry, type SourceTender } from './source-tender.ts';
import { type PreparedRow, type StoredRow, shiftDate, shiftedDates } from './stored-row.ts';

/** Origin and time of the rows. */
export interface WriteOptions {
  now: Date;
  origin: TenderEntity['origin'];
  /** Whole days added to every date; 0 unless rebased. */
  shiftDays: number;
  /** Whether the source names the corrigenda of its tenders. If so, a row without a new corrigendum may be older than the stored tender. */
  namesCorrigenda?(): boolean;
  /** Name of the file, shown with the cells of its rows. */
  fileName?: string;
  /** True when the operator accepts that a row without stage or documents removes the stored ones. */
  acceptsLoss?: boolean;
}

/** The unique key of a stored row, for maps. */
export const tenderRowKey = (row: { portal: string; source_id: string }) => `${row.portal}\u0000${row.source_id}`;

/** A new row with the columns that do not come from its source. */
interface NumberedRow extends StoredRow {
  id: number;
  change_no: number | null;
}

/** A stored tender, its new row, and the difference. */
interface TenderUpdate {
  before: TenderEntity;
  row: StoredRow;
  difference: Difference;
}

/** Writes one batch. */
export class TenderRowWriter {
  /** Source ids of stored tenders that are newer than their row. */
  readonly outdated: string[] = [];
  /** Source ids of stored tenders that keep a fact which their row does not state, by the name of its column. */
  readonly unstated: Record<'Cover Documents' | 'Tender Stage', string[]> = {
    'Cover Documents': [],
    'Tender Stage': [],
  };

  constructor(
    private readonly manager: EntityManager,
    private readonly options: WriteOptions,
  ) {}

  /** Stores new tenders; those already published get their first history row. */
  async insert(rows: PreparedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const added = await this.numberRows(rows);
    await copyRows(
      this.manager,
      COPY_TENDERS,
      added.map((row) => COPIED_COLUMNS.map((column) => row[column])),
    );
    const cells = added.map(({ id, is_listed }, n) => ({ id, isListed: is_listed === true, cells: rows[n]?.cells }));
    await copySourceRows(this.manager, cells, this.options);
    const published = added.filter(({ change_no }) => change_no !== null);
    await this.manager.query(INSERT_PUBLICATIONS, [
      published.map(({ change_no }) => change_no),
      published.map(({ id }) => id),
      published.map(({ state }) => state),
      this.options.now,
    ]);
    await this.addCorrigenda(
      rows.flatMap(({ corrigenda }, index) =>
        corrigenda.map((each) => ({ tender_id: (added[index] as NumberedRow).id, ...each, changes: [] })),
      ),
    );
  }

  /** Gives new rows their ids and, unless they are drafts, their change numbers. */
  private async numberRows(rows: PreparedRow[]): Promise<NumberedRow[]> {
    const { now, origin } = this.options;
    const isPublished = ({ row }: PreparedRow) => row.published_at <= now;
    const [reserved] = await this.manager.query(RESERVE_NUMBERS, [rows.length, rows.filter(isPublished).length]);
    const { ids, change_numbers } = reserved as { ids: number[]; change_numbers: number[] };
    // Converted to text once instead of for each row.
    const readAt = now.toISOString();
    let published = 0;
    return rows.map((prepared, index) => ({
      ...prepared.row,
      id: ids[index] as number,
      change_no: isPublished(prepared) ? (change_numbers[published++] as number) : null,
      last_corrigendum: namedCorrigendumKind(prepared.corrigenda),
      origin,
      archived: isArchivedAt(prepared.row.closes_at, now),
      fetched_at: readAt,
      updated_at: readAt,
    }));
  }

  /** Stores when unchanged tenders were last read. */
  async markSeen(ids: number[]): Promise<void> {
    if (ids.length === 0) return;
    const { now } = this.options;
    const again: { tender_id: number }[] = await this.manager.query(UPDATE_SEEN, [now, ids]);
    const known = new Set(again.map(({ tender_id }) => tender_id));
    // A file may name a tender twice.
    const added = [...new Set(ids)].filter((id) => !known.has(id)).sort((a, b) => a - b);
    if (added.length === 0) return;
    await copyRows(
      this.manager,
      COPY_SEEN,
      added.map((id) => [id, now]),
    );
  }

  /**
   * Moves the dates of unchanged tenders to another shift, without history rows. Devices receive the new dates. A public
   * tender stays published. Returns how many dates of each kind moved.
   */
  async moveDates(moved: { id: number; tender: SourceTender }[]): Promise<Record<string, number>> {
    if (moved.length === 0) return {};
    const { origin, shiftDays } = this.options;
    const corrections = await readCorrections(
      this.manager,
      moved.map(({ id }) => id),
    );
    const rows = moved.map(({ id, tender }) => {
      const row = { id, origin, closing_time_known: tender.closingTimeKnown, ...shiftedDates(tender, shiftDays) };
      applyStated(row as unknown as StoredRow, (corrections.get(id) ?? []).filter(isOfDate));
      return row;
    });
    const [dates] = await this.manager.query(MOVE_DATES, [JSON.stringify(rows), this.options.now]);
    return dates;
  }

  /** Stores the cells of stored tenders that differ from the stored ones. */
  storeCells(rows: CellsOfTender[]): Promise<void> {
    return updateSourceRows(this.manager, rows, this.options);
  }

  /** Updates differing rows. Returns the number of tenders that really changed. */
  async updateChanged(touched: { id: number; prepared: PreparedRow }[]): Promise<number> {
    if (touched.length === 0) return 0;
    const ids = touched.map(({ id }) => id);
    const stored = await this.manager.getRepository(TenderEntity).findBy({ id: In(ids) });
    const byId = new Map(stored.map((tender) => [tender.id, tender]));
    const named = await readNamedTitles(this.manager, ids);
    const corrections = await readCorrections(this.manager, ids);
    const pincodes = corrections.size > 0 ? await readPincodes(this.manager) : new Map();
    const updates: TenderUpdate[] = [];
    const read: CellsOfTender[] = [];
    for (const { id, prepared } of touched) {
      const before = byId.get(id);
      if (!before) throw new Error(`tender ${id} is gone`);
      const made = corrections.get(id) ?? [];
      // A list says nothing of the fields that it lacks.
      const applied = isListOfNotice(before, prepared.row) ? made.filter((each) => isStated(each, prepared.row)) : made;
      const ended = applyCorrections(prepared.row, applied, pincodes);
      if (this.isOutdated(withSourceClosing(before, ended), prepared, named.get(id))) {
        this.outdated.push(before.sourceId);
        continue;
      }
      const isListed = prepared.row.is_listed === true;
      read.push({ id, isListed, cells: prepared.cells });
      if (isListed) keepDetails(this.manager, before, prepared.row);
      await endCorrections(this.manager, ended, 'source', this.options.now);
      const moved = isHidden(before)
        ? await this.keepHidden(before, prepared)
        : this.restorePublishing(before, prepared);
      await this.keepUnstated(before, prepared);
      await this.restoreAwardedStage(before, prepared);
      const known = named.get(id) ?? new Set();
      const added = [...prepared.corrigenda, ...moved].filter((each) => !known.has(corrigendumKey(each)));
      updates.push({ before, row: prepared.row, difference: compareRows(before, prepared.row, added) });
    }
    await this.update(updates);
    await this.storeCells(read);
    return updates.filter((update) => isChange(update) || isFill(update)).length;
  }

  /** Keeps a hidden tender hidden, and stores the source's publishing date for the time when it is shown again. */
  private async keepHidden(before: TenderEntity, { row, isPublishedInferred }: PreparedRow): Promise<[]> {
    const publishedAt = shiftDate(row.published_at, -row.shift_days);
    if (!isPublishedInferred)
      await this.manager.getRepository(HiddenTenderEntity).update({ tenderId: before.id }, { publishedAt });
    row.published_at = before.publishedAt;
    return [];
  }

  /**
   * Keeps the stored publishing date if the source's date is only derived, or if it would hide a public tender, which devices
   * have stored and would not remove. Returns the corrigendum entry in the second case.
   */
  private restorePublishing(
    before: TenderEntity,
    { row, isPublishedInferred }: PreparedRow,
  ): SourceTender['corrigenda'] {
    const stored = shiftDate(before.publishedAt, row.shift_days - before.shiftDays);
    const published = row.published_at;
    if (isPublishedInferred && stored < published) row.published_at = stored;
    if (before.changeNo === null || row.published_at <= this.options.now) return [];
    row.published_at = before.publishedAt;
    if (row.shift_days !== before.shiftDays || stored.getTime() === published.getTime()) return [];
    return [contradictionEntry(`Publishing date changed: ${formatDateTime(stored)} → ${formatDateTime(published)}`)];
  }

  /**
   * Whether a row is older than the stored tender. No portal states when a row was read. But a GePNIC portal moves a closing
   * to an earlier time, or withdraws a cancellation, only with a corrigendum. A row that does so without a new one is older.
   */
  private isOutdated(before: TenderEntity, { row, corrigenda }: PreparedRow, known = new Set<string>()): boolean {
    if (!this.options.namesCorrigenda?.() || before.changeNo === null) return false;
    if (corrigenda.some((each) => !known.has(corrigendumKey(each)))) return false;
    const isOpen = row.stage === 'published' || row.stage === 'under_evaluation';
    const isTakenBack = isOpen && (before.stage === 'cancelled' || before.stage === 'retendered');
    return isTakenBack || row.closes_at < shiftDate(before.closesAt, row.shift_days - before.shiftDays);
  }

  /** Keeps the stored stage and documents if the source does not state them. */
  private async keepUnstated(before: TenderEntity, { row, isStageUnstated }: PreparedRow): Promise<void> {
    if (this.options.acceptsLoss) return;
    if ((row.documents as unknown[]).length === 0 && before.documents.length > 0) {
      row.documents = before.documents;
      this.unstated['Cover Documents'].push(before.sourceId);
    }
    const isOpenAgain = before.stage === 'awarded' && row.closes_at > this.options.now;
    if (!isStageUnstated || isOpenAgain || row.stage === before.stage) return;
    row.stage = before.stage;
    // If an award set the stage, no notice ever stated it. Then it is not reported.
    const isOfAward = before.stage === 'awarded' && (await hasKnownResult(this.manager, before, this.options.now));
    if (!isOfAward) this.unstated['Tender Stage'].push(before.sourceId);
  }

  /** Keeps the stage of a known award, because portals often stop updating the notice. */
  private async restoreAwardedStage(before: TenderEntity, { row }: PreparedRow): Promise<void> {
    const { now, origin } = this.options;
    const isLowered = before.stage === 'awarded' && (row.stage === 'published' || row.stage === 'under_evaluation');
    if (!isLowered || origin !== 'portal' || (row.closes_at as Date) > now) return;
    if (await hasKnownResult(this.manager, before, now)) row.stage = 'awarded';
  }

  /** Stores the rows; changes of published tenders get history rows and corrigenda. */
  private async update(updates: TenderUpdate[]): Promise<void> {
    const { now, origin } = this.options;
    // A draft was never visible, so its changes are not corrigenda. Its first history row is its publication.
    const isPublic = ({ before }: TenderUpdate) => before.changeNo !== null;
    const publicChanges = updates.filter((update) => isPublic(update) && isChange(update));
    // Devices get what a notice adds to a list, without a history row, so no user is alerted.
    const numbered = updates.filter((update) => isPublic(update) && (isChange(update) || isFill(update)));
    const [reserved] = await this.manager.query(RESERVE_NUMBERS, [0, numbered.length]);
    const numbers = new Map(numbered.map(({ before }, index) => [before.id, reserved.change_numbers[index] as number]));
    const rows = updates.map((update) => ({
      ...update.row,
      id: update.before.id,
      version: update.before.version + (isChange(update) ? 1 : 0),
      change_no: numbers.get(update.before.id) ?? update.before.changeNo,
      last_corrigendum: update.difference.kind ?? update.before.lastCorrigendum,
      updated_at: isChange(update) ? now : update.before.updatedAt,
    }));
    await this.manager.query(UPDATE_TENDERS, [JSON.stringify(rows), origin, now]);
    if (numbered.length === 0) return;
    const changes = publicChanges.map(({ before, difference }) => ({ id: before.id, changes: difference.changes }));
    await this.manager.query(INSERT_CHANGES, [JSON.stringify(changes), now]);
    await this.addCorrigenda(
      numbered.flatMap(({ before, difference }) =>
        difference.corrigenda.map((corrigendum) => ({ tender_id: before.id, ...corrigendum })),
      ),
    );
  }

  private async addCorrigenda(
    rows: { tender_id: number; title: string; type: string | null; changes: unknown[] }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.manager.query(INSERT_CORRIGENDA, [JSON.stringify(rows), this.options.now]);
  }
}

/** The stored tender with its source's closing, when a correction of the closing has ended. */
function withSourceClosing(before: TenderEntity, ended: readonly CorrectionEntity[]): TenderEntity {
  const closing = ended.find(({ field }) => field === 'closing')?.sourceValue;
  if (!closing) return before;
  return { ...before, closesAt: shiftDate(new Date(closing.slice(0, 24)), before.shiftDays) };
}

function namedCorrigendumKind(corrigenda: SourceTender['corrigenda']): 'date' | 'other' | null {
  const last = corrigenda.findLast(({ type }) => !IGNORED_TYPES.includes(type));
  if (!last) return null;
  return /date/i.test(last.type ?? '') ? 'date' : 'other';
}

/** The corrigenda that a notice names beside what it adds to a list are older than the list. */
const isChange = (update: TenderUpdate) =>
  update.difference.changes.length > 0 || (update.difference.corrigenda.length > 0 && !isFill(update));

const isFill = ({ before, row }: TenderUpdate) => isFillOf(before, row);

/** Whether the row is of a list and the stored tender of a notice. */
const isListOfNotice = (before: TenderEntity, row: StoredRow): boolean => row.is_listed === true && !before.isListed;

/** Corrected fields that a list changes. */
const LISTED_FIELDS: readonly CorrectionEntity['field'][] = ['closing', 'opening', 'bid_start', 'value', 'emd'];

const isStated = ({ field }: CorrectionEntity, row: StoredRow): boolean =>
  LISTED_FIELDS.includes(field) && CORRECTED_FIELDS[field].read(row) !== null;

/** Columns of a list that change a notice. */
const LISTED_FACTS = new Set(['opens_at', 'bid_start_at', 'price', 'emd']);
/** Columns that are derived from the row. */
const DERIVED_COLUMNS = new Set([
  'district',
  'second_district',
  'district_confidence',
  'department',
  'words',
  'content_hash',
]);

/** Keeps what a list does not have: of a notice all but dates and amounts, of an earlier list what this one lacks. */
function keepDetails(manager: EntityManager, before: TenderEntity, row: StoredRow): void {
  const { columns } = manager.connection.getMetadata(TenderEntity);
  const isTimeKept = !before.isListed && before.closingTimeKnown && !row.closing_time_known;
  for (const { databaseName: column, propertyName } of columns) {
    if (!(column in row) || ['published_at', 'shift_days', 'stage'].includes(column)) continue;
    if (column === 'closes_at' || column === 'closing_time_known') {
      if (!isTimeKept || !isSameDay(before, row)) continue;
    } else if (before.isListed ? DERIVED_COLUMNS.has(column) || row[column] !== null : isListedFact(column, row))
      continue;
    const stored = before[propertyName as keyof TenderEntity];
    row[column] = stored instanceof Date ? shiftDate(stored, row.shift_days - before.shiftDays) : stored;
  }
  // The stored texts keep their terms, which the query does not read.
  if (!before.isListed) row.words = null as never;
}

const isListedFact = (column: string, row: StoredRow): boolean => LISTED_FACTS.has(column) && row[column] !== null;

const isSameDay = (before: TenderEntity, row: StoredRow): boolean =>
  indianDay(shiftDate(before.closesAt, row.shift_days - before.shiftDays)) === indianDay(row.closes_at);

const corrigendumKey = ({ title, type }: SourceTender['corrigenda'][number]) => `${type}\u0000${title}`;

/** The corrigenda that are stored for each tender. */
async function readNamedTitles(manager: EntityManager, tenderIds: number[]): Promise<Map<number, Set<string>>> {
  const rows: { tender_id: number; title: string; type: string | null }[] = await manager.query(NAMED_TITLES, [
    tenderIds,
  ]);
  const titles = new Map<number, Set<string>>();
  for (const row of rows)
    titles.set(row.tender_id, (titles.get(row.tender_id) ?? new Set<string>()).add(corrigendumKey(row)));
  return titles;
}
