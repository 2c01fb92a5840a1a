/** What is removed, when, and that every table has a rule. */

import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchedDelete, runInBatches } from '../../src/database/delete-in-batches.sql.ts';
import { JOBS } from '../../src/jobs/schedule.ts';
import { RetentionService } from '../../src/retention/retention.service.ts';
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
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
  );
  const listed = names.filter((name) => /^[a-z_]+$/.test(name) && name !== 'stderr');
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('every job that the list names exists', () => {
  const named = new Set([...section.matchAll(/\(`([a-z-]+)`\)/g)].map(([, name = '']) => name));
  expect([...named].filter((name) => !(name in JOBS))).toEqual([]);
  expect(named.size).toBeGreaterThanOrEqual(5);
});

test('messages, plan mails of the past and unread feeds go after 400 days, and not before', async () => {
  const add = (days: number) =>
    query(
      `INSERT INTO contact_message (id, name, email, phone, company, subject, message, received_at)
       VALUES (gen_random_uuid(), $1, 'asha@works.example', '', '', 'Question', 'Text', $2)`,
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
  expect(await query('SELECT name FROM contact_message')).toEqual([{ name: '399' }]);
  expect(await query('SELECT name FROM feed')).toEqual([{ name: '399' }]);
});

test('security events go after 400 days, other audit events stay for 8 years, and nothing removes them earlier', async () => {
  const add = (action: string, days: number) =>
    query("INSERT INTO audit (at, action, subject, detail) VALUES ($1, $2, '1', '{}')", [before(days), action]);
  await add('sign-in.failed', 300);
  await add('sign-in.failed', 500);
  await add('session.started', 500);
  await add('order.email-changed', 2_000);
  await add('order.email-changed', 3_000);
  await expect(query("DELETE FROM audit WHERE action = 'order.email-changed'")).rejects.toThrow(
    'Rows of audit are never changed or removed',
  );
  expect(await apply()).toBe(3);
  const left = await query('SELECT action, at FROM audit ORDER BY at');
  expect(left).toEqual([
    { action: 'order.email-changed', at: before(2_000) },
    { action: 'sign-in.failed', at: before(300) },
  ]);
});

test('changes of a tender go two years after it closed; its publication stays', async () => {
  const { dataSource } = app.database;
  const dates = (days: number) => ({
    publishedAt: before(days + 20),
    bidStartAt: before(days + 20),
    closesAt: before(days),
  });
  for (const [sourceId, days] of [
    ['2024_PWD_1_1', 800],
    ['2026_PWD_2_1', 100],
  ] as const) {
    await importTenders(dataSource, [createSourceTender({ sourceId, title: 'Bridge', ...dates(days) })], {
      now: before(days + 10),
    });
    await importTenders(dataSource, [createSourceTender({ sourceId, title: 'Long bridge', ...dates(days) })], {
      now: before(days + 5),
    });
  }
  expect(await apply()).toBe(1);
  const kinds = await query(
    'SELECT t.source_id, h.kind FROM tender_history h JOIN tender t ON t.id = h.tender_id ORDER BY h.change_no',
  );
  expect(kinds.map(({ source_id, kind }: { source_id: string; kind: string }) => `${source_id} ${kind}`)).toEqual([
    '2024_PWD_1_1 published',
    '2026_PWD_2_1 published',
    '2026_PWD_2_1 changed',
  ]);
});

test('the buyer of an order that was never paid is forgotten after 400 days; the order stays', async () => {
  const add = (name: string, status: string, days: number) =>
    query(
      `INSERT INTO orders (public_id, product, plan_id, states, title, amount_paise, currency, buyer_name, buyer_email, buyer_mobile,
         billing_state, gstin, return_path, idempotency_scope, idempotency_key, body_sha256, provider, live, status, created_at,
         updated_at, expires_at, checks)
       VALUES ($1, 'yearly-subscription', 'basic', '{}', 'Basic', 100, 'INR', $2, 'asha@works.example', '+919876543210',
         'Goa', '', '/', 'scope', $2, 'digest', 'sandbox', false, $3, $4, $4, $4, 0)`,
      [name.padEnd(22, '0'), name, status, before(days)],
    );
  await add('old', 'EXPIRED', 401);
  await add('recent', 'FAILED', 399);
  await add('paid', 'SUCCESS', 2_000);
  expect(await apply()).toBe(1);
  expect(await query('SELECT buyer_name, buyer_email, buyer_mobile FROM orders ORDER BY id')).toEqual([
    { buyer_name: '', buyer_email: '', buyer_mobile: '' },
    { buyer_name: 'recent', buyer_email: 'asha@works.example', buyer_mobile: '+919876543210' },
    { buyer_name: 'paid', buyer_email: 'asha@works.example', buyer_mobile: '+919876543210' },
  ]);
  // The second run finds nothing: no row is written again.
  expect(await apply()).toBe(0);
});

test('reports of rejected rows go after 90 days', async () => {
  await mkdir(join(folder, 'rejects'));
  for (const days of [89, 91]) {
    const path = join(folder, 'rejects', `${days}.csv`);
    await writeFile(path, 'line,column,value,reason\n');
    await utimes(path, before(days), before(days));
  }
  expect(await apply()).toBe(1);
  expect(await readdir(join(folder, 'rejects'))).toEqual(['89.csv']);
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
