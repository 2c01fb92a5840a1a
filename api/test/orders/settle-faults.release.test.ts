/**
 * Killed processes: the built job settles 24 paid orders, and the first of four processes is killed while it works.
 * @module-tag release
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/schema/database.ts';
import { VAPID } from '../support/push-app.ts';
import { TEST_SESSION_KEY } from '../support/start-app.ts';
import { payOrder, planOrder, SHOP_ORIGIN, startCheckout, startShop, type TestShop } from '../support/test-shop.ts';

const CLI = resolve(import.meta.dirname, '../../dist/cli.js');
const NOW = new Date('2026-11-10T11:30:00+05:30');
// `npm run bench -- faults` kills processes for ten minutes, with more orders.
const ORDERS = 24;

let folder: string;
let shop: TestShop;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-faults-'));
  shop = await startShop({
    now: NOW,
    webhooks: 'lost',
    database: await openDatabase({ databaseUrl: undefined, dataDir: folder }),
  });
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const query = (sql: string, ...values: unknown[]) => shop.database.dataSource.query(sql, values);
const countPaid = async (): Promise<number> =>
  (await query("SELECT count(*)::int AS n FROM orders WHERE status = 'SUCCESS'"))[0].n;

/** Runs the job once in its own process, this many hours after the start. */
function startJob(hours: number): ChildProcess {
  return spawn(process.execPath, [CLI, 'job', 'reconcile-orders', '--now', hourOf(hours).toISOString()], {
    env: {
      ...process.env,
      NODE_ENV: '',
      DATABASE_URL: '',
      DATA_DIR: folder,
      PUBLIC_ORIGIN: SHOP_ORIGIN,
      PAYMENT_SANDBOX_PORT: String(shop.sandbox.port),
      SESSION_KEYS: TEST_SESSION_KEY,
      OTP_PEPPER: 'pepper-of-the-tests-0123456789-abcdef',
      ...VAPID,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

const hourOf = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

/** Paid orders without a webhook, which are due at once. */
async function sell(): Promise<void> {
  for (let n = 0; n < ORDERS; n++) {
    const { orderId } = await startCheckout(shop, planOrder({ email: `fault${n}@builders.example` }));
    await payOrder(shop, orderId, 'paid-no-return');
    await query('UPDATE orders SET next_check_at = $2 WHERE public_id = $1', orderId, NOW);
  }
}

test('invoice numbers are contiguous and no order is half settled after a quarter of the processes was killed', async () => {
  await sell();
  const victim = startJob(0);
  const ended = once(victim, 'exit');
  const killAt = randomInt(1, ORDERS - 10);
  while ((await countPaid()) < killAt && victim.exitCode === null) await wait(1);
  expect(victim.kill('SIGKILL')).toBe(true);
  await ended;
  // Leased orders are due again an hour later.
  await Promise.all([1, 2, 3].map(() => once(startJob(1), 'exit')));
  // A second run over all orders changes nothing.
  await once(startJob(48), 'exit');

  expect(await countPaid()).toBe(ORDERS);
  const numbers = await query("SELECT no FROM invoice WHERE series = 'TEST' ORDER BY no");
  expect(numbers.map(({ no }: { no: number }) => no)).toEqual(Array.from({ length: ORDERS }, (_, index) => index + 1));
  const odd = await query(
    `SELECT o.public_id FROM orders o WHERE
       (SELECT count(*) FROM payment p WHERE p.order_id = o.id AND p.kind = 'capture') <> 1 OR
       (SELECT count(*) FROM payment p WHERE p.order_id = o.id) <> 1 OR
       (SELECT count(*) FROM entitlement e WHERE e.order_id = o.id) <> 1 OR
       (SELECT count(*) FROM invoice i WHERE i.order_id = o.id) <> 1 OR
       (SELECT count(*) FROM audit a WHERE a.subject = o.public_id AND a.action = 'order.paid') <> 1`,
  );
  expect(odd).toEqual([]);
  expect((await query("SELECT count(*)::int AS n FROM pgboss.job WHERE name = 'mail'"))[0].n).toBe(ORDERS);
  expect(await query('SELECT * FROM refund')).toEqual([]);
}, 240_000);
