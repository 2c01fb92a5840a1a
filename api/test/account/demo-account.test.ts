/** The account of a demonstration, whose password README names. */
import { afterEach, expect, test } from 'vitest';
import { DEMO_SIGN_IN, DemoAccountService } from '../../src/auth/registration/demo-account.service.ts';
import { createSession } from '../support/accounts.ts';
import { createTestDatabase, startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

const apps: TestApp[] = [];
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

async function start(env: NodeJS.ProcessEnv, database?: TestApp['database']): Promise<TestApp> {
  const app = await startApp({ now: NOW, env, ...(database && { database }) });
  apps.push(app);
  await app.app.get(DemoAccountService).apply();
  return app;
}

const signIn = (app: TestApp) =>
  new TestBrowser(app).send('POST', '/api/auth/login', { ...DEMO_SIGN_IN, rememberMe: false });
const countAccounts = async ({ database }: TestApp) =>
  (await database.dataSource.query('SELECT count(*)::int AS count FROM account'))[0].count;

test('an empty demonstration has one account with a trial, also after a second start', async () => {
  const app = await start({ DEMO: 'on' });
  await app.app.get(DemoAccountService).apply();
  const { status, json } = await signIn(app);
  expect([status, json.user]).toEqual([
    200,
    expect.objectContaining({ username: 'Demonstration', mobileNo: '+919000000000' }),
  ]);
  const plans = await app.database.dataSource.query('SELECT plan_id FROM entitlement WHERE user_id = $1', [
    json.user._id,
  ]);
  expect(plans).toEqual([{ plan_id: 'basic' }]);
  expect(await countAccounts(app)).toBe(1);
});

test('without a demonstration, or with accounts, none is opened', async () => {
  const other = await start({ DEMO: 'off' });
  expect([await countAccounts(other), (await signIn(other)).status]).toEqual([0, 401]);
  await createSession(other);
  const app = await start({ DEMO: 'on' }, other.database);
  apps.pop();
  expect(await countAccounts(app)).toBe(1);
  await app.app.close();
});

test('a production start with the database of a demonstration ends its password and its sessions', async () => {
  const database = await createTestDatabase();
  const demonstration = await start({ DEMO: 'on' }, database);
  const { json } = await signIn(demonstration);
  const me = (app: TestApp) => app.get('/api/me', { authorization: `Bearer ${json.token}` });
  expect((await me(demonstration)).status).toBe(200);
  const live = await startApp({
    now: NOW,
    database,
    env: { DEMO: 'on', NODE_ENV: 'production', PAYMENT_PROVIDER: 'none', PUBLIC_ORIGIN: 'https://nivida.example' },
  });
  await live.app.get(DemoAccountService).apply();
  expect((await me(live)).status).toBe(401);
  expect((await signIn(live)).status).toBe(401);
  await live.app.close();
});
