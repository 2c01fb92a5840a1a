// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import type { OrderSummary } from '@nivida/contract/orders/order';
import type { Tender } from '@nivida/contract/tenders/tender';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { writeSetting } from '../../data/device/settings.ts';
import type { QueryResult } from '../../data/server/query-cache.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { useToast } from '../../ui/feedback/toast.ts';
import { closeTestPages, openTestHook, openTestPage } from '../../ui/test-page.tsx';
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
  await closeTestPages();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

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
  const Order = ({ isChanging = false }) => usePaidOrder(tender, isChanging) ?? 'none';
  await storePaidOrder({ orderId: 'other', tenderId: '9' });
  const { text, show } = await openTestPage(<Order />);
  expect(text()).toBe('none');
  await show(<Order isChanging />);
  await storePaidOrder({ orderId: 'bought', tenderId: '7' });
  await show(<Order />);
  await expect.poll(text).toBe('bought');
  await act(async () => signInForTest('7'));
  expect(text()).toBe('none');
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

const ORDER: OrderSummary = {
  ...{ orderId: 'paid', product: 'tender-documents', title: 'Road', tenderId: '7', planId: null, amountPaise: 9_900 },
  ...{ status: 'REFUNDED', createdAt: '2026-04-15T05:30:00Z', paidAt: '2026-04-15T18:30:00Z' },
  ...{ receiptNumber: 'TN/1', creditNoteNumber: 'CN/1', isTest: false },
};
const PAID: OrderSummary = { ...ORDER, status: 'SUCCESS', creditNoteNumber: null };

/** Shows the list of orders on 1 May 2026. */
async function openList(orders: readonly OrderSummary[] | undefined, changes: Partial<QueryResult<unknown>> = {}) {
  const reload = vi.fn();
  const list = { answer: orders, receivedAt: null, error: undefined, isLoading: false, reload, ...changes };
  const now = new Date('2026-05-01T00:00:00Z');
  const opened = await openTestPage(<OrderRows {...{ orders, list, now }} empty={<p>No orders yet.</p>} />);
  return { ...opened, reload };
}

test('each order of the list has its status, its amount, the day of payment, and what can be done with it', async () => {
  const unpaid = { ...PAID, tenderId: '8', paidAt: null, receiptNumber: null };
  const { page } = await openList([
    PAID,
    {
      ...{ ...PAID, orderId: 'plan', product: 'yearly-subscription', title: 'Basic', tenderId: null },
      ...{ planId: 'basic', amountPaise: 589_900, isTest: true },
    },
    { ...ORDER, orderId: 'refunded' },
    { ...unpaid, orderId: 'pending', status: 'PENDING' },
    { ...unpaid, orderId: 'failed', status: 'FAILED' },
  ]);
  const texts = [...page.querySelectorAll('ul > li')].map((row) => ({
    facts: [...row.querySelectorAll('h3, b, p:first-of-type > *')].map(({ textContent }) => textContent),
    actions: [...row.querySelectorAll('a, button')].map(
      (each) => each.getAttribute('href') ?? each.textContent?.replace(/\s+/g, ' ').trim(),
    ),
  }));
  const documents = 'Tender documents';
  const ask = (order: string) => `/dashboard/support?order=${order}`;
  expect(texts).toEqual([
    {
      facts: ['Road', '₹99.00', 'Paid', documents, '16 Apr 2026, 12:00 AM', 'TN/1'],
      actions: ['/tenders/7', 'Receipt TN/1 PDF', 'Send the email again', ask('paid')],
    },
    {
      facts: ['Basic plan, one year', '₹5,899.00', 'Paid', 'Yearly plan', '16 Apr 2026, 12:00 AM', 'TN/1', 'Test'],
      actions: ['Receipt TN/1 PDF', ask('plan')],
    },
    {
      facts: ['Road', '₹99.00', 'Refunded', documents, '16 Apr 2026, 12:00 AM', 'TN/1'],
      actions: ['/tenders/7', 'Receipt TN/1 PDF', 'Credit note CN/1 PDF', ask('refunded')],
    },
    {
      facts: ['Road', '₹99.00', 'Not confirmed yet', documents, '15 Apr 2026, 11:00 AM'],
      actions: ['/tenders/8', '/payment-status?id=pending', ask('pending')],
    },
    {
      facts: ['Road', '₹99.00', 'Not paid', documents, '15 Apr 2026, 11:00 AM'],
      actions: ['/tenders/8', ask('failed')],
    },
  ]);
});

test('unpaid orders are folded under the order that paid for the same item', async () => {
  const tried = { ...PAID, status: 'PENDING' as const, paidAt: null, receiptNumber: null };
  const plan = { product: 'yearly-subscription' as const, tenderId: null, planId: 'basic', title: 'Basic' };
  const { texts, page } = await openList([
    { ...tried, ...plan, orderId: 'plan again', createdAt: '2026-04-20T00:00:00Z' },
    { ...PAID, ...plan, orderId: 'plan' },
    { ...tried, ...plan, orderId: 'plan before', status: 'FAILED' },
    { ...PAID, orderId: 'road' },
    { ...tried, orderId: 'road 1' },
    { ...tried, orderId: 'road 2', status: 'FAILED' },
    { ...tried, orderId: 'test', isTest: true },
    { ...tried, orderId: 'wall', title: 'Wall', tenderId: '9' },
  ]);
  expect(texts('h3')).toEqual(['Basic plan, one year', 'Basic plan, one year', 'Road', 'Road', 'Wall']);
  expect(texts('summary')).toEqual(['1 other try was not completed', '2 other tries were not completed']);
  expect([...page.querySelectorAll('details a')].map((link) => link.getAttribute('href'))).toEqual([
    '/payment-status?id=road 1',
  ]);
});

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
  const countOrders = () => useOrders('orders-1').answer?.orders.length;
  const { last, close } = await openTestHook(countOrders);
  await expect.poll(last).toBe(0);
  await act(async () => refreshOrders('orders-1'));
  await expect.poll(last).toBe(1);
  expect(paths).toEqual(['/api/orders', '/api/orders']);
  await close();
  await expect
    .poll(async () => (await withDatabase((db) => db.accountLists.get(['orders-1', 'orders'])))?.list)
    .toEqual({ orders: [ORDER], plan: null });
  expect((await openTestHook(countOrders)).last()).toBe(1);
});

test('a list without orders says so, and only then', async () => {
  const empty = await openList([]);
  expect(empty.texts('p')).toEqual(['No orders yet.']);
  expect(empty.page.querySelector('ul')).toBeNull();
  const full = await openList([ORDER]);
  expect(full.text()).not.toContain('No orders yet.');
  expect(full.page.querySelectorAll('[aria-busy], [role="alert"]')).toHaveLength(0);
  const loading = await openList(undefined, { isLoading: true });
  expect(loading.texts('[aria-busy="true"] .sr')).toEqual(['Loading your orders']);
  expect(loading.text()).not.toContain('No orders yet.');
});

test('orders that cannot be loaded say why, how old the shown ones are, and can be tried again', async () => {
  const error = new Error('broken');
  const missing = await openList(undefined, { error });
  expect(missing.texts('[role="alert"] p')).toEqual(['Failed to load your orders']);
  await missing.press('Try Again');
  expect(missing.reload).toHaveBeenCalledOnce();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const offline = await openList(undefined, { error });
  expect(offline.texts('[role="alert"] p')).toEqual(['You are offline. Your orders need a connection the first time.']);
  const old = await openList([ORDER], { error, receivedAt: new Date('2026-04-30T22:00:00Z') });
  expect(old.texts('[role="alert"] p')).toEqual(['You are offline. As of 2 h ago.']);
  expect(old.texts('h3')).toEqual(['Road']);
});

test.each([
  ['Receipt TN/1 PDF', '/api/orders/paid/receipt.pdf', 'Failed to load the receipt'],
  ['Credit note CN/1 PDF', '/api/orders/paid/credit-note.pdf', 'Failed to load the credit note'],
  ['Send the email again', '/api/orders/paid/resend', 'Failed to send the email'],
])('"%s" of an order says why when it fails', async (label, path, problem) => {
  const answers = [Response.json({}, { status: 500 }), Response.json({ message: 'Not now.' }, { status: 409 })];
  const paths: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return answers.shift();
  });
  const { texts, press } = await openList([label === 'Send the email again' ? PAID : ORDER]);
  await press(label);
  await expect.poll(() => texts('[role="alert"]')).toEqual([problem]);
  await press(label);
  await expect.poll(() => texts('[role="alert"]')).toEqual(['Not now.']);
  expect(paths).toEqual([path, path]);
});

test('a mail that is sent again is confirmed by the text of the server', async () => {
  const methods: string[] = [];
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    if (url.endsWith('/api/orders/paid/resend')) methods.push(method);
    return Response.json({ message: 'A new link is on its way.' }, { status: 202 });
  });
  const { press } = await openList([PAID]);
  await press('Send the email again');
  await expect.poll(() => useToast.getState().current?.text).toBe('A new link is on its way.');
  expect(methods).toEqual(['POST']);
});

test('without a number there is no credit note to save', async () => {
  expect((await openTestPage(<CreditNoteButton orderId="paid" number={undefined} />)).page.innerHTML).toBe('');
});
