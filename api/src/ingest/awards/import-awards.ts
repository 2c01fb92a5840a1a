/** Stores the awards of a file in batches. */
import { formatCount } from '@nivida/contract/format';
import type { DataSource } from 'typeorm';
import type { Award } from '../../awards/award.entity.ts';
import { AwardStorageService, type StoreAwardsOptions } from '../../awards/award-storage.service.ts';
import type { ImportReport } from '../import-report.ts';
import type { IngestCounts } from '../ingest-run.ts';
import type { AwardFileRow } from './award-csv.ts';

/** Awards of one transaction. A real one with its bids has 1 to 200 KB as text. */
const MAX_BATCH_AWARDS = 500;
const MAX_BATCH_BIDS = 5_000;

/** One run over a file; call `finish` once. Of several rows of one tender the last counts. */
export class AwardRun {
  readonly counts: IngestCounts = { read: 0, new: 0, changed: 0, unchanged: 0, rejected: 0 };
  private readonly storage: AwardStorageService;
  private batch = new Map<string, Award>();
  private bids = 0;

  constructor(
    dataSource: DataSource,
    private readonly options: StoreAwardsOptions,
  ) {
    this.storage = new AwardStorageService(dataSource);
  }

  async add(award: Award): Promise<void> {
    this.counts.read++;
    const key = `${award.portal}\0${award.sourceId}`;
    if (this.batch.has(key)) this.counts.unchanged++;
    this.batch.set(key, award);
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

  async finish(): Promise<IngestCounts> {
    await this.store();
    return this.counts;
  }

  private async store(): Promise<void> {
    const awards = [...this.batch.values()];
    this.batch.clear();
    this.bids = 0;
    if (awards.length === 0) return;
    const { added, changed } = await this.storage.store(awards, this.options);
    this.counts.new += added;
    this.counts.changed += changed;
    this.counts.unchanged += awards.length - added - changed;
  }
}

/** Stores all rows; `report` gets the rejected ones and the cells that are left empty. */
export async function importAwards(
  rows: AsyncIterable<AwardFileRow>,
  run: AwardRun,
  report: ImportReport,
  progress: () => void,
): Promise<IngestCounts> {
  for await (const row of rows) {
    if ('award' in row) {
      await run.add(row.award);
      run.warn(await report.warn(row.warnings));
    } else {
      run.reject();
      await report.reject(row.rejection);
    }
    progress();
  }
  return run.finish();
}

/** The report on the awards of an OCDS file, after that on its tenders. */
export const awardsReport = ({ read, new: added, changed }: IngestCounts): string =>
  `${formatCount(read)} awards: ${formatCount(added)} new, ${formatCount(changed)} changed`;
