import { Inject, Injectable } from '@nestjs/common';
import { MAX_OCDS_TENDERS, type OcdsPackageResponse, type OcdsQuery } from '@nivida/contract/data-out/ocds-query';
import { startOfIndianDay } from '@nivida/contract/format';
import { findRegion } from '@nivida/contract/regions/regions';
import { DAY_MS } from '@nivida/contract/time';
import { DataSource } from 'typeorm';
import { AppError, forPrograms } from '../../base/app-error.ts';
import type { Config } from '../../base/config.ts';
import { CLOCK, CONFIG } from '../../base/injection-tokens.ts';
import { ReplicaReader } from '../../database/replica-reader.ts';
import { type ExportedRow, type ExportFilter, exportStatement } from './ocds-export.sql.ts';
import { type ExportedRecord, toOcdsRecord } from './ocds-releases.ts';

const EXTENSIONS = ['ocds_bidOpening_extension', 'ocds_participationFee_extension', 'ocds_bid_extension'].map(
  (name) => `https://raw.githubusercontent.com/open-contracting-extensions/${name}/master/extension.json`,
);
/** Rows of a dump that are read with one statement. */
const BATCH_ROWS = 500;

/** Exports the imported tenders of portals by OCDS 1.1. */
@Injectable()
export class OcdsExportService {
  constructor(
    private readonly reader: ReplicaReader,
    private readonly dataSource: DataSource,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A page of releases or records. INVALID for an unknown state. */
  async readPackage(kind: 'releases' | 'records', query: OcdsQuery): Promise<OcdsPackageResponse> {
    const { state, year, since, after } = query;
    const name = state === '' ? null : findRegion(state)?.state.name;
    if (name === undefined) throw new AppError('INVALID', forPrograms(`There is no state "${state}"`));
    const filter: ExportFilter = {
      ...{ state: name, ...yearBounds(year ?? null), changedSince: since ?? null },
      ...{ after, limit: MAX_OCDS_TENDERS },
    };
    const { rows } = await this.reader.query<ExportedRow>(exportStatement(filter, this.now()));
    const records = rows.map((row) => toOcdsRecord(row, this.config.ocdsPrefix));
    const address = (cursor: number) => {
      const given = { state, year: year?.toString(), since: since?.toISOString(), after: cursor ? String(cursor) : '' };
      const params = new URLSearchParams(Object.entries(given).filter((pair): pair is [string, string] => !!pair[1]));
      return `${this.config.publicOrigin}/api/ocds/${kind}${params.size > 0 ? `?${params}` : ''}`;
    };
    const last = rows.length === MAX_OCDS_TENDERS ? rows.at(-1) : undefined;
    return {
      ...this.packageHead(address(after), newestDate(records)),
      ...(kind === 'releases' ? { releases: records.flatMap((record) => record.releases) } : { records }),
      ...(last && { links: { next: address(last.id) } }),
    };
  }

  /** All records of a state and an Indian year, as JSON lines. */
  async *readRecords(state: string, year: number): AsyncGenerator<string> {
    for (let after = 0; ; ) {
      const filter = { ...{ state, ...yearBounds(year), changedSince: null }, after, limit: BATCH_ROWS };
      const { text, values } = exportStatement(filter, this.now());
      const rows: ExportedRow[] = await this.dataSource.query(text, values);
      for (const row of rows) yield `${JSON.stringify(toOcdsRecord(row, this.config.ocdsPrefix))}\n`;
      if (rows.length < BATCH_ROWS) return;
      after = rows.at(-1)?.id ?? 0;
    }
  }

  private packageHead(uri: string, publishedDate: string) {
    const { publicOrigin, legalName, dataLicense } = this.config;
    return {
      ...{ uri, version: '1.1' as const, extensions: EXTENSIONS, publishedDate },
      publisher: { name: legalName ?? 'Nivida', uri: publicOrigin },
      ...(dataLicense && { license: dataLicense }),
    };
  }
}

/** The date of the newest release, so that an unchanged package has the same ETag. */
const newestDate = (records: readonly ExportedRecord[]): string =>
  records
    .map(({ compiledRelease }) => compiledRelease.date)
    .reduce((a, b) => (a > b ? a : b), '1970-01-01T00:00:00.000Z');

const startOfYear = (year: number) => startOfIndianDay(Date.UTC(year, 0, 1) / DAY_MS);

const yearBounds = (year: number | null): Pick<ExportFilter, 'publishedFrom' | 'publishedBefore'> =>
  year === null
    ? { publishedFrom: null, publishedBefore: null }
    : { publishedFrom: startOfYear(year), publishedBefore: startOfYear(year + 1) };
