/** Databases with the tenders of the real files; only in tests of `describeWithData`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { importFile } from '../../src/ingest/import.ts';
import type { IngestCounts } from '../../src/ingest/ingest-run.ts';
import type { Database } from '../../src/schema/database.ts';
import { asAdmin, createTestDatabase } from '../support/start-app.ts';
import { SHARED_DATA } from '../support/test-machine.ts';

/** The first tender file of a portal, and the number of its rows. */
export interface PortalFile {
  file: string;
  portal: string;
  state: string;
  rows: number;
}

export const HIMACHAL: PortalFile = {
  file: join(SHARED_DATA, 'hptenders-2025-06-onward.csv.gz'),
  portal: 'hptenders',
  state: 'Himachal Pradesh',
  rows: 11_628,
};
export const ASSAM: PortalFile = {
  file: join(SHARED_DATA, 'assamtenders-2025-06-onward.csv.gz'),
  portal: 'assamtenders',
  state: 'Assam',
  rows: 6_151,
};

/** The files are rebased to this day: 15 December 2025 becomes 21 November 2026, 10:40 in the morning in India. */
export const REAL_NOW = new Date('2026-11-21T05:10:00Z');
const REBASE = '2025-12-15';

/** Imports a file into a database. */
export async function importPortal(
  { file, portal, state }: Omit<PortalFile, 'rows'>,
  { dataSource }: Database,
  { now = REAL_NOW, rebase = REBASE as string | undefined } = {},
): Promise<IngestCounts> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nivida-real-'));
  const request = { file, format: 'auto', portal, state, rebase, dryRun: false, rejects: undefined } as const;
  return importFile(request, { dataSource, dataDir, now, log: () => {} }).finally(() =>
    rm(dataDir, { recursive: true }),
  );
}

/**
 * A database with the tenders of these portals, imported at REAL_NOW in this order. Each combination is imported once in
 * a test run; further databases are copies.
 */
export async function createRealDatabase(...portals: [...PortalFile[], PortalFile]): Promise<Database> {
  return createTestDatabase(await realTemplate(portals));
}

async function realTemplate(portals: readonly PortalFile[]): Promise<string | undefined> {
  const last = portals.at(-1);
  if (!last) return undefined;
  const name = `real_${portals.map(({ portal }) => portal).join('_')}`;
  const base = await realTemplate(portals.slice(0, -1));
  await asAdmin(async (client) => {
    // Another worker may import the same files.
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    const database = await createTestDatabase(base);
    const counts = await importPortal(last, database);
    expect(counts).toMatchObject({ read: last.rows, new: last.rows, changed: 0, unchanged: 0, rejected: 0 });
    const [{ made }] = await database.dataSource.query('SELECT current_database() AS made');
    await database.dataSource.destroy();
    await client.query(`ALTER DATABASE ${made} RENAME TO ${name}`);
  });
  return name;
}
