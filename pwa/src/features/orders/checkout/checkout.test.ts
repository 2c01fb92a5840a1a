// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
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

/** The payment form of a document package with a typed buyer; `bodies` are the orders that the server receives. */
async function openCheckout(answers: (() => Response)[], itemErrors: Record<string, string> = {}) {
  const bodies: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.endsWith('/create-order')) return Response.json({});
    bodies.push(JSON.parse(await request.text()));
    return answers.shift()?.();
  });
  const entitled: string[] = [];
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const element = createElement(Checkout, {
    ...{ item: { product: 'tender-documents', tenderId: '7', documentId: '7' }, pricePaise: 9_900, itemErrors },
    ...{ returnPath: '/tenders/7', billingState: 'Assam', onEntitled: (id: string) => entitled.push(id) },
    ...{ priceLabel: 'Documents', terms: null, brief: '', onCancel: () => undefined },
    renderFields: ({ errors }) => errors.states,
  });
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const type = async (name: string, value: string) => {
    const input = page.querySelector<HTMLInputElement>(`[name="${name}"]`) as HTMLInputElement;
    input.value = value;
    await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
  };
  for (const [name, value] of Object.entries({ name: 'Asha Negi', mobileNo: '9816041122', email: 'asha@example.in' }))
    await type(name, value);
  const button = () => page.querySelector<HTMLButtonElement>('[type="submit"]') as HTMLButtonElement;
  /** Submits the form; the buyer is then warned. */
  const payAndBeWarned = async () => {
    await act(async () => page.querySelector('form')?.requestSubmit());
    const isWarned = () => button().textContent?.endsWith(' again') && button().getAttribute('aria-busy') !== 'true';
    await expect.poll(isWarned).toBe(true);
  };
  const close = async () => {
    await act(async () => root.unmount());
    page.remove();
  };
  return { page, bodies, entitled, type, payAndBeWarned, close, label: () => button().textContent };
}

const WARNING = 'These documents were bought with this e-mail address before.';
const warn = () => Response.json({ code: 'CONFLICT', message: WARNING, fields: { again: WARNING } }, { status: 409 });
const owned = () => Response.json({ url: '/tenders/7', orderId: 'abc', alreadyEntitled: true });

test('a buyer who was warned pays again only by another press, with the same order that says so', async () => {
  const checkout = await openCheckout([warn, owned]);
  expect(checkout.label()).toBe('Pay ₹99');
  await checkout.payAndBeWarned();
  expect([checkout.label(), checkout.entitled]).toEqual(['Pay ₹99 again', []]);
  expect(checkout.page.textContent).toContain(WARNING);
  await act(async () => checkout.page.querySelector('form')?.requestSubmit());
  await expect.poll(() => checkout.entitled).toEqual(['abc']);
  const order = {
    ...{ name: 'Asha Negi', mobileNo: '9816041122', email: 'asha@example.in', billingState: 'Assam' },
    ...{ gstin: '', firm: '', firmAddress: '', product: 'tender-documents', tenderId: '7', documentId: '7' },
    ...{ amount: 99, redirectUrl: '/tenders/7' },
  };
  expect(checkout.bodies).toEqual([order, { ...order, again: true }]);
  await checkout.close();
});

test('the warning counts for the buyer who read it: a changed address is asked about anew', async () => {
  const checkout = await openCheckout([warn, warn]);
  await checkout.payAndBeWarned();
  await checkout.type('email', 'ravi@example.in');
  expect(checkout.label()).toBe('Pay ₹99');
  await checkout.payAndBeWarned();
  expect(checkout.bodies.map(({ email, again }) => [email, again])).toEqual([
    ['asha@example.in', undefined],
    ['ravi@example.in', undefined],
  ]);
  await checkout.close();
});

test('an item that is not complete is not ordered', async () => {
  const checkout = await openCheckout([owned], { states: 'State is required' });
  await act(async () => checkout.page.querySelector('form')?.requestSubmit());
  await expect.poll(() => checkout.page.textContent).toContain('State is required');
  expect([checkout.bodies, checkout.entitled]).toEqual([[], []]);
  await checkout.close();
});
