// @vitest-environment-options { "url": "http://localhost/" }
import 'fake-indexeddb/auto';
import { act } from 'preact/test-utils';
import { createElement, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { writeSetting } from '../../../data/device/settings.ts';
import { reportScreenReady } from '../../../data/first-screen.ts';
import { refreshSite } from '../../../data/server/site.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { readPendingOrder } from '../payment/pending-order.ts';
import { Checkout } from './Checkout.tsx';
import { readPaymentDraft, savePaymentDraft } from './payment-draft.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  // The settings are loaded after the first screen; a later call would be one of another test.
  reportScreenReady();
  await refreshSite();
  vi.unstubAllGlobals();
  clearSession();
  sessionStorage.clear();
  await writeSetting('pending order', null);
  await writeSetting('payment intent', null);
  await closeDatabase();
});

const BUYER = { name: 'Asha Negi', mobileNo: '9816041122', email: 'asha@example.in' };

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

/**
 * The payment form of a document package with a typed buyer; `bodies` are the orders that the server receives, `keys`
 * their keys. `profile` is the account's data.
 */
async function openCheckout(
  answers: (() => Response | Promise<Response>)[],
  itemErrors: Record<string, string> = {},
  {
    profile = {},
    typed = BUYER,
    ...props
  }: { profile?: object; typed?: Partial<typeof BUYER>; [prop: string]: unknown } = {},
) {
  const bodies: Record<string, unknown>[] = [];
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/api/me')) return Response.json(profile);
    if (!request.url.endsWith('/create-order')) return Response.json({});
    keys.push(request.headers.get('idempotency-key'));
    bodies.push(JSON.parse(await request.text()));
    return answers.shift()?.();
  });
  const entitled: string[] = [];
  let cancelled = 0;
  const page = document.createElement('div');
  document.body.append(page);
  const root = createRoot(page);
  const element = createElement(Checkout, {
    ...{ item: { product: 'tender-documents', tenderId: '7', documentId: '7' }, pricePaise: 9_900, itemErrors },
    ...{ returnPath: '/tenders/7', billingState: 'Assam', onEntitled: (id: string) => entitled.push(id) },
    ...{ priceLabel: 'Documents', terms: null, brief: '' },
    onCancel: () => {
      cancelled += 1;
    },
    renderFields: ({ errors }) => errors.states,
    ...props,
  });
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  const type = async (name: string, value: string) => {
    const input = page.querySelector<HTMLInputElement>(`[name="${name}"]`) as HTMLInputElement;
    input.value = value;
    await act(async () => void input.dispatchEvent(new Event('input', { bubbles: true })));
  };
  for (const [name, value] of Object.entries(typed)) await type(name, value);
  const button = () => page.querySelector<HTMLButtonElement>('[type="submit"]') as HTMLButtonElement;
  const value = (name: string) => page.querySelector<HTMLInputElement>(`[name="${name}"]`)?.value;
  /** Label, hint and error of a field. */
  const field = (name: string) => {
    const control = page.querySelector(`[name="${name}"]`);
    const error = control?.getAttribute('aria-describedby');
    return {
      label: page.querySelector(`label[for="${control?.id}"]`)?.textContent?.trim(),
      error: error && page.querySelector(`[id="${error}"]`)?.textContent,
      isWrong: control?.getAttribute('aria-invalid') === 'true',
    };
  };
  const pay = () => act(async () => page.querySelector('form')?.requestSubmit());
  const isBusy = () => button().getAttribute('aria-busy') === 'true';
  /** Submits the form; the buyer is then warned. */
  const payAndBeWarned = async () => {
    await pay();
    const isWarned = () => button().textContent?.endsWith(' again') && button().getAttribute('aria-busy') !== 'true';
    await expect.poll(isWarned).toBe(true);
  };
  const close = async () => {
    await act(async () => root.unmount());
    page.remove();
  };
  return {
    ...{ page, bodies, keys, entitled, type, value, field, pay, isBusy, payAndBeWarned, close, button },
    label: () => button().textContent,
    cancelled: () => cancelled,
  };
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

test('the form shows the price, the terms, and beside the button why it cannot be paid now', async () => {
  const checkout = await openCheckout(
    [],
    {},
    {
      ...{ pricePaise: 589_900, priceLabel: 'Basic plan, one year', terms: 'All payments are non-refundable.' },
      brief: 'One payment for one year.',
    },
  );
  const { page, button } = checkout;
  const texts = (selector: string) =>
    [...page.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());
  expect(texts('dt, dd')).toEqual(['Basic plan, one year', '₹5,899.00']);
  expect(page.textContent).toContain('All payments are non-refundable.');
  expect(texts('button')).toEqual(['Cancel', 'Pay ₹5,899']);
  const reason = () => page.querySelector(`[id="${button().getAttribute('aria-describedby')}"]`);
  expect([reason()?.getAttribute('role'), reason()?.textContent]).toEqual(['status', 'One payment for one year.']);
  expect(button().disabled).toBe(false);
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await act(async () => void window.dispatchEvent(new Event('offline')));
  expect([reason()?.textContent, button().disabled]).toEqual(['You are offline', true]);
  await checkout.pay();
  expect(checkout.bodies).toEqual([]);
  online.mockReturnValue(true);
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect([reason()?.textContent, button().disabled]).toEqual(['One payment for one year.', false]);
  await act(async () => page.querySelector('button')?.click());
  expect(checkout.cancelled()).toBe(1);
  await checkout.close();
});

test('without signal that is the reason, also while the package is checked', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const checkout = await openCheckout([], {}, { waitsFor: 'Checking the package…' });
  const reason = () => checkout.page.querySelector('[role="status"]')?.textContent;
  expect(reason()).toBe('You are offline');
  online.mockReturnValue(true);
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect([reason(), checkout.button().disabled]).toEqual(['Checking the package…', true]);
  await checkout.close();
});

test.each([
  ['sandbox', '02ABCDE1234F1ZC', 'Documents Test paymentsGST included'],
  ['live', null, 'Documents'],
])('where payments are %s and the GSTIN is %s, the price is that of "%s"', async (payments, gstin, label) => {
  vi.resetModules();
  localStorage.setItem('site', JSON.stringify({ payments, gstin }));
  vi.stubGlobal('fetch', async () => Response.json({}));
  const { Checkout: Fresh } = await import('./Checkout.tsx');
  const element = createElement(Fresh, {
    ...{ item: { product: 'tender-documents', tenderId: '7', documentId: '7' }, pricePaise: 9_900 },
    ...{ returnPath: '/tenders/7', billingState: '', onEntitled: () => undefined, onCancel: () => undefined },
    ...{ priceLabel: 'Documents', terms: null, brief: '' },
  });
  const page = document.createElement('div');
  const root = createRoot(page);
  const router = createMemoryRouter([{ path: '/', element }]);
  await act(async () => root.render(createElement(RouterProvider, { router })));
  expect(page.querySelector('dt')?.textContent?.trim()).toBe(label);
  await act(async () => root.unmount());
  (await import('../../../data/first-screen.ts')).reportScreenReady();
  await (await import('../../../data/server/site.ts')).refreshSite();
  localStorage.removeItem('site');
  vi.resetModules();
});

describe('the fields of the payment form', () => {
  const attributes = (page: HTMLElement) =>
    [...page.querySelectorAll<HTMLInputElement>('input')].map((input) => [
      page.querySelector(`label[for="${input.id}"]`)?.textContent?.trim(),
      ...['name', 'type', 'inputmode', 'autocomplete'].map((name) => input.getAttribute(name)),
      input.required,
    ]);

  test('of a buyer are filled in by the browser, and a number or GSTIN may be pasted in any form', async () => {
    const checkout = await openCheckout([], {}, { typed: { mobileNo: '+91 98160-41122' } });
    const { page, type, value } = checkout;
    expect(attributes(page)).toEqual([
      ['Name', 'name', null, null, 'name', true],
      ['Mobile number', 'mobileNo', 'tel', 'numeric', 'tel-national', true],
      ['Email', 'email', 'email', 'email', 'email', true],
      ['GSTIN optional', 'gstin', null, null, 'off', false],
    ]);
    expect(page.querySelectorAll('[readonly]')).toHaveLength(0);
    expect(page.querySelector('[aria-hidden="true"]')?.textContent).toBe('+91');
    expect(page.querySelector('a')).toBeNull();
    expect(value('mobileNo')).toBe('9816041122');
    expect(value('billingState')).toBe('Assam');
    await type('gstin', '03 abcde1234f1za');
    expect([value('gstin'), value('billingState')]).toEqual(['03ABCDE1234F1ZA', 'Punjab']);
    expect(attributes(page).slice(4)).toEqual([
      ['Name of the firm', 'firm', null, null, 'organization', true],
      ['Address of the firm with PIN code', 'firmAddress', null, null, 'street-address', true],
    ]);
    expect(page.textContent).toContain('As registered for GST; they are printed on the tax invoice.');
    await type('gstin', '');
    expect(attributes(page)).toHaveLength(4);
    await checkout.close();
  });

  test('of the invoice are folded with their State and GSTIN in the head, and open for an error', async () => {
    const checkout = await openCheckout([]);
    const { page, type, pay, field } = checkout;
    const fold = page.querySelector('details') as HTMLDetailsElement;
    const head = () => page.querySelector('summary')?.textContent?.trim();
    const setOpen = (isOpen: boolean) =>
      act(async () => {
        fold.open = isOpen;
        fold.dispatchEvent(new Event('toggle'));
      });
    expect([fold.open, head()]).toEqual([false, 'GST invoiceAssam']);
    await setOpen(true);
    expect([fold.open, head()]).toEqual([true, 'GST invoice']);
    await type('gstin', '18ABCDE1234F1Z0');
    await setOpen(false);
    expect([fold.open, head()]).toEqual([false, 'GST invoiceAssam, 18ABCDE1234F1Z0']);
    await pay();
    expect(fold.open).toBe(true);
    expect(field('gstin')).toEqual({
      ...{ label: 'GSTIN optional', isWrong: true },
      error: 'Please enter a valid 15-character GSTIN',
    });
    await type('gstin', '');
    expect(field('gstin').isWrong).toBe(false);
    await checkout.close();
  });

  test('of the State offer every State, and the chosen one is sent', async () => {
    const checkout = await openCheckout([owned]);
    const { page, bodies, pay } = checkout;
    const select = page.querySelector('select') as HTMLSelectElement;
    expect(checkout.field('billingState').label).toBe('State');
    const names = [...select.options].map(({ value, textContent }) =>
      value === textContent ? value : [value, textContent],
    );
    expect([names.length, ...names.slice(0, 3)]).toEqual([
      37,
      ['', 'Choose a state'],
      'Andhra Pradesh',
      'Arunachal Pradesh',
    ]);
    await act(async () => {
      select.value = 'Goa';
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await pay();
    await expect.poll(() => bodies).toMatchObject([{ billingState: 'Goa' }]);
    await checkout.close();
  });

  test.each([
    ['firm', 'Name of the firm is required'],
    ['firmAddress', 'Address of the firm is required'],
    ['billingState', 'Choose another state'],
  ])('of the invoice open for an error of %s', async (name, error) => {
    const refuse = () => Response.json({ code: 'INVALID', message: 'x', fields: { [name]: error } }, { status: 422 });
    const checkout = await openCheckout([refuse]);
    await checkout.type('gstin', '18ABCDE1234F1ZZ');
    await checkout.type('firm', 'Negi & Co');
    await checkout.type('firmAddress', 'Theog');
    await checkout.pay();
    await expect.poll(() => checkout.field(name)).toMatchObject({ error, isWrong: true });
    expect(checkout.page.querySelector('details')?.open).toBe(true);
    await checkout.close();
  });

  test('of an account are fixed, and its invoice data are those of the profile', async () => {
    signInForTest('payer-1');
    savePaymentDraft({ buyer: { name: 'Somebody', firm: 'Typed & Co' }, planId: null, states: [] });
    const profile = {
      user: { _id: 'payer-1', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
      ...{ companyName: '', companyType: '', state: 'Goa', districts: [], departments: [], address: '', createdAt: '' },
      billing: { gstin: '03ABCDE1234F1ZA', firm: 'Negi & Co', firmAddress: 'Theog' },
    };
    const checkout = await openCheckout([owned], {}, { profile, typed: {} });
    const { page, value, bodies } = checkout;
    await expect.poll(() => value('gstin')).toBe('03ABCDE1234F1ZA');
    expect(['name', 'mobileNo', 'email', 'billingState', 'firm', 'firmAddress'].map(value)).toEqual([
      ...['Asha', '9876543210', 'asha@example.in', 'Punjab', 'Typed & Co', 'Theog'],
    ]);
    const readOnly = [...page.querySelectorAll<HTMLInputElement>('[readonly]')].map(({ name }) => name);
    expect(readOnly).toEqual(['name', 'mobileNo', 'email']);
    expect(page.querySelector('a')?.getAttribute('href')).toBe('/dashboard/profile');
    expect(page.textContent).toContain('As in your profile.');
    expect(page.textContent).toContain(
      'they are printed on the tax invoice and saved in your profile for the next one.',
    );
    await checkout.pay();
    await expect.poll(() => bodies).toMatchObject([{ name: 'Asha', firm: 'Typed & Co', billingState: 'Punjab' }]);
    await checkout.close();
  });

  test('of an account without a GSTIN name the State of its registration', async () => {
    signInForTest('payer-2');
    const profile = {
      user: { _id: 'payer-2', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
      ...{ companyName: '', companyType: '', state: 'Goa', districts: [], departments: [], address: '', createdAt: '' },
      billing: { gstin: '', firm: 'Negi & Co', firmAddress: 'Theog' },
    };
    const checkout = await openCheckout([], {}, { profile, typed: {} });
    expect(checkout.value('billingState')).toBe('Assam');
    await expect.poll(() => checkout.value('billingState')).toBe('Goa');
    await checkout.close();
  });
});

describe('paying', () => {
  const page = () => Response.json({ url: 'https://pay.example/abc', orderId: 'abc' });
  const stayHere = () => vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);

  test('opens the payment page; the order and the typed form stay on the device until the buyer is back', async () => {
    const assign = stayHere();
    const item = { product: 'yearly-subscription', planId: 'premium', states: ['Goa', 'Delhi'] };
    const checkout = await openCheckout(
      [page, page],
      {},
      { item, pricePaise: 1_089_900, returnPath: '/payment-status' },
    );
    await checkout.pay();
    await expect.poll(() => assign.mock.calls.map(String)).toEqual(['https://pay.example/abc']);
    expect(checkout.bodies).toMatchObject([{ ...item, amount: 10_899, redirectUrl: '/payment-status' }]);
    expect(await readPendingOrder(Date.now())).toMatchObject({ orderId: 'abc', url: 'https://pay.example/abc' });
    expect(sessionStorage.getItem('pendingOrderId')).toBe('abc');
    expect(readPaymentDraft()).toEqual({ buyer: BUYER, planId: 'premium', states: ['Goa', 'Delhi'] });
    expect([checkout.isBusy(), checkout.entitled]).toEqual([true, []]);
    expect(checkout.page.querySelector('select')?.disabled).toBe(true);
    const show = (persisted: boolean) =>
      act(async () => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })));
    await show(false);
    expect(checkout.isBusy()).toBe(true);
    await show(true);
    expect(checkout.isBusy()).toBe(false);
    await checkout.close();
  });

  test('leaves only when the order is stored, because the page ends then', async () => {
    const database = await withDatabase(async (db) => db.backendDB());
    const stored: unknown[] = [];
    vi.spyOn(window.location, 'assign').mockImplementation(() => {
      // A write that begins later is not seen by this read.
      const reading = database.transaction('settings').objectStore('settings').get('pending order');
      reading.onsuccess = () => stored.push(reading.result?.value);
    });
    const checkout = await openCheckout([page]);
    await checkout.pay();
    await expect.poll(() => stored).toMatchObject([{ orderId: 'abc' }]);
    await checkout.close();
  });

  test('for documents stores no plan with the typed form', async () => {
    const assign = stayHere();
    savePaymentDraft({ buyer: {}, planId: 'premium', states: ['Goa'] });
    const checkout = await openCheckout([page]);
    await checkout.pay();
    await expect.poll(() => assign.mock.calls).toHaveLength(1);
    expect(readPaymentDraft()).toEqual({ buyer: BUYER, planId: null, states: [] });
    await checkout.close();
  });

  test('again in one form is the same order; a form that was closed in between makes another', async () => {
    const fail = () => Response.json({}, { status: 500 });
    const first = await openCheckout([fail, fail]);
    await first.pay();
    await expect.poll(first.isBusy).toBe(false);
    await first.pay();
    await expect.poll(() => first.keys).toHaveLength(2);
    await expect.poll(first.isBusy).toBe(false);
    expect(first.page.querySelector('[role="alert"]')?.textContent).toBe(
      'Failed to initiate payment. Please try again.',
    );
    await first.close();
    const second = await openCheckout([fail]);
    await second.pay();
    await expect.poll(() => second.keys).toHaveLength(1);
    expect(first.keys[1]).toBe(first.keys[0]);
    expect(second.keys[0]).not.toBe(first.keys[0]);
    await second.close();
  });

  test('leads to no page that is not of the web, and stores nothing then', async () => {
    const assign = stayHere();
    const checkout = await openCheckout([() => Response.json({ url: 'javascript:alert(1)', orderId: 'abc' })]);
    await checkout.pay();
    await expect
      .poll(() => checkout.page.querySelector('[role="alert"]')?.textContent)
      .toBe('Failed to initiate payment. Please try again.');
    expect([checkout.isBusy(), checkout.entitled, assign.mock.calls]).toEqual([false, [], []]);
    expect(await readPendingOrder(Date.now())).toBeNull();
    await checkout.close();
  });

  test('that the server refuses shows why at the field and in the form, and warns of nothing', async () => {
    const message = 'This GSTIN is registered in Punjab (03), not in Assam';
    const refuse = () => Response.json({ code: 'INVALID', message, fields: { gstin: message } }, { status: 422 });
    const checkout = await openCheckout([refuse]);
    await checkout.pay();
    await expect.poll(() => checkout.field('gstin').error).toBe(message);
    expect(checkout.page.querySelector('[role="alert"]')?.textContent).toBe(message);
    expect(checkout.label()).toBe('Pay ₹99');
    await checkout.close();
  });

  test('leads nowhere when the form was closed before the answer', async () => {
    const assign = stayHere();
    const answer = Promise.withResolvers<Response>();
    const checkout = await openCheckout([() => answer.promise]);
    await checkout.pay();
    await expect.poll(() => checkout.bodies).toHaveLength(1);
    await checkout.close();
    answer.resolve(owned());
    const next = await openCheckout([page]);
    await next.pay();
    await expect.poll(() => assign.mock.calls).toHaveLength(1);
    expect(checkout.entitled).toEqual([]);
    await next.close();
  });

  test('an incomplete form shows each error, those of the item too', async () => {
    const checkout = await openCheckout([], { states: 'State is required' }, { typed: { mobileNo: '12345' } });
    await checkout.pay();
    expect(['name', 'mobileNo', 'email'].map((name) => checkout.field(name).error)).toEqual([
      'Name is required',
      'Please enter a valid 10-digit mobile number',
      'Email is required',
    ]);
    expect(checkout.page.textContent).toContain('State is required');
    expect(document.activeElement?.getAttribute('name')).toBe('name');
    expect(checkout.bodies).toEqual([]);
    await checkout.close();
  });
});
