/** Writes tenders with their history and corrigenda, inside a transaction that holds the change lock. */
import { formatDateTime } from '@nivida/contract/format';
import { TENDER_FIELD_LIST } from '@nivida/contract/tenders/tender-fields';
import type { EntityManager } from 'typeorm';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { compareRows, type Difference, IGNORED_TYPES } from './differences.ts';
import { contradictionEntry, type SourceTender } from './source-tender.ts';
import { type PreparedRow, type StoredRow, shiftDate, shiftedDates } from './stored-row.ts';

/** Where the rows come from and when. */
export interface WriteOptions {
  now: Date;
  origin: TenderEntity['origin'];
  /** Whole days added to every date; 0 unless rebased. */
  shiftDays: number;
}

/** What makes a tender unique, as a key of maps. */
export const tenderRowKey = (row: { portal: string; source_id: string }) => `${row.portal}\u0000${row.source_id}`;

/** The writes of one batch. */
export class TenderRowWriter {
  constructor(
    private readonly manager: EntityManager,
    private readonly options: WriteOptions,
  ) {}

  /** Stores new tenders; those already published get their first history row. */
  async insert(rows: PreparedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { now, origin } = this.options;
    const inserted: { id: number; portal: string; source_id: string }[] = await this.manager.query(
      `WITH added AS (
         INSERT INTO tender (${INSERTED_COLUMNS.join(', ')}, last_corrigendum, origin, change_no, fetched_at, updated_at)
         SELECT ${INSERTED_COLUMNS.map((column) => `r.${column}`).join(', ')}, r.last_corrigendum, $2,
           CASE WHEN r.published_at <= $3 THEN nextval('tender_change_no') END, $3, $3
         FROM json_populate_recordset(NULL::tender, $1) r
         RETURNING id, portal, source_id, state, version, change_no
       ), noted AS (
         INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
         SELECT change_no, id, state, version, 'published', '[]', $3 FROM added WHERE change_no IS NOT NULL
       )
       SELECT id, portal, source_id FROM added`,
      [
        JSON.stringify(
          rows.map(({ row, corrigenda }) => ({ ...row, last_corrigendum: namedCorrigendumKind(corrigenda) })),
        ),
        origin,
        now,
      ],
    );
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

  /** Notes that these are still as they were. */
  async updateFetchedAt(ids: number[]): Promise<void> {
    await this.manager.query('UPDATE tender SET fetched_at = $1 WHERE id = ANY($2)', [this.options.now, ids]);
  }

  /** The same content under another shift: dates move without history, since nothing was published; copies are renewed. */
  async moveDates(moved: { id: number; notice: SourceTender }[]): Promise<void> {
    if (moved.length === 0) return;
    const { origin, shiftDays } = this.options;
    const rows = moved.map(({ id, notice: tender }) => ({ id, origin, ...shiftedDates(tender, shiftDays) }));
    await this.manager.query(
      `UPDATE tender t SET bid_start_at = r.bid_start_at, closes_at = r.closes_at,
         opens_at = r.opens_at, pre_bid_at = r.pre_bid_at, shift_days = r.shift_days, origin = r.origin, fetched_at = $2,
         published_at = CASE WHEN t.change_no IS NOT NULL AND r.published_at > $2 THEN least(t.published_at, $2)
           ELSE r.published_at END,
         change_no = CASE WHEN t.change_no IS NULL THEN NULL ELSE nextval('tender_change_no') END
       FROM json_populate_recordset(NULL::tender, $1) r WHERE t.id = r.id`,
      [JSON.stringify(rows), this.options.now],
    );
  }

  /** Updates what differs; returns how many tenders really changed. */
  async updateChanged(touched: { id: number; prepared: PreparedRow }[]): Promise<number> {
    let changed = 0;
    for (const { id, prepared } of touched) {
      const before = await this.manager.getRepository(TenderEntity).findOneByOrFail({ id });
      const moved = this.keepStoredPublishing(before, prepared);
      const known = await readNamedTitles(this.manager, id);
      const added = [...prepared.corrigenda, ...moved].filter(({ title, type }) => !known.has(`${type}\u0000${title}`));
      const difference = compareRows(before, prepared.row, added);
      await this.update(id, prepared.row, difference);
      if (difference.changes.length === 0 && added.length === 0) continue;
      changed++;
      // A draft was never seen, so its changes are no corrigenda; publishing it is its first history row.
      if (before.changeNo === null) continue;
      await this.insertHistory(before, difference);
    }
    return changed;
  }

  /**
   * Keeps the stored publishing date where the source's is only concluded, and where it would hide a tender again that
   * was public: devices hold it, and nothing would take it away there. Gives the entry that tells of the second.
   */
  private keepStoredPublishing(
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

  private async update(id: number, row: StoredRow, difference: Difference): Promise<void> {
    const isChange = difference.changes.length > 0 || difference.corrigenda.length > 0;
    await this.manager.query(
      `UPDATE tender t SET ${INSERTED_COLUMNS.map((column) => `${column} = r.${column}`).join(', ')}, origin = $2, fetched_at = $3,
         last_corrigendum = coalesce($4, t.last_corrigendum),
         version = CASE WHEN $5 THEN t.version + 1 ELSE t.version END,
         updated_at = CASE WHEN $5 THEN $3 ELSE t.updated_at END
       FROM json_populate_record(NULL::tender, $1) r WHERE t.id = $6`,
      [JSON.stringify(row), this.options.origin, this.options.now, difference.kind, isChange, id],
    );
  }

  private async insertHistory(before: TenderEntity, difference: Difference): Promise<void> {
    const { now } = this.options;
    await this.manager.query(
      `WITH numbered AS (UPDATE tender SET change_no = nextval('tender_change_no') WHERE id = $1 RETURNING id, state, version, change_no)
       INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
       SELECT change_no, id, state, version, 'changed', $2, $3 FROM numbered`,
      [before.id, JSON.stringify(difference.changes), now],
    );
    await this.addCorrigenda(difference.corrigenda.map((corrigendum) => ({ tender_id: before.id, ...corrigendum })));
  }

  private async addCorrigenda(
    rows: { tender_id: number; title: string; type: string | null; changes: unknown[] }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await this.manager.query(
      `INSERT INTO corrigendum (tender_id, title, type, changes, noticed_at)
       SELECT tender_id, title, type, changes, $2 FROM json_populate_recordset(NULL::corrigendum, $1)`,
      [JSON.stringify(rows), this.options.now],
    );
  }
}

/** Columns that come from the row itself. */
const INSERTED_COLUMNS = [
  ...'portal source_id state district district_confidence department title description reference nit_key'.split(' '),
  ...'organisation_chain category price price_text emd published_at bid_start_at closes_at closing_time_known'.split(
    ' ',
  ),
  ...'opens_at pre_bid_at documents stage words shift_days content_hash'.split(' '),
  ...TENDER_FIELD_LIST.map(({ name }) => name),
];

function namedCorrigendumKind(corrigenda: SourceTender['corrigenda']): 'date' | 'other' | null {
  const last = corrigenda.findLast(({ type }) => !IGNORED_TYPES.includes(type));
  if (!last) return null;
  return /date/i.test(last.type ?? '') ? 'date' : 'other';
}

async function readNamedTitles(manager: EntityManager, tenderId: number): Promise<Set<string>> {
  const rows: { title: string; type: string | null }[] = await manager.query(
    'SELECT title, type FROM corrigendum WHERE tender_id = $1',
    [tenderId],
  );
  return new Set(rows.map(({ title, type }) => `${type}\u0000${title}`));
}
