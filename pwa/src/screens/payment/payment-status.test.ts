import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { savePaymentDraft } from '../../features/orders/checkout/payment-draft.ts';
import { PaymentStatus } from './PaymentStatus.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

function Opened() {
  const { pathname, state } = useLocation();
  return `${pathname} ${JSON.stringify(state)}`;
}

test.each([
  ['of documents opens the payment form of the tender', 'tender-documents', '7', '/tenders/7 {"buy":true}'],
  ['of a plan opens the payment form of the plan', 'yearly-subscription', null, '/pricing {"buy":"premium"}'],
])('Try Again after a failed payment %s', async (_what, product, tenderId, opened) => {
  savePaymentDraft({ buyer: {}, planId: 'premium', states: [] });
  vi.stubGlobal('fetch', async () => Response.json({ status: 'FAILED', order: { product, tenderId } }));
  const router = createMemoryRouter(
    [
      { path: '/payment-status', element: createElement(PaymentStatus) },
      { path: '*', element: createElement(Opened) },
    ],
    { initialEntries: ['/payment-status?id=AAAAAAAAAAAAAAAAAAAAAA'] },
  );
  const page = document.createElement('div');
  const root = createRoot(page);
  root.render(createElement(RouterProvider, { router }));
  const again = () => [...page.querySelectorAll('a')].find(({ textContent }) => textContent === 'Try Again');
  await expect.poll(again).toBeDefined();
  await act(async () => again()?.click());
  await expect.poll(() => page.textContent).toBe(opened);
  root.unmount();
});
