import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RateLimitsService } from '../../src/http/limits/rate-limits.service.ts';
import { DocumentDelivery } from '../../src/orders/document-delivery.port.ts';
import { OrderEntity } from '../../src/orders/order.entity.ts';
import { OrderListService } from '../../src/orders/order-list.service.ts';
import { newPublicId } from '../../src/orders/order-placement.service.ts';
import { RefundsService } from '../../src/orders/refunds/refunds.service.ts';
import { SettleService } from '../../src/orders/settlement/settle.service.ts';
import { createSession } from '../support/accounts.ts';
import { buyDocuments, createOrderRow } from '../support/paid-orders.ts';
import { createSourceTender, importTenders } from '../support/source-tenders.ts';
import { startApp, type TestApp } from '../support/start-app.ts';
import {
  advanceTime,
  documentOrder,
  findOrder,
  payOrder,
  planOrder,
  postOrder,
  readOrderRows,
  runReconcile,
  SHOP_ORIGIN,
  startCheckout,
  startShop,
  type TestShop,
} from '../support/test-shop.ts';

const NOW = new Date('2026-11-10T11:30:00+05:30');

const FIRM = { gstin: '02AAACB1234C1ZR', firm: 'Bhatia & Co', firmAddress: '2 The Mall, Shimla 171001' };
const CLOSED = 'This tender has closed. Its documents are not sold.';
const ELSEWHERE = 'This GSTIN is registered in Himachal Pradesh (02), not in Punjab';

let shop: TestShop;
let buyers = 0;

beforeAll(async () => {
  shop = await startShop({ now: NOW });
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.delivery.missing.clear();
  buyers += 1;
});

const fresh = () => ({ email: `buyer${buyers}@builders.example` });
/** A second tender whose documents can be bought. */
async function anotherTender(): Promise<string> {
  const { dataSource } = shop.database;
  await importTenders(dataSource, [createSourceTender({ sourceId: '2026_PWD_200002_1' })], { now: NOW });
  return (await dataSource.query("SELECT id::text FROM tender WHERE source_id = '2026_PWD_200002_1'"))[0].id;
}
const count = async () => (await shop.database.dataSource.query('SELECT count(*)::int AS n FROM orders'))[0].n;

describe('an order of documents', () => {
  test("opens the provider's page with the server's price and the product", async () => {
    const { status, json, headers } = await postOrder(shop, documentOrder(shop, fresh()));
    expect(status).toBe(200);
    expect(json).toEqual({
      url: expect.stringMatching(new RegExp(`^http://127\\.0\\.0\\.1:${shop.sandbox.port}/pay/[\\w-]{22}$`)),
      orderId: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(await findOrder(shop, json.orderId)).toMatchObject({
      status: 'PENDING',
      product: 'tender-documents',
      tenderId: Number(shop.tenderId),
      nit: `tender-${shop.tenderId}`,
      title: 'Construction of footbridge',
      amountPaise: 9_900,
      currency: 'INR',
      buyerName: 'Asha Verma',
      buyerMobile: '+919805512345',
      billingState: 'Himachal Pradesh',
      returnPath: `/tenders/${shop.tenderId}`,
      provider: 'sandbox',
      live: false,
    });
    const [{ buyer }] = await shop.database.dataSource.query(
      'SELECT buyer FROM sandbox.checkout WHERE attempt_ref = $1',
      [`${json.orderId}-1`],
    );
    expect(buyer).toEqual({ name: 'Asha Verma', ...fresh(), phoneE164: '+919805512345' });
    const page = await (await fetch(json.url)).text();
    expect(page).toContain('₹99.00');
    expect(page).toContain('Construction of footbridge');
  });

  test('describes a work with a long title to the provider in one line of 120 characters', async () => {
    const { dataSource } = shop.database;
    const [{ title }] = await dataSource.query('SELECT title FROM tender WHERE id = $1', [shop.tenderId]);
    const setTitle = (text: string) =>
      dataSource.query('UPDATE tender SET title = $2 WHERE id = $1', [shop.tenderId, text]);
    await setTitle(`Road\n  from ${'a'.repeat(300)}`);
    const { orderId } = await startCheckout(shop, documentOrder(shop, fresh()));
    await setTitle(title);
    const [{ description }] = await dataSource.query(
      'SELECT description FROM sandbox.checkout WHERE attempt_ref = $1',
      [`${orderId}-1`],
    );
    expect(description).toMatch(/: Road from a+…$/);
    expect(description).toHaveLength(120);
    const fits = 'b'.repeat(120 - 'NIT & BOQ: '.length);
    await setTitle(fits);
    const { orderId: short } = await startCheckout(shop, documentOrder(shop, fresh()));
    await setTitle(title);
    const [sent] = await dataSource.query('SELECT description FROM sandbox.checkout WHERE attempt_ref = $1', [
      `${short}-1`,
    ]);
    expect(sent.description).toBe(`NIT & BOQ: ${fits}`);
  });

  test('of a package without a bill of quantities is described as NIT, to the provider and to the buyer', async () => {
    const { dataSource } = shop.database;
    const setPackage = (kind: string | null) =>
      dataSource.query('UPDATE tender SET package_kind = $2, package_works = $3 WHERE id = $1', [
        shop.tenderId,
        kind,
        kind && 1,
      ]);
    await setPackage('nit');
    const { orderId } = await startCheckout(shop, documentOrder(shop, fresh()));
    const { json } = await shop.get(`/api/status-check?id=${orderId}`);
    await setPackage(null);
    const { orderId: demonstration } = await startCheckout(shop, documentOrder(shop, fresh()));
    const rows = await dataSource.query(
      'SELECT description FROM sandbox.checkout WHERE attempt_ref = ANY($1) ORDER BY description',
      [[`${orderId}-1`, `${demonstration}-1`]],
    );
    expect(rows).toEqual([
      { description: 'NIT & BOQ: Construction of footbridge' },
      { description: 'NIT: Construction of footbridge' },
    ]);
    expect(json.order).toEqual({
      ...{ product: 'tender-documents', tenderId: shop.tenderId, planId: null, contents: 'nit' },
      ...{ title: 'Construction of footbridge', amountPaise: 9_900 },
    });
  });

  test.each([99, '99', '99.00', 99.0])('is accepted at %s rupees', async (amount) => {
    expect((await postOrder(shop, documentOrder(shop, { ...fresh(), amount }))).status).toBe(200);
  });

  test.each<[string, object, number, string]>([
    ['one paisa less', { amount: 98.99 }, 422, 'Price has changed'],
    ['one paisa more', { amount: '99.01' }, 422, 'Price has changed'],
    ['nothing', { amount: 0 }, 422, 'Price has changed'],
    ['less than nothing', { amount: -99 }, 422, 'Price has changed'],
    ['a fraction of a paisa less', { amount: 98.999 }, 422, 'Price has changed'],
    ['an amount in words', { amount: 'free' }, 400, 'amount must be rupees'],
    ['a list of amounts', { amount: [99] }, 400, 'amount must be rupees'],
    ['no such product', { product: 'everything' }, 400, 'Unknown product'],
    ['no such tender', { tenderId: '999999', documentId: undefined }, 404, 'Tender not found'],
    ['a tender beyond all numbers', { tenderId: '9999999999', documentId: undefined }, 404, 'Tender not found'],
    ['the documents of another tender', { documentId: '7' }, 422, 'documentId is not the id of the tender'],
    ['a field that is not known', { price: 1 }, 400, 'The body holds a field that does not belong there'],
    ['no name', { name: ' ' }, 400, 'Name is required'],
    ['no mobile number', { mobileNo: '12345' }, 400, 'Invalid mobile number format'],
    ['no e-mail', { email: 'asha' }, 400, 'Please enter a valid email address'],
    ['a GSTIN with a wrong check digit', { gstin: '02AAACB1234C1Z0' }, 400, 'Please enter a valid 15-character GSTIN'],
    [
      'a GSTIN from outside India',
      { ...FIRM, gstin: '99AAACB1234C1Z4' },
      400,
      'Code 99 is for firms outside India, our tax invoice cannot carry it. Leave it empty',
    ],
    ['a GSTIN of another State', { ...FIRM, billingState: 'Punjab' }, 422, ELSEWHERE],
    ['a GSTIN without a firm', { ...FIRM, firm: ' ' }, 422, 'Name of the firm is required'],
    ['a GSTIN without an address', { ...FIRM, firmAddress: '' }, 422, 'Address of the firm is required'],
    [
      'an address of two lines',
      { ...FIRM, firmAddress: 'a\nb' },
      400,
      'Line breaks and control characters are not allowed',
    ],
    ['a State that is none', { billingState: 'Atlantis' }, 422, 'Please choose a state from the list'],
  ])('with %s is rejected and creates nothing', async (_, changes, status, message) => {
    const before = await count();
    const reply = await postOrder(shop, documentOrder(shop, { ...fresh(), ...changes }));
    expect({ status: reply.status, message: reply.json.message }).toEqual({ status, message });
    expect(await count()).toBe(before);
  });

  test.each<[string, object]>([
    ['amount', { amount: 98 }],
    ['documentId', { documentId: '7' }],
    ['gstin', { ...FIRM, billingState: 'Punjab' }],
    ['firm', { ...FIRM, firm: ' ' }],
    ['firmAddress', { ...FIRM, firmAddress: '' }],
    ['billingState', { billingState: 'Atlantis' }],
    ['redirectUrl', { redirectUrl: 'https://evil.example/' }],
  ])('that is wrong in %s says so at that field', async (field, changes) => {
    const { status, json } = await postOrder(shop, documentOrder(shop, { ...fresh(), ...changes }));
    expect([status, json.fields]).toEqual([422, { [field]: json.message }]);
  });

  test("of a registered firm stores its name and address for the invoice and in the account's profile", async () => {
    const { headers } = await createSession(shop, {
      companyName: 'Asha Works',
      address: '12 Mall Road\nSolan\n',
      state: 'Delhi',
    });
    const me = async () => (await shop.get('/api/me', headers)).json.billing;
    expect(await me()).toEqual({ gstin: '', firm: 'Asha Works', firmAddress: '12 Mall Road, Solan' });
    const { status, json } = await postOrder(shop, documentOrder(shop, { ...FIRM, billingState: '' }), headers);
    expect(status).toBe(200);
    expect(await findOrder(shop, json.orderId)).toMatchObject({
      billingState: 'Himachal Pradesh',
      gstin: FIRM.gstin,
      buyerFirm: 'Bhatia & Co',
      buyerAddress: '2 The Mall, Shimla 171001',
    });
    const billing = { gstin: FIRM.gstin, firm: 'Bhatia & Co', firmAddress: '2 The Mall, Shimla 171001' };
    expect(await me()).toEqual(billing);
    const another = documentOrder(shop, { firm: 'Nobody', firmAddress: 'Nowhere', amount: '99' });
    const { json: plain } = await postOrder(shop, another, headers);
    expect(await findOrder(shop, plain.orderId)).toMatchObject({ gstin: '', buyerFirm: '', buyerAddress: '' });
    expect(await me()).toEqual(billing);
  });

  test('is rejected before payment while no package can be delivered', async () => {
    const before = await count();
    shop.delivery.missing.add(`tender-${shop.tenderId}`);
    const { status, json } = await postOrder(shop, documentOrder(shop, fresh()));
    expect([status, json.message]).toEqual([409, 'Documents are not available yet']);
    expect(await count()).toBe(before);
  });

  test('is accepted from the instant of publication until the instant of closing', async () => {
    const { dataSource } = shop.database;
    const second = (seconds: number) => new Date(shop.clock.now.getTime() + seconds * 1_000);
    const setPeriod = (published: Date, closes: Date) =>
      dataSource.query('UPDATE tender SET published_at = $2, closes_at = $3 WHERE id = $1', [
        shop.tenderId,
        published,
        closes,
      ]);
    const [before] = await dataSource.query('SELECT published_at, closes_at FROM tender WHERE id = $1', [
      shop.tenderId,
    ]);
    const statuses: number[] = [];
    for (const [published, closes] of [
      [second(0), second(1)],
      [second(-1), second(0)],
      [second(1), second(2)],
    ] as const) {
      await setPeriod(published, closes);
      statuses.push((await postOrder(shop, documentOrder(shop, fresh()))).status);
    }
    await setPeriod(before.published_at, before.closes_at);
    expect(statuses).toEqual([200, 409, 404]);
  });

  test.each([
    ['that has closed', "closes_at = '2026-11-10T11:29:59+05:30'", "closes_at = '2026-11-20T11:00:00+05:30'"],
    ['that was cancelled', "stage = 'cancelled'", "stage = 'published'"],
    [
      'that is not published yet',
      "published_at = '2026-11-10T11:30:01+05:30'",
      "published_at = '2026-11-02T09:00:00+05:30'",
      [404, 'Tender not found'],
    ],
  ])('is rejected for a tender %s', async (_, change, back, answer = [409, CLOSED]) => {
    const before = await count();
    await shop.database.dataSource.query(`UPDATE tender SET ${change} WHERE id = $1`, [shop.tenderId]);
    const { status, json } = await postOrder(shop, documentOrder(shop, fresh()));
    await shop.database.dataSource.query(`UPDATE tender SET ${back} WHERE id = $1`, [shop.tenderId]);
    expect([status, json.message]).toEqual(answer);
    expect(await count()).toBe(before);
  });
});

describe('a guest who has bought these documents before', () => {
  const buy = async (changes: object) => {
    const { json } = await postOrder(shop, documentOrder(shop, changes));
    await payOrder(shop, json.orderId);
    await shop.app.get(SettleService).settle((await findOrder(shop, json.orderId)).id);
    return json.orderId as string;
  };
  const message =
    'These documents were bought with this email address before. The link is in that mailbox, in our mail with the documents. Nothing was charged now.';

  test('is warned by e-mail address in any letter case, and may buy them again', async () => {
    const { email } = fresh();
    await buy({ email });
    const before = await count();
    for (const typed of [email, email.toUpperCase()]) {
      const { status, json } = await postOrder(shop, documentOrder(shop, { email: typed }));
      expect([status, json.message, json.fields]).toEqual([409, message, { again: message }]);
    }
    expect(await count()).toBe(before);
    expect((await postOrder(shop, documentOrder(shop, { email, again: true }))).status).toBe(200);
  });

  test('is warned 20 times an hour: the warning shows what an address has bought', async () => {
    const { email } = fresh();
    await buy({ email });
    const send = async () => (await postOrder(shop, documentOrder(shop, { email }))).status;
    const statuses: number[] = [];
    for (let nth = 1; nth <= 21; nth += 1) statuses.push(await send());
    expect(statuses).toEqual([...Array(20).fill(409), 429]);
  });

  test('is warned 20 times an hour from one IPv6 network, for all buyers together', async () => {
    const { dataSource } = shop.database;
    const emails = Array.from({ length: 21 }, (_, nth) => `probed${nth}@builders.example`);
    const createdAt = shop.clock.now;
    for (const buyerEmail of emails)
      await buyDocuments(dataSource, {
        ...{ buyerEmail, createdAt, updatedAt: createdAt, paidAt: createdAt },
        ...{ tenderId: Number(shop.tenderId), nit: `tender-${shop.tenderId}` },
      });
    const send = async (email: string, remoteAddress: string) => {
      const payload = documentOrder(shop, { email });
      return (await shop.app.inject({ method: 'POST', url: '/api/create-order', payload, remoteAddress })).statusCode;
    };
    const statuses: number[] = [];
    for (const email of emails) statuses.push(await send(email, '2001:db8:9::1'));
    expect(statuses).toEqual([...Array(20).fill(409), 429]);
    expect(await send('probed20@builders.example', '203.0.113.10')).toBe(409);
  });

  test('continues an unpaid order by its key without a warning', async () => {
    const { email } = fresh();
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, { email });
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'fail');
    await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
    await buy({ email });
    expect(await startCheckout(shop, body, key)).toMatchObject({ orderId });
  });

  test('with an account is not warned about an address that it only typed', async () => {
    const { email } = fresh();
    await buy({ email });
    const { headers } = await createSession(shop);
    expect((await postOrder(shop, documentOrder(shop, { email }), headers)).status).toBe(200);
  });

  test('is not warned with another address, about another tender, or after the money went back', async () => {
    const { email } = fresh();
    const id = await buy({ email });
    expect((await postOrder(shop, documentOrder(shop, { email: `other-${email}` }))).status).toBe(200);
    const tenderId = await anotherTender();
    expect((await postOrder(shop, documentOrder(shop, { email, tenderId, documentId: tenderId }))).status).toBe(200);
    await shop.app.get(RefundsService).refundOrder(id, 'it was the wrong work');
    await shop.app.get(RefundsService).runDue();
    expect((await postOrder(shop, documentOrder(shop, { email }))).status).toBe(200);
  });
});

describe('the return address', () => {
  test.each([
    'https://evil.example/payment-status',
    'https://nivida.test.evil.example/payment-status',
    'http://nivida.test@evil.example/payment-status',
    'http://user:secret@nivida.test/payment-status',
    'http://nivida.test:8080/payment-status',
    'https://nivida.test/payment-status',
    '//evil.example/payment-status',
    '///evil.example/payment-status',
    '/\\evil.example/payment-status',
    'http:\\\\evil.example\\payment-status',
    'javascript:alert(document.cookie)//http://nivida.test/payment-status',
    'data:text/html,<script>alert(1)</script>',
    'http://nivida.test/payment-status\r\nLocation: http://evil.example',
    'http://nivida.test\t.evil.example/payment-status',
    '/api/auth/logout',
    '/tenders/../api/orders',
    '/tenders/1/2',
    '/payment-status/%2e%2e/%2e%2e/register',
    '//nivida.test@evil.example/tenders',
    '@evil.example/tenders',
    'ftp://nivida.test/tenders',
    '/',
    '',
  ])('%j is rejected', async (redirectUrl) => {
    const before = await count();
    const { status, json } = await postOrder(shop, documentOrder(shop, { ...fresh(), redirectUrl }));
    expect([status, json.message]).toEqual([422, 'redirectUrl is not a page of this site']);
    expect(await count()).toBe(before);
  });

  test.each([
    ['/payment-status', '/payment-status'],
    ['http://nivida.test/payment-status?id=other', '/payment-status'],
    ['/tenders#saved', '/tenders'],
    [' /tenders/12', '/tenders/12'],
    ['http://nivida.test/pricing', '/pricing'],
    ['/dashboard/payments', '/dashboard/payments'],
  ])('%j leads to %s with the id of the order', async (redirectUrl, path) => {
    const { orderId } = await startCheckout(shop, documentOrder(shop, { ...fresh(), redirectUrl }));
    expect((await findOrder(shop, orderId)).returnPath).toBe(path);
    const [{ return_url }] = await shop.database.dataSource.query(
      'SELECT return_url FROM sandbox.checkout WHERE attempt_ref = $1',
      [`${orderId}-1`],
    );
    expect(return_url).toBe(`${SHOP_ORIGIN}${path}?id=${orderId}`);
  });
});

describe('one purchase', () => {
  test('sent 40 times at once with one key is one order with one page', async () => {
    const before = await count();
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const replies = await Promise.all(Array.from({ length: 40 }, () => postOrder(shop, body, key)));
    expect(await count()).toBe(before + 1);
    for (const { status, headers } of replies)
      if (status !== 200) expect([status, headers['retry-after']]).toEqual([409, '1']);
    const answered = replies.filter(({ status }) => status === 200).map(({ json }) => json.url);
    const { json } = await postOrder(shop, body, key);
    expect(new Set([...answered, json.url]).size).toBe(1);
    expect(await readOrderRows(shop, 'attempt', json.orderId)).toHaveLength(1);
  });

  test('is found by its key in any letter case', async () => {
    const key = randomUUID();
    const body = documentOrder(shop, fresh());
    const first = await startCheckout(shop, body, { 'idempotency-key': key });
    expect(await startCheckout(shop, body, { 'idempotency-key': key.toUpperCase() })).toEqual(first);
  });

  test('is continued 60 times in ten minutes, not more often', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { email } = fresh();
    const send = async (typed: string) => (await postOrder(shop, documentOrder(shop, { email: typed }), key)).status;
    const statuses: number[] = [];
    for (let nth = 1; nth <= 60; nth += 1) statuses.push(await send(email));
    expect(statuses).toEqual(Array(60).fill(200));
    expect([await send(email), await send(email.toUpperCase())]).toEqual([429, 429]);
    // The account with this address is not limited by what others send in its name.
    const { headers } = await createSession(shop, { email });
    expect((await postOrder(shop, documentOrder(shop, { email }), headers)).status).toBe(200);
  });

  test('is one of 3,000 in ten minutes from one address on the network', async () => {
    const sender = { device: undefined, address: { key: '203.0.113.11', share: 1 } } as const;
    await shop.app.get(RateLimitsService).consume('create-order', { sender });
    await shop.database.dataSource.query("UPDATE rate_limit SET count = 2999 WHERE name = 'create-order-address'");
    const send = async (remoteAddress: string) => {
      const payload = documentOrder(shop, fresh());
      return (await shop.app.inject({ method: 'POST', url: '/api/create-order', payload, remoteAddress })).statusCode;
    };
    expect([await send('203.0.113.11'), await send('203.0.113.11'), await send('203.0.113.12')]).toEqual([
      200, 429, 200,
    ]);
  });

  test('with the key of another body is rejected', async () => {
    const key = { 'idempotency-key': randomUUID() };
    await startCheckout(shop, documentOrder(shop, fresh()), key);
    const { status, json } = await postOrder(shop, documentOrder(shop, { ...fresh(), name: 'Ravi' }), key);
    expect([status, json.message]).toEqual([422, 'This Idempotency-Key was used for another order']);
  });

  test('with the key of another account is a separate order', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const [one, other] = [await createSession(shop), await createSession(shop)];
    const body = documentOrder(shop);
    const first = await startCheckout(shop, body, { ...key, ...one.headers });
    const second = await startCheckout(shop, body, { ...key, ...other.headers });
    expect(second.orderId).not.toBe(first.orderId);
    expect(second.url).not.toBe(first.url);
    expect((await findOrder(shop, second.orderId)).buyerEmail).toBe(other.user.email);
  });

  test.each(['1', 'order-1', '00000000-0000-1000-8000-000000000000', `${randomUUID()}x`])(
    'signed out with the key %s, which can be guessed, is refused',
    async (key) => {
      const { status, json } = await postOrder(shop, documentOrder(shop, fresh()), { 'idempotency-key': key });
      expect([status, json.message]).toEqual([400, 'Idempotency-Key must be a UUID of version 4']);
    },
  );

  test('signed in may have any UUID as its key', async () => {
    const { headers } = await createSession(shop);
    const send = (key: string) => postOrder(shop, documentOrder(shop), { ...headers, 'idempotency-key': key });
    expect((await send('00000000-0000-1000-8000-000000000000')).status).toBe(200);
    const { status, json } = await send('order-1');
    expect([status, json.message]).toEqual([400, 'Idempotency-Key must be a UUID']);
  });

  test('without a key is found again for the account within ten minutes, and not for a guest', async () => {
    const send = (body: object, headers = {}) =>
      shop.app
        .inject({ method: 'POST', url: '/api/create-order', payload: body, headers })
        .then(({ body }) => JSON.parse(body));
    const { headers } = await createSession(shop);
    const first = await send(documentOrder(shop), headers);
    expect(await send(documentOrder(shop), headers)).toEqual(first);
    const plan = (state: string) => send(planOrder({ states: [state] }), headers);
    const goa = await plan('Goa');
    expect((await plan('Delhi')).orderId).not.toBe(goa.orderId);
    expect(await plan('Goa')).toEqual(goa);
    await payOrder(shop, goa.orderId);
    await shop.app.get(SettleService).settle((await findOrder(shop, goa.orderId)).id);
    expect((await plan('Goa')).orderId).not.toBe(goa.orderId);
    const id = await anotherTender();
    const elsewhere = await send(documentOrder(shop, { tenderId: id, documentId: id }), headers);
    expect((await findOrder(shop, elsewhere.orderId)).tenderId).toBe(Number(id));
    const other = await createSession(shop);
    expect((await send(documentOrder(shop), other.headers)).orderId).not.toBe(first.orderId);
    await advanceTime(shop, 599);
    expect(await send(documentOrder(shop), headers)).toEqual(first);
    await advanceTime(shop, 1);
    expect((await send(documentOrder(shop), headers)).orderId).not.toBe(first.orderId);
    const stranger = documentOrder(shop, fresh());
    expect((await send(stranger)).orderId).not.toBe((await send(stranger)).orderId);
  });

  test('without a key continues the newest of two open orders', async () => {
    const { headers } = await createSession(shop);
    const [older, newer] = [
      await startCheckout(shop, documentOrder(shop), headers),
      await startCheckout(shop, documentOrder(shop), headers),
    ];
    // The older order is now the last row that was written.
    await shop.database.dataSource.query('UPDATE orders SET checks = checks WHERE public_id = $1', [older.orderId]);
    const payload = documentOrder(shop);
    const { json } = await shop.app
      .inject({ method: 'POST', url: '/api/create-order', payload, headers })
      .then((reply) => ({ json: reply.json() }));
    expect(json).toEqual(newer);
  });

  test("of an account has the account's name instead of the typed one", async () => {
    const { headers, user } = await createSession(shop, { state: 'Delhi' });
    const { orderId } = await startCheckout(
      shop,
      documentOrder(shop, { name: 'Somebody', email: 'else@x.example' }),
      headers,
    );
    expect(await findOrder(shop, orderId)).toMatchObject({
      userId: user._id,
      buyerName: 'Asha Verma',
      buyerEmail: user.email,
      buyerMobile: user.mobileNo,
      billingState: 'Delhi',
    });
  });

  test('with an expired session is rejected', async () => {
    const { status } = await postOrder(shop, documentOrder(shop), { authorization: 'Bearer nothing' });
    expect(status).toBe(401);
  });

  test('is rejected the eleventh time in ten minutes, and accepted afterwards', async () => {
    const body = documentOrder(shop, fresh());
    const replies = await Promise.all(Array.from({ length: 14 }, () => postOrder(shop, body)));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.json.message).toBe('Too many attempts. Please try again in 10 minutes.');
    await advanceTime(shop, 601);
    expect((await postOrder(shop, body)).status).toBe(200);
  });

  test('is rejected until the first of the last ten is ten minutes old', async () => {
    const body = documentOrder(shop, fresh());
    const { now } = shop.clock;
    await postOrder(shop, body);
    await advanceTime(shop, 240);
    for (let nth = 2; nth <= 10; nth += 1) expect((await postOrder(shop, body)).status).toBe(200);
    const { status, headers, json } = await postOrder(shop, body);
    expect([status, headers['retry-after'], json.message]).toEqual([
      429,
      '360',
      'Too many attempts. Please try again in 6 minutes.',
    ]);
    await advanceTime(shop, 0.7);
    expect((await postOrder(shop, body)).headers['retry-after']).toBe('360');
    await advanceTime(shop, 358.3);
    expect((await postOrder(shop, body)).headers['retry-after']).toBe('1');
    await advanceTime(shop, 1);
    expect((await postOrder(shop, body)).status).toBe(200);
    expect((await postOrder(shop, body)).status).toBe(429);
    shop.clock.now = now;
  });

  test('of an account is accepted after ten guests have used its e-mail address', async () => {
    const { headers, user } = await createSession(shop);
    const { dataSource } = shop.database;
    // The guests ordered before the account had this address.
    const guests = documentOrder(shop, fresh());
    for (let nth = 1; nth <= 10; nth += 1) expect((await postOrder(shop, guests)).status).toBe(200);
    await dataSource.query('UPDATE orders SET buyer_email = $2 WHERE buyer_email = $1', [guests.email, user.email]);
    expect((await postOrder(shop, documentOrder(shop), headers)).status).toBe(200);
  });

  test('of a guest is accepted after ten of the account with the same e-mail address', async () => {
    const { headers, user } = await createSession(shop);
    const send = () => postOrder(shop, documentOrder(shop), { ...headers, 'idempotency-key': randomUUID() });
    for (let nth = 1; nth <= 10; nth += 1) expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(429);
    expect((await postOrder(shop, documentOrder(shop, { email: user.email }))).status).toBe(200);
  });

  test('is accepted when a clock that was ahead wrote ten others', async () => {
    const body = documentOrder(shop, fresh());
    const { now } = shop.clock;
    shop.clock.now = new Date(now.getTime() + 86_400_000);
    for (let nth = 1; nth <= 10; nth += 1) expect((await postOrder(shop, body)).status).toBe(200);
    expect((await postOrder(shop, body)).status).toBe(429);
    shop.clock.now = now;
    expect((await postOrder(shop, body)).status).toBe(200);
  });

  test('that a clock ahead began gets a page of its own when the clock is right again', async () => {
    const { headers } = await createSession(shop, { remembered: true });
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const sendKeyless = async () =>
      (
        await shop.app.inject({ method: 'POST', url: '/api/create-order', payload: documentOrder(shop), headers })
      ).json();
    const { now } = shop.clock;
    shop.clock.now = new Date(now.getTime() + 3_600_000);
    const [keyed, keyless] = [await startCheckout(shop, body, key), await sendKeyless()];
    shop.clock.now = now;
    const again = await startCheckout(shop, body, key);
    expect(again.orderId).toBe(keyed.orderId);
    expect(again.url).not.toBe(keyed.url);
    expect((await sendKeyless()).orderId).not.toBe(keyless.orderId);
  });

  test('that a server began whose clock is five seconds ahead is continued, and counts for the limit', async () => {
    const { headers } = await createSession(shop, { remembered: true });
    const key = { 'idempotency-key': randomUUID() };
    const [body, many] = [documentOrder(shop, fresh()), documentOrder(shop, { email: 'ten@builders.example' })];
    const sendKeyless = async () =>
      (
        await shop.app.inject({ method: 'POST', url: '/api/create-order', payload: documentOrder(shop), headers })
      ).json();
    const { now } = shop.clock;
    shop.clock.now = new Date(now.getTime() + 5_000);
    const [keyed, keyless] = [await startCheckout(shop, body, key), await sendKeyless()];
    for (let nth = 1; nth <= 10; nth += 1) expect((await postOrder(shop, many)).status).toBe(200);
    shop.clock.now = now;
    expect(await startCheckout(shop, body, key)).toEqual(keyed);
    expect((await sendKeyless()).orderId).toBe(keyless.orderId);
    expect((await postOrder(shop, many)).status).toBe(429);
  });

  test('whose page a clock ahead was about to open gets it when the clock is right again', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const { orderId } = await startCheckout(shop, body, key);
    // The process died between its claim and the provider's answer.
    const claim = (seconds: number) =>
      shop.database.dataSource.query('UPDATE attempt SET url = NULL, claimed_at = $2 WHERE ref = $1', [
        `${orderId}-1`,
        new Date(shop.clock.now.getTime() + seconds * 1_000),
      ]);
    for (const [seconds, status] of [
      [0, 409],
      [-14, 409],
      [-15, 200],
      [5, 409],
      [6, 200],
    ] as const) {
      await claim(seconds);
      expect([seconds, (await postOrder(shop, body, key)).status]).toEqual([seconds, status]);
    }
    expect((await readOrderRows(shop, 'attempt', orderId)).map(({ ref }: { ref: string }) => ref)).toEqual([
      `${orderId}-1`,
    ]);
  });

  test('of documents that the account owns costs nothing', async () => {
    const { headers } = await createSession(shop);
    const { orderId } = await startCheckout(shop, documentOrder(shop), headers);
    await payOrder(shop, orderId);
    await advanceTime(shop, 30);
    await runReconcile(shop);
    const { json } = await postOrder(shop, documentOrder(shop), headers);
    expect(json).toEqual({ url: `${SHOP_ORIGIN}/payment-status?id=${orderId}`, orderId, alreadyEntitled: true });
    const hindi = { ...headers, 'accept-language': 'hi' };
    expect((await postOrder(shop, documentOrder(shop), hindi)).json.url).toBe(
      `${SHOP_ORIGIN}/hi/payment-status?id=${orderId}`,
    );
    const tenderId = await anotherTender();
    const other = await postOrder(shop, documentOrder(shop, { tenderId, documentId: tenderId }), headers);
    expect(other.json).toEqual({ url: expect.any(String), orderId: expect.not.stringMatching(orderId) });
  });

  test('of documents that the account has bought twice leads to the newer purchase', async () => {
    const { headers, user } = await createSession(shop);
    const {
      nit,
      id: _,
      ...first
    } = await findOrder(shop, (await startCheckout(shop, documentOrder(shop, fresh()))).orderId);
    const ids: string[] = [];
    for (const publicId of ['older', 'newer']) {
      const row = {
        ...first,
        nit,
        publicId: `${publicId}-`.padEnd(22, '0'),
        idempotencyKey: randomUUID(),
        userId: user._id,
      };
      ids.push((await buyDocuments(shop.database.dataSource, { ...row, status: 'SUCCESS' })).order.publicId);
    }
    expect((await postOrder(shop, documentOrder(shop), headers)).json).toMatchObject({
      orderId: ids[1],
      alreadyEntitled: true,
    });
  });

  test('of refunded documents is paid for again', async () => {
    const { headers } = await createSession(shop);
    const { orderId } = await startCheckout(shop, documentOrder(shop), headers);
    await payOrder(shop, orderId);
    await advanceTime(shop, 30);
    await runReconcile(shop);
    await shop.app.get(RefundsService).refundOrder(orderId, 'it was bought by mistake');
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('REFUNDED');
    const invoices = await readOrderRows(shop, 'invoice', orderId);
    const numberOf = (wanted: string) => invoices.find(({ kind }: { kind: string }) => kind === wanted).number;
    expect((await shop.get('/api/orders', headers)).json.orders).toMatchObject([
      { status: 'REFUNDED', receiptNumber: numberOf('receipt'), creditNoteNumber: numberOf('credit_note') },
    ]);
    const { json } = await postOrder(shop, documentOrder(shop), headers);
    expect(json).toEqual({ url: expect.any(String), orderId: expect.not.stringMatching(orderId) });
  });
});

test('the public id of an order never begins like an option of a command line', () => {
  const ids = Array.from({ length: 2_000 }, newPublicId);
  expect(ids.filter((id) => !/^\w[\w-]{21}$/.test(id))).toEqual([]);
});

describe('an unpaid attempt', () => {
  test('is followed by another page of the same order, by the same key', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const { orderId, url } = await startCheckout(shop, body, key);
    expect(await startCheckout(shop, body, key)).toEqual({ orderId, url });
    await payOrder(shop, orderId, 'fail');
    await advanceTime(shop, 30);
    await runReconcile(shop);
    expect((await findOrder(shop, orderId)).status).toBe('FAILED');
    const again = await startCheckout(shop, body, key);
    expect(again.orderId).toBe(orderId);
    expect(again.url).not.toBe(url);
    expect(await startCheckout(shop, body, key)).toEqual(again);
    expect(await findOrder(shop, orderId)).toMatchObject({ status: 'PENDING', failure: null });
    await payOrder(shop, orderId, 'fail', 2);
    await advanceTime(shop, 30);
    await runReconcile(shop);
    await startCheckout(shop, body, key);
    expect((await readOrderRows(shop, 'attempt', orderId)).map(({ ref }: { ref: string }) => ref).sort()).toEqual([
      `${orderId}-1`,
      `${orderId}-2`,
      `${orderId}-3`,
    ]);
    await payOrder(shop, orderId, 'success', 3);
    await advanceTime(shop, 30);
    await runReconcile(shop);
    const done = await postOrder(shop, body, key);
    expect(done.json).toEqual({ url: `${SHOP_ORIGIN}/payment-status?id=${orderId}`, orderId, alreadyEntitled: true });
  });

  test('of another amount leads to the page of the order, which is not paid yet', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'amount-off');
    await shop.app.get(SettleService).settle((await findOrder(shop, orderId)).id);
    expect(await startCheckout(shop, body, key)).toEqual({
      url: `${SHOP_ORIGIN}/payment-status?id=${orderId}`,
      orderId,
    });
  });

  test('is not repeated once the package cannot be delivered or the documents were bought by another order', async () => {
    const { headers } = await createSession(shop);
    const key = { ...headers, 'idempotency-key': randomUUID() };
    const body = documentOrder(shop);
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'fail');
    await advanceTime(shop, 30);
    await runReconcile(shop);
    shop.delivery.missing.add((await findOrder(shop, orderId)).nit as string);
    const refused = await postOrder(shop, body, key);
    expect([refused.status, refused.json.message]).toEqual([409, 'Documents are not available yet']);
    shop.delivery.missing.clear();
    const other = await startCheckout(shop, body, { ...headers, 'idempotency-key': randomUUID() });
    await payOrder(shop, other.orderId);
    await advanceTime(shop, 30);
    await runReconcile(shop);
    expect((await postOrder(shop, body, key)).json).toMatchObject({ orderId: other.orderId, alreadyEntitled: true });
    // The page is in the language of this request, not in that of the order.
    expect((await postOrder(shop, body, { ...key, 'accept-language': 'hi' })).json.url).toBe(
      `${SHOP_ORIGIN}/hi/payment-status?id=${other.orderId}`,
    );
    expect(await readOrderRows(shop, 'attempt', orderId)).toHaveLength(1);
  });

  test('whose end the provider does not know gets no second page', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const { orderId } = await startCheckout(shop, body, key);
    await advanceTime(shop, 21 * 60);
    // Paid, but without a payment.
    await shop.database.dataSource.query("UPDATE sandbox.checkout SET state = 'PAID' WHERE attempt_ref = $1", [
      `${orderId}-1`,
    ]);
    const { status, json } = await postOrder(shop, body, key);
    expect([status, json.message]).toEqual([502, 'Failed to initiate payment. Please try again.']);
    expect(await readOrderRows(shop, 'attempt', orderId)).toHaveLength(1);
  });

  test('that has ended unnoticed is settled at the provider before a new page', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'no-webhook');
    await advanceTime(shop, 21 * 60);
    const { json } = await postOrder(shop, body, key);
    expect(json).toMatchObject({ orderId, alreadyEntitled: true });
    expect(await readOrderRows(shop, 'attempt', orderId)).toHaveLength(1);
  });
});

describe('a page that the provider refuses', () => {
  let refused: TestApp;
  beforeAll(async () => {
    refused = await startApp({
      now: NOW,
      database: shop.database,
      env: { PUBLIC_ORIGIN: SHOP_ORIGIN, PAYMENT_SANDBOX_PORT: String(shop.sandbox.port) },
      providers: [{ provide: DocumentDelivery, useValue: shop.delivery }],
    });
  });
  afterAll(() => refused.close());

  /** Orders by a server whose clock is so late that the provider refuses the end of its page. */
  const postLate = (body: object, headers: Record<string, string>) => {
    refused.clock.now = new Date(shop.clock.now.getTime() - 20 * 60_000);
    return postOrder({ ...shop, app: refused.app }, body, headers);
  };

  test('ends a new order as failed, and the same order gets a page when the provider accepts it', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const { status, json } = await postLate(body, key);
    expect([status, json.message]).toEqual([502, 'Failed to initiate payment. Please try again.']);
    const [{ id }] = await shop.database.dataSource.query('SELECT public_id AS id FROM orders WHERE buyer_email = $1', [
      body.email,
    ]);
    expect(await findOrder(shop, id)).toMatchObject({ status: 'FAILED', failure: 'REFUSED' });
    expect((await startCheckout(shop, body, key)).orderId).toBe(id);
    expect(await findOrder(shop, id)).toMatchObject({ status: 'PENDING', failure: null });
  });

  test('after a declined one leaves the order as it was', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = documentOrder(shop, fresh());
    const { orderId } = await startCheckout(shop, body, key);
    await payOrder(shop, orderId, 'fail');
    await advanceTime(shop, 30);
    await runReconcile(shop);
    const declined = await findOrder(shop, orderId);
    expect(declined).toMatchObject({ status: 'FAILED', failure: 'UPI_DECLINED' });
    expect((await postLate(body, key)).status).toBe(502);
    expect(await findOrder(shop, orderId)).toEqual(declined);
  });
});

describe('the product of an order', () => {
  test.each([
    ['amount', 'amount_paise = 1'],
    ['tender', 'tender_id = 2'],
    ['product', "product = 'yearly-subscription'"],
    ['currency', "currency = 'USD'"],
    ['provider', 'live = true'],
    ['key', "idempotency_key = 'x'"],
  ])('never changes: its %s', async (_, change) => {
    const { orderId } = await startCheckout(shop, documentOrder(shop, fresh()));
    await expect(
      shop.database.dataSource.query(`UPDATE orders SET ${change} WHERE public_id = $1`, [orderId]),
    ).rejects.toThrow(/never changes/);
  });

  test('stays, and only allowed status transitions are stored', async () => {
    const { orderId } = await startCheckout(shop, documentOrder(shop, fresh()));
    const run = (sql: string) => shop.database.dataSource.query(`${sql} WHERE public_id = $1`, [orderId]);
    for (const status of ['CREATED', 'REFUND_PENDING', 'REFUNDED'])
      await expect(run(`UPDATE orders SET status = '${status}'`)).rejects.toThrow(/cannot go from PENDING/);
    await expect(run('DELETE FROM orders')).rejects.toThrow(/never changed or removed/);
  });
});

describe('an order of a plan', () => {
  test.each([
    ['basic', 5899, 589_900],
    ['premium', 10899, 1_089_900],
    ['enterprise', '14999.00', 1_499_900],
  ])('%s is accepted at its price', async (planId, amount, amountPaise) => {
    const { orderId } = await startCheckout(shop, planOrder({ ...fresh(), planId, amount }));
    expect(await findOrder(shop, orderId)).toMatchObject({ planId, amountPaise, tenderId: null, nit: null });
  });

  test.each<[string, object, number, string]>([
    ['the price of another plan', { planId: 'premium' }, 422, 'Price has changed'],
    ['an unknown plan', { planId: 'gold' }, 400, 'Unknown plan'],
    ['two states on Basic', { states: ['Delhi', 'Goa'] }, 422, 'Basic covers 1 state'],
    ['a state that is none', { states: ['Atlantis'] }, 422, 'Please choose a state from the list'],
    ['a tender', { tenderId: '1' }, 400, 'The body holds a field that does not belong there'],
  ])('with %s is rejected and creates nothing', async (_, changes, status, message) => {
    const before = await count();
    const reply = await postOrder(shop, planOrder({ ...fresh(), ...changes }));
    expect({ status: reply.status, message: reply.json.message }).toEqual({ status, message });
    if ('states' in changes) expect(reply.json.fields).toEqual({ states: message });
    expect(await count()).toBe(before);
  });

  test('covers the chosen states by their listed names, else that of the account', async () => {
    const premium = { planId: 'premium', amount: 10_899 };
    const chosen = await startCheckout(shop, planOrder({ ...fresh(), ...premium, states: ['goa', 'Delhi', 'Goa'] }));
    expect((await findOrder(shop, chosen.orderId)).states).toEqual(['Goa', 'Delhi']);
    const { headers } = await createSession(shop, { state: 'Assam' });
    for (const billingState of [undefined, '', 'Delhi']) {
      const { orderId } = await startCheckout(shop, planOrder({ billingState }), headers);
      const expected = { states: ['Assam'], billingState: billingState || 'Assam' };
      expect(await findOrder(shop, orderId)).toMatchObject(expected);
    }
    expect((await findOrder(shop, (await startCheckout(shop, planOrder(fresh()))).orderId)).states).toEqual([]);
  });

  test('of a guest covers the State of the invoice, and the invoice names the first state of the plan', async () => {
    const send = async (changes: object) =>
      findOrder(shop, (await startCheckout(shop, planOrder({ ...fresh(), ...changes }))).orderId);
    expect(await send({ billingState: 'goa' })).toMatchObject({ states: ['Goa'], billingState: 'Goa' });
    expect(await send({ states: ['Delhi'] })).toMatchObject({ states: ['Delhi'], billingState: 'Delhi' });
    expect(await send({ states: ['Delhi'], billingState: 'Goa' })).toMatchObject({
      states: ['Delhi'],
      billingState: 'Goa',
    });
  });
});

test('the list of an account has its 200 newest orders', async () => {
  const { headers, user } = await createSession(shop);
  const rows = Array.from({ length: 201 }, () => createOrderRow({ userId: user._id }));
  const stored = await shop.database.dataSource.getRepository(OrderEntity).save(rows);
  const newest = stored.toSorted((one, other) => Number(other.id) - Number(one.id)).slice(0, 200);
  const { json } = await shop.get('/api/orders', headers);
  expect(json.orders.map(({ orderId }: { orderId: string }) => orderId)).toEqual(
    newest.map(({ publicId }) => publicId),
  );
});

test('the data export of an account has everything about its orders, oldest first, and nothing of others', async () => {
  const { headers, user } = await createSession(shop, { state: 'Delhi' });
  const other = await createSession(shop);
  await startCheckout(shop, planOrder(), other.headers);
  const started = shop.clock.now;
  const later = (seconds: number) => new Date(started.getTime() + seconds * 1_000);
  const iso = (seconds: number) => later(seconds).toISOString();
  const sql = (seconds: number) => iso(seconds).replace('.000Z', '+00:00');
  const bought = await startCheckout(shop, documentOrder(shop, FIRM), headers);
  await advanceTime(shop, 5);
  const plan = await startCheckout(shop, planOrder({ states: ['Goa'] }), headers);
  await payOrder(shop, bought.orderId, 'double-capture');
  await shop.app.get(SettleService).settle((await findOrder(shop, bought.orderId)).id);
  await advanceTime(shop, 5);
  await shop.app.get(SettleService).settle((await findOrder(shop, bought.orderId)).id);
  await shop.app.get(RefundsService).runDue();
  await advanceTime(shop, 5);
  await shop.app.get(RefundsService).refundOrder(bought.orderId, 'it was bought by mistake');
  await shop.app.get(RefundsService).runDue();
  const buyer = { name: user.username, email: user.email, mobileNo: user.mobileNo };
  const order = {
    ...{ orderId: bought.orderId, product: 'tender-documents', title: 'Construction of footbridge' },
    ...{ tenderId: shop.tenderId, planId: null, amountPaise: 9_900, status: 'REFUNDED', states: [], isTest: true },
    ...{ createdAt: iso(0), paidAt: iso(5), ...buyer, ...FIRM, billingState: 'Himachal Pradesh', language: 'en' },
  };
  const exported = await shop.app.get(OrderListService).exportOrders(user._id);
  expect(exported.orders).toEqual([
    order,
    {
      ...order,
      ...{ orderId: plan.orderId, product: 'yearly-subscription', title: 'Basic plan, one year', tenderId: null },
      ...{ planId: 'basic', amountPaise: 589_900, status: 'PENDING', states: ['Goa'], createdAt: iso(5), paidAt: null },
      ...{ billingState: 'Delhi', gstin: '', firm: '', firmAddress: '' },
    },
  ]);
  const { orderId } = bought;
  expect(exported.payments).toEqual(
    [5, 10].map((at) => ({
      ...{ orderId, paymentId: expect.any(String), amountPaise: 9_900, currency: 'INR', method: 'UPI', at: sql(at) },
    })),
  );
  expect(exported.refunds).toEqual([
    { orderId, amountPaise: 9_900, reason: 'you were debited twice', state: 'SUCCEEDED', at: sql(10) },
    { orderId, amountPaise: 9_900, reason: 'it was bought by mistake', state: 'SUCCEEDED', at: sql(15) },
  ]);
  expect(exported.invoices).toEqual(
    (
      [
        ['receipt', 5],
        ['credit_note', 15],
      ] as const
    ).map(([kind, at]) => ({
      ...{ orderId, kind, number: expect.stringMatching(/^TEST\//), issuedAt: sql(at), totalPaise: 9_900 },
    })),
  );
});

test('the list of an account shows its orders, newest first, and no other account sees them', async () => {
  const { headers } = await createSession(shop);
  const document = await startCheckout(shop, documentOrder(shop), headers);
  const plan = await startCheckout(shop, planOrder(), headers);
  await payOrder(shop, plan.orderId);
  await advanceTime(shop, 30);
  await runReconcile(shop);
  const { status, json, headers: answered } = await shop.get('/api/orders', headers);
  expect([status, answered['cache-control']]).toEqual([200, 'no-store']);
  expect(json.orders).toEqual([
    {
      orderId: plan.orderId,
      product: 'yearly-subscription',
      title: 'Basic plan, one year',
      tenderId: null,
      planId: 'basic',
      amountPaise: 589_900,
      status: 'SUCCESS',
      createdAt: expect.any(String),
      paidAt: shop.clock.now.toISOString(),
      receiptNumber: expect.stringMatching(/^TEST\/26-27\/\d+$/),
      creditNoteNumber: null,
      isTest: true,
    },
    expect.objectContaining({ orderId: document.orderId, status: 'PENDING', receiptNumber: null, paidAt: null }),
  ]);
  expect(json.plan).toMatchObject({ planId: 'basic', isTrial: false, states: ['Himachal Pradesh'] });
  expect((await shop.get('/api/orders')).status).toBe(401);
  expect((await shop.get('/api/orders', (await createSession(shop)).headers)).json).toEqual({ orders: [], plan: null });
  const { paidAt } = json.orders[0];
  await advanceTime(shop, 60);
  await shop.app.get(RefundsService).refundOrder(plan.orderId, 'it was bought by mistake');
  const [refunded] = (await shop.get('/api/orders', headers)).json.orders;
  expect(refunded).toMatchObject({ orderId: plan.orderId, status: 'REFUNDED', paidAt });
});
