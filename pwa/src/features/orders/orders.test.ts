// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { OrderSummary } from '@nivida/contract/orders/order';
import type { Tender } from '@nivida/contract/tenders/tender';
import { act } from 'preact/test-utils';
import { createElement, type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeSetting } from '../../data/device/settings.ts';
import type { QueryResult } from '../../data/server/query-cache.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { CreditNoteButton } from './CreditNoteButton.tsx';
import { OrderRows } from './OrderRows.tsx';
import {
  receiptFileName,
  refreshOrders,
  saveCreditNote,
  saveReceipt,
  saveReceiptOfOrder,
  useOrders,
} from './orders.ts';
import { deletePaidOrder, paidOrderFor, readPaidOrders, storePaidOrder, usePaidOrder } from './paid-orders.ts';

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

const inRouter = (element: ReactNode) =>
  createElement(RouterProvider, { router: createMemoryRouter([{ path: '/', element }]) });

const sibling = (id: string) => ({ _id: id, title: 'Culvert', source_tender_id: '2026_PWD_1_2' });

test('documents bought signed out are found by their tender and by the other works of its NIT', async () => {
  await storePaidOrder({ orderId: 'first', tenderId: '7' });
  await storePaidOrder({ orderId: 'second', tenderId: '9' });
  await storePaidOrder({ orderId: 'second', tenderId: '9' });
  const orders = await readPaidOrders();
  expect(orders.map(({ orderId }) => orderId)).toEqual(['second', 'first']);
  expect(paidOrderFor(orders, { _id: '7', nit_siblings: [] })).toBe('first');
  expect(paidOrderFor(orders, { _id: '8', nit_siblings: [sibling('9')] })).toBe('second');
  expect(paidOrderFor(orders, { _id: '8', nit_siblings: [] })).toBeNull();
});

test('they are offered again after a refund, and others are not', async () => {
  await storePaidOrder({ orderId: 'first', tenderId: '7' });
  await storePaidOrder({ orderId: 'second', tenderId: '9' });
  await deletePaidOrder('first');
  expect(await readPaidOrders()).toEqual([{ orderId: 'second', tenderId: '9' }]);
});

test('documents bought again are found by the newest order', async () => {
  await storePaidOrder({ orderId: 'first', tenderId: '7' });
  await storePaidOrder({ orderId: 'second', tenderId: '7' });
  expect(paidOrderFor(await readPaidOrders(), { _id: '7', nit_siblings: [] })).toBe('second');
});

test('of documents bought signed out the hundred newest are known, and stored values of another shape are none', async () => {
  const orders = Array.from({ length: 100 }, (_, index) => ({ orderId: `order-${index}`, tenderId: `${index}` }));
  await writeSetting('documents bought signed out', [...orders, { orderId: 7, tenderId: '7' }, { orderId: 'x' }, null]);
  expect(await readPaidOrders()).toEqual(orders);
  await storePaidOrder({ orderId: 'newest', tenderId: '7' });
  expect(await readPaidOrders()).toEqual([{ orderId: 'newest', tenderId: '7' }, ...orders.slice(0, 99)]);
  await writeSetting('documents bought signed out', { orderId: 'x', tenderId: '7' });
  expect(await readPaidOrders()).toEqual([]);
});

test('a tender shows the order of its documents after a dialog has closed, and to the signed-out device only', async () => {
  const tender = { _id: '7', nit_siblings: [] as Tender['nit_siblings'] } as Tender;
  let show = (_isChanging: boolean) => {};
  const Probe = () => {
    const [isChanging, setIsChanging] = useState(false);
    show = setIsChanging;
    return createElement('p', null, usePaidOrder(tender, isChanging) ?? 'none');
  };
  const page = document.createElement('div');
  const root = createRoot(page);
  await storePaidOrder({ orderId: 'other', tenderId: '9' });
  await act(async () => root.render(inRouter(createElement(Probe))));
  expect(page.textContent).toBe('none');
  await act(async () => show(true));
  await storePaidOrder({ orderId: 'bought', tenderId: '7' });
  await act(async () => show(false));
  await expect.poll(() => page.textContent).toBe('bought');
  await act(async () => signInForTest('7'));
  expect(page.textContent).toBe('none');
  await act(async () => root.unmount());
});

test('an order of an account is not stored for the next user of the device', async () => {
  signInForTest('7');
  await storePaidOrder({ orderId: 'first', tenderId: '7' });
  expect(await readPaidOrders()).toEqual([]);
});

test.each([
  ['TN/26-27/0000001', 'nivida-TN-26-27-0000001.pdf'],
  ['TEST/26-27/0000012', 'nivida-TEST-26-27-0000012.pdf'],
])('the receipt %s is saved as %s', (number, name) => {
  expect(receiptFileName(number)).toBe(name);
});

test('a credit note is requested as such, not as the receipt of its order', async () => {
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return new Response(new Blob(['%PDF-']));
  });
  // A click on a download would leave the page of the tests after this one.
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await saveCreditNote('T1', 'CN/26-27/0000001');
  expect(paths).toEqual(['/api/orders/T1/credit-note.pdf']);
  const saved = click.mock.contexts as HTMLAnchorElement[];
  expect(saved.map(({ download }) => download)).toEqual(['nivida-CN-26-27-0000001.pdf']);
});

test('the receipt of an order is saved under its number, also where only the server knows it', async () => {
  const paths: string[] = [];
  const disposition = { 'content-disposition': 'attachment; filename="TN-26-27-0000002.pdf"' };
  vi.stubGlobal('fetch', async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return new Response(new Blob(['%PDF-']), paths.length === 3 ? {} : { headers: disposition });
  });
  // A click on a download would leave the page of the tests after this one.
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  await saveReceipt({ orderId: 'T1' } as OrderSummary, 'TN/26-27/0000001');
  await saveReceiptOfOrder('T2');
  await saveReceiptOfOrder('T3');
  expect(paths).toEqual(['T1', 'T2', 'T3'].map((id) => `/api/orders/${id}/receipt.pdf`));
  const saved = click.mock.contexts as HTMLAnchorElement[];
  expect(saved.map(({ download }) => download)).toEqual([
    'nivida-TN-26-27-0000001.pdf',
    'nivida-TN-26-27-0000002.pdf',
    'nivida-receipt.pdf',
  ]);
});

test('each order of the list has its status, its amount, the day of payment, and what can be done with it', async () => {
  const order = (orderId: string, changes: Partial<OrderSummary>): OrderSummary => ({
    ...{ orderId, product: 'tender-documents', title: 'Road', tenderId: '7', planId: null, amountPaise: 9_900 },
    ...{ status: 'SUCCESS', createdAt: '2026-04-15T05:30:00Z', paidAt: '2026-04-15T18:30:00Z' },
    ...{ receiptNumber: 'TN/1', creditNoteNumber: null, isTest: false },
    ...changes,
  });
  const orders = [
    order('paid', {}),
    order('plan', {
      product: 'yearly-subscription',
      title: 'Basic',
      tenderId: null,
      amountPaise: 589_900,
      isTest: true,
    }),
    order('refunded', { status: 'REFUNDED', creditNoteNumber: 'CN/1' }),
    order('pending', { status: 'PENDING', paidAt: null, receiptNumber: null }),
    order('failed', { status: 'FAILED', paidAt: null, receiptNumber: null }),
  ];
  const list = { answer: orders, receivedAt: null, error: undefined, isLoading: false, reload: () => undefined };
  const element = createElement(OrderRows, { orders, list, now: new Date('2026-05-01T00:00:00Z'), empty: 'none' });
  const page = document.createElement('div');
  const root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const texts = [...page.querySelectorAll('ul > li')].map((row) => ({
    facts: [...row.querySelectorAll('h3, b, p:first-of-type > *')].map(({ textContent }) => textContent),
    actions: [...row.querySelectorAll('a, button')].map(
      (each) => each.getAttribute('href') ?? each.textContent?.replace(/\s+/g, ' ').trim(),
    ),
  }));
  const documents = 'Tender documents';
  expect(texts).toEqual([
    {
      facts: ['Road', '₹99.00', 'Paid', documents, '16 Apr 2026, 12:00 AM', 'TN/1'],
      actions: ['/tenders/7', 'Receipt TN/1 PDF', 'Send the email again'],
    },
    {
      facts: ['Basic', '₹5,899.00', 'Paid', 'Yearly plan', '16 Apr 2026, 12:00 AM', 'TN/1', 'Test'],
      actions: ['Receipt TN/1 PDF'],
    },
    {
      facts: ['Road', '₹99.00', 'Refunded', documents, '16 Apr 2026, 12:00 AM', 'TN/1'],
      actions: ['/tenders/7', 'Receipt TN/1 PDF', 'Credit note CN/1 PDF'],
    },
    {
      facts: ['Road', '₹99.00', 'Not confirmed yet', documents, '15 Apr 2026, 11:00 AM'],
      actions: ['/tenders/7', '/payment-status?id=pending'],
    },
    { facts: ['Road', '₹99.00', 'Not paid', documents, '15 Apr 2026, 11:00 AM'], actions: ['/tenders/7'] },
  ]);
  await act(async () => root.unmount());
});

const ORDER: OrderSummary = {
  ...{ orderId: 'paid', product: 'tender-documents', title: 'Road', tenderId: '7', planId: null, amountPaise: 9_900 },
  ...{ status: 'REFUNDED', createdAt: '2026-04-15T05:30:00Z', paidAt: '2026-04-15T18:30:00Z' },
  ...{ receiptNumber: 'TN/1', creditNoteNumber: 'CN/1', isTest: false },
};

/** Shows the list of orders on 1 May 2026; `press` clicks a button and `texts` are those of elements. */
async function openList(orders: readonly OrderSummary[] | undefined, changes: Partial<QueryResult<unknown>> = {}) {
  let reloads = 0;
  const reload = () => {
    reloads += 1;
  };
  const list = { answer: orders, receivedAt: null, error: undefined, isLoading: false, reload, ...changes };
  const now = new Date('2026-05-01T00:00:00Z');
  const element = createElement(OrderRows, { orders, list, now, empty: createElement('p', null, 'No orders yet.') });
  const page = document.createElement('div');
  const root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const texts = (selector: string) => [...page.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const press = (label: string) =>
    act(async () => {
      [...page.querySelectorAll('button')].find(({ textContent }) => textContent?.includes(label))?.click();
    });
  return { page, texts, press, reloads: () => reloads, close: () => act(async () => root.unmount()) };
}

test('the orders of a user are loaded, loaded again on demand, and stored on the device', async () => {
  const answers = [
    { orders: [], plan: null },
    { orders: [ORDER], plan: null },
  ];
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    const answer = answers.shift();
    return answer ? Response.json(answer) : new Promise<Response>(() => undefined);
  });
  signInForTest('orders-1');
  const Probe = () => createElement('p', null, `${useOrders('orders-1').answer?.orders.length}`);
  const page = document.createElement('div');
  let root = createRoot(page);
  await act(async () => root.render(inRouter(createElement(Probe))));
  await expect.poll(() => page.textContent).toBe('0');
  await act(async () => refreshOrders('orders-1'));
  await expect.poll(() => page.textContent).toBe('1');
  expect(paths).toEqual(['/api/orders', '/api/orders']);
  await act(async () => root.unmount());
  await expect
    .poll(async () => (await withDatabase((db) => db.ownedLists.get(['orders-1', 'orders'])))?.list)
    .toEqual({ orders: [ORDER], plan: null });
  root = createRoot(page);
  await act(async () => root.render(inRouter(createElement(Probe))));
  expect(page.textContent).toBe('1');
  await act(async () => root.unmount());
});

test('a list without orders says so, and only then', async () => {
  const empty = await openList([]);
  expect(empty.texts('p')).toEqual(['No orders yet.']);
  expect(empty.page.querySelector('ul')).toBeNull();
  await empty.close();
  const full = await openList([ORDER]);
  expect(full.page.textContent).not.toContain('No orders yet.');
  expect(full.page.querySelectorAll('[aria-busy], [role="alert"]')).toHaveLength(0);
  await full.close();
  const loading = await openList(undefined, { isLoading: true });
  expect(loading.page.querySelector('[aria-busy="true"] .sr')?.textContent).toBe('Loading your orders');
  expect(loading.page.textContent).not.toContain('No orders yet.');
  await loading.close();
});

test('orders that cannot be loaded say why, how old the shown ones are, and can be tried again', async () => {
  const error = new Error('broken');
  const missing = await openList(undefined, { error });
  expect(missing.texts('[role="alert"] p')).toEqual(['Failed to load your orders']);
  await missing.press('Try Again');
  expect(missing.reloads()).toBe(1);
  await missing.close();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const offline = await openList(undefined, { error });
  expect(offline.texts('[role="alert"] p')).toEqual(['You are offline. Your orders need a connection the first time.']);
  await offline.close();
  const old = await openList([ORDER], { error, receivedAt: new Date('2026-04-30T22:00:00Z') });
  expect(old.texts('[role="alert"] p')).toEqual(['You are offline. As of 2 h ago.']);
  expect(old.texts('h3')).toEqual(['Road']);
  await old.close();
});

test.each([
  ['Receipt', '/api/orders/paid/receipt.pdf', 'Failed to load the receipt'],
  ['Credit note', '/api/orders/paid/credit-note.pdf', 'Failed to load the credit note'],
  ['Send the email again', '/api/orders/paid/resend', 'Failed to send the email'],
])('"%s" of an order says why when it fails', async (label, path, problem) => {
  const answers = [Response.json({}, { status: 500 }), Response.json({ message: 'Not now.' }, { status: 409 })];
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return answers.shift();
  });
  const { texts, press, close } = await openList([
    { ...ORDER, status: label === 'Send the email again' ? 'SUCCESS' : 'REFUNDED' },
  ]);
  await press(label);
  await expect.poll(() => texts('[role="alert"]')).toEqual([problem]);
  await press(label);
  await expect.poll(() => texts('[role="alert"]')).toEqual(['Not now.']);
  expect(paths).toEqual([path, path]);
  await close();
});

test('a mail that is sent again is confirmed by the text of the server', async () => {
  const methods: string[] = [];
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    if (url.endsWith('/api/orders/paid/resend')) methods.push(method);
    return Response.json({ message: 'A new link is on its way.' }, { status: 202 });
  });
  const { press, close } = await openList([{ ...ORDER, status: 'SUCCESS' }]);
  await press('Send the email again');
  await expect.poll(() => useToast.getState().current?.text).toBe('A new link is on its way.');
  expect(methods).toEqual(['POST']);
  await close();
});

test('without a number there is no credit note to save', async () => {
  const page = document.createElement('div');
  const root = createRoot(page);
  await act(async () => root.render(createElement(CreditNoteButton, { orderId: 'paid', number: undefined })));
  expect(page.innerHTML).toBe('');
  await act(async () => root.unmount());
});
