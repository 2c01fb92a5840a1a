/**
 * `search-quality`: relevance of search on the open tenders of two real portals, over the API. A query is relevant to the
 * tenders that its regular expressions select. The developer set has limits; the second set, written before the dictionary
 * was read, is reported only. Needs the data folder beside the project, or NIVIDA_DATA. About two minutes on two cores.
 */
import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createModule } from '../src/app.module.ts';
import { readConfig } from '../src/config.ts';
import { builtPagesFolder, createServer } from '../src/http/server.ts';
import { getText } from './measure/load.ts';
import { BenchmarkMetrics } from './measure/metrics.ts';
import { DATA, importRealTenders, PROJECT } from './measure/real-tenders.ts';
import { type BenchDatabase, inWorkspace, type Workspace } from './measure/workspace.ts';

const OWN_SET = join(PROJECT, 'api/bench/search-quality/own-queries.json');
const TOP = 10;
const PAGE_ROWS = 100;

/** A judged query: a tender is relevant when all conditions match its fields and no excluded one its texts. */
interface JudgedQuery {
  query: string;
  state?: string;
  district?: string;
  all: { fields: string[]; re: string }[];
  none: string[];
}

interface JudgedSet {
  /** The instant of the judgement. */
  at: string;
  queries: JudgedQuery[];
}

type TenderTexts = Record<string, string>;

async function run(workspace: Workspace): Promise<void> {
  const sets = { dev: readSet(join(DATA, 'search/dev-queries.json')), own: readSet(OWN_SET) };
  const now = new Date(sets.dev.at);
  const database = await workspace.createDatabase('quality');
  await importRealTenders(database, workspace.folder, now);
  const parts = {
    config: readConfig({ PORT: '0' }),
    database: { ...database, close: async () => {} },
    now: () => now,
    pagesFolder: builtPagesFolder(),
  };
  const app = await createServer(createModule(parts), parts);
  await app.listen(0, '127.0.0.1');
  const origin = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const figures = new BenchmarkMetrics('search-quality');
  const open = await readOpen(database, now);
  const dev = await measureSet(origin, sets.dev, open);
  figures.check('dev_precision_at_10', dev.precision, 'least', 0.82);
  figures.check('dev_hits_of_attainable', dev.attained, 'least', 0.88);
  figures.check('dev_empty', dev.empty, 'most', 0);
  figures.check('dev_negatives_labelled', dev.labelled, 'most', 2);
  figures.check('dev_negatives_false', dev.wrong, 'most', 0);
  figures.record('dev_recall', dev.recall);
  const own = await measureSet(origin, sets.own, open);
  for (const [name, value] of Object.entries(own)) figures.record(`own_${name}`, value);
  figures.finish('worst');
  await app.close();
  await database.dataSource.destroy();
}

const readSet = (path: string): JudgedSet => JSON.parse(readFileSync(path, 'utf8'));

/** The judged fields of the open tenders, by source id. */
async function readOpen(database: BenchDatabase, now: Date): Promise<Map<string, TenderTexts>> {
  const rows: TenderTexts[] = await database.dataSource.query(
    `SELECT source_id AS source_tender_id, state, coalesce(district, '') AS district, title, description,
       array_to_string(ARRAY(SELECT jsonb_array_elements_text(organisation_chain)), ' ') AS organisation_chain,
       coalesce(department, '') AS department, coalesce(place, '') AS place, coalesce(address, '') AS address,
       coalesce(reference, '') AS reference_number, coalesce(sub_category, '') AS sub, coalesce(category, '') AS category
     FROM tender WHERE published_at <= $1 AND closes_at > $1`,
    [now],
  );
  return new Map(rows.map((row) => [row.source_tender_id ?? '', row]));
}

function isRelevant(query: JudgedQuery, tender: TenderTexts): boolean {
  const matches = (pattern: string, text: string) => new RegExp(pattern, 'i').test(text);
  return (
    (!query.state || tender.state === query.state) &&
    (!query.district || matches(query.district, tender.district ?? '')) &&
    query.all.every(({ fields, re }) => matches(re, fields.map((field) => tender[field] ?? '').join(' '))) &&
    !query.none.some((pattern) => matches(pattern, `${tender.title} ${tender.description}`))
  );
}

/** Means over the queries with relevant tenders; counts of those without results; the negatives' results. */
async function measureSet(origin: string, { queries }: JudgedSet, open: ReadonlyMap<string, TenderTexts>) {
  const sums = { precision: 0, attained: 0, recall: 0, empty: 0, labelled: 0, wrong: 0 };
  let positives = 0;
  for (const query of queries) {
    const relevant = new Set([...open].filter(([, tender]) => isRelevant(query, tender)).map(([id]) => id));
    const { ids, full } = await search(origin, query.query);
    if (relevant.size === 0) {
      if (ids.length > 0) sums[full === 0 ? 'labelled' : 'wrong'] += 1;
      continue;
    }
    positives += 1;
    const top = ids.slice(0, TOP);
    const hits = top.filter((id) => relevant.has(id)).length;
    sums.precision += top.length === 0 ? 0 : hits / top.length;
    sums.attained += hits / Math.min(TOP, relevant.size);
    sums.recall += ids.filter((id) => relevant.has(id)).length / relevant.size;
    if (ids.length === 0) sums.empty += 1;
  }
  const mean = (sum: number) => sum / Math.max(1, positives);
  return { ...sums, precision: mean(sums.precision), attained: mean(sums.attained), recall: mean(sums.recall) };
}

/** The source ids in the list's order, and how many of them have all words. */
async function search(origin: string, q: string): Promise<{ ids: string[]; full: number }> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = new URLSearchParams({ q, page: String(page), limit: String(PAGE_ROWS) });
    const { tenders, total, total_full } = JSON.parse(await getText(`${origin}/api/tenders/search?${query}`));
    ids.push(...tenders.map(({ source_tender_id }: TenderTexts) => source_tender_id));
    if (tenders.length === 0 || ids.length >= total) return { ids, full: total_full };
  }
}

await inWorkspace(run);
