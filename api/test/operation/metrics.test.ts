/** The metrics of an installation and their access rules. */
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMonitoringServer } from '../../src/app/monitoring-server.ts';
import { createLog } from '../../src/base/log.ts';
import { makeMissingMonths } from '../../src/database/monthly-partitions.sql.ts';
import { Metrics } from '../../src/http/monitoring/metrics.ts';
import { recordBackup, recordJobRun, registerJobs } from '../../src/jobs/job-runs.ts';
import { buildPack } from '../../src/sync/build-pack.ts';
import { createSession } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp } from '../support/start-app.ts';
import { hasPromtool, runPromtool } from '../support/test-machine.ts';
import { documentOrder, sendWebhook, startCheckout, startShop, type TestShop } from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const TOKEN = 'token-of-the-tests-0123456789';
const OUTSIDE = { host: 'nivida.test', 'x-forwarded-for': '203.0.113.7' };
const EMAIL = 'watched@builders.example';

let shop: TestShop;
let lines: string[];
let secrets: string[];
/** As they were sent. */
let manifestBytes: number;

beforeAll(async () => {
  shop = await startShop({ now: NOW, env: { METRICS_TOKEN: TOKEN } });
  const fetched = new Date(NOW.getTime() - 3_600_000);
  await importTenders(shop.database.dataSource, [createSourceTender({ portal: 'watched', sourceId: '2026_PWD_7_1' })], {
    now: fetched,
  });
  await recordRuns();
  const { user, token, headers } = await createSession(shop);
  const { orderId } = await startCheckout(shop, documentOrder(shop, { email: EMAIL }));
  await shop.get(`/api/tenders/${shop.tenderId}`);
  await shop.get('/api/tenders/999999999');
  await shop.get(`/api/orders/${orderId}/receipt.pdf`);
  await shop.get('/api/me', headers);
  await shop.get('/api/nothing/9876543210');
  await buildPack('himachal-pradesh', -1, { dataSource: shop.database.dataSource, now: NOW });
  const compressed = await shop.app.inject({
    url: '/api/sync/himachal-pradesh',
    headers: { 'accept-encoding': 'br' },
  });
  const manifest = await shop.get('/api/sync/himachal-pradesh');
  manifestBytes = compressed.rawPayload.length + Buffer.byteLength(manifest.text);
  await shop.get(`${manifest.json.segments[0].list.url}`);
  await sendWebhook(shop, { eventId: 'evt_forged', attemptRef: `${orderId}-1` }, { secret: 'forged' });
  await shop.database.dataSource.query(
    "INSERT INTO push_tally (day, kind, sent, accepted) VALUES ('2026-11-09', 'closing', 5, 3)",
  );
  secrets = [EMAIL, user._id, user.email, user.mobileNo.slice(-10), user.username, token, orderId, '9876543210'];
  const { status, headers: answered, text } = await shop.get('/api/metrics');
  expect({ status, type: answered['content-type'] }).toEqual({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
  });
  lines = text.trimEnd().split('\n');
});
afterAll(() => shop.close());

/** An hour ago one job succeeded and one failed twice; a third was never run. Two days ago there was a backup. */
async function recordRuns(): Promise<void> {
  const { dataSource } = shop.database;
  const at = (seconds: number) => () => new Date(NOW.getTime() - seconds * 1_000);
  const jobs = [
    { name: 'closing-soon', cron: '* * * * *' },
    { name: 'plan-ends', cron: '11 10 * * *' },
    { name: 'fetch-documents', everySeconds: 30 },
  ];
  await registerJobs(dataSource, jobs, at(7_200)());
  const run = (job: string, everySeconds: number, work: () => Promise<number>) =>
    recordJobRun(
      dataSource,
      { job, everySeconds, now: at(3_600), onEnd: (end) => shop.app.get(Metrics).observeJobRun(end) },
      work,
    );
  await run('closing-soon', 60, async () => 3);
  const failing = async () => {
    throw new Error(`no answer for ${EMAIL}\n    at line 1`);
  };
  for (const _ of [1, 2]) await expect(run('fetch-documents', 30, failing)).rejects.toThrow('no answer');
  const client = {
    query: async (text: string, values?: unknown[]) => ({ rows: await dataSource.query(text, values) }),
  };
  await recordBackup(client, at(172_800), async () => 12_345);
}

const sample = (series: string) =>
  Number(
    lines
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  );

test('every line is valid for Prometheus, and every series is unique', () => {
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(
    samples.filter((line) => !/^[a-z_:][\w:]*(\{(\w+="[^"\\\n]*",?)*\})? (-?[\d.e+-]+|NaN|[+-]Inf)$/i.test(line)),
  ).toEqual([]);
  const names = samples.map((line) => line.slice(0, line.lastIndexOf(' ')));
  expect(new Set(names).size).toBe(names.length);
});

test('requests are counted by route and status class, with their duration', () => {
  const count = (labels: string) => sample(`nivida_http_request_seconds_count{${labels}}`);
  expect(count('method="GET",route="/api/tenders/:id",status="2xx"')).toBe(1);
  expect(count('method="GET",route="/api/tenders/:id",status="4xx"')).toBe(1);
  expect(count('method="GET",route="none",status="4xx"')).toBe(1);
  expect(count('method="GET",route="/api/sync/:scope",status="2xx"')).toBe(2);
  expect(sample('nivida_http_request_seconds_bucket{le="10",method="GET",route="/api/sync/:scope",status="2xx"}')).toBe(
    2,
  );
});

test('sync responses are counted with the sent bytes', () => {
  expect(sample('nivida_sync_answer_bytes_count{kind="manifest"}')).toBe(2);
  expect(sample('nivida_sync_answer_bytes_sum{kind="manifest"}')).toBe(manifestBytes);
  expect(sample('nivida_sync_answer_bytes_count{kind="segment"}')).toBe(1);
  expect(sample('nivida_sync_answer_bytes_sum{kind="segment"}')).toBeGreaterThan(100);
});

test('a sync response whose source fails in the middle ends for the device', async () => {
  const begun = Promise.withResolvers<void>();
  async function* fail() {
    yield Buffer.from('{"list":');
    await begun.promise;
    throw new Error('the source is lost');
  }
  const server = fastify();
  shop.app.get(Metrics).register(server);
  server.get('/api/sync/segments/:hash', (_request, reply) => reply.send(Readable.from(fail(), { objectMode: false })));
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  try {
    const body = (await fetch(`${address}/api/sync/segments/1`)).body?.getReader();
    expect(Buffer.from((await body?.read())?.value ?? '').toString()).toBe('{"list":');
    begun.resolve();
    await expect(body?.read()).rejects.toThrow();
  } finally {
    await server.close();
  }
});

test('the metrics contain orders, pushes, waiting mails, refused webhooks and the age of each portal', () => {
  expect(sample('nivida_orders{status="PENDING",live="false"}')).toBe(1);
  expect(lines.filter((line) => line.startsWith('nivida_orders{'))).toHaveLength(1);
  expect(sample('nivida_webhooks_refused_total')).toBe(1);
  expect(sample('nivida_push_messages{kind="closing",outcome="accepted"}')).toBe(3);
  expect(sample('nivida_push_messages{kind="closing",outcome="refused"}')).toBe(2);
  expect(sample('nivida_portal_age_seconds{portal="watched"}')).toBe(3_600);
  expect(sample('nivida_database_up')).toBe(1);
  expect(sample('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_p99_seconds '))).toBe(true);
});

test('each job has its age, interval, failures and durations', async () => {
  expect(sample('nivida_job_age_seconds{name="closing-soon"}')).toBe(3_600);
  expect(sample('nivida_job_interval_seconds{name="closing-soon"}')).toBe(60);
  expect(sample('nivida_job_failures{name="closing-soon"}')).toBe(0);
  expect(sample('nivida_job_run_seconds_count{name="closing-soon",outcome="succeeded"}')).toBe(1);
  // A job that never succeeded is as old as its first schedule.
  expect(sample('nivida_job_age_seconds{name="plan-ends"}')).toBe(7_200);
  expect(sample('nivida_job_interval_seconds{name="plan-ends"}')).toBe(86_400);
  expect(sample('nivida_job_age_seconds{name="fetch-documents"}')).toBe(7_200);
  expect(sample('nivida_job_failures{name="fetch-documents"}')).toBe(2);
  expect(sample('nivida_job_run_seconds_count{name="fetch-documents",outcome="failed"}')).toBe(2);
  const [{ error }] = await shop.database.dataSource.query("SELECT error FROM job_run WHERE job = 'fetch-documents'");
  expect(error).toBe('no answer for a***@builders.example');
});

test('backup, import, packs, disks, pools and queues have figures of their own', () => {
  expect(sample('nivida_backup_age_seconds')).toBe(172_800);
  expect(sample('nivida_backup_bytes')).toBe(12_345);
  expect(sample('nivida_import_last_rows{portal="watched",result="new"}')).toBe(1);
  expect(sample('nivida_import_last_rows{portal="watched",result="rejected"}')).toBe(0);
  expect(sample('nivida_import_last_seconds{portal="watched"}')).toBeGreaterThan(0);
  expect(sample('nivida_pack_age_seconds{scope="himachal-pradesh"}')).toBe(0);
  expect(sample('nivida_pack_bytes{scope="himachal-pradesh"}')).toBeGreaterThan(100);
  expect(sample('nivida_disk_free_bytes{folder="data"}')).toBeGreaterThan(0);
  expect(sample('nivida_disk_size_bytes{folder="files"}')).toBeGreaterThan(
    sample('nivida_disk_free_bytes{folder="files"}'),
  );
  expect(sample('nivida_pool_wait_seconds_count{pool="read"}')).toBeGreaterThan(0);
  expect(sample('nivida_pool_connections{pool="read",state="waiting"}')).toBe(0);
  expect(sample('nivida_push_oldest_seconds')).toBe(0);
  expect(sample('nivida_database_bytes')).toBeGreaterThan(1_000_000);
  expect(lines.filter((line) => line.startsWith('nivida_replica_'))).toEqual([]);
});

test.skipIf(!hasPromtool())('promtool finds no fault in them (needs promtool)', () => {
  expect(runPromtool(['check', 'metrics'], `${lines.join('\n')}\n`)).toEqual({ status: 0, output: '' });
});

test('a process without a web server answers metrics and readiness on METRICS_PORT, and nothing else', async () => {
  const log = createLog({ production: false, role: 'worker', logLevel: 'warn' }, { write: () => {} });
  const server = await startMonitoringServer(shop.app, { ...shop.config, host: '127.0.0.1', metricsPort: 0 }, log);
  const { port } = server.server.address() as { port: number };
  const get = (path: string, headers = {}) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
  try {
    const answer = await get('/api/metrics');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(await answer.text()).toContain('nivida_job_run_seconds_count{name="fetch-documents",outcome="failed"} 2\n');
    expect((await get('/api/metrics', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
    expect(await (await get('/api/ready')).json()).toEqual({ status: 'starting', database: 'ok' });
    const health = await get('/api/health');
    expect([health.status, health.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(health.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await health.json()).toEqual({
      status: 'ok',
      database: 'ok',
      payments: 'sandbox',
      version: shop.config.version,
    });
    expect((await get('/api/ready')).status).toBe(503);
    expect((await get('/api/tenders')).status).toBe(404);
    expect(await (await get('/api/tenders')).json()).toMatchObject({ message: 'There is nothing at this address' });
  } finally {
    await server.close();
  }
});

test('they contain no personal data', () => {
  const text = lines.join('\n');
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('from another machine the address is not found without the token', async () => {
  const refused = [
    await shop.get('/api/metrics', OUTSIDE),
    await shop.get('/api/metrics', { ...OUTSIDE, authorization: 'Bearer wrong' }),
    await shop.get('/api/metrics', { ...OUTSIDE, authorization: TOKEN }),
    await shop.get('/api/metrics', { host: 'nivida.test' }),
    await shop.get('/api/metrics', { 'x-forwarded-for': '203.0.113.7' }),
  ];
  for (const { status, json } of refused)
    expect({ status, json }).toMatchObject({ status: 404, json: { message: 'There is nothing at this address' } });
  expect((await shop.get('/api/metrics', { ...OUTSIDE, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
});

test('in production they need the token from this machine too, because a proxy looks the same', async () => {
  const env = { NODE_ENV: 'production', PAYMENT_PROVIDER: 'phonepe' };
  const { database } = shop;
  const log = createLog({ production: false, role: 'all', logLevel: 'warn' }, { write: () => {} });
  const open = await startApp({ now: NOW, database, env, log });
  const guarded = await startApp({ now: NOW, database, env: { ...env, METRICS_TOKEN: TOKEN }, log });
  const authorization = `Bearer ${TOKEN}`;
  try {
    expect((await open.get('/api/metrics')).status).toBe(404);
    expect((await open.get('/api/metrics', { authorization })).status).toBe(404);
    expect((await guarded.get('/api/metrics')).status).toBe(404);
    expect((await guarded.get('/api/metrics', { authorization })).status).toBe(200);
  } finally {
    await open.close();
    await guarded.close();
  }
});

test('a job that fails keeps the instant and the number of its last success, and counts the failures since', async () => {
  const { dataSource } = shop.database;
  const run = (seconds: number, work: () => Promise<number>) => {
    const now = () => new Date(NOW.getTime() + seconds * 1_000);
    return recordJobRun(dataSource, { job: 'publish-drafts', everySeconds: 60, now }, work);
  };
  const failing = async () => {
    throw new Error('no answer');
  };
  const row = async () =>
    (
      await dataSource.query(
        "SELECT started_at, succeeded_at, items, failures, error FROM job_run WHERE job = 'publish-drafts'",
      )
    )[0];
  const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
  await run(0, async () => 7);
  for (const seconds of [60, 120]) await expect(run(seconds, failing)).rejects.toThrow('no answer');
  expect(await row()).toMatchObject({
    ...{ started_at: at(120), succeeded_at: at(0), failures: 2, error: 'no answer' },
    items: '7',
  });
  await run(180, async () => 0);
  expect(await row()).toMatchObject({ succeeded_at: at(180), failures: 0, error: null, items: '0' });
});

test('a job that this version does not have is forgotten after two days, and a backup never', async () => {
  const { dataSource } = shop.database;
  const before = (ms: number) => new Date(NOW.getTime() - 2 * 86_400_000 - ms);
  const rows: [job: string, registeredAt: Date, startedAt: Date | null][] = [
    ['of a newer version', before(1), before(0)],
    ['removed', before(9), before(1)],
    ['never run', before(1), null],
    ['repeated', before(9), before(9)],
    ['trial-restore', before(9), before(9)],
  ];
  for (const row of rows)
    await dataSource.query(
      'INSERT INTO job_run (job, every_seconds, registered_at, started_at) VALUES ($1, 60, $2, $3)',
      row,
    );
  const jobs = [
    { name: 'repeated', everySeconds: 10 },
    { name: 'hourly', cron: '7 * * * *' },
  ];
  await registerJobs(dataSource, jobs, NOW);
  const names = [...rows.map(([job]) => job), 'hourly'];
  const left = await dataSource.query(
    'SELECT job, every_seconds, registered_at FROM job_run WHERE job = ANY ($1) ORDER BY job',
    [names],
  );
  expect(left).toEqual([
    { job: 'hourly', every_seconds: 3_600, registered_at: NOW },
    { job: 'of a newer version', every_seconds: 60, registered_at: before(1) },
    { job: 'repeated', every_seconds: 10, registered_at: before(9) },
    { job: 'trial-restore', every_seconds: 60, registered_at: before(9) },
  ]);
  await dataSource.query('DELETE FROM job_run WHERE job = ANY ($1)', [names]);
});

test('a backup that never succeeded has no age, and its failures are counted', async () => {
  const other = await startShop({ now: NOW });
  const { dataSource } = other.database;
  const client = {
    query: async (text: string, values?: unknown[]) => ({ rows: await dataSource.query(text, values) }),
  };
  const failing = async () => {
    throw new Error('no space left');
  };
  await expect(recordBackup(client, () => NOW, failing)).rejects.toThrow('no space left');
  const { text } = await other.get('/api/metrics');
  expect(text).toContain('\nnivida_job_failures{name="backup"} 1\n');
  expect(text).not.toMatch(/^nivida_backup_(age_seconds|bytes) /m);
  await other.close();
});

test('the database is read at most every 15 seconds, however often the metrics are', async () => {
  // Whole milliseconds: with fractions a sum may be a little more than 15 seconds.
  const start = Math.ceil(performance.now());
  const clock = vi.spyOn(performance, 'now');
  const refused = async (seconds: number) => {
    clock.mockReturnValue(start + seconds * 1_000);
    return (await shop.get('/api/metrics')).text.match(
      /^nivida_push_messages\{kind="closing",outcome="refused"\} (\d+)$/m,
    )?.[1];
  };
  try {
    expect(await refused(60)).toBe('2');
    await shop.database.dataSource.query("UPDATE push_tally SET sent = sent + 1 WHERE kind = 'closing'");
    expect([await refused(61), await refused(75)]).toEqual(['2', '2']);
    expect(await refused(76)).toBe('3');
  } finally {
    clock.mockRestore();
  }
});

test('queues, deliveries, money, awards and feeds have their figures, each of its own rows', async () => {
  const { dataSource } = shop.database;
  const before = (seconds: number) => new Date(NOW.getTime() - seconds * 1_000);
  const { user } = await createSession(shop);
  await dataSource.query('DELETE FROM pgboss.job');
  await dataSource.query(
    `INSERT INTO pgboss.job (name, state, start_after) VALUES ('mail', 'created', now() - interval '1 day'),
       ('mail', 'retry', now() - interval '2 days'), ('mail', 'retry', now() + interval '1 day'),
       ('mail', 'failed', now() - interval '9 days'), ('mail', 'completed', now() - interval '9 days'),
       ('build-packs', 'active', now() - interval '3 days')`,
  );
  await dataSource.query(
    `WITH device AS (
       INSERT INTO push_subscription (id, channel, user_id, recipient, host, name, preferences, created_at)
       VALUES (gen_random_uuid(), 'email', $1, $1, 'email', 'E-mail', '{}', $2) RETURNING id),
     new_notice AS (
       INSERT INTO notice (user_id, recipient, tender_id, kind, version, state, created_at, event_at)
       SELECT $1, $1, (SELECT min(id) FROM tender), 'changed', n, 'due', $2, $2 FROM generate_series(1, 5) n
       RETURNING id, version)
     INSERT INTO push_delivery (notice_id, subscription_id, host, send_at, state, event_at)
       SELECT n.id, device.id, 'email', $2::timestamptz - (ARRAY[120, 60, -60, -90, 900])[n.version] * interval '1 second',
         CASE n.version WHEN 5 THEN 'sent' ELSE 'waiting' END, $2 FROM new_notice n, device`,
    [user._id, NOW],
  );
  await dataSource.query(
    `INSERT INTO push_host (host, since, sent, refused, gone, paused_until, pauses)
     VALUES ('paused', $1, 0, 0, 0, $1::timestamptz + interval '1 minute', 1), ('again', $1, 0, 0, 0, $1, 1), ('never', $1, 0, 0, 0, NULL, 0)`,
    [NOW],
  );
  await dataSource.query(
    `INSERT INTO payment (provider, provider_payment_id, order_id, attempt_ref, amount_paise, currency, kind, noticed_at)
     SELECT 'sandbox', id, a.order_id, a.ref, 9900, 'INR', kind, $1
     FROM (SELECT * FROM attempt LIMIT 1) a, (VALUES ('p1', 'capture'), ('p2', 'duplicate'), ('p3', 'duplicate')) p(id, kind)`,
    [NOW],
  );
  await dataSource.query(
    `INSERT INTO refund (ref, order_id, provider, provider_payment_id, amount_paise, reason, state, created_at, updated_at, checks)
     SELECT 'r-' || p.provider_payment_id, p.order_id, p.provider, p.provider_payment_id, 9900, 'it was paid twice',
       CASE p.provider_payment_id WHEN 'p2' THEN 'PENDING' ELSE 'SUCCEEDED' END, $1, $1, 0
     FROM payment p WHERE p.kind = 'duplicate'`,
    [NOW],
  );
  await dataSource.query(
    `INSERT INTO award_state (state, change_no, computed_no, computed_at)
     VALUES ('Himachal Pradesh', 3, 2, $1), ('Goa', 2, 2, $1), ('Assam', 1, 0, NULL)`,
    [before(1_800)],
  );
  await dataSource.query(
    `INSERT INTO award_coverage (state, statistic, covered, ranges, checked_on)
     VALUES ('Himachal Pradesh', 'price', 30, 40, $1), ('Himachal Pradesh', 'bidders', 39, 39, $1), ('Goa', 'price', 33, 66, $1)`,
    [NOW],
  );
  const day = 86_400;
  for (const [state, from, rule, noticed] of [
    ['Himachal Pradesh', '2026-01-01', null, before(29 * day)],
    ['Himachal Pradesh', '2026-02-01', null, before(31 * day)],
    ['Himachal Pradesh', '2026-03-01', 'Bids below 10 % are refused', before(day)],
  ])
    await dataSource.query('INSERT INTO price_regime (state, from_on, rule, noticed_at) VALUES ($1, $2, $3, $4)', [
      state,
      from,
      rule,
      noticed,
    ]);
  await dataSource.query(
    `INSERT INTO feed (name, source, tried_at, succeeded_at, error, seen)
     VALUES ('hptenders', '/srv/hp', $1, $2, NULL, '{}'), ('assam', '/srv/assam', $1, $3, 'no answer', '{}'),
       ('goa', '/srv/goa', $1, NULL, 'no answer', '{}')`,
    [NOW, before(600), before(900)],
  );
  await dataSource.query(
    `INSERT INTO job_run (job, every_seconds, registered_at, started_at, items) VALUES ('prepare-packs', 60, $1, $1, 4)`,
    [NOW],
  );
  await dataSource.query(
    `INSERT INTO import_run (portal, imported_at, seconds, counts) VALUES ('several', $1, NULL, NULL), ('goa', $2, 2.5, '{"read": 7, "new": 3}')`,
    [before(60), before(120)],
  );
  // The job last ran a month ago.
  await makeMissingMonths(dataSource, before(31 * day));
  await dataSource.query('DROP TABLE push_receipt_2027_01');
  const reader = await startApp({ now: NOW, database: shop.database });
  const { text } = await reader.get('/api/metrics');
  await reader.close();
  const series = (name: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`nivida_${name}{`) || line.startsWith(`nivida_${name} `))
      .map((line) => line.slice(`nivida_${name}`.length).trim())
      .sort();
  expect(series('queue_jobs')).toEqual([
    '{queue="build-packs",state="active"} 1',
    '{queue="mail",state="created"} 1',
    '{queue="mail",state="failed"} 1',
    '{queue="mail",state="retry"} 2',
  ]);
  const [oldest = '', ...noOther] = series('queue_oldest_seconds');
  expect([oldest.slice(0, '{queue="mail"} 172'.length), noOther]).toEqual(['{queue="mail"} 172', []]);
  expect(series('push_waiting')).toEqual(['{due="false"} 2', '{due="true"} 2']);
  expect(series('push_oldest_seconds')).toEqual(['120']);
  expect(series('push_hosts_paused')).toEqual(['1']);
  expect(series('partition_months_ahead')).toEqual([
    '{table="notice"} 2',
    '{table="push_delivery"} 2',
    '{table="push_receipt"} 1',
  ]);
  expect(series('payments')).toEqual(['{kind="capture"} 1', '{kind="duplicate"} 2']);
  expect(series('refunds')).toEqual(['{state="PENDING"} 1', '{state="SUCCEEDED"} 1']);
  expect(series('award_coverage')).toEqual([
    '{state="Goa",statistic="price"} 0.5',
    '{state="Himachal Pradesh",statistic="price"} 0.75',
  ]);
  expect(series('award_regimes_new')).toEqual(['{state="Assam"} 0', '{state="Goa"} 0', '{state="Himachal Pradesh"} 1']);
  expect(series('awards_due_seconds')).toEqual(['{state="Himachal Pradesh"} 1800']);
  expect(series('feed_age_seconds')).toEqual(['{feed="assam"} 900', '{feed="hptenders"} 600']);
  expect(series('feed_failed')).toEqual(['{feed="assam"} 1', '{feed="goa"} 1', '{feed="hptenders"} 0']);
  expect(series('packs_missing')).toEqual(['4']);
  expect(series('portal_age_seconds')).toEqual(expect.arrayContaining(['{portal="goa"} 120', '{portal="several"} 60']));
  expect(series('import_last_seconds').filter((line) => /goa|several/.test(line))).toEqual(['{portal="goa"} 2.5']);
  expect(series('import_last_rows').filter((line) => /goa|several/.test(line))).toEqual([
    '{portal="goa",result="new"} 3',
    '{portal="goa",result="read"} 7',
  ]);
  const measured = series('job_last_seconds').map((line) => line.split(' ', 1)[0]);
  expect(measured).toEqual(
    expect.arrayContaining(['{name="backup"}', '{name="closing-soon"}', '{name="fetch-documents"}']),
  );
  expect(measured).not.toContain('{name="plan-ends"}');
  expect(series('job_interval_seconds').join()).not.toContain('backup');
  expect(series('job_age_seconds').join()).not.toContain('backup');
});

test('without the database the metrics of the process are still there', async () => {
  const lost = await startShop({ now: NOW });
  await lost.database.dataSource.query('DROP TABLE push_tally');
  const { status, text } = await lost.get('/api/metrics');
  expect(status).toBe(200);
  expect(text).toContain('\nnivida_database_up 0\n');
  expect(text).toContain('\nprocess_resident_memory_bytes ');
  // What is unknown is absent, not 0.
  expect(text).not.toContain('\nnivida_backup_age_seconds ');
  await lost.close();
});
