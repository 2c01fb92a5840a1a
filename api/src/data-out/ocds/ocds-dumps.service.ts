import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Inject, Injectable } from '@nestjs/common';
import type { OcdsDumpListResponse } from '@nivida/contract/data-out/ocds-query';
import { findRegion } from '@nivida/contract/regions/regions';
import { STATES } from '@nivida/contract/regions/states';
import { DataSource } from 'typeorm';
import { nothingHere } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { OperatorError } from '../../base/operator-error.ts';
import type { Job, JobContext } from '../../jobs/job.ts';
import { type FileStore, openFileStore } from '../../storage/file-store.ts';
import { OcdsDumpEntity } from './ocds-dump.entity.ts';
import { OcdsExportService } from './ocds-export.service.ts';
import { EXPORTED_YEARS } from './ocds-export.sql.ts';

const FILE_NAME = /^([a-z-]+)-(\d{4})\.jsonl\.gz$/;

/** Files of the OCDS export: one for each state and year, JSON lines in gzip. */
@Injectable()
export class OcdsDumpsService {
  private readonly store: FileStore;

  constructor(
    private readonly dataSource: DataSource,
    private readonly ocds: OcdsExportService,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.store = openFileStore(config);
  }

  async list(): Promise<OcdsDumpListResponse> {
    const dumps = await this.dataSource.getRepository(OcdsDumpEntity).find({ order: { state: 'ASC', year: 'DESC' } });
    return {
      attribution: this.config.dataAttribution ?? null,
      license: this.config.dataLicense ?? null,
      dumps: dumps.map(({ state, year, bytes, sha256, records, madeAt }) => ({
        ...{ state, slug: slugOf(state), year, bytes: Number(bytes), sha256, records, madeAt: madeAt.toISOString() },
        url: `${this.config.publicOrigin}/api/ocds/dumps/${slugOf(state)}-${year}.jsonl.gz`,
      })),
    };
  }

  /** The file of this name. NOT_FOUND. */
  async open(name: string): Promise<{ file: Readable; bytes: number; sha256: string }> {
    const [, slug, year] = FILE_NAME.exec(name) ?? [];
    const state = STATES.find((each) => each.slug === slug)?.name;
    const dump =
      state === undefined
        ? null
        : await this.dataSource.getRepository(OcdsDumpEntity).findOneBy({ state, year: Number(year) });
    // After a restore the files are made again by the next run of the job.
    if (!dump || !(await this.store.has(dump.fileKey))) throw nothingHere();
    return { file: await this.store.read(dump.fileKey), bytes: Number(dump.bytes), sha256: dump.sha256 };
  }

  /** Writes the file of a state and a year, which replaces the earlier one. OperatorError for an unknown state. */
  async write(stateName: string, year: number): Promise<OcdsDumpEntity> {
    const state = findRegion(stateName)?.state.name;
    if (!state) throw new OperatorError(`There is no state "${stateName}"`);
    const madeAt = this.now();
    let records = 0;
    const lines = this.ocds.readRecords(state, year);
    async function* counted() {
      for await (const line of lines) {
        records += 1;
        yield line;
      }
    }
    const source = Readable.from(counted(), { objectMode: false });
    const packed = createGzip();
    source.on('error', (error) => packed.destroy(error));
    const { key: fileKey, bytes, sha256 } = await this.store.put(source.pipe(packed));
    const dumps = this.dataSource.getRepository(OcdsDumpEntity);
    const earlier = await dumps.findOneBy({ state, year });
    const dump = { state, year, fileKey, bytes: String(bytes), sha256, records, madeAt };
    await dumps.upsert(dump, ['state', 'year']);
    if (earlier) await this.store.remove(earlier.fileKey);
    return dump;
  }

  /** Writes the files whose tenders have changed since, and those that are missing. Returns their number. */
  async writeStale(now: Date): Promise<number> {
    const years: { state: string; year: number; changedAt: Date }[] = await this.dataSource.query(EXPORTED_YEARS, [
      now,
    ]);
    const dumps = await this.dataSource.getRepository(OcdsDumpEntity).find();
    let written = 0;
    for (const { state, year, changedAt } of years) {
      const dump = dumps.find((each) => each.state === state && each.year === year);
      if (dump && dump.madeAt > changedAt && (await this.store.has(dump.fileKey))) continue;
      await this.write(state, year);
      written += 1;
    }
    return written;
  }
}

const slugOf = (state: string): string => STATES.find(({ name }) => name === state)?.slug ?? '';

export const ocdsDumpsJob: Job = {
  name: 'ocds-dumps',
  cron: '17 4 * * 0',
  run: async ({ find, now }: JobContext) => (await find(OcdsDumpsService)).writeStale(now),
};
