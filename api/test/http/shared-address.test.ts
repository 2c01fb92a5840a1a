/** What the limits promise: a crowd behind one network address works, a crowd of guessers does not. */
import { hash } from '@node-rs/argon2';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PasswordsService } from '../../src/auth/passwords/passwords.service.ts';
import { SignInService } from '../../src/auth/sign-in/sign-in.service.ts';
import { UserEntity } from '../../src/auth/user.entity.ts';
import type { AppError } from '../../src/base/app-error.ts';
import { forEachConcurrently } from '../../src/base/task-runners.ts';
import { Metrics } from '../../src/http/monitoring/metrics.ts';
import { createDevice } from '../../src/http/security/devices.ts';
import { createAccountRow } from '../support/accounts.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, readSentMails } from '../support/test-mailbox.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const PASSWORD = 'quiet-river-72-stones';

/** Hundreds of hashes at their real cost would take half a minute. */
const CHEAP_PASSWORDS: Partial<PasswordsService> = {
  hash: (password) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 }),
  isOutdated: () => false,
};

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ now: NOW, env: { TRUST_PROXY: '1', SUPPORT_EMAIL: 'help@nivida.example' } });
  Object.assign(app.app.get(PasswordsService), CHEAP_PASSWORDS);
  await importTenders(app.database.dataSource, [createSourceTender({ sourceId: '2026_PWD_7_1' })], { now: NOW });
});
afterAll(() => app.close());

const refusals = async () => {
  const { text } = await app.app.get(Metrics).read();
  return Object.fromEntries(
    [...text.matchAll(/^nivida_refused_total\{limit="([\w-]+)"\} (\d+)$/gm)].map(([, name, count]) => [
      name,
      Number(count),
    ]),
  );
};

test('300 people behind one address register, mistype, sign in, search and write within ten minutes; none is refused', {
  timeout: 120_000,
}, async () => {
  const people = Array.from({ length: 300 }, (_, nth) => ({
    nth,
    browser: new TestBrowser(app, { 'x-forwarded-for': '203.0.113.7' }),
    email: `person${nth}@works.example`,
    mobileNo: `+91${9_100_000_000 + nth}`,
  }));
  const statuses = new Map<string, number>();
  const call = async (browser: TestBrowser, method: 'GET' | 'POST', url: string, payload?: unknown) => {
    const { status, json } = await browser.send(method, url, payload);
    const key = `${status} ${method} ${url}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
    return json;
  };
  const all = async (minute: number, step: (person: (typeof people)[number]) => Promise<unknown>) => {
    app.clock.now = new Date(NOW.getTime() + minute * 60_000);
    await forEachConcurrently(people, 10, async (person) => {
      await step(person);
    });
  };
  await all(0, ({ browser, email }) => call(browser, 'POST', '/api/auth/otp/generate', { email }));
  const codes = new Map((await readSentMails(app)).map((mail) => [mail.to?.[0]?.address, findCode(mail)]));
  await all(2, ({ browser, email }) => call(browser, 'POST', '/api/auth/otp/verify', { email, otp: codes.get(email) }));
  await all(4, ({ browser, email, mobileNo }) =>
    call(browser, 'POST', '/api/auth/register', {
      ...{ name: 'Asha Verma', email, mobileNo, countryCode: '+91', password: PASSWORD },
      ...{ companyName: 'Verma Builders', companyType: 'private', state: 'Himachal Pradesh' },
      ...{ districts: ['Shimla'], departments: ['PWD'], address: '', minPrice: 0, maxPrice: null },
    }),
  );
  await all(6, async ({ nth, browser, mobileNo }) => {
    // Some from another phone, which the account does not know yet.
    const phone = nth % 4 === 0 ? new TestBrowser(app, { 'x-forwarded-for': '203.0.113.7' }) : browser;
    if (nth % 20 === 0) await call(phone, 'POST', '/api/auth/login', { mobileNo, password: 'quiet-river-72-stone' });
    await call(phone, 'POST', '/api/auth/login', { mobileNo, password: PASSWORD });
  });
  await all(8, async ({ browser }) => {
    await call(browser, 'GET', '/api/tenders?limit=10');
    await call(browser, 'GET', '/api/facets');
  });
  await all(9, ({ browser, email }) =>
    call(browser, 'POST', '/api/contact', {
      ...{ name: 'Asha Verma', email, phone: '', countryCode: '+91', company: '', subject: 'Tenders of Kinnaur' },
      ...{ message: 'Do you also list the works of the forest division?', agreeToTerms: true },
    }),
  );
  app.clock.now = NOW;
  expect(Object.fromEntries([...statuses].sort())).toEqual({
    '200 POST /api/auth/otp/generate': 300,
    '200 POST /api/auth/otp/verify': 300,
    '201 POST /api/auth/register': 300,
    '200 POST /api/auth/login': 300,
    '401 POST /api/auth/login': 15,
    '200 GET /api/tenders?limit=10': 300,
    '200 GET /api/facets': 300,
    '200 POST /api/contact': 300,
  });
  expect(await refusals()).toEqual({});
});

describe('guessing at one account', () => {
  const account = async () =>
    app.app
      .get(DataSource)
      .getRepository(UserEntity)
      .save(createAccountRow({ passwordHash: await hash(PASSWORD) }));
  const enter = (mobileNo: string, password: string, address: string, deviceToken?: string) =>
    app.app.get(SignInService).byPassword(
      { mobileNo, countryCode: '+91', password, rememberMe: false },
      {
        ...{ address: { key: address, share: 1 }, device: undefined, ip: address, requestId: 'guess' },
        ...{ userAgent: '', language: 'en', deviceToken },
      },
    );

  async function guessFor(times: number): Promise<void> {
    const { mobileNo } = await account();
    const own = createDevice(app.config, NOW);
    await enter(mobileNo, PASSWORD, '198.51.100.1', own);
    let checked = 0;
    // The guesses of a moment run in parallel. The clock moves only between them, as a real one does.
    for (let first = 0; first < times; first += 20) {
      app.clock.now = new Date(NOW.getTime() + first * (86_400_000 / times));
      const guesses = Array.from({ length: 20 }, (_, place) => first + place);
      await forEachConcurrently(guesses, 20, async (nth) => {
        await enter(mobileNo, `guess-number-${nth}`, `203.0.${Math.floor(nth / 250) % 4}.${nth % 250}`).catch(
          (error: AppError) => {
            if (error.code === 'UNAUTHENTICATED') checked += 1;
            else expect(error).toMatchObject({ code: 'TOO_MANY', limit: 'sign-in-account' });
          },
        );
      });
    }
    expect(checked).toBeGreaterThan(0);
    expect(checked).toBeLessThanOrEqual(20);
    await expect(enter(mobileNo, PASSWORD, '198.51.100.1')).rejects.toMatchObject({ code: 'TOO_MANY' });
    expect(await enter(mobileNo, PASSWORD, '198.51.100.1', own)).toMatchObject({
      session: { token: expect.any(String) },
    });
    app.clock.now = NOW;
  }

  test('from 1,000 addresses within a day has at most 20 guesses checked; the owner signs in on a known device', () =>
    guessFor(1_000));

  test('10,000 times from 1,000 addresses has at most 20 guesses checked', { tags: 'release', timeout: 120_000 }, () =>
    guessFor(10_000),
  );

  test('from one address until it is refused does not shut out a device that was there before', async () => {
    const { mobileNo } = await account();
    const flood = { 'x-forwarded-for': '203.0.113.200' };
    const { dataSource } = app.database;
    const login = (browser: TestBrowser, password: string) =>
      browser.send('POST', '/api/auth/login', { mobileNo, password });
    const [there, fresh] = [new TestBrowser(app, flood), new TestBrowser(app, flood)];
    await login(there, 'wrong-password');
    expect(there.cookies.get('device')).toMatch(/^\w+\.[\w-]{22}\.[\w-]{22}$/);
    await dataSource.query("UPDATE rate_limit SET count = 1000 WHERE name = 'sign-in-address'");
    app.clock.now = new Date(NOW.getTime() + 10 * 60_000);
    const refused = await login(fresh, PASSWORD);
    expect([refused.status, refused.headers['retry-after'], refused.json.message]).toEqual([
      429,
      '300',
      'Too many attempts. Please try again in 5 minutes. Many people use your network. Another network works at once.',
    ]);
    app.clock.now = new Date(NOW.getTime() + 60 * 60_000);
    await login(fresh, 'wrong-password');
    await dataSource.query("UPDATE rate_limit SET count = 1000 WHERE name = 'sign-in-address'");
    expect((await login(new TestBrowser(app, flood), PASSWORD)).status).toBe(429);
    expect((await login(there, PASSWORD)).status).toBe(200);
    app.clock.now = NOW;
    expect(await refusals()).toMatchObject({ 'sign-in-address': 2 });
  });
});

test('codes to one mailbox are limited under all its spellings, and those of one device to all mailboxes', async () => {
  const ask = async (email: string, browser: TestBrowser) =>
    (await browser.send('POST', '/api/auth/otp/generate', { email })).status;
  const fromAnywhere = (nth: number) => new TestBrowser(app, { 'x-forwarded-for': `198.51.100.${nth}` });
  const spellings = ['ravi.k@gmail.com', 'RaviK@gmail.com', 'r.a.v.i.k+1@googlemail.com'];
  expect(await Promise.all(spellings.map((email) => ask(email, fromAnywhere(1))))).toEqual(
    expect.arrayContaining([200, 429, 429]),
  );
  const browser = fromAnywhere(9);
  const statuses: number[] = [];
  for (let nth = 0; nth < 22; nth += 1) statuses.push(await ask(`many${nth}@works.example`, browser));
  // The first call gets the cookie.
  expect(statuses).toEqual([...Array(21).fill(200), 429]);
});
