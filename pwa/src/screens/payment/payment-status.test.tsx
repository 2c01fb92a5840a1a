// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { currentSite, refreshSite } from '../../data/server/site.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { savePaymentDraft } from '../../features/orders/checkout/payment-draft.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { PaymentStatus } from './PaymentStatus.screen.tsx';

const ID = 'AAAAAAAAAAAAAAAAAAAAAA';

// The next check would come by itself, after two seconds.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(async () => {
  await closeTestPages();
  vi.useRealTimers();
  vi.restoreAllMocks();
  clearSession();
  sessionStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Shows the status page; `answer` gives the server's answers, and `asked` are the calls. */
async function openStatus(answer: (path: string) => Response, address = `/payment-status?id=${ID}`) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async ({ method, url }: Request) => {
    const { pathname, search } = new URL(url);
    asked.push(`${method} ${pathname}${search}`);
    return answer(pathname);
  });
  const opened = await openTestPage(<PaymentStatus />, address);
  const { page, texts } = opened;
  return {
    ...opened,
    asked,
    heading: () => texts('h1')[0],
    paragraphs: () => texts('[role="status"] p'),
    /** Buttons by their text, links with their address. */
    actions: () =>
      [...page.querySelectorAll('a, button')].map((each) =>
        [each.textContent?.trim(), each.getAttribute('href')].filter(Boolean).join(' '),
      ),
  };
}

const DOCUMENTS = { product: 'tender-documents', tenderId: '7' };
const PLAN = { product: 'yearly-subscription', tenderId: null };
const answerOf =
  (status: string, order: object, more: object = {}) =>
  () =>
    Response.json({ status, order, ...more });

test.each([
  ['of documents opens the payment form of the tender', 'tender-documents', '7', '/tenders/7', { buy: true }],
  ['of a plan opens the payment form of the plan', 'yearly-subscription', null, '/pricing', { buy: 'premium' }],
])('Try Again after a failed payment %s', async (_what, product, tenderId, address, state) => {
  savePaymentDraft({ buyer: {}, planId: 'premium', states: [] });
  const status = await openStatus(answerOf('FAILED', { product, tenderId }));
  await expect.poll(() => status.hasButton('Try Again')).toBe(true);
  await status.press('Try Again');
  expect([status.address(), status.router.state.location.state]).toEqual([address, state]);
});

test('a plan is named in the language of the app, and not by its stored title', async () => {
  const status = await openStatus(answerOf('SUCCESS', { ...PLAN, planId: 'basic', title: 'Stored title' }));
  await expect.poll(status.text).toContain('Basic plan, one year');
  expect(status.text()).not.toContain('Stored title');
});

const NUMBER = `Order number ${ID}`;

test.each<[string, () => Response, boolean, string, string, string[], string[]]>([
  [
    'paid documents of a guest',
    answerOf('SUCCESS', { ...DOCUMENTS, contents: 'nit' }),
    false,
    'green',
    'Payment Successful!',
    [
      'Tender documents (NIT)',
      'Documents will be sent to your email shortly.',
      'Save this page: it gives your documents and the receipt again.',
      NUMBER,
    ],
    ['Download', 'Back to Tender /tenders/7', 'Receipt PDF', 'Send the email again'],
  ],
  [
    'paid documents with their price and tender',
    answerOf('SUCCESS', { ...DOCUMENTS, title: 'Construction of footbridge', amountPaise: 9_900 }),
    false,
    'green',
    'Payment Successful!',
    [
      'Tender documents (NIT & BOQ)',
      '₹99.00',
      'Construction of footbridge',
      'Documents will be sent to your email shortly.',
      'Save this page: it gives your documents and the receipt again.',
      NUMBER,
    ],
    ['Download', 'Back to Tender /tenders/7', 'Receipt PDF', 'Send the email again'],
  ],
  [
    'paid documents of an account',
    answerOf('SUCCESS', DOCUMENTS),
    true,
    'green',
    'Payment Successful!',
    ['Tender documents (NIT & BOQ)', 'Documents will be sent to your email shortly.', NUMBER],
    [
      'Download',
      'Back to Tender /tenders/7',
      'Receipt PDF',
      'Send the email again',
      'Your payments /dashboard/payments',
    ],
  ],
  [
    'a paid plan of a guest',
    answerOf('SUCCESS', PLAN),
    false,
    'green',
    'Payment Successful!',
    [
      'Yearly subscription',
      'Your receipt will be sent to your email shortly.',
      'Register or sign in with the same email address, and the plan is yours to use.',
      'Save this page: it gives the receipt again.',
      NUMBER,
    ],
    ['Back to Tender /tenders', 'Receipt PDF'],
  ],
  [
    'a failed payment for documents',
    answerOf('FAILED', DOCUMENTS, { error: 'The payment was cancelled.' }),
    false,
    'red',
    'Payment Failed',
    [
      'Tender documents (NIT & BOQ)',
      'The payment was cancelled.',
      'If money left your account, do not pay again. It is matched with your order as soon as the bank confirms it, or comes back by itself within 5 working days.',
      NUMBER,
    ],
    ['Try Again /tenders/7', 'Back to Tender /tenders/7', 'Browse More Tenders /tenders'],
  ],
  [
    'a refunded payment with a credit note',
    answerOf('REFUNDED', DOCUMENTS, { creditNoteNumber: 'CN/26-27/0000001' }),
    true,
    'purple',
    'Payment refunded',
    [
      'Tender documents (NIT & BOQ)',
      'The money goes back the way it came, to the card or account you paid with, within 5 working days.',
      NUMBER,
    ],
    ['Credit note CN/26-27/0000001 PDF', 'Back to Tender /tenders/7'],
  ],
  [
    'a refunded payment without one',
    answerOf('REFUNDED', PLAN),
    true,
    'purple',
    'Payment refunded',
    [
      'Yearly subscription',
      'The money goes back the way it came, to the card or account you paid with, within 5 working days.',
      NUMBER,
    ],
    ['Back to Tender /tenders'],
  ],
  [
    'an order that is unknown',
    () => Response.json({ message: 'Order not found' }, { status: 404 }),
    false,
    'red',
    'Error Checking Payment',
    ['Order not found'],
    ['Try Again', 'Back to Tender /tenders'],
  ],
])('the page of %s', async (_what, answer, isSignedIn, tone, heading, texts, actions) => {
  if (isSignedIn) signInForTest('7');
  sessionStorage.setItem('pendingOrderId', ID);
  const status = await openStatus(answer);
  await expect.poll(status.heading).toBe(heading);
  expect(status.page.querySelector('[data-tone]')?.getAttribute('data-tone')).toBe(tone);
  expect(status.paragraphs()).toEqual(texts);
  expect(status.actions()).toEqual(actions);
  expect(status.asked).toEqual([`GET /api/payment-status?id=${ID}`]);
  expect(document.title).toBe('Payment status · Nivida');
  // The tender screen must not show the same result once more.
  expect(sessionStorage.getItem('pendingOrderId')).toBeNull();
});

test('the page without an order says what is missing, and asks nothing', async () => {
  sessionStorage.setItem('pendingOrderId', ID);
  const status = await openStatus(() => Response.json({}), '/payment-status');
  expect([status.heading(), status.paragraphs(), status.actions(), status.asked]).toEqual([
    'Error Checking Payment',
    ['Order ID is missing'],
    ['Back to Tender /tenders'],
    [],
  ]);
  expect(sessionStorage.getItem('pendingOrderId')).toBe(ID);
});

test('a check that failed is made again by Try Again', async () => {
  const answers = [Response.json({}, { status: 500 }), answerOf('SUCCESS', DOCUMENTS)()];
  const status = await openStatus(() => answers.shift() as Response);
  await expect.poll(status.paragraphs).toEqual(['Failed to check payment status']);
  expect(status.texts('[data-look="main"]')[0]).toBe('Try Again');
  await status.press('Try Again');
  await expect.poll(status.heading).toBe('Payment Successful!');
  expect(status.asked).toHaveLength(2);
});

test('a payment that is pending for five minutes can be checked again, and offers no second payment', async () => {
  const status = await openStatus(answerOf('PENDING', DOCUMENTS));
  await expect.poll(status.actions).toEqual(['Back to Tender /tenders/7']);
  expect(status.heading()).toBe('Checking your payment');
  expect(status.paragraphs().at(-1)).toBe(NUMBER);
  vi.setSystemTime(Date.now() + 300_000);
  await act(async () => void window.dispatchEvent(new Event('online')));
  await expect.poll(status.heading).toBe('Not confirmed yet');
  expect(status.actions()).toEqual(['Check again', 'Back to Tender /tenders/7']);
  await status.press('Check again');
  await expect.poll(status.heading).toBe('Checking your payment');
  await expect.poll(() => status.asked).toHaveLength(3);
});

test('the receipt of a paid order says why it cannot be loaded', async () => {
  const answers = [
    Response.json({}, { status: 500 }),
    Response.json({ message: 'Receipt not found' }, { status: 404 }),
  ];
  const status = await openStatus((path) =>
    path.endsWith('.pdf') ? (answers.shift() as Response) : answerOf('SUCCESS', PLAN)(),
  );
  await expect.poll(() => status.hasButton('Receipt PDF')).toBe(true);
  const problem = () => status.texts('[role="alert"]')[0];
  await status.press('Receipt PDF');
  await expect.poll(problem).toBe('Failed to load the receipt');
  await status.press('Receipt PDF');
  await expect.poll(problem).toBe('Receipt not found');
  expect(status.asked.at(-1)).toBe(`GET /api/orders/${ID}/receipt.pdf`);
});

test('where nothing is sold any more, an earlier order keeps its page, without another purchase', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ ...currentSite(), payments: 'none' }));
  await refreshSite();
  const paid = await openStatus(answerOf('SUCCESS', DOCUMENTS));
  await expect.poll(paid.heading).toBe('Payment Successful!');
  expect(paid.actions()).toContain('Download');
  const failed = await openStatus(answerOf('FAILED', PLAN));
  await expect.poll(failed.heading).toBe('Payment Failed');
  expect(failed.actions()).toEqual(['Back to Tender /tenders', 'Browse More Tenders /tenders']);
  const none = await openStatus(answerOf('SUCCESS', PLAN), '/payment-status');
  expect(none.heading()).toBe('Free here');
});
