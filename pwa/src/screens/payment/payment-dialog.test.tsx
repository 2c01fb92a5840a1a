// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { parsePath } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { readPendingOrder, storePendingOrder } from '../../features/orders/payment/pending-order.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { PaymentReturnDialog } from './PaymentReturnDialog.tsx';

const ID = 'A'.repeat(22);
/** An order that no earlier test has ended: the device deletes an ended order with some delay. */
const PENDING = 'B'.repeat(22);

beforeEach(() => {
  // The next check would come by itself, after two seconds.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  // A browser sends the event later, when the frame of the loading dialog has left the page.
  vi.spyOn(HTMLDialogElement.prototype, 'close').mockImplementation(() => undefined);
});
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearSession();
  sessionStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Shows the tender's screen at an address, without the tender; `retries` counts the opened payment forms. */
async function openTender(address: string, answer: () => Response) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    const { pathname, search } = new URL(url);
    asked.push(pathname + search);
    return answer();
  });
  let retries = 0;
  const onRetry = () => {
    retries += 1;
  };
  const { pathname = '/', ...rest } = parsePath(address);
  const opened = await openTestPage(<PaymentReturnDialog onRetry={onRetry} />, {
    ...rest,
    pathname,
    state: { from: 'list' },
  });
  const { page, texts } = opened;
  return {
    ...opened,
    asked,
    retries: () => retries,
    title: () => texts('h2')[0],
    paragraphs: () => texts('[role="status"] p'),
    /** Buttons by their names, links with their address. */
    actions: () =>
      [...page.querySelectorAll('a, button')].map((each) =>
        [each.textContent?.trim() || each.getAttribute('aria-label'), each.getAttribute('href')]
          .filter(Boolean)
          .join(' '),
      ),
  };
}

const DOCUMENTS = { product: 'tender-documents', tenderId: '7' };
const answerOf =
  (status: string, order: object = DOCUMENTS, more: object = {}) =>
  () =>
    Response.json({ status, order, ...more });
const ORDER = ['Tender documents (NIT & BOQ)', `Order number ${ID}`];

describe('the result of a payment over the tender', () => {
  test.each<[string, () => Response, boolean, string, string[], string[]]>([
    [
      'paid documents of a guest',
      answerOf('SUCCESS'),
      false,
      'Payment Successful!',
      [
        'Documents will be sent to your email shortly.',
        'Save the page of your order: it gives your documents and the receipt again.',
      ],
      ['Download', 'Close', 'Receipt PDF', 'Send the email again', `Page of your order /payment-status?id=${ID}`],
    ],
    [
      'paid documents of an account',
      answerOf('SUCCESS'),
      true,
      'Payment Successful!',
      ['Documents will be sent to your email shortly.'],
      ['Download', 'Close', 'Receipt PDF', 'Send the email again', 'Your payments /dashboard/payments'],
    ],
    [
      'a declined payment',
      answerOf('FAILED', DOCUMENTS, { error: 'The payment was declined. Please try again.' }),
      false,
      'Payment Failed',
      [
        'The payment was declined. Please try again.',
        'If money left your account, do not pay again. It is matched with your order as soon as the bank confirms it, or comes back by itself within 5 working days.',
      ],
      ['Try Again', 'Close'],
    ],
    [
      'refunded documents',
      answerOf('REFUNDED'),
      false,
      'Payment refunded',
      ['The money goes back the way it came, to the card or account you paid with, within 5 working days.'],
      ['Close'],
    ],
  ])('of %s', async (_what, answer, isSignedIn, title, texts, actions) => {
    if (isSignedIn) signInForTest('7');
    const tender = await openTender(`/tenders/7?id=${ID}`, answer);
    await expect.poll(tender.title).toBe(title);
    expect(tender.paragraphs()).toEqual([ORDER[0], ...texts, ORDER[1]]);
    expect(tender.actions()).toEqual(['Close', ...actions]);
    expect(tender.asked).toEqual([`/api/status-check?id=${ID}`]);
    expect(tender.texts('.sr')[0]).toBe(title);
  });

  test('closes for good: its order leaves the address, and the rest of it stays', async () => {
    const tender = await openTender(`/tenders/7?tab=documents&id=${ID}#calendar`, answerOf('SUCCESS'));
    await expect.poll(tender.title).toBe('Payment Successful!');
    await tender.press('Close', 1);
    expect(tender.title()).toBeUndefined();
    const { location, historyAction } = tender.router.state;
    expect([tender.address(), location.state, historyAction]).toEqual([
      '/tenders/7?tab=documents#calendar',
      { from: 'list' },
      'REPLACE',
    ]);
    expect(tender.retries()).toBe(0);
  });

  test('of a declined payment leads to the payment form again', async () => {
    const tender = await openTender(`/tenders/7?id=${ID}`, answerOf('FAILED'));
    await expect.poll(tender.title).toBe('Payment Failed');
    await tender.press('Try Again');
    expect([tender.title(), tender.retries(), tender.address()]).toEqual([undefined, 1, '/tenders/7']);
  });

  test('that cannot be checked can be checked again, and opens no payment form', async () => {
    const answers = [Response.json({}, { status: 500 }), answerOf('SUCCESS')()];
    const tender = await openTender(`/tenders/7?id=${ID}`, () => answers.shift() as Response);
    await expect.poll(tender.title).toBe('Error Checking Payment');
    expect(tender.actions()).toEqual(['Close', 'Try Again', 'Close']);
    await tender.press('Try Again');
    await expect.poll(tender.title).toBe('Payment Successful!');
    expect(tender.retries()).toBe(0);
  });

  test('that is not known after five minutes can be checked again', async () => {
    const tender = await openTender(`/tenders/7?id=${ID}`, answerOf('PENDING'));
    await expect.poll(tender.paragraphs).toHaveLength(3);
    expect(tender.actions()).toEqual(['Close', 'Close']);
    vi.setSystemTime(Date.now() + 300_000);
    await act(async () => void window.dispatchEvent(new Event('online')));
    await expect.poll(tender.title).toBe('Not confirmed yet');
    expect(tender.actions()).toEqual(['Close', 'Check again', 'Close']);
    await tender.press('Check again');
    await expect.poll(tender.title).toBe('Checking your payment');
  });

  test('is shown once to a buyer who opens the tender without the payment page, who may go on paying', async () => {
    await storePendingOrder({ orderId: PENDING, at: Date.now(), url: 'https://pay.example/abc' });
    const tender = await openTender('/tenders/7', answerOf('PENDING'));
    await expect.poll(tender.actions).toEqual(['Close', 'Continue payment https://pay.example/abc', 'Close']);
    expect(tender.asked).toEqual([`/api/status-check?id=${PENDING}`]);
    await tender.close();
    const again = await openTender('/tenders/7', answerOf('PENDING'));
    expect([again.title(), again.asked]).toEqual([undefined, []]);
  });

  test('of the address wins over the order of the tab, which is forgotten, and offers no second way to pay', async () => {
    await storePendingOrder({ orderId: PENDING, at: Date.now(), url: 'https://pay.example/abc' });
    const tender = await openTender(`/tenders/7?id=${ID}`, answerOf('PENDING'));
    await expect.poll(() => tender.asked).toEqual([`/api/status-check?id=${ID}`]);
    expect(sessionStorage.getItem('pendingOrderId')).toBeNull();
    await tender.close();
    await storePendingOrder({ orderId: PENDING, at: Date.now(), url: 'https://pay.example/abc' });
    const back = await openTender(`/tenders/7?id=${PENDING}`, answerOf('PENDING'));
    await expect.poll(back.paragraphs).toHaveLength(3);
    // A page that looked for the order would know it by now.
    await act(async () => void (await readPendingOrder(Date.now())));
    expect(back.actions()).toEqual(['Close', 'Close']);
  });
});
