import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BuyerAccountService } from '../../src/orders/buyer-account.service.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { PlanEndsService } from '../../src/plans/plan-ends.service.ts';
import { closeGap, firstDayOfMonth, oneYearLater, placePlan } from '../../src/plans/plan-periods.ts';
import { eraseAccounts } from '../../src/users/erase-accounts.job.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, findLastMail, readSentMails } from '../support/test-mailbox.ts';
import {
  documentOrder,
  findOrder,
  payOrder,
  planOrder,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const DAY_MS = 86_400_000;

let shop: TestShop;
let buyers = 0;
let email = '';

beforeAll(async () => {
  shop = await startShop({ now: NOW, webhooks: 'lost' });
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.clock.now = NOW;
  buyers += 1;
  email = `planner${buyers}@builders.example`;
});

const PRICES = { basic: 5_899, premium: 10_899, enterprise: 14_999 };
const days = (count: number) => new Date(NOW.getTime() + count * DAY_MS);

async function buy(planId: keyof typeof PRICES, buyer?: SignedInAccount, changes: object = {}): Promise<string> {
  const body = planOrder({ email, planId, amount: PRICES[planId], ...changes });
  const { orderId } = await startCheckout(shop, body, buyer?.headers);
  await payOrder(shop, orderId);
  await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
  return orderId;
}

const plansOf = (userId: string) =>
  shop.database.dataSource.query(
    `SELECT plan_id AS plan, starts_at AS "from", ends_at AS "to" FROM entitlement
     WHERE user_id = $1 AND kind = 'plan' ORDER BY starts_at, id`,
    [userId],
  );
const planOf = async ({ headers }: SignedInAccount) => (await shop.get('/api/orders', headers)).json.plan;
const chooseStates = async ({ headers }: SignedInAccount, states: string[]) => {
  const reply = await shop.app.inject({ method: 'PUT', url: '/api/plan/states', headers, payload: { states } });
  return { status: reply.statusCode, json: JSON.parse(reply.body), caching: reply.headers['cache-control'] };
};

/** Makes the entitlement of an order the last row of its table. */
async function moveToEnd(orderId: string): Promise<void> {
  await shop.database.dataSource.query(
    `WITH moved AS (DELETE FROM entitlement WHERE order_id = $1 RETURNING *)
     INSERT INTO entitlement OVERRIDING SYSTEM VALUE SELECT * FROM moved`,
    [(await findOrder(shop, orderId)).id],
  );
}

describe('a year', () => {
  test.each([
    ['2026-11-10T11:30:00+05:30', '2027-11-10T11:30:00+05:30'],
    ['2028-02-29T00:00:00+05:30', '2029-02-28T00:00:00+05:30'],
    ['2028-02-29T23:59:59+05:30', '2029-02-28T23:59:59+05:30'],
    // In India it is 1 March already.
    ['2027-02-28T20:00:00Z', '2028-02-29T20:00:00Z'],
    ['2026-12-31T23:59:59.999+05:30', '2027-12-31T23:59:59.999+05:30'],
  ])('from %s ends at %s', (from, to) => {
    expect(oneYearLater(new Date(from))).toEqual(new Date(to));
  });

  test('has months that begin at midnight in India', () => {
    expect(firstDayOfMonth(new Date('2026-11-30T23:59:59+05:30'))).toBe('2026-11-01');
    expect(firstDayOfMonth(new Date('2026-12-01T00:00:00+05:30'))).toBe('2026-12-01');
  });
});

describe('the end of a plan', () => {
  // 10 November 2027, 11:30 AM in India
  const END = oneYearLater(NOW);
  const mailsAt = async (at: string) => {
    shop.clock.now = new Date(at);
    await shop.app.get(PlanEndsService).run();
    return (await readSentMails(shop)).filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject);
  };
  const [EARLY, SOON, ENDED] = [
    'Your Basic plan ends in 14 days',
    'Your Basic plan ends in 2 days',
    'Your Basic plan has ended',
  ];

  test('is mailed 14 and 2 days before by the Indian calendar, and afterwards, once each', async () => {
    await buy('basic');
    const paid = (await readSentMails(shop)).filter(({ to }) => to?.[0]?.address === email).length;
    const at = async (instant: string) => (await mailsAt(instant)).slice(paid);
    // In UTC it is still 26 October.
    expect(await at('2027-10-26T23:59:59+05:30')).toEqual([]);
    expect(await at('2027-10-27T00:00:00+05:30')).toEqual([EARLY]);
    expect((await findLastMail(shop, email)).text).toContain(
      'Your Basic plan ends on 10 Nov 2027, 11:30 AM. Alerts for saved searches and included downloads stop then.',
    );
    expect((await findLastMail(shop, email)).text).toContain('http://nivida.test/pricing');
    expect(await at('2027-11-07T23:59:59+05:30')).toEqual([EARLY]);
    expect(await at('2027-11-08T00:00:00+05:30')).toEqual([EARLY, SOON]);
    expect(await at('2027-11-10T11:29:59+05:30')).toEqual([EARLY, SOON]);
    expect(await at('2027-11-10T11:30:00+05:30')).toEqual([EARLY, SOON, ENDED]);
    expect((await findLastMail(shop, email)).text).toContain('Your Basic plan ended on 10 Nov 2027, 11:30 AM.');
    expect(await at('2027-11-11T10:11:00+05:30')).toEqual([EARLY, SOON, ENDED]);
  });

  test('is mailed once by two workers at the same time', async () => {
    await buy('basic');
    shop.clock.now = new Date('2027-11-09T10:11:00+05:30');
    const counts = await Promise.all([1, 2, 3].map(() => shop.app.get(PlanEndsService).run()));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect((await mailsAt('2027-11-09T10:12:00+05:30')).filter((subject) => subject?.includes('plan ends'))).toEqual([
      'Your Basic plan ends tomorrow',
    ]);
  });

  test('is mailed when the plan that followed was refunded', async () => {
    await buy('basic');
    const following = await buy('basic');
    await shop.app.get(RefundsService).refundOrder(following, 'it was bought twice');
    await shop.app.get(RefundsService).runDue();
    expect((await mailsAt('2027-11-09T10:11:00+05:30')).filter((subject) => subject?.includes('plan ends'))).toEqual([
      'Your Basic plan ends tomorrow',
    ]);
  });

  test('is mailed in the sandbox although a plan of real money follows', async () => {
    await buy('basic');
    const following = await findOrder(shop, await buy('basic'));
    await shop.database.dataSource.query('UPDATE entitlement SET is_test = false WHERE order_id = $1', [following.id]);
    expect((await mailsAt('2027-11-09T10:11:00+05:30')).filter((subject) => subject?.includes('plan ends'))).toEqual([
      'Your Basic plan ends tomorrow',
    ]);
  });

  test('is mailed to the present address of the account', async () => {
    const buyer = await createSession(shop, { email });
    await buy('basic', buyer);
    const present = `present-${email}`;
    await shop.database.dataSource.query('UPDATE account SET email = $2 WHERE id = $1', [buyer.user._id, present]);
    const ends = (subject: string | undefined) => subject?.includes('plan ends');
    expect((await mailsAt('2027-11-09T10:11:00+05:30')).filter(ends)).toEqual([]);
    expect((await findLastMail(shop, present)).subject).toBe('Your Basic plan ends tomorrow');
  });

  test('is not mailed to an account that is closed', async () => {
    const buyer = await createSession(shop, { email });
    await buy('basic', buyer);
    await shop.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [
      buyer.user._id,
      days(363),
    ]);
    expect((await mailsAt('2027-11-09T10:11:00+05:30')).filter((subject) => subject?.includes('plan ends'))).toEqual(
      [],
    );
  });

  test('is not mailed while another plan follows or was bought since, for a refunded one, or long after', async () => {
    await buy('basic');
    // The address was typed in another letter case.
    await buy('basic', undefined, { email: `P${email.slice(1)}` });
    expect((await mailsAt('2027-11-09T10:11:00+05:30')).filter((subject) => subject?.includes('plan ends'))).toEqual(
      [],
    );
    email = `refunded${email}`;
    shop.clock.now = NOW;
    const refunded = await buy('basic');
    await shop.app.get(RefundsService).refundOrder(refunded, 'it was bought twice');
    await shop.app.get(RefundsService).runDue();
    expect((await mailsAt('2027-11-09T10:11:00+05:30')).filter((subject) => subject?.includes('plan ends'))).toEqual(
      [],
    );
    email = `again${email}`;
    shop.clock.now = NOW;
    await buy('basic');
    shop.clock.now = new Date(END.getTime() + DAY_MS);
    await buy('basic');
    const twoDaysAfter = new Date(END.getTime() + 2 * DAY_MS).toISOString();
    expect((await mailsAt(twoDaysAfter)).filter((subject) => subject?.includes('ended'))).toEqual([]);
    email = `late${email}`;
    shop.clock.now = NOW;
    await buy('basic');
    const late = new Date(END.getTime() + 8 * DAY_MS).toISOString();
    expect((await mailsAt(late)).filter((subject) => subject?.includes('ended'))).toEqual([]);
    const justInTime = new Date(END.getTime() + 7 * DAY_MS).toISOString();
    expect((await mailsAt(justInTime)).filter((subject) => subject?.includes('ended'))).toEqual([ENDED]);
  });
});

describe('a paid plan', () => {
  test('runs for a year from the payment and is shown with its use', async () => {
    const buyer = await createSession(shop);
    await buy('basic', buyer);
    expect(await planOf(buyer)).toEqual({
      planId: 'basic',
      isTrial: false,
      isGift: false,
      states: ['Himachal Pradesh'],
      startsAt: NOW.toISOString(),
      endsAt: '2027-11-10T06:00:00.000Z',
      downloadsUsed: 0,
      downloadsPerMonth: 10,
      statesChangeableAt: days(30).toISOString(),
    });
    shop.clock.now = new Date('2027-11-10T05:59:59.999Z');
    const again = await createSession(shop, { email: `later${buyers}@x.example` });
    expect(await planOf(again)).toBeNull();
  });

  test('ends at the exact instant', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('basic', buyer);
    const end = "UPDATE entitlement SET ends_at = $1 WHERE user_id = $2 AND kind = 'plan'";
    await shop.database.dataSource.query(end, [new Date(NOW.getTime() + 1), buyer.user._id]);
    expect((await planOf(buyer)).planId).toBe('basic');
    await shop.database.dataSource.query(end, [NOW, buyer.user._id]);
    expect(await planOf(buyer)).toBeNull();
  });

  test('bought again adds a year to its end, also with two concurrent payments', async () => {
    const buyer = await createSession(shop);
    const send = () => startCheckout(shop, planOrder(), buyer.headers);
    const orders = [await send(), await send(), await send()];
    for (const { orderId } of orders) await payOrder(shop, orderId);
    const ids = await Promise.all(orders.map(async ({ orderId }) => (await findOrder(shop, orderId)).id));
    await Promise.all(ids.map((id) => shop.app.get(SettleService).settle(id)));
    const year = (n: number) => new Date(`${2026 + n}-11-10T11:30:00+05:30`);
    expect(await plansOf(buyer.user._id)).toEqual(
      [0, 1, 2].map((n) => ({ plan: 'basic', from: year(n), to: year(n + 1) })),
    );
  });

  test('bought in the sandbox does not wait for a plan of real money, and does not end it', async () => {
    const buyer = await createSession(shop);
    await buy('basic', buyer);
    await shop.database.dataSource.query('UPDATE entitlement SET is_test = false WHERE user_id = $1', [buyer.user._id]);
    await buy('basic', buyer);
    await buy('premium', buyer);
    expect(await plansOf(buyer.user._id)).toEqual([
      { plan: 'basic', from: NOW, to: oneYearLater(NOW) },
      { plan: 'basic', from: NOW, to: NOW },
      { plan: 'premium', from: NOW, to: oneYearLater(NOW) },
    ]);
    // Of two that run, the higher one counts.
    expect((await planOf(buyer)).planId).toBe('premium');
  });

  test('of a higher rank begins now and ends the lower one', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('basic', buyer);
    shop.clock.now = days(10);
    await buy('premium', buyer);
    expect(await plansOf(buyer.user._id)).toEqual([
      { plan: 'basic', from: NOW, to: days(10) },
      { plan: 'premium', from: days(10), to: oneYearLater(days(10)) },
    ]);
    expect((await planOf(buyer)).planId).toBe('premium');
  });

  test('of a lower rank begins when the higher one ends', async () => {
    const buyer = await createSession(shop);
    await buy('enterprise', buyer);
    await buy('basic', buyer);
    expect(await plansOf(buyer.user._id)).toEqual([
      { plan: 'enterprise', from: NOW, to: oneYearLater(NOW) },
      { plan: 'basic', from: oneYearLater(NOW), to: oneYearLater(oneYearLater(NOW)) },
    ]);
    expect(await planOf(buyer)).toMatchObject({
      planId: 'enterprise',
      states: [],
      downloadsPerMonth: null,
      statesChangeableAt: null,
    });
  });

  test('that waits stays when another plan is placed before it', () => {
    const plans = [
      { id: '1', planId: 'enterprise' as const, startsAt: NOW, endsAt: oneYearLater(NOW) },
      { id: '2', planId: 'basic' as const, startsAt: oneYearLater(NOW), endsAt: oneYearLater(oneYearLater(NOW)) },
    ];
    const second = oneYearLater(oneYearLater(NOW));
    expect(placePlan('premium', plans, NOW)).toEqual({
      startsAt: oneYearLater(NOW),
      endsAt: second,
      moved: [{ id: '2', startsAt: second, endsAt: oneYearLater(second) }],
    });
  });

  test('that runs and ends before a new plan begins stays', () => {
    const plans = [
      { id: '1', planId: 'premium' as const, startsAt: NOW, endsAt: oneYearLater(NOW) },
      { id: '2', planId: 'basic' as const, startsAt: days(-100), endsAt: days(265) },
    ];
    expect(placePlan('premium', plans, NOW)).toEqual({
      startsAt: oneYearLater(NOW),
      endsAt: oneYearLater(oneYearLater(NOW)),
      moved: [],
    });
  });

  test.each([[['1', '2']], [['2', '1']]])(
    'moves two waiting lower plans in the order of their begin, stored as %j',
    (ids) => {
      const [second, third] = [oneYearLater(NOW), oneYearLater(oneYearLater(NOW))];
      const heldPlans = [
        { id: '1', planId: 'basic' as const, startsAt: days(10), endsAt: oneYearLater(days(10)) },
        { id: '2', planId: 'basic' as const, startsAt: days(20), endsAt: oneYearLater(days(20)) },
      ].toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
      expect(placePlan('premium', heldPlans, NOW).moved).toEqual([
        { id: '1', startsAt: second, endsAt: third },
        { id: '2', startsAt: third, endsAt: oneYearLater(third) },
      ]);
    },
  );

  test('moves a waiting year to a year with 29 February whole', () => {
    const now = new Date('2026-12-01T10:00:00+05:30');
    const begins = new Date('2027-01-10T10:00:00+05:30');
    const plans = [{ id: '1', planId: 'basic' as const, startsAt: begins, endsAt: oneYearLater(begins) }];
    expect(placePlan('premium', plans, now).moved).toEqual([
      { id: '1', startsAt: oneYearLater(now), endsAt: new Date('2028-12-01T10:00:00+05:30') },
    ]);
  });

  test('moves a waiting lower plan of 100 days with its 100 days, and the year after it', () => {
    const year = oneYearLater(NOW);
    const plans = [
      { id: '1', planId: 'basic' as const, startsAt: days(10), endsAt: days(110) },
      { id: '2', planId: 'basic' as const, startsAt: days(110), endsAt: oneYearLater(days(110)) },
    ];
    const next = new Date(year.getTime() + 100 * 86_400_000);
    expect(placePlan('premium', plans, NOW).moved).toEqual([
      { id: '1', startsAt: year, endsAt: next },
      { id: '2', startsAt: next, endsAt: oneYearLater(next) },
    ]);
  });

  test('that waits behind one of its own rank stays there when a later one is refunded', () => {
    const running = { id: '1', planId: 'basic' as const, startsAt: days(-100), endsAt: days(265) };
    const next = { id: '2', planId: 'basic' as const, startsAt: days(265), endsAt: days(630) };
    expect(closeGap([running, next], NOW)).toEqual([]);
    const last = { id: '4', planId: 'basic' as const, startsAt: days(995), endsAt: days(1_360) };
    expect(closeGap([running, next, last], NOW)).toEqual([{ id: '4', startsAt: days(630), endsAt: days(995) }]);
  });

  test('that was refunded is ignored', async () => {
    const buyer = await createSession(shop);
    await buy('basic', buyer);
    await shop.database.dataSource.query('UPDATE entitlement SET revoked_at = $1 WHERE user_id = $2', [
      NOW,
      buyer.user._id,
    ]);
    expect(await planOf(buyer)).toBeNull();
    await buy('basic', buyer);
    expect((await planOf(buyer)).startsAt).toBe(NOW.toISOString());
  });
});

describe('a refunded upgrade', () => {
  const refund = async (orderId: string) => {
    await shop.app.get(RefundsService).refundOrder(orderId, 'it was bought by mistake');
    await shop.app.get(RefundsService).runDue();
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
  };
  const running = async ({ user }: SignedInAccount) =>
    (
      await shop.database.dataSource.query(
        `SELECT plan_id AS plan, ends_at AS "to" FROM entitlement WHERE user_id = $1 AND kind = 'plan'
           AND revoked_at IS NULL AND starts_at <= $2 AND ends_at > $2 ORDER BY id`,
        [user._id, shop.clock.now],
      )
    ).map(({ plan, to }: { plan: string; to: Date }) => [plan, to]);

  test('leaves the lower plan as it was, until its own end', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('basic', buyer);
    shop.clock.now = days(10);
    const premium = await buy('premium', buyer);
    expect(await running(buyer)).toEqual([['premium', oneYearLater(days(10))]]);
    shop.clock.now = days(40);
    await refund(premium);
    expect(await running(buyer)).toEqual([['basic', oneYearLater(NOW)]]);
    // A plan has no links of its own.
    expect(shop.delivery.revoked).toEqual([]);
  });

  test('does not extend a lower plan that has ended by then', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('basic', buyer);
    shop.clock.now = days(10);
    const premium = await buy('premium', buyer);
    shop.clock.now = days(365);
    await refund(premium);
    expect(await running(buyer)).toEqual([]);
    expect((await plansOf(buyer.user._id))[0]).toEqual({ plan: 'basic', from: NOW, to: oneYearLater(NOW) });
  });

  test('can be bought and refunded again', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('basic', buyer);
    for (const day of [3, 5]) {
      shop.clock.now = days(day);
      const premium = await buy('premium', buyer);
      expect(await running(buyer)).toEqual([['premium', oneYearLater(days(day))]]);
      shop.clock.now = days(day + 1);
      await refund(premium);
      await expect(refund(premium)).rejects.toThrow('An order that is REFUNDED cannot be refunded');
      expect(await running(buyer)).toEqual([['basic', oneYearLater(NOW)]]);
    }
  });

  test.each([
    ['the highest first', [1, 0]],
    ['the highest last', [0, 1]],
  ])('of two, %s, leaves the lower plans', async (_order, sequence) => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('basic', buyer);
    shop.clock.now = days(1);
    const orders = [await buy('premium', buyer)];
    shop.clock.now = days(2);
    orders.push(await buy('enterprise', buyer));
    shop.clock.now = days(3);
    for (const nth of sequence) await refund(orders[nth] as string);
    expect(await running(buyer)).toEqual([['basic', oneYearLater(NOW)]]);
  });

  test('lets waiting plans begin at once', async () => {
    const buyer = await createSession(shop);
    const first = await buy('premium', buyer);
    await buy('premium', buyer, { states: ['Goa'] });
    await buy('basic', buyer);
    expect(await running(buyer)).toEqual([['premium', oneYearLater(NOW)]]);
    await moveToEnd(first);
    expect(await planOf(buyer)).toMatchObject({ states: ['Himachal Pradesh'], startsAt: NOW.toISOString() });
    await refund(first);
    // The purchased year has a 29 February and its full length.
    expect((await plansOf(buyer.user._id)).slice(-2)).toEqual([
      { plan: 'premium', from: NOW, to: days(366) },
      { plan: 'basic', from: days(366), to: days(366 + 365) },
    ]);
  });

  test("of an erased account moves no other account's plan", async () => {
    const [one, other] = [await createSession(shop), await createSession(shop)];
    const orderId = await buy('premium', one);
    await buy('premium', other);
    await buy('basic', other);
    await shop.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = ANY($1)', [
      [one.user._id, other.user._id],
      NOW,
    ]);
    await eraseAccounts({ dataSource: shop.database.dataSource, now: days(7) });
    const periods = () =>
      shop.database.dataSource.query(
        "SELECT id, starts_at, ends_at FROM entitlement WHERE kind = 'plan' AND email = '' ORDER BY id",
      );
    const before = await periods();
    await refund(orderId);
    expect(await periods()).toEqual(before);
  });
});

describe('the states of a plan', () => {
  test('may be added up to its number at any time, and replaced once in 30 days', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('premium', buyer, { states: ['Goa', 'Delhi'] });
    const next = await findOrder(shop, await buy('premium', buyer, { states: ['Assam'] }));
    expect((await chooseStates(buyer, ['Goa', 'Delhi', 'bihar'])).json.states).toEqual(['Goa', 'Delhi', 'Bihar']);
    const events = await shop.database.dataSource.query(
      "SELECT detail FROM audit WHERE action = 'plan.states-chosen' AND actor_id = $1",
      [buyer.user._id],
    );
    expect(events).toEqual([{ detail: { states: ['Goa', 'Delhi', 'Bihar'] } }]);
    const six = ['Goa', 'Delhi', 'Bihar', 'Assam', 'Kerala', 'Punjab'];
    expect((await chooseStates(buyer, six)).json.message).toBe('Premium covers 5 states');
    expect((await chooseStates(buyer, ['Atlantis'])).json.message).toBe('Please choose a state from the list');
    expect((await chooseStates(buyer, [])).json.message).toBe('Please choose a state');
    shop.clock.now = days(10);
    expect((await chooseStates(buyer, ['Goa', 'Delhi', 'Bihar', 'Kerala'])).json).toMatchObject({
      states: ['Goa', 'Delhi', 'Bihar', 'Kerala'],
      statesChangeableAt: days(30).toISOString(),
    });
    shop.clock.now = NOW;
    const early = await chooseStates(buyer, ['Kerala']);
    expect([early.status, early.json.message]).toEqual([409, 'States can be changed once in 30 days']);
    const added = await chooseStates(buyer, ['Goa', 'Delhi', 'Bihar', 'Kerala', 'Assam']);
    expect([added.status, added.caching]).toEqual([200, 'no-store']);
    await shop.database.dataSource.query(
      "UPDATE entitlement SET states_chosen_at = states_chosen_at - interval '30 days' WHERE user_id = $1",
      [buyer.user._id],
    );
    expect((await chooseStates(buyer, ['Kerala'])).json).toMatchObject({
      states: ['Kerala'],
      statesChangeableAt: days(30).toISOString(),
    });
    expect((await chooseStates(buyer, ['Goa'])).status).toBe(409);
    // The plan that waits has its own states.
    expect(
      await shop.database.dataSource.query('SELECT states FROM entitlement WHERE order_id = $1', [next.id]),
    ).toEqual([{ states: ['Assam'] }]);
  });

  test('may be replaced when they were chosen by a clock that was ahead', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('premium', buyer, { states: ['Goa'] });
    await shop.database.dataSource.query(
      "UPDATE entitlement SET states_chosen_at = states_chosen_at + interval '1 year' WHERE user_id = $1",
      [buyer.user._id],
    );
    expect((await chooseStates(buyer, ['Kerala'])).json.states).toEqual(['Kerala']);
  });

  test('cannot be replaced right after a server whose clock is five seconds ahead has stored them', async () => {
    const buyer = await createSession(shop, { remembered: true });
    await buy('premium', buyer, { states: ['Goa'] });
    await shop.database.dataSource.query('UPDATE entitlement SET states_chosen_at = $2 WHERE user_id = $1', [
      buyer.user._id,
      new Date(NOW.getTime() + 5_000),
    ]);
    expect((await chooseStates(buyer, ['Kerala'])).status).toBe(409);
  });

  test('that were not chosen at the purchase are chosen later', async () => {
    await buy('basic');
    const buyer = await createSession(shop, { email, state: 'Assam', remembered: true });
    await shop.database.dataSource.transaction((manager) =>
      shop.app.get(BuyerAccountService).claimOrders(manager, { id: buyer.user._id, email }),
    );
    shop.clock.now = days(1);
    expect(await planOf(buyer)).toMatchObject({ states: [], statesChangeableAt: NOW.toISOString() });
    expect((await chooseStates(buyer, ['Assam'])).json).toMatchObject({
      states: ['Assam'],
      statesChangeableAt: days(31).toISOString(),
    });
    expect((await chooseStates(buyer, ['Goa'])).status).toBe(409);
  });

  test('can be sent 30 times a minute', async () => {
    const buyer = await createSession(shop);
    const statuses: number[] = [];
    for (let nth = 1; nth <= 31; nth += 1) statuses.push((await chooseStates(buyer, ['Goa'])).status);
    expect(statuses).toEqual([...Array(30).fill(404), 429]);
  });

  test('cannot be chosen for a plan of all India, without a plan, or by another account', async () => {
    const buyer = await createSession(shop);
    expect((await chooseStates(buyer, ['Goa'])).status).toBe(404);
    await buy('enterprise', buyer);
    expect((await chooseStates(buyer, ['Goa'])).json.message).toBe('Your plan covers all of India');
    const reply = await shop.app.inject({ method: 'PUT', url: '/api/plan/states', payload: { states: ['Goa'] } });
    expect(reply.statusCode).toBe(401);
  });
});

/** Registers an account like the wizard; returns the response. */
async function register(address: string, mobileNo: string) {
  const browser = new TestBrowser(shop);
  await browser.send('POST', '/api/auth/otp/generate', { email: address });
  const otp = findCode(await findLastMail(shop, address));
  await browser.send('POST', '/api/auth/otp/verify', { email: address, otp });
  const { json } = await browser.send('POST', '/api/auth/register', {
    name: 'Asha Verma',
    email: address,
    mobileNo,
    countryCode: '+91',
    password: 'quiet-river-72-stones',
    companyName: 'Verma Builders',
    companyType: 'private',
    state: 'Delhi',
    districts: ['New Delhi'],
    departments: ['Delhi Jal Board'],
    address: '',
    minPrice: 0,
    maxPrice: null,
  });
  return {
    id: json.user._id as string,
    token: json.token,
    user: json.user,
    headers: { authorization: `Bearer ${json.token}` },
  };
}

describe('registering', () => {
  test('grants a week of Basic for the registered state, without downloads', async () => {
    const buyer = await register(email, '+919700000001');
    expect(await planOf(buyer)).toEqual({
      planId: 'basic',
      isTrial: true,
      isGift: false,
      states: ['Delhi'],
      startsAt: NOW.toISOString(),
      endsAt: days(7).toISOString(),
      downloadsUsed: 0,
      downloadsPerMonth: 0,
      statesChangeableAt: null,
    });
    expect((await chooseStates(buyer, ['Goa'])).json.message).toBe('The trial covers the state of your registration');
    // A trial of a test server is no trial where money is real.
    expect(
      await shop.database.dataSource.query("SELECT is_test FROM entitlement WHERE kind = 'trial' AND user_id = $1", [
        buyer.id,
      ]),
    ).toEqual([{ is_test: true }]);
    // A paid plan comes before the trial of the same plan.
    await buy('basic', buyer);
    expect(await planOf(buyer)).toMatchObject({ planId: 'basic', isTrial: false, downloadsPerMonth: 10 });
    await buy('premium', buyer);
    expect(await planOf(buyer)).toMatchObject({ planId: 'premium', isTrial: false, startsAt: NOW.toISOString() });
  });

  test.each([
    ['e-mail', 'taken-mail@builders.example', '+919700000002', 'TAKEN-mail@builders.example', '+919700000003'],
    ['mobile number', 'one@builders.example', '+919700000004', 'two@builders.example', '+919700000004'],
  ])(
    'once more with the same %s gives no second trial',
    async (_, firstEmail, firstMobile, secondEmail, secondMobile) => {
      const { id } = await register(firstEmail, firstMobile);
      // As in the erasure of an account.
      await shop.database.dataSource.query(
        "UPDATE account SET email = $2, mobile_no = 'erased-' || id::text, deleted_at = $3 WHERE id = $1",
        [id, `erased-${id}@invalid`, NOW],
      );
      shop.clock.now = days(1);
      expect(await planOf(await register(secondEmail, secondMobile))).toBeNull();
    },
  );

  test('stores digests of e-mail and mobile number that depend on the secret', async () => {
    const mobile = '+919700000008';
    const { user } = await register(email, mobile);
    const rows: unknown[] = await shop.database.dataSource.query(
      `SELECT 1 FROM trial_taken WHERE key_sha256 = ANY (SELECT encode(sha256(convert_to(name, 'UTF8')), 'hex')
         FROM unnest($1::text[]) name)`,
      [[mobile, user.email, `trial mobile ${mobile}`, `trial e-mail ${user.email}`]],
    );
    expect(rows).toEqual([]);
  });

  test('with the e-mail of an earlier purchase claims it, and no other account does', async () => {
    const documents = await startCheckout(
      shop,
      documentOrder(shop, { email: email.toUpperCase().replace(/@.*/, '@builders.example') }),
    );
    await payOrder(shop, documents.orderId);
    await shop.app.get(SettleService).settle((await findOrder(shop, documents.orderId)).id);
    const plan = await buy('basic');
    await register(`not-${email}`, '+919700000005');
    expect((await findOrder(shop, plan)).userId).toBeNull();
    const buyer = await register(email, '+919700000006');
    const { json } = await shop.get('/api/orders', buyer.headers);
    expect(json.orders.map(({ orderId }: { orderId: string }) => orderId)).toEqual([plan, documents.orderId]);
    expect(json.plan).toMatchObject({ planId: 'basic', isTrial: false });
    const again = await startCheckout(shop, documentOrder(shop), { ...buyer.headers, 'idempotency-key': randomUUID() });
    expect(again).toMatchObject({ orderId: documents.orderId, alreadyEntitled: true });
  });
});

test("a guest's payment with the e-mail of a closed account belongs to no account", async () => {
  const closed = await createSession(shop, { email });
  await shop.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [closed.user._id, NOW]);
  expect((await findOrder(shop, await buy('basic'))).userId).toBeNull();
});

test('an account does not claim the orders of another account with its earlier e-mail', async () => {
  const owner = await createSession(shop, { email });
  const orderId = await buy('basic', owner);
  await shop.database.dataSource.query('UPDATE account SET email = $2 WHERE id = $1', [owner.user._id, `new-${email}`]);
  const other = await createSession(shop, { email });
  await shop.database.dataSource.transaction((manager) =>
    shop.app.get(BuyerAccountService).claimOrders(manager, { id: other.user._id, email }),
  );
  expect((await findOrder(shop, orderId)).userId).toBe(owner.user._id);
  expect(await planOf(other)).toBeNull();
});

test("an account's payment stays its own when another account has its earlier e-mail by then", async () => {
  const owner = await createSession(shop, { email });
  const { orderId } = await startCheckout(shop, planOrder(), owner.headers);
  await shop.database.dataSource.query('UPDATE account SET email = $2 WHERE id = $1', [owner.user._id, `new-${email}`]);
  await createSession(shop, { email });
  await payOrder(shop, orderId);
  expect((await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id)).userId).toBe(owner.user._id);
});

test("a guest's payment with the e-mail of an account belongs to the account at once", async () => {
  const buyer = await createSession(shop, { email });
  const orderId = await buy('basic');
  expect((await findOrder(shop, orderId)).userId).toBe(buyer.user._id);
  expect((await planOf(buyer)).planId).toBe('basic');
  // The address was typed in another letter case.
  const typed = await buy('premium', undefined, { email: `P${email.slice(1)}` });
  expect((await findOrder(shop, typed)).userId).toBe(buyer.user._id);
  expect((await planOf(buyer)).planId).toBe('premium');
});

test('orders of an erased account have its name, without e-mail or mobile number', async () => {
  const buyer = await createSession(shop);
  const firm = { gstin: '02AAACB1234C1ZR', firm: 'Bhatia & Co', firmAddress: '2 The Mall, Shimla 171001' };
  const orderId = await buy('basic', buyer, firm);
  expect(await findOrder(shop, orderId)).toMatchObject({ buyerFirm: firm.firm, buyerAddress: firm.firmAddress });
  await shop.database.dataSource.query('UPDATE account SET deleted_at = $2 WHERE id = $1', [buyer.user._id, NOW]);
  await eraseAccounts({ dataSource: shop.database.dataSource, now: days(7) });
  expect(await findOrder(shop, orderId)).toMatchObject({
    userId: null,
    buyerName: 'Asha Verma',
    buyerEmail: '',
    buyerMobile: '',
    buyerFirm: '',
    buyerAddress: '',
    status: 'SUCCESS',
  });
  expect(await plansOf(buyer.user._id)).toEqual([]);
});

test("a claimed plan waits for the account's own plan and has its full length", async () => {
  const bought = `later-${email}`;
  await buy('basic', undefined, { email: bought });
  const buyer = await createSession(shop);
  await buy('premium', buyer);
  await shop.database.dataSource.transaction((manager) =>
    shop.app.get(BuyerAccountService).claimOrders(manager, { id: buyer.user._id, email: bought }),
  );
  expect(await plansOf(buyer.user._id)).toEqual([
    { plan: 'premium', from: NOW, to: oneYearLater(NOW) },
    { plan: 'basic', from: oneYearLater(NOW), to: new Date(oneYearLater(NOW).getTime() + 365 * DAY_MS) },
  ]);
});

test("two claimed plans wait for the account's own plan in the order of their begin", async () => {
  const bought = `twice-${email}`;
  const earlier = await buy('basic', undefined, { email: bought });
  await buy('basic', undefined, { email: bought });
  await moveToEnd(earlier);
  const buyer = await createSession(shop);
  await buy('premium', buyer);
  await shop.database.dataSource.transaction((manager) =>
    shop.app.get(BuyerAccountService).claimOrders(manager, { id: buyer.user._id, email: bought }),
  );
  const [first, second] = [new Date(oneYearLater(NOW).getTime() + 365 * DAY_MS), 366 * DAY_MS];
  expect(await plansOf(buyer.user._id)).toEqual([
    { plan: 'premium', from: NOW, to: oneYearLater(NOW) },
    { plan: 'basic', from: oneYearLater(NOW), to: first },
    { plan: 'basic', from: first, to: new Date(first.getTime() + second) },
  ]);
});

test("a claimed plan that has begun waits for the account's own plan with the days that are left", async () => {
  const bought = `begun-${email}`;
  await buy('basic', undefined, { email: bought });
  shop.clock.now = days(100);
  const buyer = await createSession(shop);
  await buy('premium', buyer);
  await shop.database.dataSource.transaction((manager) =>
    shop.app.get(BuyerAccountService).claimOrders(manager, { id: buyer.user._id, email: bought }),
  );
  const ends = oneYearLater(days(100));
  expect(await plansOf(buyer.user._id)).toEqual([
    { plan: 'premium', from: days(100), to: ends },
    { plan: 'basic', from: ends, to: new Date(ends.getTime() + 265 * DAY_MS) },
  ]);
});

test('the dates of a claimed plan that has ended stay', async () => {
  const bought = `ended-${email}`;
  await buy('basic', undefined, { email: bought });
  shop.clock.now = oneYearLater(NOW);
  const buyer = await createSession(shop);
  await buy('premium', buyer);
  await shop.database.dataSource.transaction((manager) =>
    shop.app.get(BuyerAccountService).claimOrders(manager, { id: buyer.user._id, email: bought }),
  );
  expect(await plansOf(buyer.user._id)).toEqual([
    { plan: 'basic', from: NOW, to: oneYearLater(NOW) },
    { plan: 'premium', from: oneYearLater(NOW), to: oneYearLater(oneYearLater(NOW)) },
  ]);
});
