// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import type { OrderSummary } from '@nivida/contract/orders/order';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { OrderRows } from './OrderRows.tsx';
import { receiptFileName, saveCreditNote, saveReceipt, saveReceiptOfOrder } from './orders.ts';
import { deletePaidOrder, paidOrderFor, readPaidOrders, storePaidOrder } from './paid-orders.ts';

afterEach(async () => {
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
