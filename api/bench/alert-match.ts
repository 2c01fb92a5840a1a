/**
 * `alert-match`: the time to match 5,000 new tenders of a day with 10,000 and 100,000 saved searches of paying users and
 * to store the notices. Nine of ten searches of the larger set match no tender, so both sets have the same matches and
 * should take the same time. A third run has more matches. About two minutes on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { REGIONS } from '@nivida/contract/regions/regions';
import type { DataSource } from 'typeorm';
import type { PaymentGateway } from '../src/payments/payment-gateway.port.ts';
import { SearchAlertsService } from '../src/push/alerts/search-alerts.service.ts';
import { fillTenders } from './measure/fill-tenders.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const OLD_TENDERS = 50_000;
const NEW_TENDERS = 5_000;
const FEW_SEARCHES = 10_000;
const MANY_SEARCHES = 100_000;
const ROUNDS = 3;

/** Words that the generated tenders contain, and words that none contains. */
const MATCHING_WORDS = [
  'retaining wall',
  'transformers',
  'bituminous',
  'housekeeping',
  'medical equipment',
  'canal',
  'class rooms',
];
const OTHER_WORDS = [
  'helicopter',
  'xylophone',
  'kayak',
  'zeppelin',
  'observatory',
  'vineyard',
  'quarantine',
  'jukebox',
];

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('alert-match');
  const { dataSource } = await workspace.createDatabase('alerts');
  log(`filling ${(OLD_TENDERS + NEW_TENDERS).toLocaleString('en-IN')} tenders`);
  await fillTenders(dataSource, OLD_TENDERS + NEW_TENDERS);
  await dataSource.query(
    `INSERT INTO tender_history SELECT change_no, id, state, 1, 'published', '[]', now() FROM tender WHERE id > $1`,
    [OLD_TENDERS],
  );
  await addUsers(dataSource);

  log('10,000 searches');
  await addSearches(dataSource, FEW_SEARCHES, MATCHING_WORDS);
  const few = await measure(dataSource);
  log('100,000 searches with the same matches');
  await addSearches(dataSource, MANY_SEARCHES - FEW_SEARCHES, OTHER_WORDS);
  const many = await measure(dataSource);
  assert.equal(many.matches, few.matches);
  log('100,000 searches with more matches');
  await dataSource.query('TRUNCATE saved_search CASCADE');
  await addSearches(dataSource, MANY_SEARCHES, MATCHING_WORDS);
  const full = await measure(dataSource);

  figures.record('matches_10k', few.matches);
  figures.record('matches_100k_all_matching', full.matches);
  figures.record('seconds_10k', few.seconds);
  figures.record('seconds_100k', many.seconds);
  figures.record('seconds_100k_all_matching', full.seconds);
  figures.record('microseconds_per_match_10k', (few.seconds * 1e6) / few.matches);
  figures.record('microseconds_per_match_100k_all_matching', (full.seconds * 1e6) / full.matches);
  figures.check('time_ratio_100k_10k', many.seconds / few.seconds, 'most', 2);
  figures.finish();
  await dataSource.destroy();
}

/** Users from all states, with a hundred searches each. */
async function addUsers(dataSource: DataSource): Promise<void> {
  await dataSource.query(
    `INSERT INTO account (id, username, email, mobile_no, company_name, company_type, state, districts, departments, created_at)
     SELECT gen_random_uuid(), 'A', 'a' || n || '@b.example', '+91' || 9000000000 + n, 'A', 'private', 'Assam', '{}', '{}', now()
     FROM generate_series(1, 1000) n`,
  );
  await dataSource.query(
    `INSERT INTO entitlement (order_id, kind, user_id, email, plan_id, states, starts_at, ends_at, is_test, created_at)
     SELECT NULL, 'trial', id, '', 'enterprise', '{}', now() - interval '1 day', now() + interval '1 day', true, now() FROM account`,
  );
}

/** Searches of each kind: words in a state, words in a district, words anywhere, a department in a district. */
async function addSearches(dataSource: DataSource, count: number, words: readonly string[]): Promise<void> {
  const users: { id: string }[] = await dataSource.query('SELECT id FROM account ORDER BY mobile_no');
  const rows = Array.from({ length: count }, (_, n) => {
    const { state, districts } = REGIONS[n % REGIONS.length] as (typeof REGIONS)[number];
    const district = districts[n % districts.length]?.name ?? '';
    // A different price per word makes each search unique.
    const q = words[n % words.length] ?? '';
    const filter = { state: state.name, district: n % 2 ? district : '', department: '', q, min: n };
    return { id: randomUUID(), user_id: users[n % users.length]?.id, filter };
  });
  await dataSource.query(
    `INSERT INTO saved_search (id, user_id, name, filter, opened_up_to, created_at)
     SELECT id, user_id, 'S', filter, 0, now() - interval '1 day' FROM json_populate_recordset(NULL::saved_search, $1)`,
    [JSON.stringify(rows)],
  );
  await dataSource.query('ANALYZE saved_search');
}

/** The median time to match all new tenders. The searches are indexed first, as when they are saved. */
async function measure(dataSource: DataSource): Promise<{ seconds: number; matches: number }> {
  const gateway = { live: false } as PaymentGateway;
  const times: number[] = [];
  let matches = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    await dataSource.query('TRUNCATE notice, push_delivery');
    await dataSource.query(`UPDATE setting SET value = '0' WHERE key = 'push matches up to'`);
    const alerts = new SearchAlertsService(dataSource, gateway, () => new Date());
    const started = performance.now();
    matches = await alerts.createMatchNotices();
    // The first round indexes the searches.
    if (round > 0) times.push((performance.now() - started) / 1_000);
    await dataSource.query('VACUUM ANALYZE search_probe');
  }
  return { seconds: median(times), matches };
}

await inWorkspace(run);
