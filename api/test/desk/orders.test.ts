/** Orders at the desk: who may do what, what is written down, and that nothing is doubled. */
import { randomUUID } from 'node:crypto';
import type { StaffRole } from '@nivida/contract/desk/act';
import { DAY_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import type { SignedInAccount } from '../support/accounts.ts';
import { documentOrder, findOrder, payOrder, startCheckout, startShop, type TestShop } from '../support/test-shop.ts';
import { actHeaders, createStaffSession } from './staff-session.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

let shop: TestShop;
let operator: SignedInAccount;
let owner: SignedInAccount;
let buyers = 0;

beforeAll(async () => {
  shop = await startShop({ now: NOW, webhooks: 'lost', env: { REFUND_TWO_PERSON_LIMIT: '90' } });
  operator = await staff('operator');
  owner = await staff('owner');
});
afterAll(() => shop.close());

const staff = (role: StaffRole) => createStaffSession(shop, role, shop.clock.now);

/** A paid order of documents, ₹99. */
async function paid(outcome: Parameters<typeof payOrder>[2] = 'success') {
  buyers += 1;
  const email = `deskbuyer${buyers}@builders.example`;
  const { orderId } = await startCheckout(shop, documentOrder(shop, { email, again: true }));
  await payOrder(shop, orderId, outcome);
  await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
  return { orderId, email };
}

async function act(by: SignedInAccount, path: string, body: object = {}, key: string = randomUUID()) {
  const reply = await shop.app.inject({
    method: 'POST',
    url: `/api/desk/${path}`,
    headers: actHeaders(by, key),
    payload: { reason: 'the buyer wrote twice', ...body },
  });
  return { status: reply.statusCode, json: reply.json() };
}
async function read(by: SignedInAccount, path: string) {
  const reply = await shop.app.inject({ method: 'GET', url: `/api/desk/${path}`, headers: by.headers });
  return reply.json();
}
const audit = (subject: string) =>
  shop.database.dataSource.query('SELECT action, actor_id, detail FROM audit WHERE subject = $1 ORDER BY id', [
    subject,
  ]);
const refundsOf = async (orderId: string) =>
  (
    await shop.database.dataSource.query(
      'SELECT ref FROM refund r JOIN orders o ON o.id = r.order_id WHERE o.public_id = $1',
      [orderId],
    )
  ).length;

test('an order is found by its address and shown without it; opening the address is an act', async () => {
  const { orderId, email } = await paid();
  const list = await read(operator, `orders?find=${encodeURIComponent(email)}`);
  expect(list).toMatchObject({ total: 1, pages: 1, rows: [{ id: orderId, status: 'SUCCESS', amountPaise: 9_900 }] });
  const file = await read(operator, `orders/${orderId}`);
  expect(file).toMatchObject({
    buyer: { email: 'd***@builders.example', mobile: '******2345' },
    buyerSees: { status: 'SUCCESS', error: null },
    events: [{ action: 'order.paid', actor: '' }],
    proposal: null,
  });
  expect(JSON.stringify([list, file])).not.toMatch(/deskbuyer|9805512345/);
  const { json } = await act(operator, `orders/${orderId}/buyer`);
  expect(json).toMatchObject({ email, mobile: '+919805512345' });
  expect(await audit(orderId)).toContainEqual({
    action: 'order.buyer-opened',
    actor_id: operator.user._id,
    detail: { reason: 'the buyer wrote twice' },
  });
});

test('each act is written down with its actor and reason', async () => {
  const { orderId } = await paid('amount-off');
  expect((await act(operator, `orders/${orderId}/recheck`)).json).toEqual({ status: 'REVIEW' });
  expect((await act(operator, `orders/${orderId}/resolve`)).json).toEqual({ status: 'SUCCESS' });
  expect((await act(operator, `orders/${orderId}/email`, { email: 'right@builders.example' })).status).toBe(200);
  const acts = (await audit(orderId)).filter((row: { actor_id: string }) => row.actor_id === operator.user._id);
  expect(acts.map(({ action }: { action: string }) => action)).toEqual([
    'order.rechecked',
    'order.accepted',
    'order.email-changed',
  ]);
  for (const { detail } of acts) expect(detail.reason).toBe('the buyer wrote twice');
});

test('a refund above the limit waits for another person, and is then done once', async () => {
  const { orderId } = await paid();
  const path = `orders/${orderId}/refund`;
  const key = randomUUID();
  expect((await act(operator, path, {}, key)).json).toEqual({ outcome: 'proposed' });
  // Pressed twice, and by a colleague.
  expect((await act(operator, path, {}, key)).json).toEqual({ outcome: 'proposed' });
  const second = await act(owner, path);
  expect(second.status).toBe(409);
  expect(second.json.message).toContain('has proposed this already');
  expect(await refundsOf(orderId)).toBe(0);
  const { rows } = await read(owner, 'approvals');
  const proposal = rows.find(({ subject }: { subject: string }) => subject === orderId);
  expect(proposal).toMatchObject({ act: 'order.refund', reason: 'the buyer wrote twice', isOwn: false });
  expect((await act(operator, `approvals/${proposal.id}/confirm`)).status).toBe(403);
  const other = await staff('owner');
  const answers = await Promise.all(
    [owner, other].map((by) => act(by, `approvals/${proposal.id}/confirm`, { reason: 'looks right' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await refundsOf(orderId)).toBe(1);
  const events = await audit(orderId);
  expect(events).toContainEqual({
    action: 'order.refund-asked',
    actor_id: operator.user._id,
    detail: { reason: 'the buyer wrote twice' },
  });
  expect(events.filter(({ action }: { action: string }) => action === 'order.refund.confirmed')).toHaveLength(1);
  expect((await act(operator, path)).status).toBe(409);
});

test('no one confirms the own proposal; it can be withdrawn or refused, and ends after a day', async () => {
  const { orderId } = await paid();
  await act(owner, `orders/${orderId}/refund`);
  const idOf = async (by = owner) =>
    (await read(by, 'approvals')).rows.find(({ subject }: { subject: string }) => subject === orderId)?.id;
  const own = await act(owner, `approvals/${await idOf()}/confirm`);
  expect([own.status, own.json.message]).toEqual([403, 'You proposed this yourself. Another person confirms it.']);
  expect((await act(operator, `approvals/${await idOf()}/withdraw`)).status).toBe(403);
  expect((await act(owner, `approvals/${await idOf()}/withdraw`)).status).toBe(200);
  await act(owner, `orders/${orderId}/refund`);
  expect((await act(operator, `approvals/${await idOf()}/refuse`)).status).toBe(200);
  await act(operator, `orders/${orderId}/refund`);
  const late = await idOf();
  shop.clock.now = new Date(shop.clock.now.getTime() + DAY_MS);
  const next = await staff('owner');
  expect(await idOf(next)).toBeUndefined();
  expect((await act(next, `approvals/${late}/confirm`)).status).toBe(409);
  expect((await act(next, `orders/${orderId}/refund`)).json).toEqual({ outcome: 'proposed' });
  expect(await refundsOf(orderId)).toBe(0);
});

test('a refund at once is done once, also when two people press at the same time', async () => {
  const limited = await startShop({ now: NOW, webhooks: 'lost' });
  const before = shop;
  shop = limited;
  try {
    const [one, two] = [await staff('operator'), await staff('owner')];
    const { orderId } = await paid();
    const answers = await Promise.all([one, two].map((by) => act(by, `orders/${orderId}/refund`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await refundsOf(orderId)).toBe(1);
    const again = await act(two, `orders/${orderId}/refund`);
    expect(again.json.message).toMatch(/^The order is \w+; only .*Last: order\.refund-asked by /);
  } finally {
    shop = before;
    await limited.close();
  }
});
