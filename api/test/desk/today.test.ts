/** The start of the desk: what waits, by role, oldest first. */
import type { StaffRole } from '@nivida/contract/desk/act';
import type { TodayEntry } from '@nivida/contract/desk/today';
import { MINUTE_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { documentOrder, findOrder, payOrder, startCheckout, startShop, type TestShop } from '../support/test-shop.ts';
import { createStaffSession } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop({ now: NOW, webhooks: 'lost' });
});
afterAll(() => shop.close());

async function entriesOf(role: StaffRole) {
  const { headers } = await createStaffSession(shop, role, shop.clock.now);
  const { json } = await shop.get('/api/desk/today', headers);
  return json.entries as TodayEntry[];
}
const query = (text: string, values: unknown[] = []) => shop.database.dataSource.query(text, values);

test('nothing waits for support at first', async () => {
  expect(await entriesOf('support')).toEqual([]);
});

test('what waits comes with the oldest first, failures before it, and only what the role may act on', async () => {
  const { orderId } = await startCheckout(shop, documentOrder(shop));
  await payOrder(shop, orderId, 'amount-off');
  await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
  const before = new Date(NOW.getTime() - MINUTE_MS);
  await query("INSERT INTO document_request (tender_id, email, requested_at) VALUES ($1, 'a@builders.example', $2)", [
    shop.tenderId,
    before,
  ]);
  await query("INSERT INTO feed (name, source, tried_at, error, seen) VALUES ('hp', '', $1, 'no answer', '{}')", [
    before,
  ]);
  await query(
    `INSERT INTO job_run (job, every_seconds, registered_at, failures, error) VALUES ('nightly', 60, $1, 3, 'no space')`,
    [before],
  );
  await query(
    `INSERT INTO push_subscription (id, channel, recipient, secret_sha256, endpoint, endpoint_sha256, host, p256dh, auth,
       vapid_kid, name, preferences, created_at)
     SELECT id, 'push', id, 'x', 'x', 'x', 'push.example', 'x', 'x', 'lost', 'phone', '{}', $1 FROM gen_random_uuid() id`,
    [before],
  );
  expect(await entriesOf('support')).toMatchObject([{ kind: 'documents', count: 1, since: before.toISOString() }]);
  const entries = await entriesOf('operator');
  expect(entries[0]).toMatchObject({
    ...{ kind: 'installation', subject: 'jobs', isFailure: true },
    ...{ command: 'npm run job -- nightly', section: 'docs/operations.md, Jobs' },
  });
  expect(entries.find(({ subject }) => subject === 'push')).toMatchObject({ command: null, isFailure: true });
  expect(entries.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['installation', 'documents', 'orders', 'installation']),
  );
  expect(entries.filter(({ since }) => since !== null).map(({ kind }) => kind)).toEqual(['documents', 'orders']);
  expect(entries.find(({ subject }) => subject === 'feeds')?.text).toContain('hp failed: no answer');
});
