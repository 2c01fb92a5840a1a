// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { receiptFileName, saveCreditNote } from './orders.ts';
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
