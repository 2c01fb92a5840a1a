/** Plans that an operator gives, beside plans that are bought. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS } from '@nivida/contract/time';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runPlans } from '../../src/cli/commands/plans.command.ts';
import { BuyerAccountService } from '../../src/orders/buyer-account.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { FreePlanService } from '../../src/plans/free-plan.service.ts';
import { GiftsService } from '../../src/plans/gifts.service.ts';
import { PlanEndsService } from '../../src/plans/plan-ends.service.ts';
import { PlansService } from '../../src/plans/plans.service.ts';
import { createSession } from '../support/accounts.ts';
import { findOrder, payOrder, planOrder, startCheckout, startShop, type TestShop } from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const END = '2027-03-31T18:30:00.000Z';
const UNTIL = ['--until', '2027-03-31', '--reason', 'member of the association'];
const ACT = { actorId: null, reason: 'member of the association' };

let shop: TestShop;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-gifts-'));
  shop = await startShop({ now: NOW, webhooks: 'lost' });
});
afterAll(async () => {
  await shop.close();
  await rm(folder, { recursive: true });
});

const plans = (...args: string[]) =>
  runPlans(args, {
    dataSource: shop.database.dataSource,
    now: shop.clock.now,
    find: async (type) => shop.app.get(type),
  });
const grant = async (...args: string[]) => JSON.parse(await plans('grant', ...args, ...UNTIL, '--json'));
const planOf = (id: string) => shop.app.get(PlansService).current(id);
const auditOf = (subject: string) =>
  shop.database.dataSource.query(
    "SELECT action, detail FROM audit WHERE subject = $1 AND action ~ '^plan' ORDER BY id",
    [subject],
  );

test('a plan is given once, without an order, and is shown as a gift', async () => {
  const { user, headers } = await createSession(shop);
  expect(await grant('premium', '--to', user.email.toUpperCase())).toMatchObject({ given: 1, waiting: 0 });
  expect(await grant('premium', '--to', user.email)).toMatchObject({ given: 0, unchanged: 1 });
  expect(await planOf(user._id)).toMatchObject({
    planId: 'premium',
    isGift: true,
    isTrial: false,
    states: ['Himachal Pradesh'],
    endsAt: END,
    downloadsPerMonth: null,
  });
  const { orders, plan } = (await shop.get('/api/orders', headers)).json;
  expect([orders, plan.isGift]).toEqual([[], true]);
  const [event, ...more] = await auditOf(user._id);
  expect(more).toEqual([]);
  expect(event).toMatchObject({
    action: 'plan.given',
    detail: { plan: 'premium', until: '2027-03-31', ...{ reason: ACT.reason } },
  });
  const [invoices] = await shop.database.dataSource.query('SELECT count(*)::int AS count FROM invoice');
  expect(invoices.count).toBe(0);
});

test('another end and other states change the gift', async () => {
  const { user } = await createSession(shop);
  const first = await grant('premium', '--to', user.email, '--states', 'Assam, Goa');
  const text = await plans('grant', 'premium', '--to', user.email, '--days', '10', '--reason', 'shorter');
  expect(text).toMatch(
    /^1\ta\*\*\*@builders\.example\tchanged\tplan \d+\ngiven 0, changed 1, unchanged 0, refused 0, waiting 0\n$/,
  );
  expect(await planOf(user._id)).toMatchObject({ states: ['Assam', 'Goa'], endsAt: '2026-11-20T18:30:00.000Z' });
  expect(JSON.parse(await plans('list', user._id, '--json'))).toMatchObject([{ id: first.rows[0].id, origin: 'gift' }]);
});

test('the same gift twice at once is one plan', async () => {
  const { user } = await createSession(shop);
  const gift = { planId: 'basic' as const, email: user.email, until: '2027-03-31' };
  const gifts = shop.app.get(GiftsService);
  const outcomes = await Promise.all([1, 2, 3].map(async () => (await gifts.give(gift, ACT)).outcome));
  expect(outcomes.sort()).toEqual(['given', 'unchanged', 'unchanged']);
  expect(await gifts.listOf(user._id)).toHaveLength(1);
});

test('a file is reported row by row, and a wrong row stops no other', async () => {
  const { user } = await createSession(shop);
  const file = join(folder, 'members.csv');
  await writeFile(
    file,
    `\ufeffE-mail,Name\r\n${user.email},Asha\r\nnot an address\r\n# left\r\n\r\nnew@builders.example;Ravi\r\n`,
  );
  const report = await grant('basic', '--file', file);
  expect(report).toMatchObject({ given: 2, refused: 1, waiting: 1 });
  expect(report.rows.map(({ row, outcome }: { row: number; outcome: string }) => [row, outcome])).toEqual([
    [1, 'given'],
    [2, 'refused'],
    [3, 'given'],
  ]);
  expect(JSON.stringify(report)).not.toContain(user.email);
  expect(await grant('basic', '--file', file)).toMatchObject({ given: 0, unchanged: 2, refused: 1 });
  await expect(plans('grant', 'basic', '--file', join(folder, 'none'), ...UNTIL)).rejects.toThrow('There is no file');
});

test('an address without an account gets its plan when it is registered, with its own end', async () => {
  const email = 'waits@builders.example';
  await grant('basic', '--to', email);
  expect(JSON.parse(await plans('list', email, '--json'))).toMatchObject([
    { userId: null, email: 'w***@builders.example' },
  ]);
  // The end of a plan that no account has is no news.
  shop.clock.now = new Date(NOW.getTime() + 140 * DAY_MS);
  await shop.app.get(PlanEndsService).run();
  const { user } = await createSession(shop, { email });
  await shop.database.dataSource.transaction((manager) =>
    shop.app.get(BuyerAccountService).claimOrders(manager, { id: user._id, email }),
  );
  expect(await planOf(user._id)).toMatchObject({ planId: 'basic', isGift: true, states: [], endsAt: END });
  const notices = await shop.database.dataSource.query(
    'SELECT 1 FROM plan_notice n JOIN entitlement e ON e.id = n.entitlement_id WHERE e.user_id = $1',
    [user._id],
  );
  expect(notices).toEqual([]);
  shop.clock.now = NOW;
});

test('a bought plan waits for the end of a gift of its rank, and begins when the gift is ended', async () => {
  const account = await createSession(shop);
  const { user, headers } = account;
  const { rows } = await grant('basic', '--to', user.email);
  const { orderId } = await startCheckout(
    shop,
    planOrder({ email: user.email, states: ['Himachal Pradesh'] }),
    headers,
  );
  await payOrder(shop, orderId);
  await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
  expect(JSON.parse(await plans('list', user._id, '--json'))).toMatchObject([
    { origin: 'order', status: 'waiting', startsAt: END },
    { origin: 'gift', status: 'running' },
  ]);
  await plans('end', rows[0].id, '--reason', 'left the association');
  expect(await planOf(user._id)).toMatchObject({ isGift: false, startsAt: shop.clock.now.toISOString() });
  await expect(plans('end', rows[0].id, '--reason', 'once more')).rejects.toThrow('This plan has ended already');
  const [bought] = JSON.parse(await plans('list', user._id, '--json'));
  await expect(plans('end', bought.id, '--reason', 'by mistake')).rejects.toThrow(
    'This plan was bought: refund its order',
  );
  await expect(plans('end', '999999', '--reason', 'by mistake')).rejects.toThrow('There is no such plan');
  expect((await auditOf(user._id)).map(({ action }: { action: string }) => action)).toContain('plan.ended');
});

test('the free plan of an installation that sells nothing leaves gifts alone', async () => {
  const { user } = await createSession(shop);
  await grant('enterprise', '--to', user.email);
  await shop.app.get(FreePlanService).applyToAll();
  expect(await planOf(user._id)).toMatchObject({ planId: 'enterprise', isGift: true });
});

test('wrong options and states give nothing', async () => {
  const to = ['--to', 'x@builders.example'];
  await expect(plans('grant', 'gold', ...to, ...UNTIL)).rejects.toThrow('name a plan');
  await expect(plans('grant', 'basic', ...to, '--reason', 'member')).rejects.toThrow('--until YYYY-MM-DD or --days N');
  await expect(plans('grant', 'basic', ...to, '--until', '2027-03-31')).rejects.toThrow('needs a --reason');
  await expect(plans('grant', 'basic', ...to, '--until', '2026-11-09', '--reason', 'member')).rejects.toThrow(
    'over already',
  );
  await expect(plans('grant', 'basic', ...to, '--states', 'Goa,Assam', ...UNTIL)).rejects.toThrow(
    'Basic covers 1 state',
  );
  expect(await plans('list', 'x@builders.example')).toBe('0 plans\n');
});
