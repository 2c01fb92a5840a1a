/** Stores the awards of a file in batches. */
import { formatCount } from '@nivida/contract/format';
import type { DataSource } from 'typeorm';
import type { Award } from '../../awards/award.entity.ts';
import { AwardStorageService, type StoreAwardsOptions } from '../../awards/award-storage.service.ts';
import { lostFactsRejection } from '../checked-fields.ts';
import type { ImportReport } from '../import-report.ts';
import type { IngestCounts } from '../ingest-run.ts';
import type { Rejection } from '../source-tender.ts';
import type { AwardFileRow } from './award-csv.ts';

/** Awards of one transaction. A real one with its bids has 1 to 200 KB as text. */
const MAX_BATCH_AWARDS = 500;
const MAX_BATCH_BIDS = 5_000;

/** Facts of an award that a later row must not empty. The names are those of AwardStorageService.readFilledFacts. */
const CHECKED_FACTS: [name: string, isFilled: (award: Award) => boolean][] = [
  ['bids', ({ bids }) => bids.length > 0],
  ['estimate', ({ estimate }) => estimate !== null],
  ['awarded_value', ({ awardedValue }) => awardedValue !== null],
  ['contract_date', ({ contractOn }) => contractOn !== null],
  ['closing_date', ({ closesOn }) => closesOn !== null],
  ['publish_date', ({ publishedOn }) => publishedOn !== null],
  ['category', ({ category }) => category !== null],
  ['pincode', ({ pincode }) => pincode !== null],
];

const filledFacts = (award: Award) => CHECKED_FACTS.filter(([, isFilled]) => isFilled(award)).map(([name]) => name);

/** The rejection of an award that lacks known bids or most known facts; null for any other award. */
function rejectLoss(known: readonly string[], { award, line }: AwardRow, kept: 'stored' | 'earlier'): Rejection | null {
  const filled = filledFacts(award);
  const emptied = known.filter((name) => !filled.includes(name));
  const row = { line, value: award.sourceId };
  if (emptied.includes('bids'))
    return { ...row, column: 'bids', reason: `would empty the ${kept} bids, so the ${kept} ones stay` };
  return lostFactsRejection(emptied, known.length, { ...row, kept });
}

interface AwardRow {
  award: Award;
  line: number;
}

/** Options of a run. */
export interface AwardRunOptions extends StoreAwardsOptions {
  /** True when the operator accepts that an award empties known facts. */
  acceptsLoss?: boolean;
}

/**
 * One run over a file; call `finish` once. If a file has several rows of one tender, the last one is stored. A row that
 * loses the bids or most facts of an earlier or stored row is rejected.
 */
export class AwardRun {
  readonly counts: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  private readonly storage: AwardStorageService;
  private batch = new Map<string, AwardRow>();
  private bids = 0;
  private lost: Rejection[] = [];

  constructor(
    dataSource: DataSource,
    private readonly options: AwardRunOptions,
  ) {
    this.storage = new AwardStorageService(dataSource);
  }

  /** Adds one award; a full batch is stored. */
  async add(award: Award, line = 0): Promise<void> {
    this.counts.read++;
    const key = `${award.portal}\0${award.sourceId}`;
    const earlier = this.batch.get(key);
    if (earlier && this.isLoss(filledFacts(earlier.award), { award, line }, 'earlier')) return;
    if (earlier) this.counts.unchanged++;
    this.batch.set(key, { award, line });
    this.bids += award.bids.length;
    if (this.batch.size >= MAX_BATCH_AWARDS || this.bids >= MAX_BATCH_BIDS) await this.store();
  }

  /** Counts the cells of a row that are left empty. */
  warn(cells: number): void {
    if (cells > 0) this.counts.warnings = (this.counts.warnings ?? 0) + cells;
  }

  /** Records a rejected row. */
  reject(): void {
    this.counts.read++;
    this.counts.rejected++;
  }

  /** The rejections of awards that lose known facts, since the last call. */
  takeLost(): Rejection[] {
    const { lost } = this;
    this.lost = [];
    return lost;
  }

  async finish(): Promise<IngestCounts> {
    await this.store();
    return this.counts;
  }

  private isLoss(known: readonly string[], row: AwardRow, kept: 'stored' | 'earlier'): boolean {
    const rejection = this.options.acceptsLoss ? null : rejectLoss(known, row, kept);
    if (!rejection) return false;
    this.lost.push(rejection);
    this.counts.rejected++;
    return true;
  }

  private async store(): Promise<void> {
    const rows = [...this.batch.values()];
    this.batch.clear();
    this.bids = 0;
    if (rows.length === 0) return;
    const known = await this.storage.readFilledFacts(rows.map(({ award }) => award));
    const awards = rows.filter((row, n) => !this.isLoss(known[n] ?? [], row, 'stored')).map(({ award }) => award);
    const { added, changed } = await this.storage.store(awards, this.options);
    this.counts.new += added;
    this.counts.changed += changed;
    this.counts.unchanged += awards.length - added - changed;
  }
}

/** Stores all rows. `report` gets the rejected rows and the cells that were left empty. */
export async function importAwards(
  rows: AsyncIterable<AwardFileRow>,
  run: AwardRun,
  report: ImportReport,
  progress: () => void = () => {},
): Promise<IngestCounts> {
  const reportLost = async () => {
    for (const rejection of run.takeLost()) await report.reject(rejection);
  };
  for await (const row of rows) {
    if ('award' in row) {
      await run.add(row.award, row.line);
      run.warn(await report.warn(row.warnings));
      await reportLost();
    } else {
      run.reject();
      await report.reject(row.rejection);
    }
    progress();
  }
  const counts = await run.finish();
  await reportLost();
  return counts;
}

/** The report on the awards of an OCDS file. It follows the report on its tenders. */
export const awardsReport = ({ read, new: added, changed, rejected }: IngestCounts): string =>
  `${formatCount(read)} awards: ${formatCount(added)} new, ${formatCount(changed)} changed${rejected > 0 ? `, ${formatCount(rejected)} rejected` : ''}`;
