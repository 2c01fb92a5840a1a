// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { closeTestPages, openTestHook, openTestPage } from '../../../ui/test-page.tsx';
import { idempotencyKey } from '../checkout/idempotency-key.ts';
import { readPaymentDraft, savePaymentDraft } from '../checkout/payment-draft.ts';
import { readPaidOrders, storePaidOrder } from '../paid-orders.ts';
import { readPendingOrder, storePendingOrder } from './pending-order.ts';
import { useOrderView } from './useOrderView.ts';

const DRAFT = { buyer: { name: 'Asha Negi' }, planId: null, states: [] };

afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

interface Remembered {
  isPending: boolean;
  isSameIntent: boolean;
  hasDraft: boolean;
  /** Paid orders with their tenders. */
  paid: string[];
}

/** Shows the order `abc` of documents or a plan until its status is known; the phone then has what is expected. */
async function follow(status: string, order: { product: string; tenderId: string | null }, expected: Remembered) {
  const paths: string[] = [];
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const { pathname, search } = new URL(url);
    if (pathname === '/api/status-check') paths.push(pathname + search);
    return Response.json({ status, order: { title: 'Road', amountPaise: 9_900, ...order } });
  });
  savePaymentDraft(DRAFT);
  await storePendingOrder({ orderId: 'abc', at: 0 });
  await storePaidOrder({ orderId: 'earlier', tenderId: '9' });
  const key = await idempotencyKey('order', 0);
  const { last, close } = await openTestHook(() => useOrderView('abc', 'api/status-check').view.kind);
  await expect.poll(last).toBe(status === 'PENDING' ? 'checking' : 'known');
  expect(paths).toEqual(['/api/status-check?id=abc']);
  const remembered = async (): Promise<Remembered> => ({
    isPending: (await readPendingOrder(0)) !== null,
    isSameIntent: (await idempotencyKey('order', 0)) === key,
    hasDraft: readPaymentDraft().buyer.name !== undefined,
    paid: (await readPaidOrders()).map(({ orderId, tenderId }) => `${orderId} ${tenderId}`),
  });
  await expect.poll(remembered).toEqual(expected);
  await close();
  // It stays so after all writes of the page.
  expect(await remembered()).toEqual(expected);
}

const DOCUMENTS = { product: 'tender-documents', tenderId: '7' };
const PLAN = { product: 'yearly-subscription', tenderId: null };
const ENDED = { isPending: false, isSameIntent: false };

test('paid documents are not offered again, and the next payment begins with an empty form', async () => {
  await follow('SUCCESS', DOCUMENTS, { ...ENDED, hasDraft: false, paid: ['abc 7', 'earlier 9'] });
});

test('a paid plan is no document', async () => {
  await follow('SUCCESS', PLAN, { ...ENDED, hasDraft: false, paid: ['earlier 9'] });
});

test('after a failed payment the typed form stays, and the next press is another order', async () => {
  await follow('FAILED', DOCUMENTS, { ...ENDED, hasDraft: true, paid: ['earlier 9'] });
});

test('refunded documents are offered again', async () => {
  await storePaidOrder({ orderId: 'abc', tenderId: '7' });
  await follow('REFUNDED', DOCUMENTS, { ...ENDED, hasDraft: true, paid: ['earlier 9'] });
});

test('an order that is still pending stays known on the phone', async () => {
  const pending = { isPending: true, isSameIntent: true, hasDraft: true, paid: ['earlier 9'] };
  await follow('PENDING', DOCUMENTS, pending);
});

test('a purchase of documents without a tender is not stored', async () => {
  await follow('SUCCESS', { ...DOCUMENTS, tenderId: null }, { ...ENDED, hasDraft: false, paid: ['earlier 9'] });
});

test('the order is polled when there is a connection again, when the app is visible again, and by Check again, while it is shown', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const asked: string[] = [];
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const { pathname, search } = new URL(url);
    asked.push(pathname + search);
    return Response.json({ status: 'PENDING', order: DOCUMENTS });
  });
  const visibility = vi.spyOn(document, 'visibilityState', 'get');
  const Order = ({ id }: { id: string }) => {
    const { again } = useOrderView(id, 'api/payment-status');
    return (
      <button type="button" onClick={again}>
        Check again
      </button>
    );
  };
  const happen = (target: EventTarget, type: string) =>
    act(async () => {
      vi.setSystemTime(Date.now() + 2_000);
      target.dispatchEvent(new Event(type));
    });
  const path = '/api/payment-status?id=';
  const isAsked = (...ids: string[]) => expect.poll(() => asked).toEqual(ids.map((id) => path + id));
  const { show, press, close } = await openTestPage(<Order id="abc" />);
  await isAsked('abc');
  visibility.mockReturnValue('hidden');
  await happen(document, 'visibilitychange');
  visibility.mockReturnValue('visible');
  await happen(document, 'visibilitychange');
  await isAsked('abc', 'abc');
  await happen(window, 'online');
  await isAsked('abc', 'abc', 'abc');
  await press('Check again');
  await isAsked('abc', 'abc', 'abc', 'abc');
  await show(<Order id="xyz" />);
  await happen(window, 'online');
  await isAsked('abc', 'abc', 'abc', 'abc', 'xyz', 'xyz');
  await close();
  await happen(window, 'online');
  await happen(document, 'visibilitychange');
  await openTestPage(<Order id="end" />);
  await isAsked('abc', 'abc', 'abc', 'abc', 'xyz', 'xyz', 'end');
});
