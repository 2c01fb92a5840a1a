/** The real tenders of two portals, imported into a benchmark's database. */
import { join } from 'node:path';
import { importFile } from '../../src/ingest/import.ts';
import { log } from './metrics.ts';
import type { BenchDatabase } from './workspace.ts';

export const PROJECT = join(import.meta.dirname, '../..');
/** The data folder: NIVIDA_DATA, or the one beside the project. */
export const DATA = process.env.NIVIDA_DATA ?? join(PROJECT, '../shared/data');

const PORTALS = [
  { portal: 'hptenders', state: 'Himachal Pradesh' },
  { portal: 'assamtenders', state: 'Assam' },
];

/** Imports the PIN table and both portals as they were at `now`. */
export async function importRealTenders(database: BenchDatabase, folder: string, now: Date): Promise<void> {
  const context = { dataSource: database.dataSource, dataDir: folder, now, log: () => {} };
  const request = { portal: undefined, state: undefined, rebase: undefined, dryRun: false, rejects: undefined };
  log('importing the PIN codes');
  await importFile({ ...request, file: join(DATA, 'geo/pincode_district_state.csv'), format: 'auto' }, context);
  for (const { portal, state } of PORTALS) {
    log(`importing ${portal}`);
    const file = join(DATA, `${portal}-2025-06-onward.csv.gz`);
    await importFile({ ...request, file, format: 'auto', portal, state }, context);
  }
}
