/** The payment sandbox over HTTP, on a real database, with a receiver that checks webhooks like a merchant. */
import { spawn } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readSandboxConfig } from '../../sandbox/config.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import type { DatabaseAddress } from '../../src/schema/data-source.ts';
import type { Database } from '../../src/schema/database.ts';
import { createTestDatabase } from '../support/start-app.ts';

const SECRET = 'secret-of-the-tests-0123456789-abcdef';
const START = Date.parse('2026-04-15T06:00:00Z');
const APP = 'http://nivida.test';

interface Received {
  eventId: string;
  event: string;
  paymentId: string | null;
  amountPaise: number;
  refundRef: string | null;
  verdict: string;
}

const clock = { now: new Date(START) };
const received: Received[] = [];
/** Responses of the receiver in turn, then 200. */
let answers: number[] = [];
let database: Database;
let receiver: Server;
let sandbox: Sandbox;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks);
    const body = JSON.parse(raw.toString());
    const verdict = request.url === '/api/webhooks/payments/sandbox' ? judge(raw, request.headers) : 'wrong address';
    received.push({ ...body, verdict });
    const isGood = verdict === 'good' && body.eventId === request.headers['x-sandbox-event-id'];
    reply.writeHead(isGood ? (answers.shift() ?? 200) : 401).end();
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  sandbox = await startSandbox({
    port: 0,
    publicOrigin: APP,
    webhookOrigin: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    database: database.address,
    secret: SECRET,
    now: () => clock.now,
    isDriven: true,
  });
});

afterAll(async () => {
  await sandbox?.close();
  receiver?.close();
  await database?.close();
});

beforeEach(async () => {
  // Webhooks of earlier tests are sent first.
  answers = [];
  await after(20 * 60);
  received.length = 0;
});

/** Moves the clock and runs the due work. */
async function after(seconds: number): Promise<void> {
  clock.now = new Date(clock.now.getTime() + seconds * 1_000);
  await sandbox.runDue();
}

function judge(raw: Buffer, headers: NodeJS.Dict<string | string[]>): string {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-sandbox-signature'])) ?? [];
  if (!t) return 'no signature';
  const right = createHmac('sha256', SECRET).update(`${t}.`).update(raw).digest('hex');
  if (right !== v1) return 'bad signature';
  const age = clock.now.getTime() / 1_000 - Number(t);
  return Math.abs(age) <= 300 ? 'good' : age > 0 ? 'stale' : 'future';
}

const newRef = () => `${randomBytes(16).toString('base64url')}-1`;

function checkoutOf(attemptRef: string, changes: object = {}) {
  return {
    attemptRef,
    amountPaise: 9_900,
    currency: 'INR',
    description: 'NIT & BOQ of "Road <works>"',
    buyer: { name: 'Asha Negi', email: 'asha.negi@example.org', phoneE164: '+919876543210' },
    returnUrl: `${APP}/payment-status?id=abc`,
    expiresAt: new Date(clock.now.getTime() + 20 * 60_000).toISOString(),
    ...changes,
  };
}

async function call(
  path: string,
  body?: object,
  headers: Record<string, string> = { authorization: `Bearer ${SECRET}` },
) {
  const reply = await fetch(`http://127.0.0.1:${sandbox.port}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  return { status: reply.status, json: await reply.json() };
}

const statusOf = async (attemptRef: string) => (await call(`/v1/checkouts/${attemptRef}`)).json;

/** A buyer's browser; `site` is where it says that a form comes from. */
async function browse(url: string, fields?: Record<string, string>, site = 'same-origin') {
  const body = fields && new URLSearchParams(fields);
  const headers = { 'sec-fetch-site': site };
  const reply = await fetch(url, { method: body ? 'POST' : 'GET', body, headers, redirect: 'manual' });
  const text = await reply.text();
  return { status: reply.status, location: reply.headers.get('location'), text, headers: reply.headers };
}

async function newPage(changes: object = {}) {
  const attemptRef = newRef();
  const { json } = await call('/v1/checkouts', checkoutOf(attemptRef, changes));
  const url: string = json.url;
  const act = (vpa: string, site?: string) => browse(`${url}/act`, { vpa }, site);
  return { attemptRef, url, page: await browse(url), act };
}

/** A checkout with an outcome that the buyer chose by its VPA. */
async function played(outcome: string) {
  const page = await newPage();
  const reply = await page.act(`${outcome}@sandbox`);
  return { ...page, reply };
}

const events = () => received.map(({ event, verdict }) => `${event} ${verdict}`);

test('closes during a request without an error', async () => {
  const written = vi.spyOn(process.stderr, 'write');
  const own = await startSandbox({
    port: 0,
    publicOrigin: APP,
    webhookOrigin: APP,
    database: database.address,
    secret: SECRET,
    now: () => clock.now,
    isDriven: true,
  });
  const { dataSource } = database;
  const holder = dataSource.createQueryRunner();
  await holder.startTransaction();
  await holder.query('LOCK sandbox.checkout');
  const call = fetch(`http://127.0.0.1:${own.port}/v1/_scenarios`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify({ attemptRef: 'stopped-1', outcome: 'success' }),
  }).catch((error: Error) => error);
  const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database() AND query ~ 'sandbox.checkout'`;
  await vi.waitUntil(async () => (await dataSource.query(waits)).length > 0, { timeout: 10_000 });
  const closing = own.close();
  expect(await call).toBeInstanceOf(Error);
  await holder.rollbackTransaction();
  await holder.release();
  await closing;
  expect(written).not.toHaveBeenCalled();
  written.mockRestore();
});

describe('a checkout', () => {
  test('is created once per reference: the same body returns the same page, another body is refused', async () => {
    const attemptRef = newRef();
    const body = checkoutOf(attemptRef);
    const all = await Promise.all(Array.from({ length: 10 }, () => call('/v1/checkouts', body)));
    expect(new Set(all.map(({ status, json }) => `${status} ${json.url}`)).size).toBe(1);
    expect(all[0]?.json.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${sandbox.port}/pay/[\\w-]{22}$`));
    await after(20 * 60);
    expect((await call('/v1/checkouts', body)).json).toEqual(all[0]?.json);
    const other = await call('/v1/checkouts', { ...body, amountPaise: 9_901 });
    expect(other.status).toBe(409);
  });

  test.each([
    ['an amount in fractions of a paisa', { amountPaise: 99.5 }, 400],
    ['an amount under one rupee', { amountPaise: 99 }, 400],
    ['another currency', { currency: 'USD' }, 400],
    ['a field that is not known', { notify: true }, 400],
    ['a return address of another site', { returnUrl: 'https://nivida.test.example.org/payment-status' }, 422],
    ['a way back that runs a script', { returnUrl: 'javascript:alert(1)' }, 422],
    ['an end that has passed', { expiresAt: '2026-04-15T05:59:59Z' }, 422],
  ])('with %s is refused and stores nothing', async (_, changes, status) => {
    const attemptRef = newRef();
    expect((await call('/v1/checkouts', checkoutOf(attemptRef, changes))).status).toBe(status);
    expect((await call(`/v1/checkouts/${attemptRef}`)).status).toBe(404);
  });

  test('cannot be created, read or played without the secret', async () => {
    for (const authorization of ['', `Bearer ${SECRET}x`, `Basic ${SECRET}`]) {
      expect((await call('/v1/checkouts', checkoutOf(newRef()), { authorization })).status).toBe(401);
      expect((await call('/v1/checkouts/x', undefined, { authorization })).status).toBe(401);
      expect((await call('/v1/_scenarios', { attemptRef: 'x', outcome: 'success' }, { authorization })).status).toBe(
        401,
      );
    }
  });

  test('is pending, then expired after 15 minutes, and can no longer be paid', async () => {
    const { attemptRef, url, act } = await newPage();
    expect(await statusOf(attemptRef)).toEqual({ state: 'PENDING', errorCode: null, payments: [] });
    await after(15 * 60 - 1);
    expect((await statusOf(attemptRef)).state).toBe('PENDING');
    await after(1);
    expect((await statusOf(attemptRef)).state).toBe('EXPIRED');
    expect((await browse(url)).text).toContain('This page has expired');
    expect((await act('success@sandbox')).location).toBe(`${APP}/payment-status?id=abc`);
    expect(await statusOf(attemptRef)).toMatchObject({ state: 'EXPIRED', payments: [] });
  });
});

describe('the page', () => {
  test('shows the amount of its own record, escapes texts and states that no money moves', async () => {
    const { page } = await newPage({ amountPaise: 10_89_900 });
    expect(page.text).toContain('TEST MODE, no money moves');
    expect(page.text).toContain('₹10,899.00');
    expect(page.text).toContain('NIT &amp; BOQ of &quot;Road &lt;works&gt;&quot;');
    expect(page.text).not.toMatch(/asha\.negi|Negi|9876543210|style=|<script/);
    expect(page.text).toMatch(/This page ends at <time datetime="2026-[\w:.-]+Z">/);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${APP};`);
  });

  test('refuses a form of another site, also of one on this machine', async () => {
    const { attemptRef, act } = await newPage();
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await act('success@sandbox', site)).status).toBe(400);
    expect((await statusOf(attemptRef)).state).toBe('PENDING');
  });

  test('pays once when the button is used several times', async () => {
    const { attemptRef, act } = await newPage();
    const replies = await Promise.all(Array.from({ length: 10 }, () => act('success@sandbox')));
    expect(new Set(replies.map(({ location }) => location))).toEqual(new Set([`${APP}/payment-status?id=abc`]));
    expect((await statusOf(attemptRef)).payments).toHaveLength(1);
  });

  test('offers every outcome as a VPA, accepts no other, and goes back at once after its use', async () => {
    const { attemptRef, url, page, act } = await newPage();
    expect([...page.text.matchAll(/<option value="[\w-]+@sandbox">/g)]).toHaveLength(30);
    for (const vpa of ['asha@okbank', 'constructor@sandbox', 'success']) {
      const refused = await act(vpa);
      expect([refused.status, refused.text.includes('Use success@sandbox, fail@sandbox')]).toEqual([422, true]);
    }
    expect((await statusOf(attemptRef)).state).toBe('PENDING');
    await act('cancel@sandbox');
    expect(await statusOf(attemptRef)).toMatchObject({ state: 'FAILED', errorCode: 'CANCELLED_BY_BUYER' });
    expect((await browse(url)).location).toBe(`${APP}/payment-status?id=abc`);
  });

  test('rejects host names that are not of this machine', async () => {
    const host = { host: 'rebound.example.org' };
    const [reply] = await once(
      request({ port: sandbox.port, host: '127.0.0.1', path: '/pay.css', headers: host }).end(),
      'response',
    );
    expect(reply.statusCode).toBe(400);
    reply.resume();
  });
});

describe('an outcome', () => {
  test.each([
    ['success', 'PAID', ['checkout.paid good']],
    ['fail', 'FAILED', ['checkout.failed good']],
    ['cancel', 'FAILED', ['checkout.failed good']],
    ['no-webhook', 'PAID', []],
    ['pending-success', 'PENDING', []],
    ['pending-fail', 'PENDING', []],
    ['late-success', 'PENDING', []],
    ['undecided', 'PENDING', []],
    ['webhook-30s', 'PAID', []],
    ['webhook-10m', 'PAID', []],
    ['duplicate', 'PAID', ['checkout.paid good', 'checkout.paid good', 'checkout.paid good']],
    ['duplicate-new-id', 'PAID', ['checkout.paid good', 'checkout.paid good', 'checkout.paid good']],
    ['out-of-order', 'PAID', ['checkout.paid good', 'checkout.failed good']],
    ['tampered', 'PAID', ['checkout.paid bad signature']],
    ['wrong-secret', 'PAID', ['checkout.paid bad signature']],
    ['stale', 'PAID', ['checkout.paid stale']],
    ['future', 'PAID', ['checkout.paid future']],
    ['double-capture', 'PAID', ['checkout.paid good']],
    ['refund-pending', 'PAID', ['checkout.paid good']],
    ['refund-fail', 'PAID', ['checkout.paid good']],
  ])('%s: the buyer returns, the status is %s, the webhooks are %j', async (outcome, state, webhooks) => {
    const { attemptRef, reply } = await played(outcome);
    expect([reply.status, reply.location]).toEqual([303, `${APP}/payment-status?id=abc`]);
    await sandbox.runDue();
    expect((await statusOf(attemptRef)).state).toBe(state);
    expect(events()).toEqual(webhooks);
  });

  test('abandon: no return, no webhook, and the page can be opened again and paid', async () => {
    const { attemptRef, reply, act } = await played('abandon');
    expect([reply.status, reply.location]).toEqual([200, null]);
    await sandbox.runDue();
    expect((await statusOf(attemptRef)).state).toBe('PENDING');
    await act('success@sandbox');
    expect((await statusOf(attemptRef)).state).toBe('PAID');
  });

  test('paid-no-return: paid, and only the status call knows', async () => {
    const { attemptRef, reply } = await played('paid-no-return');
    expect([reply.status, reply.location]).toEqual([200, null]);
    await after(24 * 60 * 60);
    expect((await statusOf(attemptRef)).state).toBe('PAID');
    expect(received).toEqual([]);
  });

  test.each([
    ['pending-success', 9, 1, 'PAID', 'checkout.paid good'],
    ['pending-fail', 9, 1, 'FAILED', 'checkout.failed good'],
    ['late-success', 15 * 60 + 59, 1, 'PAID', 'checkout.paid good'],
    ['slow-success', 15 * 60 + 6 * 3_600 - 1, 1, 'PAID', 'checkout.paid good'],
    ['webhook-30s', 29, 1, 'PAID', 'checkout.paid good'],
    ['webhook-10m', 10 * 60 - 1, 1, 'PAID', 'checkout.paid good'],
  ])('%s: nothing is sent for %d s, then after %d s it is %s with %s', async (outcome, quiet, more, state, event) => {
    const { attemptRef } = await played(outcome);
    await after(quiet);
    expect(events()).toEqual([]);
    if (outcome === 'late-success') expect((await statusOf(attemptRef)).state).toBe('EXPIRED');
    if (outcome === 'slow-success') expect((await statusOf(attemptRef)).state).toBe('PENDING');
    await after(more);
    expect((await statusOf(attemptRef)).state).toBe(state);
    expect(events()).toEqual([event]);
  });

  test('undecided: the status stays pending after the end of the page', async () => {
    const { attemptRef } = await played('undecided');
    await after(30 * 24 * 60 * 60);
    expect((await statusOf(attemptRef)).state).toBe('PENDING');
    expect(received).toEqual([]);
  });

  test('webhook-first: the webhook is received before the browser returns', async () => {
    await played('webhook-first');
    expect(events()).toEqual(['checkout.paid good']);
  });

  test('duplicate repeats one event id, duplicate-new-id has three', async () => {
    await played('duplicate');
    await sandbox.runDue();
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(1);
    received.length = 0;
    await played('duplicate-new-id');
    await sandbox.runDue();
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(3);
  });

  test('amount-off captures one paisa less, wrong-currency captures dollars', async () => {
    const off = await played('amount-off');
    expect((await statusOf(off.attemptRef)).payments).toMatchObject([{ amountPaise: 9_899, currency: 'INR' }]);
    const wrong = await played('wrong-currency');
    expect((await statusOf(wrong.attemptRef)).payments).toMatchObject([{ amountPaise: 9_900, currency: 'USD' }]);
  });

  test('double-capture debits twice, with two payment ids and a webhook for each', async () => {
    const { attemptRef } = await played('double-capture');
    await after(5);
    const { payments } = await statusOf(attemptRef);
    expect(payments).toHaveLength(2);
    expect(received.map((webhook) => webhook.paymentId)).toEqual(payments.map((each: Received) => each.paymentId));
    expect(new Set(payments.map((each: Received) => each.paymentId)).size).toBe(2);
  });

  test('the status call returns 500, hangs or disconnects for a minute, then works', async () => {
    const failing = await played('status-500');
    const hanging = await played('status-hang');
    const broken = await played('status-malformed');
    const read = (attemptRef: string, signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${sandbox.port}/v1/checkouts/${attemptRef}`, {
        headers: { authorization: `Bearer ${SECRET}` },
        signal,
      });
    const hangUp = new AbortController();
    const ends: string[] = [];
    const hung = read(hanging.attemptRef, hangUp.signal).then(
      () => ends.push('answered'),
      () => ends.push('hung up'),
    );
    expect((await read(failing.attemptRef)).status).toBe(500);
    const reply = await read(broken.attemptRef);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    await expect(reply.json()).rejects.toThrow(SyntaxError);
    expect((await read(failing.attemptRef)).status).toBe(500);
    expect(ends).toEqual([]);
    hangUp.abort();
    await hung;
    expect(ends).toEqual(['hung up']);
    await after(60);
    for (const { attemptRef } of [failing, hanging, broken]) expect((await statusOf(attemptRef)).state).toBe('PAID');
  });

  test('can be played by reference, without a buyer', async () => {
    const { attemptRef } = await newPage();
    const reply = await call('/v1/_scenarios', { attemptRef, outcome: 'success' });
    expect(reply.json).toEqual({ redirect: `${APP}/payment-status?id=abc` });
    expect(await statusOf(attemptRef)).toMatchObject({ state: 'PAID', payments: [{ method: 'UPI' }] });
    expect((await call('/v1/_scenarios', { attemptRef: 'x', outcome: 'constructor' })).status).toBe(400);
    expect((await call('/v1/_scenarios', { attemptRef: 'x', outcome: 'success' })).status).toBe(404);
  });
});

describe('a webhook', () => {
  test('is repeated after 1 s, 5 s, 30 s, 2 min and 10 min with the same event id, then not again', async () => {
    answers = [500, 500, 500, 302, 503, 500];
    await played('success');
    await sandbox.runDue();
    for (const pause of [1, 5, 30, 120, 600]) {
      const before = received.length;
      await after(pause - 0.1);
      expect(received).toHaveLength(before);
      await after(0.1);
      expect(received).toHaveLength(before + 1);
    }
    await after(24 * 60 * 60);
    expect(received).toHaveLength(6);
    expect(new Set(received.map(({ eventId }) => eventId)).size).toBe(1);
    expect(events()).toEqual(Array(6).fill('checkout.paid good'));
  });

  test('is not repeated after it was received', async () => {
    answers = [500];
    await played('success');
    await sandbox.runDue();
    await after(1);
    await after(24 * 60 * 60);
    expect(received).toHaveLength(2);
  });

  test('that a killed sandbox did not send is sent by the next one', async () => {
    await played('success');
    const port = (receiver.address() as AddressInfo).port;
    const next = await startSandbox({
      port: 0,
      publicOrigin: APP,
      webhookOrigin: `http://127.0.0.1:${port}`,
      database: database.address,
      secret: SECRET,
      now: () => clock.now,
    });
    await expect.poll(events).toEqual(['checkout.paid good']);
    await next.close();
  });
});

describe('a refund', () => {
  const refund = (attemptRef: string, refundRef: string, amountPaise: number) =>
    call('/v1/refunds', { attemptRef, refundRef, amountPaise });

  test('is paid once per reference, with a webhook', async () => {
    const { attemptRef } = await played('success');
    const ref = `R-${attemptRef}`;
    const all = await Promise.all(Array.from({ length: 10 }, () => refund(attemptRef, ref, 9_900)));
    expect(new Set(all.map(({ json }) => json.state))).toEqual(new Set(['SUCCEEDED']));
    expect((await call(`/v1/refunds/${ref}`)).json).toEqual({
      refundRef: ref,
      attemptRef,
      amountPaise: 9_900,
      state: 'SUCCEEDED',
      errorCode: null,
    });
    expect((await refund(attemptRef, ref, 9_899)).status).toBe(409);
    await sandbox.runDue();
    expect(events()).toEqual(['checkout.paid good', 'refund.succeeded good']);
    expect(received[1]?.refundRef).toBe(ref);
  });

  test('never exceeds the captured amount, also in parts and concurrently', async () => {
    const { attemptRef } = await played('success');
    expect((await refund(attemptRef, newRef(), 9_901)).status).toBe(422);
    const all = await Promise.all(Array.from({ length: 20 }, () => refund(attemptRef, newRef(), 1_000)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(all.filter(({ status }) => status === 422)).toHaveLength(11);
    expect((await refund(attemptRef, newRef(), 900)).status).toBe(200);
    expect((await refund(attemptRef, newRef(), 1)).status).toBe(422);
  });

  test('of an unpaid or unknown order is refused', async () => {
    const { attemptRef } = await played('fail');
    expect((await refund(attemptRef, newRef(), 100)).status).toBe(422);
    expect((await refund('unknown', newRef(), 100)).status).toBe(404);
    expect((await call('/v1/refunds/unknown')).status).toBe(404);
  });

  test('refunds each of two captures', async () => {
    const { attemptRef } = await played('double-capture');
    await after(5);
    expect((await refund(attemptRef, newRef(), 9_900)).status).toBe(200);
    expect((await refund(attemptRef, newRef(), 9_900)).status).toBe(200);
    expect((await refund(attemptRef, newRef(), 1)).status).toBe(422);
  });

  test('stays pending for 30 s where that was chosen, and counts as refunded in that time', async () => {
    const { attemptRef } = await played('refund-pending');
    const ref = newRef();
    expect((await refund(attemptRef, ref, 9_900)).json.state).toBe('PENDING');
    expect((await refund(attemptRef, newRef(), 1)).status).toBe(422);
    await after(29);
    expect((await call(`/v1/refunds/${ref}`)).json.state).toBe('PENDING');
    await after(1);
    expect((await call(`/v1/refunds/${ref}`)).json.state).toBe('SUCCEEDED');
    expect(events()).toEqual(['checkout.paid good', 'refund.succeeded good']);
  });

  test('fails where that was chosen, and the money can be refunded again', async () => {
    const { attemptRef } = await played('refund-fail');
    expect((await refund(attemptRef, newRef(), 9_900)).json).toMatchObject({
      state: 'FAILED',
      errorCode: 'REFUND_DECLINED',
    });
    expect((await refund(attemptRef, newRef(), 9_900)).status).toBe(200);
    await sandbox.runDue();
    expect(events()).toEqual(['checkout.paid good', 'refund.failed good', 'refund.failed good']);
  });
});

/** The built sandbox in its own process, connected by an IPC channel. */
function startProcess(env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/sandbox.js')], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk) => {
      output[name] += chunk;
    });
  }
  return { process: child, said: output };
}

describe('the checks of the settings', () => {
  const env = { PUBLIC_ORIGIN: 'http://localhost:3000', DATABASE_URL: 'postgresql://nowhere', SANDBOX_SECRET: SECRET };

  test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'https://nivida.test', 'http://app.nivida.localhost'])(
    'let it run for %s',
    (origin) => expect(readSandboxConfig({ ...env, PUBLIC_ORIGIN: origin }).publicOrigin).toBe(origin),
  );

  test.each([
    'https://nivida.in',
    'https://localhost.nivida.in',
    'https://nividatest',
    'https://test',
    'http://127.0.0.1.nivida.in',
    'http://192.168.1.5:3000',
    'http://0.0.0.0:3000',
    'http://localhost@nivida.in',
    'http://localhost:3000/path',
    'ftp://localhost',
    'localhost:3000',
    'nonsense',
  ])('refuse %s for the app and for the webhooks', (origin) => {
    expect(() => readSandboxConfig({ ...env, PUBLIC_ORIGIN: origin })).toThrow(
      'The payment sandbox runs only where PUBLIC_ORIGIN is localhost, 127.0.0.1, *.localhost or *.test',
    );
    expect(() => readSandboxConfig({ ...env, SANDBOX_WEBHOOK_ORIGIN: origin })).toThrow(
      'The payment sandbox runs only where SANDBOX_WEBHOOK_ORIGIN is localhost',
    );
  });

  test('refuse production with any other setting', () => {
    const message = 'The payment sandbox does not run with NODE_ENV=production';
    expect(() => readSandboxConfig({ ...env, NODE_ENV: 'production' })).toThrow(message);
    expect(() => readSandboxConfig({ NODE_ENV: 'production' })).toThrow(message);
  });

  test.each([
    ['SANDBOX_SECRET must be at least 32 bytes', { SANDBOX_SECRET: 'short' }],
    ['SANDBOX_SECRET must be set', { SANDBOX_SECRET: '' }],
    ['PUBLIC_ORIGIN must be set', { PUBLIC_ORIGIN: '' }],
    ['PAYMENT_SANDBOX_PORT must be a port', { PAYMENT_SANDBOX_PORT: '65536' }],
    ['DATABASE_URL must be set', { DATABASE_URL: '' }],
  ])('%s', (message, changes) => {
    expect(() => readSandboxConfig({ ...env, ...changes })).toThrow(message);
  });

  test.each([
    ['in production', { NODE_ENV: 'production' }, 'The payment sandbox does not run with NODE_ENV=production\n'],
    [
      'for a foreign origin',
      { PUBLIC_ORIGIN: 'https://nivida.in' },
      'The payment sandbox runs only where PUBLIC_ORIGIN is localhost, 127.0.0.1, *.localhost or *.test, not https://nivida.in\n',
    ],
  ])('end the process with exit code 78 and one line %s', async (_, changes, line) => {
    const child = startProcess({ ...env, ...changes });
    const [code] = await once(child.process, 'close');
    expect([code, child.said.stderr, child.said.stdout]).toEqual([78, line, '']);
  });
});

describe('the process', () => {
  const environment = () => {
    const { user, host, port, database: name } = database.address as Exclude<DatabaseAddress, string>;
    const address = `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
    return { PAYMENT_SANDBOX_PORT: '0', PUBLIC_ORIGIN: APP, DATABASE_URL: address, SANDBOX_SECRET: SECRET };
  };

  test.each([
    ['on SIGTERM', (child: ReturnType<typeof spawn>) => child.kill('SIGTERM')],
    ['when its parent is gone', (child: ReturnType<typeof spawn>) => child.disconnect()],
  ])('reports its port, prints nothing, and ends %s', async (_, end) => {
    const child = startProcess(environment());
    const [{ port }] = await once(child.process, 'message');
    expect((await fetch(`http://127.0.0.1:${port}/pay.css`)).status).toBe(200);
    end(child.process);
    // After disconnect() Node emits no 'close'.
    const [code] = await once(child.process, 'exit');
    expect([code, child.said.stderr, child.said.stdout]).toEqual([0, '', '']);
  });
});
