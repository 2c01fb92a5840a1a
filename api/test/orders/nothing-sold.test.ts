import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FreePlanService } from '../../src/plans/free-plan.service.ts';
import { PlanEndsService } from '../../src/plans/plan-ends.service.ts';
import { TrialsService } from '../../src/plans/trials.service.ts';
import type { Database } from '../../src/schema/database.ts';
import { createAccountRow, createSession, type SignedInAccount } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { createTestDatabase, startApp, type TestApp } from '../support/start-app.ts';

const NOW = new Date('2026-11-10T12:00:00+05:30');

let database: Database;
let folder: string;
let app: TestApp;
/** Two tenders of Himachal Pradesh, then one of Punjab. */
let ids: number[];

/** The server as it starts with a plan for everyone, or with the sandbox. */
async function start(env: NodeJS.ProcessEnv): Promise<TestApp> {
  const started = await startApp({ now: NOW, database, env: { FILES_URL: `file://${folder}`, ...env } });
  await started.app.get(FreePlanService).applyToAll();
  return started;
}

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'nivida-free-'));
  const own = Array.from({ length: 2 }, (_, n) => createSourceTender({ sourceId: `2026_PWD_${n}_1` }));
  const other = createSourceTender({ sourceId: '2026_PB_1_1', state: 'Punjab' });
  await importTenders(database.dataSource, [...own, other], { now: NOW, origin: 'generated' });
  ids = (await database.dataSource.query('SELECT id FROM tender ORDER BY id')).map(({ id }: { id: number }) => id);
  app = await start({ PAYMENT_PROVIDER: 'none', FREE_PLAN: 'basic' });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const planOf = async ({ headers }: SignedInAccount) => (await app.get('/api/orders', headers)).json.plan;

/** The status of a download: of the refused link, or of the file. */
async function download({ headers }: SignedInAccount, id: number): Promise<{ status: number; message?: string }> {
  const link = await app.app.inject({ method: 'POST', url: `/api/tenders/${id}/documents`, headers });
  if (link.statusCode !== 201) return { status: link.statusCode, message: link.json().message };
  const button = await app.app.inject({ method: 'POST', url: new URL(link.json().url).pathname });
  if (button.statusCode !== 303) return { status: button.statusCode };
  return { status: (await app.get(button.headers.location as string)).status };
}

test('the server says that nothing is sold, takes no order, and leaves prices out of the map', async () => {
  expect((await app.get('/api/health')).json.payments).toBe('none');
  expect((await app.get('/api/site')).json).toMatchObject({ payments: 'none', freePlan: 'basic' });
  const order = {
    ...{ name: 'Asha', mobileNo: '9816041122', email: 'asha@builders.example', amount: 5_899 },
    ...{ product: 'yearly-subscription', planId: 'basic', states: ['Goa'], redirectUrl: '/payment-status' },
  };
  const reply = await app.app.inject({ method: 'POST', url: '/api/create-order', payload: order });
  expect([reply.statusCode, reply.json().message]).toEqual([403, 'Nothing is sold here: everything is free']);
  expect((await app.app.inject({ method: 'POST', url: '/api/webhooks/payments/none' })).statusCode).toBe(401);
  const map = (await app.get('/sitemaps/pages.xml')).text;
  expect(map).toContain('/contact</loc>');
  expect(map).not.toMatch(/pricing|refund/);
});

test('a new account, and one from before, has the operator’s plan: alerts of its state and ten downloads a month', async () => {
  const before = await createSession(app, { state: 'Himachal Pradesh' });
  expect(await planOf(before)).toBeNull();
  await app.app.get(FreePlanService).applyToAll();
  await app.app.get(FreePlanService).applyToAll();
  expect(await planOf(before)).toMatchObject({ planId: 'basic', states: ['Himachal Pradesh'], downloadsPerMonth: 10 });

  const user = await createSession(app, createAccountRow());
  await app.app.get(TrialsService).start(app.app.get(DataSource).manager, {
    ...{ id: user.user._id, email: user.user.email, mobileNo: user.user.mobileNo, state: 'Himachal Pradesh' },
  });
  expect(await planOf(user)).toMatchObject({ planId: 'basic', isTrial: false });
  expect(await download(user, ids[0] as number)).toEqual({ status: 200 });
  await database.dataSource.query(
    `INSERT INTO download (user_id, month, nit, tender_id, entitlement_id, charged_at)
     SELECT user_id, month, 'earlier ' || n, tender_id, entitlement_id, charged_at
     FROM download, generate_series(2, 10) n WHERE user_id = $1`,
    [user.user._id],
  );
  expect(await download(user, ids[1] as number)).toEqual({
    status: 403,
    message: 'You have used all downloads of this month. You get new ones on 1 Dec 2026',
  });
  expect(await download(before, ids[2] as number)).toEqual({
    status: 403,
    message: 'Downloads are for your states: choose them on the page Documents & EMD',
  });
  const guest = await app.app.inject({ method: 'POST', url: `/api/tenders/${ids[0]}/documents` });
  expect(guest.statusCode).toBe(401);
  expect(await app.app.get(PlanEndsService).run()).toBe(0);
});

test('another setting holds for everyone after a restart, and ends when the operator sells again', async () => {
  const user = await createSession(app);
  await app.app.get(FreePlanService).applyToAll();
  await app.close();

  app = await start({ PAYMENT_PROVIDER: 'none' });
  expect(await planOf(user)).toMatchObject({ planId: 'enterprise', downloadsPerMonth: null });
  expect(await download(user, ids[2] as number)).toEqual({ status: 200 });
  await app.close();

  app = await start({});
  expect((await app.get('/api/health')).json.payments).toBe('sandbox');
  expect(await planOf(user)).toBeNull();
  await app.close();

  app = await start({ PAYMENT_PROVIDER: 'none', FREE_PLAN: 'premium' });
  expect(await planOf(user)).toMatchObject({ planId: 'premium', states: ['Himachal Pradesh'] });
  const chosen = { url: '/api/plan/states', headers: user.headers, payload: { states: ['Goa', 'Punjab'] } };
  expect((await app.app.inject({ method: 'PUT', ...chosen })).json().states).toEqual(['Goa', 'Punjab']);
});
