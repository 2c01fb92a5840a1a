/**
 * A PostgreSQL that is killed between two statements of a transaction.
 * @module-tag release
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntitySubscriberInterface, QueryRunner } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { createDataSource, migrate } from '../../src/schema/data-source.ts';
import { documentOrder, postOrder, startShop, type TestShop } from '../support/test-shop.ts';

const MINUTE_MS = 60_000;
const NOW = new Date('2026-11-10T11:30:00+05:30');
/** Waits for another process. */
const POLL = { timeout: 60_000, interval: 10 };

let folder: string;
let shop: TestShop;
/** Statements in transactions until the server is killed. */
let statementsLeft = Number.POSITIVE_INFINITY;

/** Kills the server after a statement, and ends when the connection of its transaction has noticed that. After COMMIT all is stored. */
const killer: EntitySubscriberInterface = {
  async afterQuery({ queryRunner, query }) {
    if (!queryRunner.isTransactionActive || query === 'COMMIT' || --statementsLeft !== 0) return;
    await killServer(queryRunner);
  },
};

async function killServer(runner: QueryRunner): Promise<void> {
  const [pid] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => runner.isReleased, POLL).toBe(true);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-lost-'));
  const server = await openEmbeddedPostgres(folder);
  const dataSource = await createDataSource(server.connection).initialize();
  await migrate(dataSource);
  shop = await startShop({
    now: NOW,
    env: { SUPPORT_EMAIL: 'support@nivida.example' },
    database: {
      address: server.connection,
      dataSource,
      async close() {
        await dataSource.destroy();
        await server.stop();
      },
    },
  });
  dataSource.subscribers.push(killer);
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true });
});

/** The answers to a request while the server is killed after its first, second … statement in a transaction. */
async function answersWhenKilled(send: () => Promise<{ status: number; headers: Record<string, unknown> }>) {
  const answers: { status: number; retryAfter: unknown }[] = [];
  for (let statement = 1; ; statement += 1) {
    statementsLeft = statement;
    const { status, headers } = await send();
    const isKilled = statementsLeft <= 0;
    statementsLeft = Number.POSITIVE_INFINITY;
    if (!isKilled) return { answers, last: status };
    answers.push({ status, retryAfter: headers['retry-after'] });
    // It is started again.
    const query = () => shop.database.dataSource.query('SELECT 1').catch(() => undefined);
    await expect.poll(query, POLL).toBeDefined();
  }
}
const unavailable = (length: number) => Array.from({ length }, () => ({ status: 503, retryAfter: '5' }));

test('a contact message whose transaction loses the database is answered 503 with when to retry, and is stored once by the repetition', async () => {
  const messageId = randomUUID();
  let attempt = 0;
  const { answers, last } = await answersWhenKilled(async () => {
    const payload = {
      messageId,
      name: 'Asha Verma',
      email: `asha${++attempt}@builders.example`,
      phone: '',
      company: '',
      subject: 'A question',
      message: 'How are tenders saved for offline use?',
      agreeToTerms: true,
    };
    const reply = await shop.app.inject({ method: 'POST', url: '/api/contact', payload });
    return { status: reply.statusCode, headers: reply.headers };
  });
  expect(answers.length).toBeGreaterThanOrEqual(3);
  expect({ answers, last }).toEqual({ answers: unavailable(answers.length), last: 200 });
  expect(await shop.database.dataSource.query('SELECT id FROM thread')).toEqual([{ id: messageId }]);
});

test('an order whose transaction loses the database is answered 503 with when to retry, and is created once by the repetition', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const { answers, last } = await answersWhenKilled(() => {
    // A request that was cut off holds the checkout for a while.
    shop.clock.now = new Date(shop.clock.now.getTime() + MINUTE_MS);
    return postOrder(shop, documentOrder(shop), headers);
  });
  expect(answers.length).toBeGreaterThanOrEqual(5);
  expect({ answers, last }).toEqual({ answers: unavailable(answers.length), last: 200 });
  expect(await shop.database.dataSource.query('SELECT count(*)::int AS orders FROM orders')).toEqual([{ orders: 1 }]);
});

test('the same holds for an order whose earlier payment page is looked for at the provider', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = documentOrder(shop, { email: 'ravi@builders.example' });
  expect((await postOrder(shop, body, headers)).status).toBe(200);
  const { answers, last } = await answersWhenKilled(async () => {
    await shop.database.dataSource.query('UPDATE attempt SET url = NULL');
    shop.clock.now = new Date(shop.clock.now.getTime() + MINUTE_MS);
    return postOrder(shop, body, headers);
  });
  expect(answers.length).toBeGreaterThanOrEqual(5);
  expect({ answers, last }).toEqual({ answers: unavailable(answers.length), last: 200 });
});
