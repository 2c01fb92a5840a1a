import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLANS } from '@nivida/contract/orders/plans';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PackagesService } from '../../src/documents/packages/packages.service.ts';
import { packageKey } from '../../src/orders/document-delivery.port.ts';
import { EntitlementsService } from '../../src/plans/entitlements.service.ts';
import { createSession, type SignedInAccount } from '../support/accounts.ts';
import { buyDocuments, buyPlan } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');
const STARTS = new Date('2026-11-01T12:00:00+05:30');
const ENDS = new Date('2027-11-01T12:00:00+05:30');

let app: TestApp;
let folder: string;
/** Tenders 1 to 41 of Himachal Pradesh, then one of Punjab, then two works of one notice. */
let ids: number[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nivida-quotas-'));
  app = await startApp({ now: NOW, env: { FILES_URL: `file://${folder}` } });
  const own = Array.from({ length: 41 }, (_, n) => createSourceTender({ sourceId: `2026_PWD_${n}_1` }));
  const others = [
    createSourceTender({ sourceId: '2026_PB_1_1', state: 'Punjab' }),
    createSourceTender({ sourceId: '2026_PWD_77_1', nitKey: 'hptenders|77' }),
    createSourceTender({ sourceId: '2026_PWD_77_2', nitKey: 'hptenders|77' }),
  ];
  await importTenders(app.database.dataSource, [...own, ...others], { now: NOW, origin: 'generated' });
  ids = (await app.database.dataSource.query('SELECT id FROM tender ORDER BY id')).map(({ id }: { id: number }) => id);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  app.clock.now = NOW;
});

async function subscriber(
  planId: 'basic' | 'premium' | 'enterprise' = 'basic',
  states = ['Himachal Pradesh'],
  endsAt = ENDS,
): Promise<SignedInAccount> {
  const user = await createSession(app, { remembered: true });
  await buyPlan(app.database.dataSource, { userId: user.user._id, planId, states, startsAt: STARTS, endsAt });
  return user;
}

const link = (user: SignedInAccount, id: number) =>
  app.app.inject({ method: 'POST', url: `/api/tenders/${id}/documents`, headers: user.headers });

/** Creates a link and uses its button; returns the address of the file. */
async function ticket(user: SignedInAccount, id: number): Promise<string> {
  const made = await link(user, id);
  expect(made.statusCode).toBe(201);
  const reply = await app.app.inject({ method: 'POST', url: new URL(made.json().url).pathname });
  expect(reply.statusCode).toBe(303);
  return reply.headers.location as string;
}
const fetchFile = async (address: string): Promise<number> =>
  (await app.app.inject({ method: 'GET', url: address })).statusCode;
const download = async (user: SignedInAccount, id: number): Promise<number> => fetchFile(await ticket(user, id));
/** Downloads of the month as the account's plan shows them. */
const shownUse = async (user: SignedInAccount): Promise<number> =>
  (await app.get('/api/orders', user.headers)).json.plan.downloadsUsed;
const charged = async (user: SignedInAccount): Promise<number> => {
  const [row] = await app.database.dataSource.query('SELECT count(*)::int AS count FROM download WHERE user_id = $1', [
    user.user._id,
  ]);
  return row.count;
};
const left = async (user: SignedInAccount, id = ids[0]) =>
  (await app.get(`/api/tenders/${id}/documents`, user.headers)).json.planDownloads;

test('SQL and contract agree on the content of each plan and on the names of notices', async () => {
  const user = await subscriber('basic');
  const readLimit = async (plan: string) => {
    const [row] = await app.database.dataSource.query(
      `SELECT (regexp_match(prosrc, 'WHEN ''' || $1 || ''' THEN (\\d+)'))[1]::int AS number FROM pg_proc WHERE proname = 'can_download'`,
      [plan],
    );
    return row.number;
  };
  expect(await readLimit('basic')).toBe(PLANS.basic.downloadsPerMonth);
  expect(await readLimit('premium')).toBe(PLANS.premium.downloadsPerDay);
  expect(await readLimit('enterprise')).toBe(PLANS.enterprise.downloadsPerDay);
  const [row] = await app.database.dataSource.query("SELECT nit_of(NULL, 7) AS alone, nit_of('a|b', 7) AS shared");
  expect([row.alone, row.shared]).toEqual([packageKey({ id: 7, nitKey: null }), packageKey({ id: 7, nitKey: 'a|b' })]);
  expect(await left(user)).toEqual({ left: 10, perMonth: 10 });
});

test('of twenty-five concurrent downloads on Basic ten are charged and fifteen refused', async () => {
  const user = await subscriber();
  const tickets: string[] = [];
  for (const id of ids.slice(0, 25)) tickets.push(await ticket(user, id));
  expect(await charged(user)).toBe(0);
  const replies = await Promise.all(tickets.map(fetchFile));
  expect(replies.filter((status) => status === 200)).toHaveLength(10);
  expect(replies.filter((status) => status === 403)).toHaveLength(15);
  expect(await charged(user)).toBe(10);
  const refused = await link(user, ids[40] as number);
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'You have used all downloads of this month. You get new ones on 1 Dec 2026',
  ]);
  expect(await left(user, ids[40])).toEqual({ left: 0, perMonth: 10 });
});

test('of fifty concurrent downloads of 25 notices ten are charged, and their repeats are free', async () => {
  const user = await subscriber();
  const tickets: string[] = [];
  for (const id of ids.slice(0, 25)) tickets.push(await ticket(user, id), await ticket(user, id));
  const replies = await Promise.all(tickets.map(fetchFile));
  expect(replies.filter((status) => status === 200)).toHaveLength(20);
  expect(await charged(user)).toBe(10);
});

test('works of one notice are one download, and repeats in the month are free', async () => {
  const user = await subscriber();
  const [one, other] = ids.slice(-2) as [number, number];
  expect(await download(user, one)).toBe(200);
  expect(await download(user, other)).toBe(200);
  expect(await download(user, one)).toBe(200);
  expect(await charged(user)).toBe(1);
  expect(await left(user)).toEqual({ left: 9, perMonth: 10 });
  expect((await app.get('/api/documents', user.headers)).json.packages).toMatchObject([
    { by: 'plan', orderId: null, title: 'Construction of footbridge' },
  ]);
  // The page of its link names the tender, not the plan.
  const { text } = await app.get(new URL((await link(user, one)).json().url).pathname);
  expect(text).toContain('<h1>Construction of footbridge</h1>');
});

test('a download whose file is lost charges nothing', async () => {
  const user = await subscriber();
  const id = ids[39] as number;
  const address = await ticket(user, id);
  const packages = app.app.get(PackagesService);
  const found = await packages.findNewest(packageKey({ id, nitKey: null }));
  await packages.store.remove(found?.fileKey ?? '');
  expect(await fetchFile(address)).toBe(404);
  expect(await charged(user)).toBe(0);
});

test('links, tickets, HEAD requests and parts that the file does not have are free', async () => {
  const user = await subscriber();
  const address = await ticket(user, ids[0] as number);
  expect((await app.app.inject({ method: 'HEAD', url: address })).statusCode).toBe(200);
  const beyond = { method: 'GET', url: address, headers: { range: 'bytes=99999999-' } } as const;
  expect((await app.app.inject(beyond)).statusCode).toBe(416);
  expect(await charged(user)).toBe(0);
});

test('a month begins at midnight in India', async () => {
  const user = await subscriber();
  const { dataSource } = app.database;
  app.clock.now = new Date('2026-11-30T23:59:59.999+05:30');
  for (const id of ids.slice(0, 10)) expect(await download(user, id)).toBe(200);
  const refused = await link(user, ids[10] as number);
  expect(refused.statusCode).toBe(403);
  expect(refused.json().message).toContain('You get new ones on 1 Dec 2026');
  expect(await shownUse(user)).toBe(10);
  expect(await shownUse(await subscriber())).toBe(0);
  app.clock.now = new Date('2026-12-01T00:00:00+05:30');
  expect(await download(user, ids[10] as number)).toBe(200);
  expect(await shownUse(user)).toBe(1);
  const months = await dataSource.query(
    'SELECT month::text, count(*)::int AS count FROM download WHERE user_id = $1 GROUP BY month ORDER BY month',
    [user.user._id],
  );
  expect(months).toEqual([
    { month: '2026-11-01', count: 10 },
    { month: '2026-12-01', count: 1 },
  ]);
  await dataSource.query(
    `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
     SELECT user_id, month, 'other-' || n, 1, entitlement_id, charged_at
     FROM download, generate_series(1, 9) n WHERE user_id = $1 AND month = '2026-12-01'`,
    [user.user._id],
  );
  expect((await link(user, ids[11] as number)).json().message).toContain('You get new ones on 1 Jan 2027');
});

test('of several plans the largest that has begun and covers the state counts', async () => {
  const user = await subscriber('basic');
  const add = (planId: 'premium', states: string[], startsAt = STARTS) =>
    buyPlan(app.database.dataSource, { userId: user.user._id, planId, states, startsAt, endsAt: ENDS });
  await add('premium', ['Punjab']);
  expect(await left(user)).toEqual({ left: 10, perMonth: 10 });
  expect(await left(user, ids[41])).toEqual({ left: null, perMonth: null });
  await add('premium', ['Himachal Pradesh'], new Date(NOW.getTime() + 1));
  expect(await left(user)).toEqual({ left: 10, perMonth: 10 });
  app.clock.now = new Date(NOW.getTime() + 1);
  expect(await left(user)).toEqual({ left: null, perMonth: null });
});

test('a plan that ended one second ago allows no download, also with earlier links', async () => {
  const user = await subscriber('basic', ['Himachal Pradesh'], new Date('2026-11-20T12:00:00+05:30'));
  app.clock.now = new Date('2026-11-20T11:59:59.999+05:30');
  const made = (await link(user, ids[0] as number)).json();
  const address = await ticket(user, ids[1] as number);
  app.clock.now = new Date('2026-11-20T12:00:01+05:30');
  expect(await fetchFile(address)).toBe(403);
  const page = await app.app.inject({ method: 'POST', url: new URL(made.url).pathname });
  expect([page.statusCode, page.body.includes('You have no plan that includes downloads')]).toEqual([403, true]);
  expect((await link(user, ids[0] as number)).statusCode).toBe(403);
  expect(await charged(user)).toBe(0);
});

describe('states', () => {
  test('are covered by a plan when they were chosen', async () => {
    const punjab = ids[41] as number;
    const user = await subscriber('basic');
    const refused = await link(user, punjab);
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'Your plan does not cover the state of this tender',
    ]);
    expect(await left(user, punjab)).toBeNull();
    expect(await download(await subscriber('premium', ['Himachal Pradesh', 'Punjab']), punjab)).toBe(200);
    expect(await download(await subscriber('enterprise', []), punjab)).toBe(200);
  });

  test('are not covered before one is chosen', async () => {
    expect((await link(await subscriber('basic', []), ids[0] as number)).statusCode).toBe(403);
  });
});

test('without a monthly limit the daily fair use applies, and restarts the next day', async () => {
  const user = await subscriber('premium');
  const { dataSource } = app.database;
  const [plan] = await dataSource.query('SELECT id FROM entitlement WHERE user_id = $1', [user.user._id]);
  await dataSource.query(
    `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
     SELECT $1, '2026-11-01', 'other-' || n, 1, $2, $3 FROM generate_series(1, 199) n`,
    [user.user._id, plan.id, new Date('2026-11-10T00:00:00+05:30')],
  );
  expect(await left(user)).toEqual({ left: null, perMonth: null });
  expect(await download(user, ids[0] as number)).toBe(200);
  const refused = await link(user, ids[1] as number);
  expect([refused.statusCode, refused.json().message]).toEqual([
    403,
    'You have reached today’s limit. Please continue tomorrow',
  ]);
  app.clock.now = new Date('2026-11-11T00:00:00+05:30');
  expect(await download(user, ids[1] as number)).toBe(200);
});

test('downloads that a clock ahead stored for the evening do not count for the day', async () => {
  const user = await subscriber('premium');
  const { dataSource } = app.database;
  const [plan] = await dataSource.query('SELECT id FROM entitlement WHERE user_id = $1', [user.user._id]);
  await dataSource.query(
    `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
     SELECT $1, '2026-11-01', 'other-' || n, 1, $2, $3 FROM generate_series(1, 200) n`,
    [user.user._id, plan.id, new Date('2026-11-10T23:00:00+05:30')],
  );
  expect(await download(user, ids[0] as number)).toBe(200);
});

test('a purchase for ₹99 does not count in the plan', async () => {
  const user = await subscriber();
  const tenderId = ids[5] as number;
  await buyDocuments(app.database.dataSource, { tenderId, nit: `tender-${tenderId}`, userId: user.user._id });
  expect(await download(user, tenderId)).toBe(200);
  expect(await charged(user)).toBe(0);
  expect((await app.get(`/api/tenders/${tenderId}/documents`, user.headers)).json.isOwned).toBe(true);
});

test('a link of a plan ends when the plan is refunded, also with an open ticket', async () => {
  const user = await createSession(app, { remembered: true });
  const { orderId } = await buyPlan(app.database.dataSource, {
    userId: user.user._id,
    planId: 'basic',
    states: ['Himachal Pradesh'],
    startsAt: STARTS,
    endsAt: ENDS,
  });
  const id = ids[6] as number;
  const path = new URL((await link(user, id)).json().url).pathname;
  const inHand = await ticket(user, id);
  expect((await app.get(path)).status).toBe(200);
  await app.database.dataSource.transaction((manager) =>
    app.app.get(EntitlementsService).revoke(manager, orderId as string, NOW),
  );
  expect((await app.get(path)).status).toBe(404);
  expect((await app.app.inject({ method: 'POST', url: path })).statusCode).toBe(404);
  expect(await fetchFile(inHand)).toBe(404);
  expect(await charged(user)).toBe(0);
});

test('a trial includes no downloads', async () => {
  const user = await createSession(app);
  await app.database.dataSource.query(
    `INSERT INTO entitlement (kind, user_id, email, plan_id, states, starts_at, ends_at, is_test, created_at)
     VALUES ('trial', $1, 'a@b.example', 'basic', '{Himachal Pradesh}', $2, $3, false, $2)`,
    [user.user._id, STARTS, ENDS],
  );
  expect((await link(user, ids[0] as number)).statusCode).toBe(403);
});

test('grants of the sandbox are not valid where the provider is live', async () => {
  const user = await subscriber();
  const ask = async (live: boolean) => {
    const [row] = await app.database.dataSource.query('SELECT refusal FROM can_download($1, $2, $3, $4)', [
      user.user._id,
      ids[0],
      NOW,
      live,
    ]);
    return row.refusal;
  };
  expect([await ask(false), await ask(true)]).toEqual([null, 'plan']);
});
