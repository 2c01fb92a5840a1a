// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { closeDatabase } from '../../../data/device/database.ts';
import { writeSetting } from '../../../data/device/settings.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import {
  deletePendingOrder,
  deletePendingOrderOf,
  openPaymentUrl,
  readPendingOrder,
  storePendingOrder,
  takePendingOrderId,
} from './pending-order.ts';

const HOUR = 3_600_000;

beforeEach(() => sessionStorage.clear());
afterEach(async () => {
  await writeSetting('pending order', null);
  await closeDatabase();
});

test('the tab that returns reads its pending order once', async () => {
  await storePendingOrder({ orderId: 'abc', at: 0 });
  expect(takePendingOrderId()).toBe('abc');
  expect(takePendingOrderId()).toBeNull();
});

test('without the tab the device still has the order, for a day', async () => {
  await storePendingOrder({ orderId: 'abc', at: 0 });
  sessionStorage.clear();
  expect(takePendingOrderId()).toBeNull();
  expect(await readPendingOrder(23 * HOUR)).toEqual({ orderId: 'abc', at: 0 });
  expect(await readPendingOrder(24 * HOUR)).toBeNull();
});

test('the payment page of a pending order can be continued for 20 minutes', async () => {
  await storePendingOrder({ orderId: 'abc', at: 1_000, url: 'https://pay.example/abc' });
  const pending = await readPendingOrder(2_000);
  expect(pending).toEqual({ orderId: 'abc', at: 1_000, url: 'https://pay.example/abc' });
  const at = (now: number) => openPaymentUrl(pending ?? { orderId: '', at: 0 }, now);
  expect(at(1_000 + HOUR / 3 - 1)).toBe('https://pay.example/abc');
  expect(at(1_000 + HOUR / 3)).toBeNull();
  expect(at(999)).toBeNull();
  expect(openPaymentUrl({ orderId: 'abc', at: 0 }, 0)).toBeNull();
  expect(openPaymentUrl({ orderId: 'abc', at: 0, url: 'javascript:alert(1)' }, 0)).toBeNull();
});

test('a finished order is deleted from tab and device', async () => {
  await storePendingOrder({ orderId: 'abc', at: 0 });
  await deletePendingOrder('abc');
  expect(takePendingOrderId()).toBeNull();
  expect(await readPendingOrder(0)).toBeNull();
});

test('the end of one order leaves another', async () => {
  await storePendingOrder({ orderId: 'abc', at: 0 });
  await deletePendingOrder('xyz');
  expect(takePendingOrderId()).toBe('abc');
  expect(await readPendingOrder(0)).toEqual({ orderId: 'abc', at: 0 });
});

test('a stored value of another shape is no pending order', async () => {
  await writeSetting('pending order', { orderId: 7 });
  expect(await readPendingOrder(0)).toBeNull();
});

test('the pending order of a user is visible to that user only, and is deleted at the sign-out', async () => {
  signInForTest('7');
  await storePendingOrder({ orderId: 'abc', at: 0 });
  expect(await readPendingOrder(0)).toEqual({ orderId: 'abc', at: 0 });
  clearSession();
  expect(await readPendingOrder(0)).toBeNull();
  await deletePendingOrderOf('8');
  signInForTest('7');
  expect(await readPendingOrder(0)).toEqual({ orderId: 'abc', at: 0 });
  clearSession();
  await deletePendingOrderOf('7');
  expect(takePendingOrderId()).toBeNull();
  signInForTest('7');
  expect(await readPendingOrder(0)).toBeNull();
  clearSession();
});
