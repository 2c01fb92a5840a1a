import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { deletePaymentIntent } from './idempotency-key.ts';
import {
  type CreateOrderBody,
  type PlaceOrderEnvironment,
  placeOrder,
  placeOrderFailureText,
  safePaymentUrl,
} from './place-order.ts';

const BODY: CreateOrderBody = {
  product: 'tender-documents',
  tenderId: '7',
  documentId: '7',
  name: 'Asha Negi',
  mobileNo: '9816041122',
  email: 'asha@example.in',
  amount: 99,
  redirectUrl: '/tenders/7',
};
const STARTED = { url: 'https://pay.example/abc', orderId: 'abcdefghijklmnopqrstuv' };

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A server that gives these answers in turn and records the requests. */
function server(...answers: (() => Response)[]) {
  const sent: { key: string | null; body: unknown }[] = [];
  vi.stubGlobal(
    'fetch',
    vi.fn(async (request: Request) => {
      sent.push({ key: request.headers.get('idempotency-key'), body: await request.clone().json() });
      const answer = answers.shift();
      if (!answer) throw new Error('asked too often');
      return answer();
    }),
  );
  return sent;
}

const lost = () => {
  throw new TypeError('Failed to fetch');
};

function world(isOnline = () => true) {
  const waits: number[] = [];
  const driven: PlaceOrderEnvironment = { now: () => 0, wait: async (ms) => void waits.push(ms), isOnline };
  return { driven, waits };
}

const openSignal = () => new AbortController().signal;

beforeEach(() => deletePaymentIntent());
afterEach(async () => {
  vi.unstubAllGlobals();
  await closeDatabase();
});

describe('placing an order', () => {
  test('a call whose answer was lost is repeated with the same key and body', async () => {
    const sent = server(lost, lost, () => json(200, STARTED));
    const { driven, waits } = world();
    expect(await placeOrder(BODY, openSignal(), driven)).toEqual(STARTED);
    expect(waits).toEqual([1_000, 3_000]);
    expect(sent).toHaveLength(3);
    expect(sent[0]?.key).toMatch(/^[\da-f-]{36}$/);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(sent[2]?.body).toEqual(BODY);
  });

  test('after two repetitions it fails, and the next submit has the same key', async () => {
    const sent = server(lost, lost, lost, () => json(200, STARTED));
    const { driven } = world();
    await expect(placeOrder(BODY, openSignal(), driven)).rejects.toThrow();
    await placeOrder(BODY, openSignal(), driven);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  });

  test('the same order of another user of the device has a key of its own', async () => {
    const sent = server(
      () => json(200, STARTED),
      () => json(200, STARTED),
    );
    await placeOrder(BODY, openSignal(), world().driven);
    signInForTest('7');
    await placeOrder(BODY, openSignal(), world().driven);
    clearSession();
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
  });

  test('a call waits for an equal one that is still being answered', async () => {
    server(
      () => json(409, { message: 'In flight' }, { 'retry-after': '1' }),
      () => json(200, STARTED),
    );
    const { driven } = world();
    expect(await placeOrder(BODY, openSignal(), driven)).toEqual(STARTED);
  });

  test('a refusal is not repeated', async () => {
    const sent = server(() => json(409, { message: 'Documents are not available yet' }));
    const { driven } = world();
    await expect(placeOrder(BODY, openSignal(), driven)).rejects.toSatisfy(
      (error) => placeOrderFailureText(error) === 'Documents are not available yet',
    );
    expect(sent).toHaveLength(1);
  });

  test('too many orders are not repeated, although the server says when', async () => {
    const sent = server(() => json(429, { message: 'Too many attempts.' }, { 'retry-after': '600' }));
    await expect(placeOrder(BODY, openSignal(), world().driven)).rejects.toSatisfy(
      (error) => placeOrderFailureText(error) === 'Too many attempts.',
    );
    expect(sent).toHaveLength(1);
  });

  test('the same body is sent to its address, as JSON', async () => {
    const calls: string[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      calls.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get('content-type')}`);
      return json(200, STARTED);
    });
    await placeOrder(BODY, openSignal(), world().driven);
    expect(calls).toEqual(['POST /api/create-order application/json']);
  });

  test('the key is stored before the call, so that a reload in between makes no second order', async () => {
    const database = await withDatabase(async (db) => db.backendDB());
    const stored: unknown[] = [];
    const sent: unknown[] = [];
    vi.stubGlobal('fetch', async (request: Request) => {
      // A write that begins later is not seen by this read.
      const reading = database.transaction('settings').objectStore('settings').get('payment intent');
      reading.onsuccess = () => stored.push(reading.result?.value?.key);
      sent.push(request.headers.get('idempotency-key'));
      return json(200, STARTED);
    });
    await placeOrder(BODY, openSignal(), world().driven);
    await expect.poll(() => stored).toEqual(sent);
    expect(sent).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  });

  test('a dialog that is closed ends the call under way', async () => {
    const controller = new AbortController();
    const begun = Promise.withResolvers<Request>();
    vi.stubGlobal('fetch', (request: Request) => {
      begun.resolve(request);
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason));
      });
    });
    const placing = placeOrder(BODY, controller.signal, world().driven);
    await begun.promise;
    controller.abort();
    expect((await begun.promise).signal.aborted).toBe(true);
    await expect(placing).rejects.toThrow();
  });

  test('without a connection nothing more is sent, now or later', async () => {
    let isOnline = true;
    const sent = server(() => {
      isOnline = false;
      return lost();
    });
    const { driven } = world(() => isOnline);
    await expect(placeOrder(BODY, openSignal(), driven)).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  test('without a connection after the pause nothing more is sent', async () => {
    let isOnline = true;
    const sent = server(lost);
    const { driven } = world(() => isOnline);
    const wait = async () => {
      isOnline = false;
    };
    await expect(placeOrder(BODY, openSignal(), { ...driven, wait })).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });

  test('a closed dialog sends nothing more', async () => {
    const controller = new AbortController();
    const sent = server(() => {
      controller.abort();
      return lost();
    });
    const { driven } = world();
    await expect(placeOrder(BODY, controller.signal, driven)).rejects.toThrow();
    expect(sent).toHaveLength(1);
  });
});

describe('a failed call shows', () => {
  test.each([
    ['the server’s message', json(422, { message: 'Price has changed' }), 'Price has changed'],
    ['a reply without a message', json(502, {}), 'Failed to initiate payment. Please try again.'],
  ])('%s', async (_case, answer, text) => {
    server(() => answer);
    await expect(placeOrder(BODY, openSignal(), world().driven)).rejects.toSatisfy(
      (error) => placeOrderFailureText(error) === text,
    );
  });

  test('no reply', async () => {
    server(lost, lost, lost);
    await expect(placeOrder(BODY, openSignal(), world().driven)).rejects.toSatisfy(
      (error) => placeOrderFailureText(error) === 'Failed to initiate payment. Please try again.',
    );
  });
});

describe('the payment page', () => {
  test.each([
    ['https://pay.example/abc', 'https://pay.example/abc'],
    ['http://127.0.0.1:4010/pay/abc', 'http://127.0.0.1:4010/pay/abc'],
    ['/payment-status?id=x', 'https://nivida.example/payment-status?id=x'],
  ])('%s is opened', (url, href) => {
    expect(safePaymentUrl(url, 'https://nivida.example/tenders/7')?.href).toBe(href);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'https://'])('%s is not', (url) => {
    expect(safePaymentUrl(url, 'https://nivida.example/tenders/7')).toBeNull();
  });
});
