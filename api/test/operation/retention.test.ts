/** The rules of retention: which rows are removed, and when. Every table has a rule. */

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findJob } from '../../src/app/features.ts';
import { batchedDelete, runInBatches } from '../../src/database/delete-in-batches.sql.ts';
import { RetentionService } from '../../src/retention/retention.service.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments, storeOrder } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY_MS = 86_400_000;
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const OPERATIONS = readFileSync(resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

let app: TestApp;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-retention-'));
  app = await startApp({ now: NOW, env: { DATA_DIR: folder } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const query = (text: string, values: unknown[] = []) => app.database.dataSource.query(text, values);
const apply = () => app.app.get(RetentionService).apply(NOW);

/** The lines of docs/operations.md below Retention. */
const section = /\n## Retention\n(.*?)\n## /s.exec(OPERATIONS)?.[1] ?? '';
const names = [...section.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
);

test('every table of the database is in the list of retention rules, and the list has no other', async () => {
  const rows: { name: string }[] = await query(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
  );
  const listed = names.filter((name) => /^[a-z_]+$/.test(name) && name !== 'stderr');
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('every job that the list names exists', () => {
  const named = new Set([...section.matchAll(/\(`([a-z-]+)`\)/g)].map(([, name = '']) => name));
  expect([...named].filter((name) => !findJob(name))).toEqual([]);
  expect(named.size).toBeGreaterThanOrEqual(5);
});

test('messages and unread feeds go after 400 days, and not before', async () => {
  const add = (days: number) =>
    query(
      `INSERT INTO thread (id, name, email, phone, company, subject, language, state, version, number, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'asha@works.example', '', '', 'Question', 'en', 'closed', 1, 1, $2, $2)`,
      [`${days}`, before(days)],
    );
  await add(399);
  await add(401);
  for (const days of [399, 401])
    await query("INSERT INTO feed (name, source, tried_at, seen) VALUES ($1, '/srv', $2, '{}')", [
      `${days}`,
      before(days),
    ]);
  expect(await apply()).toBe(2);
  expect(await query('SELECT name FROM thread')).toEqual([{ name: '399' }]);
  expect(await query('SELECT name FROM feed')).toEqual([{ name: '399' }]);
});

test('keys of the API go 400 days after they were revoked; others stay', async () => {
  const { user } = await createSession(app);
  for (const [name, revokedAt] of [
    ['399', before(399)],
    ['401', before(401)],
    ['in use', null],
  ])
    await query(
      `INSERT INTO api_key (id, user_id, name, hint, key_sha256, created_at, revoked_at)
       VALUES (gen_random_uuid(), $1, $2, 'nva_1234', 'digest of ' || $2, $3, $4)`,
      [user._id, name, before(900), revokedAt],
    );
  expect(await apply()).toBe(1);
  expect(await query('SELECT name FROM api_key ORDER BY name')).toEqual([{ name: '399' }, { name: 'in use' }]);
});

test('reports of mistakes go 400 days after their closing; open ones stay', async () => {
  await importTenders(app.database.dataSource, [createSourceTender({ sourceId: '2026_REPORTED_1' })], { now: NOW });
  const [{ id }] = await query("SELECT id FROM tender WHERE source_id = '2026_REPORTED_1'");
  for (const days of [399, 401, null])
    await query(
      `INSERT INTO tender_report (id, tender_id, kind, text, created_at, closed_at, closed_reason)
       VALUES (gen_random_uuid(), $1, 'date', coalesce($2::text, 'open'), $3, $4, CASE WHEN $2::text <> '' THEN 'x' END)`,
      [id, days, before(900), days && before(days)],
    );
  expect(await apply()).toBe(1);
  expect(await query('SELECT text FROM tender_report ORDER BY text')).toEqual([{ text: '399' }, { text: 'open' }]);
  await query('DELETE FROM tender WHERE id = $1', [id]);
});

test('security events go after 400 days, other audit events stay for 8 years, and nothing removes them earlier', async () => {
  const add = (action: string, days: number) =>
    query("INSERT INTO audit (at, action, subject, detail) VALUES ($1, $2, '1', '{}')", [before(days), action]);
  await add('sign-in.failed', 400);
  for (const action of ['sign-in.failed', 'password-check.failed', 'code.refused', 'reset.refused', 'session.started'])
    await add(action, 402);
  for (const days of [2_000, 2_921, 2_924]) await add('order.email-changed', days);
  await expect(query("DELETE FROM audit WHERE action = 'order.email-changed'")).rejects.toThrow(
    'Rows of audit are never changed or removed',
  );
  expect(await apply()).toBe(6);
  const left = await query('SELECT action, at FROM audit ORDER BY at');
  expect(left).toEqual([
    { action: 'order.email-changed', at: before(2_921) },
    { action: 'order.email-changed', at: before(2_000) },
    { action: 'sign-in.failed', at: before(400) },
  ]);
});

test('changes of a tender go two years after it closed; its publication stays', async () => {
  const { dataSource } = app.database;
  const dates = (days: number) => ({
    publishedAt: before(days + 20),
    bidStartAt: before(days + 20),
    closesAt: before(days),
  });
  for (const [sourceId, days, changedDays] of [
    ['2024_PWD_1_1', 735, 740],
    ['2024_PWD_1_2', 735, 725],
    ['2024_PWD_2_1', 725, 740],
  ] as const) {
    await importTenders(dataSource, [createSourceTender({ sourceId, title: 'Bridge', ...dates(days) })], {
      now: before(days + 18),
    });
    await importTenders(dataSource, [createSourceTender({ sourceId, title: 'Long bridge', ...dates(days) })], {
      now: before(changedDays),
    });
  }
  expect(await apply()).toBe(1);
  const kinds = await query(
    'SELECT t.source_id, h.kind FROM tender_history h JOIN tender t ON t.id = h.tender_id ORDER BY h.change_no',
  );
  expect(kinds.map(({ source_id, kind }: { source_id: string; kind: string }) => `${source_id} ${kind}`)).toEqual([
    '2024_PWD_1_1 published',
    '2024_PWD_1_2 published',
    '2024_PWD_1_2 changed',
    '2024_PWD_2_1 published',
    '2024_PWD_2_1 changed',
  ]);
});

test('the buyer of an order that was never paid is forgotten after 400 days; the order stays', async () => {
  const { dataSource } = app.database;
  const add = (buyerName: string, status: 'EXPIRED' | 'FAILED' | 'SUCCESS', days: number, changes: object = {}) =>
    storeOrder(dataSource, {
      buyerName,
      gstin: '02AAACB1234C1ZR',
      buyerFirm: 'Bhatia & Co',
      buyerAddress: '2 The Mall, Shimla 171001',
      status,
      createdAt: before(days),
      updatedAt: before(days),
      ...changes,
    });
  await add('old', 'EXPIRED', 401);
  await add('', 'EXPIRED', 401, { buyerEmail: 'no-name@builders.example' });
  await add('failed', 'FAILED', 401);
  await add('recent', 'FAILED', 399);
  await add('paid', 'SUCCESS', 2_000);
  await add('tried again', 'FAILED', 401, { updatedAt: before(399) });
  await add('still checked', 'EXPIRED', 401, { nextCheckAt: NOW });
  const late = await add('paid late', 'EXPIRED', 401);
  await query(
    `WITH tried AS (INSERT INTO attempt (ref, order_id, provider, created_at, expires_at) VALUES ('late-1', $1, 'sandbox', $2, $2))
     INSERT INTO payment (provider, provider_payment_id, order_id, attempt_ref, amount_paise, currency, kind, noticed_at)
     VALUES ('sandbox', 'late', $1, 'late-1', 9900, 'INR', 'mismatch', $2)`,
    [late.id, before(401)],
  );
  expect(await apply()).toBe(3);
  const orders = await query(
    'SELECT buyer_name, buyer_email, buyer_mobile, buyer_firm, buyer_address, gstin FROM orders ORDER BY id',
  );
  const forgotten = { buyer_name: '', buyer_email: '', buyer_mobile: '', buyer_firm: '', buyer_address: '', gstin: '' };
  expect(orders.slice(0, 3)).toEqual([forgotten, forgotten, forgotten]);
  expect(orders.map(({ buyer_name }: { buyer_name: string }) => buyer_name)).toEqual([
    '',
    '',
    '',
    'recent',
    'paid',
    'tried again',
    'still checked',
    'paid late',
  ]);
  // The second run finds nothing: no row is written again.
  expect(await apply()).toBe(0);
});

test('mails about the end of a plan are remembered for 400 days after it', async () => {
  const { entitlement } = await buyDocuments(app.database.dataSource);
  for (const days of [399, 401])
    await query("INSERT INTO plan_notice VALUES ($1, $2, 'ended', $2)", [entitlement.id, before(days)]);
  expect(await apply()).toBe(1);
  expect(await query('SELECT ends_at FROM plan_notice')).toEqual([{ ends_at: before(399) }]);
});

test('a gift that no account has claimed goes 90 days after its end, at the latest 400 days after it was given', async () => {
  const { user } = await createSession(app);
  const give = (email: string, created: number, ends: number, revoked: number | null, userId: string | null = null) =>
    query(
      `INSERT INTO entitlement (kind, user_id, email, plan_id, states, starts_at, ends_at, revoked_at, is_test, is_gift, created_at)
        VALUES ('plan', $1, $2, 'basic', '{}', $3, $4, $5, false, true, $3)`,
      [userId, email, before(created), before(ends), revoked && before(revoked)],
    );
  await give('ended-89@builders.example', 200, 89, null);
  await give('ended-91@builders.example', 200, 91, null);
  await give('revoked-91@builders.example', 200, -30, 91);
  await give('given-399@builders.example', 399, -300, null);
  await give('given-401@builders.example', 401, -300, null);
  await give('claimed@builders.example', 500, 91, null, user._id);
  expect(await apply()).toBe(3);
  const left = await query('SELECT email FROM entitlement WHERE is_gift ORDER BY email');
  expect(left.map(({ email }: { email: string }) => email)).toEqual([
    'claimed@builders.example',
    'ended-89@builders.example',
    'given-399@builders.example',
  ]);
});

test('a signed-out device goes 400 days after its last push and with no tender; tenders leave it 60 days after closing', async () => {
  const { dataSource } = app.database;
  for (const [sourceId, days] of [
    ['2026_PWD_3_1', 59],
    ['2026_PWD_3_2', 61],
  ] as const)
    await importTenders(
      dataSource,
      [
        createSourceTender({
          sourceId,
          publishedAt: before(days + 20),
          bidStartAt: before(days + 20),
          closesAt: before(days),
        }),
      ],
      { now: before(days + 10) },
    );
  const { user } = await createSession(app);
  const add = async (name: string, created: number, lastOk: number | null, sourceId?: string, userId?: string) => {
    const id = randomUUID();
    await query(
      `INSERT INTO push_subscription (id, channel, user_id, recipient, secret_sha256, endpoint, endpoint_sha256, host, p256dh,
         auth, vapid_kid, name, preferences, created_at, last_ok_at)
       VALUES ($1, 'push', $5::uuid, coalesce($5::uuid, $1), $2, $2, $2, 'push.example', 'x', 'x', 'x', $2, '{}', $3, $4)`,
      [id, name, before(created), lastOk === null ? null : before(lastOk), userId ?? null],
    );
    if (sourceId)
      await query('INSERT INTO push_watch SELECT $1, id, $3 FROM tender WHERE source_id = $2', [id, sourceId, NOW]);
  };
  await add('never reached', 401, null);
  await add('reached long ago', 800, 401);
  await add('reached lately', 800, 399);
  await add('new', 399, null);
  await add('follows', 401, null, '2026_PWD_3_1');
  await add('followed', 401, null, '2026_PWD_3_2');
  await add('of an account', 401, null, undefined, user._id);
  expect(await apply()).toBe(4);
  const left = await query('SELECT name FROM push_subscription ORDER BY name');
  expect(left.map(({ name }: { name: string }) => name)).toEqual(['follows', 'new', 'of an account', 'reached lately']);
  expect(await query('SELECT count(*)::int AS n FROM push_watch')).toEqual([{ n: 1 }]);
});

test('reports of rejected rows and mails of an installation without a mail server go after 90 days', async () => {
  for (const name of ['rejects', 'mail']) {
    await mkdir(join(folder, name), { recursive: true });
    for (const days of [89, 91]) {
      const path = join(folder, name, `${days}.txt`);
      await writeFile(path, 'text\n');
      await utimes(path, before(days), before(days));
    }
  }
  expect(await apply()).toBe(2);
  for (const name of ['rejects', 'mail']) expect(await readdir(join(folder, name))).toEqual(['89.txt']);
});

test('more rows than a batch go in several statements, and rows that a request has locked stay for the next run', async () => {
  const { dataSource } = app.database;
  const statement = batchedDelete('rate_limit', 't.ends_at < $1');
  await query("INSERT INTO rate_limit SELECT 'test', n::text, 60, $1, 1 FROM generate_series(1, 5001) n", [before(1)]);
  const other = dataSource.createQueryRunner();
  await other.startTransaction();
  await other.query("SELECT 1 FROM rate_limit WHERE key = '7' FOR UPDATE");
  try {
    expect(await runInBatches(dataSource, statement, [NOW])).toBe(5_000);
  } finally {
    await other.commitTransaction();
    await other.release();
  }
  expect(await runInBatches(dataSource, statement, [NOW])).toBe(1);
});
