/** The language of an account and of an order: that of the app, which the server's mails are in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession } from '../support/accounts.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, findLastMail } from '../support/test-mailbox.ts';
import { documentOrder, findOrder, startCheckout, startShop, type TestShop } from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const HINDI = { 'accept-language': 'hi' };

let shop: TestShop;
beforeAll(async () => {
  shop = await startShop({ now: NOW });
});
afterAll(() => shop.close());

const query = (sql: string, ...values: unknown[]) => shop.database.dataSource.query(sql, values);
const languageOf = async (email: string) =>
  (await query('SELECT language FROM account WHERE email = $1', email))[0]?.language;

/** Registers by the wizard's requests and returns the token. */
async function register(browser: TestBrowser, email: string, mobileNo: string): Promise<string> {
  await browser.send('POST', '/api/auth/otp/generate', { email });
  const otp = findCode(await findLastMail(shop, email));
  await browser.send('POST', '/api/auth/otp/verify', { email, otp });
  const { status, json } = await browser.send('POST', '/api/auth/register', {
    ...{ name: 'Asha Verma', email, mobileNo, countryCode: '+91', password: 'quiet-river-72-stones' },
    ...{ companyName: 'Verma Builders', companyType: 'private', state: 'Himachal Pradesh', districts: ['Shimla'] },
    ...{ departments: ['PWD'], address: '', minPrice: 0, maxPrice: null },
  });
  expect(status).toBe(201);
  return json.token;
}

test('an account has the language in which it was registered', async () => {
  await register(new TestBrowser(shop, HINDI), 'asha@hindi.example', '+919811111111');
  expect(await languageOf('asha@hindi.example')).toBe('hi');
  await register(new TestBrowser(shop), 'asha@english.example', '+919811111112');
  expect(await languageOf('asha@english.example')).toBe('en');
});

test('a sign-in names the language in which the account was last used, so that another device can offer it', async () => {
  const browser = new TestBrowser(shop, HINDI);
  await register(browser, 'asha@device.example', '+919811111113');
  const { json } = await new TestBrowser(shop, { 'accept-language': 'en-IN' }).send('POST', '/api/auth/login', {
    ...{ mobileNo: '9811111113', countryCode: '+91', password: 'quiet-river-72-stones', rememberMe: false },
  });
  expect(json.language).toBe('hi');
});

test('a switch of the app reaches the account with its next call, which is written once', async () => {
  const { user, headers } = await createSession(shop);
  const call = (more: Record<string, string> = {}) =>
    new TestBrowser(shop, { ...headers, ...more }).send('GET', '/api/me');
  const written = async () => (await query('SELECT xmin::text, language FROM account WHERE id = $1', user._id))[0];
  const first = await written();
  await call();
  await call({ 'accept-language': 'en' });
  expect(await written()).toEqual(first);
  await call(HINDI);
  const switched = await written();
  expect(switched.language).toBe('hi');
  await call(HINDI);
  // A program that names no language changes none.
  await call();
  expect(await written()).toEqual(switched);
  await call({ 'accept-language': 'en' });
  expect(await languageOf(user.email)).toBe('en');
});

test('the account that was used last in another language does not change its orders', async () => {
  const { headers } = await createSession(shop);
  const { orderId } = await startCheckout(shop, documentOrder(shop), { ...headers, ...HINDI });
  expect((await findOrder(shop, orderId)).language).toBe('hi');
  await new TestBrowser(shop, { ...headers, 'accept-language': 'en' }).send('GET', '/api/me');
  expect((await findOrder(shop, orderId)).language).toBe('hi');
});

test('an order without an account has the language in which it was placed', async () => {
  const order = documentOrder(shop, { email: 'guest@builders.example' });
  const { orderId } = await startCheckout(shop, order, HINDI);
  expect((await findOrder(shop, orderId)).language).toBe('hi');
  const english = await startCheckout(shop, { ...order, email: 'other@builders.example' });
  expect((await findOrder(shop, english.orderId)).language).toBe('en');
});
