import { act } from 'preact/test-utils';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { Checkout } from './Checkout.tsx';

afterEach(() => vi.unstubAllGlobals());

test('Enter does not submit the payment while it waits, and does afterwards', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}));
  let endWait: () => void = () => undefined;
  function Dialog() {
    const [waitsFor, setWaitsFor] = useState<string | undefined>('Checking the package…');
    endWait = () => setWaitsFor(undefined);
    return createElement(Checkout, {
      ...{ item: { product: 'tender-documents', tenderId: '7', documentId: '7' }, pricePaise: 9_900 },
      ...{ returnPath: '/tenders/7', billingState: '', onEntitled: () => undefined, onCancel: () => undefined },
      ...{ priceLabel: 'Documents', terms: null, brief: '', waitsFor },
    });
  }
  const page = document.createElement('div');
  const root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', element: createElement(Dialog) }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const pressEnter = () => act(async () => page.querySelector('form')?.requestSubmit());
  const wrongFields = () => page.querySelectorAll('[aria-invalid="true"]').length;
  expect(page.querySelector<HTMLButtonElement>('[type="submit"]')?.disabled).toBe(true);
  await pressEnter();
  expect(wrongFields()).toBe(0);
  await act(async () => endWait());
  await pressEnter();
  expect(wrongFields()).toBeGreaterThan(0);
  await act(async () => root.unmount());
});
