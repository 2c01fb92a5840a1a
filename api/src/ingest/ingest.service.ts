/**
 * Stores what a source publishes (architecture.md section 4, Ingest): upsert by (portal, source id) in batches, every
 * difference a history row with the next change number, and a corrigendum where bidders must know of it.
 */
import type { DataSource, EntityManager } from 'typeorm';
import { takeChangeLock } from '../database/change-lock.ts';
import { TenderEntity } from '../tenders/tender.entity.ts';
import { compareRows, type Difference } from './differences.ts';
import type { Notice } from './notice.ts';
import { PincodeEntity } from './pincode.entity.ts';
import { pincodeKey } from './places.ts';
import { contentHash, type PreparedRow, prepareRow, type StoredRow, shiftedDates } from './stored-row.ts';

/** Rows of one transaction; a larger batch holds the change lock for too long. */
const BATCH_ROWS = 500;

/** What became of the rows of one source. */
export interface IngestCounts {
  read: number;
  new: number;
  changed: number;
  unchanged: number;
  rejected: number;
}

/** Where notices come from. */
export interface IngestOptions {
  now: Date;
  origin: TenderEntity['origin'];
  /** Whole days added to every date; 0 unless rebased. */
  shiftDays: number;
  /** Count what would happen, store nothing. */
  dryRun?: boolean;
}

/** Ends a dry run's transaction. */
class DryRun extends Error {}

/** A notice of the batch at hand, with the digest of its content. */
interface Pending {
  notice: Notice;
  hash: string;
}

interface Known {
  id: number;
  portal: string;
  source_id: string;
  content_hash: string;
  shift_days: number;
  origin: TenderEntity['origin'];
}

/** One run over one source; call `add` for each notice and `finish` once. Counts grow as batches are stored. */
export class Ingest {
  readonly counts: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  private batch = new Map<string, Pending>();
  private readonly knownWords = new Set<string>();
  private readonly cleared = new Set<string>();

  private constructor(
    private readonly dataSource: DataSource,
    private readonly options: IngestOptions,
    private readonly pincodes: Map<string, Map<string, number>>,
  ) {}

  /** Loads the PIN table and starts a run. */
  static async start(dataSource: DataSource, options: IngestOptions): Promise<Ingest> {
    const pincodes = new Map<string, Map<string, number>>();
    for (const row of await dataSource.getRepository(PincodeEntity).find()) {
      const key = pincodeKey(row.state, row.pincode);
      const shares = pincodes.get(key) ?? new Map<string, number>();
      pincodes.set(key, shares.set(row.district, row.share));
    }
    return new Ingest(dataSource, options, pincodes);
  }

  /** Takes one notice; stores a batch when it is full. */
  async add(notice: Notice): Promise<void> {
    this.counts.read++;
    const key = keyOfNotice(notice);
    // A file that names a tender twice publishes two versions of it, one after the other.
    if (this.batch.has(key)) await this.store();
    this.batch.set(key, { notice, hash: contentHash(notice) });
    if (this.batch.size >= BATCH_ROWS) await this.store();
  }

  /** Notes a row that could not be taken. */
  reject(): void {
    this.counts.read++;
    this.counts.rejected++;
  }

  /** Stores the last batch. */
  async finish(): Promise<IngestCounts> {
    await this.store();
    return this.counts;
  }

  private async store(): Promise<void> {
    const batch = this.batch;
    this.batch = new Map();
    if (batch.size === 0) return;
    const newWords: string[] = [];
    await this.dataSource
      .transaction(async (manager) => {
        await takeChangeLock(manager);
        newWords.push(...(await this.storeBatch(manager, batch)));
        if (this.options.dryRun) throw new DryRun();
      })
      .catch((error) => {
        if (!(error instanceof DryRun)) throw error;
      });
    for (const word of newWords) this.knownWords.add(word);
  }

  /** Sorts the batch by what is known of each tender, and stores it; gives the words it added to the vocabulary. */
  private async storeBatch(manager: EntityManager, batch: Map<string, Pending>): Promise<string[]> {
    const { origin, shiftDays } = this.options;
    await this.removeGenerated(manager, batch);
    const known = await this.findKnown(manager, batch);
    const fresh: PreparedRow[] = [];
    const touched: { id: number; prepared: PreparedRow }[] = [];
    const moved: { id: number; notice: Notice }[] = [];
    const seenAgain: number[] = [];
    for (const [key, { notice, hash }] of batch) {
      const before = known.get(key);
      // Places and words are derived only where they are needed: most of a daily file is as it was yesterday.
      if (!before) fresh.push(prepareRow(notice, hash, shiftDays, this.pincodes));
      else if (before.content_hash !== hash)
        touched.push({ id: before.id, prepared: prepareRow(notice, hash, shiftDays, this.pincodes) });
      else if (before.shift_days !== shiftDays || before.origin !== origin) moved.push({ id: before.id, notice });
      else seenAgain.push(before.id);
    }
    const newWords = await this.storeWords(manager, [...fresh, ...touched.map(({ prepared }) => prepared)]);
    await this.insert(manager, fresh);
    await manager.query('UPDATE tender SET fetched_at = $1 WHERE id = ANY($2)', [this.options.now, seenAgain]);
    await this.moveDates(manager, moved);
    const changed = await this.change(manager, touched);
    this.counts.new += fresh.length;
    this.counts.changed += changed;
    this.counts.unchanged += batch.size - fresh.length - changed;
    return newWords;
  }

  private async findKnown(manager: EntityManager, batch: Map<string, Pending>): Promise<Map<string, Known>> {
    const notices = [...batch.values()].map(({ notice }) => notice);
    const found: Known[] = await manager.query(
      `SELECT t.id, t.portal, t.source_id, t.content_hash, t.shift_days, t.origin
       FROM unnest($1::text[], $2::text[]) AS asked(portal, source_id) JOIN tender t USING (portal, source_id)`,
      [notices.map(({ portal }) => portal), notices.map(({ sourceId }) => sourceId)],
    );
    return new Map(found.map((row) => [keyOfRow(row), row]));
  }

  /** The first import for a state removes that state's generated tenders, each with a tombstone in the history. */
  private async removeGenerated(manager: EntityManager, batch: Map<string, Pending>): Promise<void> {
    if (this.options.origin === 'generated') return;
    const named = new Set([...batch.values()].map(({ notice }) => notice.state));
    const states = [...named].filter((state) => !this.cleared.has(state));
    if (states.length === 0) return;
    await manager.query(
      `WITH gone AS (DELETE FROM tender WHERE origin = 'generated' AND state = ANY($1) RETURNING id, state, version, change_no)
       INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
       SELECT nextval('tender_change_no'), id, state, version + 1, 'removed', '[]', $2 FROM gone WHERE change_no IS NOT NULL`,
      [states, this.options.now],
    );
    for (const state of states) this.cleared.add(state);
  }

  private async storeWords(manager: EntityManager, rows: PreparedRow[]): Promise<string[]> {
    const words = [...new Set(rows.flatMap((row) => row.words.filter((word) => !this.knownWords.has(word))))];
    if (words.length > 0)
      await manager.query('INSERT INTO search_word SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [words]);
    return words;
  }

  private async insert(manager: EntityManager, rows: PreparedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { now, origin } = this.options;
    const inserted: { id: number; portal: string; source_id: string }[] = await manager.query(
      `WITH added AS (
         INSERT INTO tender (${INSERTED.join(', ')}, last_corrigendum, origin, change_no, fetched_at, updated_at)
         SELECT ${INSERTED.map((column) => `r.${column}`).join(', ')}, r.last_corrigendum, $2,
           CASE WHEN r.published_at <= $3 THEN nextval('tender_change_no') END, $3, $3
         FROM json_populate_recordset(NULL::tender, $1) r
         RETURNING id, portal, source_id, state, version, change_no
       ), noted AS (
         INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
         SELECT change_no, id, state, version, 'published', '[]', $3 FROM added WHERE change_no IS NOT NULL
       )
       SELECT id, portal, source_id FROM added`,
      [
        JSON.stringify(rows.map(({ row, corrigenda }) => ({ ...row, last_corrigendum: kindOfNamed(corrigenda) }))),
        origin,
        now,
      ],
    );
    const ids = new Map(inserted.map((row) => [keyOfRow(row), row.id]));
    const named = rows.flatMap(({ row, corrigenda }) =>
      corrigenda.map((each) => ({
        tender_id: ids.get(keyOfRow(row)) as number,
        ...each,
        changes: [],
      })),
    );
    await this.addCorrigenda(manager, named);
  }

  /** The same content under another shift: dates move, and nobody is told, since nothing was published. */
  private async moveDates(manager: EntityManager, moved: { id: number; notice: Notice }[]): Promise<void> {
    if (moved.length === 0) return;
    const { origin, shiftDays } = this.options;
    const rows = moved.map(({ id, notice }) => ({ id, origin, ...shiftedDates(notice, shiftDays) }));
    await manager.query(
      `UPDATE tender t SET published_at = r.published_at, bid_start_at = r.bid_start_at, closes_at = r.closes_at,
         opens_at = r.opens_at, pre_bid_at = r.pre_bid_at, shift_days = r.shift_days, origin = r.origin, fetched_at = $2
       FROM json_populate_recordset(NULL::tender, $1) r WHERE t.id = r.id`,
      [JSON.stringify(rows), this.options.now],
    );
  }

  /** Updates what differs; returns how many tenders really changed. */
  private async change(manager: EntityManager, touched: { id: number; prepared: PreparedRow }[]): Promise<number> {
    let changed = 0;
    for (const { id, prepared } of touched) {
      const before = await manager.getRepository(TenderEntity).findOneByOrFail({ id });
      const known = await namedTitles(manager, id);
      const added = prepared.corrigenda.filter(({ title, type }) => !known.has(`${type}\u0000${title}`));
      const difference = compareRows(before, prepared.row, added);
      await this.update(manager, id, prepared.row, difference);
      if (difference.changes.length === 0 && added.length === 0) continue;
      changed++;
      // A draft was never seen, so its changes are no corrigenda; publishing it is its first history row.
      if (before.changeNo === null) continue;
      await this.note(manager, before, difference);
    }
    return changed;
  }

  private async update(manager: EntityManager, id: number, row: StoredRow, difference: Difference): Promise<void> {
    const isChange = difference.changes.length > 0 || difference.corrigenda.length > 0;
    await manager.query(
      `UPDATE tender t SET ${INSERTED.map((column) => `${column} = r.${column}`).join(', ')}, origin = $2, fetched_at = $3,
         last_corrigendum = coalesce($4, t.last_corrigendum),
         version = CASE WHEN $5 THEN t.version + 1 ELSE t.version END,
         updated_at = CASE WHEN $5 THEN $3 ELSE t.updated_at END
       FROM json_populate_record(NULL::tender, $1) r WHERE t.id = $6`,
      [JSON.stringify(row), this.options.origin, this.options.now, difference.kind, isChange, id],
    );
  }

  private async note(manager: EntityManager, before: TenderEntity, difference: Difference): Promise<void> {
    const { now } = this.options;
    await manager.query(
      `WITH numbered AS (UPDATE tender SET change_no = nextval('tender_change_no') WHERE id = $1 RETURNING id, state, version, change_no)
       INSERT INTO tender_history (change_no, tender_id, state, version, kind, changes, at)
       SELECT change_no, id, state, version, 'changed', $2, $3 FROM numbered`,
      [before.id, JSON.stringify(difference.changes), now],
    );
    await this.addCorrigenda(
      manager,
      difference.corrigenda.map((corrigendum) => ({ tender_id: before.id, ...corrigendum })),
    );
  }

  private async addCorrigenda(
    manager: EntityManager,
    rows: { tender_id: number; title: string; type: string | null; changes: unknown[] }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await manager.query(
      `INSERT INTO corrigendum (tender_id, title, type, changes, noticed_at)
       SELECT tender_id, title, type, changes, $2 FROM json_populate_recordset(NULL::corrigendum, $1)`,
      [JSON.stringify(rows), this.options.now],
    );
  }
}

const keyOfNotice = ({ portal, sourceId }: Notice) => `${portal}\u0000${sourceId}`;
const keyOfRow = (row: { portal: string; source_id: string }) => `${row.portal}\u0000${row.source_id}`;

/** Columns that come from the row itself. */
const INSERTED = [
  ...'portal source_id state district district_confidence department title description reference nit_key'.split(' '),
  ...'organisation_chain address place pincode category sub_category tender_type form_of_contract price'.split(' '),
  ...'price_text emd emd_percent emd_exemption_allowed tender_fee covers period_of_work_days'.split(' '),
  ...'bid_validity_days contact_designation bid_opening_place pre_bid_place published_at bid_start_at'.split(' '),
  ...'closes_at closing_time_known opens_at pre_bid_at documents stage words shift_days content_hash'.split(' '),
];

function kindOfNamed(corrigenda: Notice['corrigenda']): 'date' | 'other' | null {
  const last = corrigenda.at(-1);
  if (!last) return null;
  return /date/i.test(last.type ?? '') ? 'date' : 'other';
}

async function namedTitles(manager: EntityManager, tenderId: number): Promise<Set<string>> {
  const rows: { title: string; type: string | null }[] = await manager.query(
    'SELECT title, type FROM corrigendum WHERE tender_id = $1',
    [tenderId],
  );
  return new Set(rows.map(({ title, type }) => `${type}\u0000${title}`));
}
