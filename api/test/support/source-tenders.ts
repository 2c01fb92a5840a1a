/** Invented notices, stored by the import. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { importFile } from '../../src/ingest/import.ts';
import type { ImportRequest } from '../../src/ingest/import-request.ts';
import { type IngestCounts, type IngestOptions, IngestRun } from '../../src/ingest/ingest-run.ts';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import type { TestApp } from './start-app.ts';

/** A tender of Himachal Pradesh, published 2 November and closing 20 November 2026, 11:00 AM; `changes` have precedence. */
export function createSourceTender(changes: Partial<SourceTender> = {}): SourceTender {
  const title = changes.title ?? 'Construction of footbridge';
  return {
    portal: 'hptenders',
    sourceId: '2026_PWD_100001_1',
    state: 'Himachal Pradesh',
    title,
    description: title,
    reference: null,
    nitKey: null,
    organisationChain: ['PWD', 'Central Zone'],
    address: null,
    place: null,
    pincode: null,
    category: 'Works',
    subCategory: null,
    tenderType: 'Open Tender',
    formOfContract: 'Item Rate',
    price: '500000.00',
    priceText: null,
    emd: '10000.00',
    emdPercent: null,
    emdExemptionAllowed: null,
    tenderFee: '500.00',
    covers: 2,
    periodOfWorkDays: 180,
    bidValidityDays: 120,
    contactDesignation: 'Executive Engineer',
    bidOpeningPlace: null,
    preBidPlace: null,
    publishedAt: new Date('2026-11-02T09:00:00+05:30'),
    bidStartAt: null,
    closesAt: new Date('2026-11-20T11:00:00+05:30'),
    closingTimeKnown: true,
    opensAt: null,
    preBidAt: null,
    documents: [],
    corrigenda: [],
    stage: 'published',
    ...changes,
  };
}

/** Imports notices at the instant `options.now`; real tenders without shifted dates by default. */
export async function importTenders(
  dataSource: DataSource,
  tenders: SourceTender[],
  options: Pick<IngestOptions, 'now'> & Partial<IngestOptions>,
): Promise<IngestCounts> {
  const ingest = await IngestRun.start(dataSource, { origin: 'portal', shiftDays: 0, ...options });
  for (const each of tenders) await ingest.add(each);
  return ingest.finish();
}

/** Imports a file with this content, one minute later; gives its counts and what the import said. */
export async function importContent(
  { app, content }: { app: TestApp; content: string },
  request: Partial<ImportRequest> & Pick<ImportRequest, 'portal' | 'state'>,
) {
  const { dataDir } = app.config;
  const file = join(dataDir, `${request.portal}.csv`);
  await writeFile(file, content);
  const said: string[] = [];
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  const counts = await importFile(
    {
      ...{ file, format: 'auto', rebase: undefined, dryRun: false },
      ...{ rejects: join(dataDir, 'rejects.csv'), ...request },
    },
    { dataSource: app.database.dataSource, dataDir, now: app.clock.now, log: (line) => said.push(line) },
  );
  return { ...counts, said };
}
