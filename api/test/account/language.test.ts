/** The language of an account and of an order, which their mails are in. */
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PasswordResetService } from '../../src/auth/passwords/password-reset.service.ts';
import { DocumentRequestsService } from '../../src/documents/document-requests.service.ts';
import { createMailSender } from '../../src/mail/mail-delivery.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { createSession } from '../support/accounts.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { TestBrowser } from '../support/test-browser.ts';
import { findCode, findLink, runMailJobs } from '../support/test-mailbox.ts';
import {
  advanceTime,
  documentOrder,
  fetchOrderStatus,
  findOrder,
  payOrder,
  planOrder,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');
const HINDI = { 'accept-language': 'hi' };

let shop: TestShop;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  shop = await startShop({
    now: NOW,
    env: { MAIL_URL: server.url, MAIL_FROM: 'Nivida <no-reply@nivida.example>', SUPPORT_EMAIL: 'help@nivida.example' },
  });
});
afterAll(async () => {
  await shop.close();
  await server.close();
});

/** The mails that the mail server has received for an address, the oldest first. */
async function mailsTo(address: string) {
  await shop.app.get(PasswordResetService).waitForMails();
  await runMailJobs(
    shop,
    createMailSender(shop.config, () => shop.clock.now),
  );
  return server.received.filter(({ to }) => to?.some((each) => each.address === address));
}
const lastMailTo = async (address: string) => (await mailsTo(address)).at(-1);

beforeEach(() => {
  shop.clock.now = NOW;
});

const query = (sql: string, ...values: unknown[]) => shop.database.dataSource.query(sql, values);
const languageOf = async (email: string) =>
  (await query('SELECT language FROM account WHERE email = $1', email))[0]?.language;

/** Registers by the wizard's requests and returns the token. */
async function register(browser: TestBrowser, email: string, mobileNo: string): Promise<string> {
  await browser.send('POST', '/api/auth/otp/generate', { email });
  const otp = findCode((await lastMailTo(email)) as Email);
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
  const code = await lastMailTo('asha@hindi.example');
  expect(code?.subject).toBe('Nivida के लिए आपका OTP');
  expect(code?.html).toContain('<html lang="hi-IN">');
  expect(code?.text).not.toMatch(/Your|code|mail/i);
  await register(new TestBrowser(shop), 'asha@english.example', '+919811111112');
  expect(await languageOf('asha@english.example')).toBe('en');
  expect((await lastMailTo('asha@english.example'))?.subject).toBe('Your code for Nivida');
  shop.clock.now = new Date(NOW.getTime() + 61_000);
  // The mail goes to the account's owner, not to the sender of the request.
  await new TestBrowser(shop).send('POST', '/api/auth/otp/generate', { email: 'asha@hindi.example' });
  expect((await lastMailTo('asha@hindi.example'))?.subject).toBe('आपका Nivida खाता पहले से है');
});

test('a sign-in names the language of the account, so that another device can offer it', async () => {
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
  // A page in Hindi, such as a shared one, is no choice; neither is a language that we do not have.
  await call(HINDI);
  await call({ 'chosen-language': 'xx' });
  expect(await written()).toEqual(first);
  await call({ ...HINDI, 'chosen-language': 'hi' });
  const switched = await written();
  expect(switched.language).toBe('hi');
  await call({ 'chosen-language': 'hi' });
  await call();
  expect(await written()).toEqual(switched);
  await call({ 'chosen-language': 'en' });
  expect(await languageOf(user.email)).toBe('en');
});

test('a switch of the app changes the next mail and the page of its link', async () => {
  const { user, headers } = await createSession(shop);
  const ask = async (language: string) => {
    await new TestBrowser(shop, { ...headers, 'chosen-language': language }).send('GET', '/api/me');
    await new TestBrowser(shop).send('POST', '/api/auth/forgot-password', { email: user.email });
    const mail = await lastMailTo(user.email);
    return [mail?.subject, new URL(findLink(mail as Email)).pathname];
  };
  expect(await ask('hi')).toEqual(['Nivida का नया पासवर्ड बनाएँ', '/hi/reset-password']);
  expect(await ask('en')).toEqual(['Choose a new password for Nivida', '/reset-password']);
});

test('an account whose language changes does not change its orders', async () => {
  const { headers } = await createSession(shop);
  const { orderId } = await startCheckout(shop, documentOrder(shop), { ...headers, ...HINDI });
  expect((await findOrder(shop, orderId)).language).toBe('hi');
  await new TestBrowser(shop, { ...headers, 'chosen-language': 'en' }).send('GET', '/api/me');
  expect((await findOrder(shop, orderId)).language).toBe('hi');
});

test('a plan in the list of orders is named in the language of the app', async () => {
  const { user, headers } = await createSession(shop);
  await startCheckout(shop, planOrder({ email: user.email }), headers);
  const titles = async (language: string) => {
    const { json } = await shop.get('/api/orders', { ...headers, 'accept-language': language });
    return json.orders.map(({ title }: { title: string }) => title);
  };
  expect([await titles('hi'), await titles('en')]).toEqual([['Basic प्लान, एक साल'], ['Basic plan, one year']]);
});

test('an order without an account has the language in which it was placed', async () => {
  const order = documentOrder(shop, { email: 'guest@builders.example' });
  const { orderId } = await startCheckout(shop, order, HINDI);
  expect((await findOrder(shop, orderId)).language).toBe('hi');
  await payOrder(shop, orderId);
  await fetchOrderStatus(shop, orderId);
  const paid = await lastMailTo('guest@builders.example');
  expect(paid?.subject).toBe('Nivida को आपका टेस्ट भुगतान');
  expect(findLink(paid as Email)).toBe(`http://nivida.test/hi/payment-status?id=${orderId}`);
  await shop.app.get(RefundsService).refundOrder(orderId, 'the documents could not be delivered');
  await shop.app.get(RefundsService).runDue();
  await advanceTime(shop, 5);
  await shop.app.get(RefundsService).runDue();
  const refunded = await lastMailTo('guest@builders.example');
  expect(refunded?.subject).toBe('Nivida से आपका टेस्ट रिफ़ंड');
  expect(refunded?.text).toContain('कारण: दस्तावेज़ आप तक नहीं पहुँचाए जा सके।');
  const english = await startCheckout(shop, { ...order, email: 'other@builders.example' });
  expect((await findOrder(shop, english.orderId)).language).toBe('en');
});

test('a plan is named in the language of its order', async () => {
  const { orderId } = await startCheckout(shop, planOrder({ email: 'plan@builders.example' }), HINDI);
  await payOrder(shop, orderId);
  await fetchOrderStatus(shop, orderId);
  expect((await lastMailTo('plan@builders.example'))?.text).toContain('इसके लिए: Basic प्लान, एक साल');
  const status = await shop.get(`/api/status-check?id=${orderId}`, HINDI);
  expect(status.json.order.title).toBe('Basic प्लान, एक साल');
  expect((await fetchOrderStatus(shop, orderId)).json.order.title).toBe('Basic plan, one year');
});

test('the buyer returns from the payment to a page in the language of the order', async () => {
  const order = documentOrder(shop, { email: 'back@builders.example', redirectUrl: `/hi/tenders/${shop.tenderId}` });
  const { url } = await startCheckout(shop, order, HINDI);
  const cancelled = await fetch(`${url}/act`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ vpa: 'cancel@sandbox' }),
    redirect: 'manual',
  });
  expect(cancelled.headers.get('location')).toContain(`http://nivida.test/hi/tenders/${shop.tenderId}?id=`);
});

test('requested documents are announced in the language of the request', async () => {
  const url = `/api/tenders/${shop.tenderId}/document-requests`;
  const visitor = new TestBrowser(shop, HINDI);
  expect((await visitor.send('POST', url, { email: 'wants@builders.example' })).status).toBe(202);
  await query("UPDATE tender SET package_kind = 'nit', package_works = 1 WHERE id = $1", shop.tenderId);
  await shop.app.get(DocumentRequestsService).notifyFulfilled();
  const mail = await lastMailTo('wants@builders.example');
  expect(mail?.subject).toBe('आपके माँगे हुए दस्तावेज़ आ गए हैं');
  expect(findLink(mail as Email)).toBe(`http://nivida.test/hi/tenders/${shop.tenderId}`);
});
