/**
 * `term-frequencies`: writes api/contract/search/term-frequencies.json, the fixed table that word weights come from: how
 * many of the imported tenders hold each term of at least five. Raise SEARCH_VERSION when the table changes.
 */
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '../measure/metrics.ts';
import { importRealTenders, PROJECT } from '../measure/real-tenders.ts';
import { inWorkspace, type Workspace } from '../measure/workspace.ts';

const FILE = join(PROJECT, 'api/contract/search/term-frequencies.json');
const MIN_TENDERS = 5;
/** The instant of the import does not matter: closed tenders count too. */
const NOW = new Date('2025-12-15T00:00:00+05:30');

async function run(workspace: Workspace): Promise<void> {
  const database = await workspace.createDatabase('terms');
  await importRealTenders(database, workspace.folder, NOW);
  const [{ tenders }] = await database.dataSource.query('SELECT count(*)::int AS tenders FROM tender');
  const rows: { count: string; terms: string }[] = await database.dataSource.query(
    `SELECT ndoc AS count, string_agg(word, ' ' ORDER BY word COLLATE "C") AS terms
     FROM ts_stat('SELECT words FROM tender') WHERE ndoc >= $1 GROUP BY ndoc ORDER BY ndoc`,
    [MIN_TENDERS],
  );
  const terms = Object.fromEntries(rows.map((row) => [row.count, row.terms]));
  writeFileSync(FILE, `${JSON.stringify({ tenders, terms }, null, 2)}\n`);
  log(`${rows.length} frequencies of terms in ${tenders} tenders`);
  await database.dataSource.destroy();
}

await inWorkspace(run);
