// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase } from '../../../data/device/database.ts';
import { writeSetting } from '../../../data/device/settings.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../../ui/test-page.tsx';
import { ContinuePayment } from './ContinuePayment.tsx';
import { PendingOrderBanner } from './PendingOrderBanner.tsx';
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
  await closeTestPages();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  clearSession();
  await writeSetting('pending order', null);
  await closeDatabase();
});

test('the tab that returns reads its pending order once', async () => {
  await storePendingOrder({ orderId: 'abc', at: 0 });
  expect(takePendingOrderId()).toBe('abc');
  expect(takePendingOrderId()).toBeNull();
});

test('without the tab the device still has the order for four days, while its bank may confirm late', async () => {
  await storePendingOrder({ orderId: 'abc', at: 0 });
  sessionStorage.clear();
  expect(takePendingOrderId()).toBeNull();
  expect(await readPendingOrder(95 * HOUR)).toEqual({ orderId: 'abc', at: 0 });
  expect(await readPendingOrder(96 * HOUR)).toBeNull();
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
  for (const url of ['javascript:alert(1)', 'javascript:https://pay.example/abc', 'https:pay.example'])
    expect([url, openPaymentUrl({ orderId: 'abc', at: 0, url }, 0)]).toEqual([url, null]);
  expect(openPaymentUrl({ orderId: 'abc', at: 1_000, url: 'http://127.0.0.1:4010/pay/abc' }, 1_000)).toBe(
    'http://127.0.0.1:4010/pay/abc',
  );
});

test('the device has the order also when the storage of the tab is full', async () => {
  const setItem = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  vi.stubGlobal('sessionStorage', { getItem: () => null, removeItem: () => undefined, setItem });
  await storePendingOrder({ orderId: 'abc', at: 0 });
  vi.unstubAllGlobals();
  expect(takePendingOrderId()).toBeNull();
  expect(await readPendingOrder(0)).toEqual({ orderId: 'abc', at: 0 });
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

test.each([
  { orderId: 7 },
  { orderId: 7, at: 0 },
  { orderId: '', at: 0 },
  { orderId: 'abc' },
  { orderId: 'abc', at: '0' },
  'abc',
])('the stored value %j is no pending order', async (stored) => {
  await writeSetting('pending order', stored);
  expect(await readPendingOrder(0)).toBeNull();
});

test('a pending order that an earlier version stored without its owner belongs to the signed-out device', async () => {
  await writeSetting('pending order', { orderId: 'abc', at: 0, url: 7 });
  expect(await readPendingOrder(0)).toEqual({ orderId: 'abc', at: 0 });
  signInForTest('7');
  expect(await readPendingOrder(0)).toBeNull();
});

test('the end of an order of another tab leaves the order of this tab', async () => {
  await storePendingOrder({ orderId: 'abc', at: 0 });
  await writeSetting('pending order', { orderId: 'other', at: 0, owner: '' });
  await deletePendingOrder('other');
  expect(await readPendingOrder(0)).toBeNull();
  expect(takePendingOrderId()).toBe('abc');
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

describe('the offer to check a payment', () => {
  const text = 'We could not confirm your payment. We email you the result in any case.';

  /** Shows the offer at an address; `links` are its links and buttons. */
  async function openPage(address: string) {
    const opened = await openTestPage(<PendingOrderBanner />, address);
    const links = () =>
      [...opened.page.querySelectorAll('a, button')].map((each) => each.getAttribute('href') ?? each.textContent);
    return { ...opened, links, go: (to: string) => act(async () => opened.router.navigate(to)) };
  }

  test('is shown on every page, with the open payment page, until it is dismissed', async () => {
    await storePendingOrder({ orderId: 'a/c', at: Date.now(), url: 'https://pay.example/abc' });
    const { page, texts, names, press, links, go } = await openPage('/tenders/7');
    await expect.poll(links).toEqual(['https://pay.example/abc', '/payment-status?id=a%2Fc', 'Dismiss']);
    expect(page.querySelector('section')?.getAttribute('aria-label')).toBe('Your payment');
    expect([texts('p'), names()[0]]).toEqual([[text], 'Continue payment']);
    await press('Dismiss');
    expect(links()).toEqual([]);
    await expect.poll(() => readPendingOrder(Date.now())).toBeNull();
    expect(takePendingOrderId()).toBeNull();
    await go('/');
    expect(links()).toEqual([]);
  });

  test('is absent on the pages that show the result themselves', async () => {
    await storePendingOrder({ orderId: 'abc', at: Date.now() });
    const { links, go } = await openPage('/');
    const offered = ['/payment-status?id=abc', 'Dismiss'];
    await expect.poll(links).toEqual(offered);
    for (const [address, shown] of [
      ['/payment-status?id=abc', []],
      ['/tenders/7?id=abc', []],
      ['/tenders/7', offered],
      ['/pricing?id=abc', offered],
    ] as const) {
      await go(address);
      expect([address, links()]).toEqual([address, shown]);
    }
  });

  test('ends with the navigation before which a page has deleted the order', async () => {
    await storePendingOrder({ orderId: 'abc', at: Date.now() });
    const { links, go } = await openPage('/');
    await expect.poll(links).toHaveLength(2);
    await deletePendingOrder('abc');
    await go('/tenders');
    await expect.poll(links).toEqual([]);
  });

  test('is not shown to the next user', async () => {
    await storePendingOrder({ orderId: 'abc', at: Date.now() });
    const { links } = await openPage('/');
    await expect.poll(links).toHaveLength(2);
    await act(async () => signInForTest('7'));
    await expect.poll(links).toEqual([]);
  });
});

test('a payment is continued on the page of its own order only', async () => {
  await storePendingOrder({ orderId: 'abc', at: Date.now(), url: 'https://pay.example/abc' });
  const { names } = await openTestPage(
    <>
      <ContinuePayment orderId="xyz" />
      <ContinuePayment orderId="abc" />
    </>,
  );
  await expect.poll(() => names()).toEqual(['Continue payment']);
});
