// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../../data/device/database.ts';
import { writeSetting } from '../../../data/device/settings.ts';
import { clearSession } from '../../../data/session.ts';
import { signInForTest } from '../../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../../ui/test-page.tsx';
import { readPendingOrder } from '../payment/pending-order.ts';
import { Checkout } from './Checkout.tsx';
import { readPaymentDraft, savePaymentDraft } from './payment-draft.ts';

beforeEach(() => void vi.stubGlobal('fetch', async () => Response.json({})));
afterEach(async () => {
  await closeTestPages();
  vi.restoreAllMocks();
  clearSession();
  sessionStorage.clear();
  localStorage.clear();
  await writeSetting('pending order', null);
  await writeSetting('payment intent', null);
  await closeDatabase();
});

const BUYER = { name: 'Asha Negi', mobileNo: '9816041122', email: 'asha@example.in' };
/** The labels of the fields. */
const LABELS = {
  ...{ name: 'Name', mobileNo: 'Mobile number', email: 'Email', billingState: 'State', gstin: 'GSTIN optional' },
  ...{ firm: 'Name of the firm', firmAddress: 'Address of the firm with PIN code' },
};
type Name = keyof typeof LABELS;
const PURCHASE = {
  ...{ item: { product: 'tender-documents' as const, tenderId: '7', documentId: '7' }, pricePaise: 9_900 },
  ...{ returnPath: '/tenders/7', billingState: '', onEntitled: () => undefined, onCancel: () => undefined },
  ...{ priceLabel: 'Documents', terms: null, brief: '' },
};

test('Enter does not submit the payment while it waits, and does afterwards', async () => {
  const { page, show, button } = await openTestPage(<Checkout {...PURCHASE} waitsFor="Checking the package…" />);
  const pressEnter = () => act(async () => page.querySelector('form')?.requestSubmit());
  const wrongFields = () => page.querySelectorAll('[aria-invalid="true"]').length;
  expect(button('Pay ₹99').disabled).toBe(true);
  await pressEnter();
  expect(wrongFields()).toBe(0);
  await show(<Checkout {...PURCHASE} />);
  await pressEnter();
  expect(wrongFields()).toBeGreaterThan(0);
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
  const [onEntitled, onCancel] = [vi.fn(), vi.fn()];
  const opened = await openTestPage(
    <Checkout
      {...{ ...PURCHASE, billingState: 'Assam', itemErrors, onEntitled, onCancel }}
      renderFields={({ errors }) => errors.states}
      {...props}
    />,
  );
  const { page } = opened;
  const type = (name: Name, value: string) => opened.enter(LABELS[name], value);
  for (const [name, value] of Object.entries(typed)) await type(name as Name, value);
  const button = () => page.querySelector('[type="submit"]') as HTMLButtonElement;
  const label = () => button().textContent;
  const isBusy = () => button().getAttribute('aria-busy') === 'true';
  const pay = () => act(async () => page.querySelector('form')?.requestSubmit());
  return {
    ...{ ...opened, bodies, keys, onCancel, type, button, label, isBusy, pay },
    entitled: () => onEntitled.mock.calls.flat(),
    value: (name: Name) => opened.field(LABELS[name]).value,
    errorOf: (name: Name) => opened.errorAt(LABELS[name]),
    failure: () => opened.texts('[role="alert"]')[0],
    /** Submits the form; the buyer is then warned. */
    payAndBeWarned: async () => {
      await pay();
      await expect.poll(() => label()?.endsWith(' again') && !isBusy()).toBe(true);
    },
  };
}

const WARNING = 'These documents were bought with this e-mail address before.';
const warn = () => Response.json({ code: 'CONFLICT', message: WARNING, fields: { again: WARNING } }, { status: 409 });
const owned = () => Response.json({ url: '/tenders/7', orderId: 'abc', alreadyEntitled: true });

test('a buyer who was warned pays again only by another press, with the same order that says so', async () => {
  const checkout = await openCheckout([warn, owned]);
  expect(checkout.label()).toBe('Pay ₹99');
  await checkout.payAndBeWarned();
  expect([checkout.label(), checkout.entitled()]).toEqual(['Pay ₹99 again', []]);
  expect(checkout.text()).toContain(WARNING);
  await checkout.pay();
  await expect.poll(checkout.entitled).toEqual(['abc']);
  const order = {
    ...{ name: 'Asha Negi', mobileNo: '9816041122', email: 'asha@example.in', billingState: 'Assam' },
    ...{ gstin: '', firm: '', firmAddress: '', product: 'tender-documents', tenderId: '7', documentId: '7' },
    ...{ amount: 99, redirectUrl: '/tenders/7' },
  };
  expect(checkout.bodies).toEqual([order, { ...order, again: true }]);
});

test('the warning counts for the buyer who read it: a changed address is asked about again', async () => {
  const checkout = await openCheckout([warn, warn]);
  await checkout.payAndBeWarned();
  await checkout.type('email', 'ravi@example.in');
  expect(checkout.label()).toBe('Pay ₹99');
  await checkout.payAndBeWarned();
  expect(checkout.bodies.map(({ email, again }) => [email, again])).toEqual([
    ['asha@example.in', undefined],
    ['ravi@example.in', undefined],
  ]);
});

test('an item that is not complete is not ordered', async () => {
  const checkout = await openCheckout([owned], { states: 'State is required' });
  await checkout.pay();
  await expect.poll(checkout.text).toContain('State is required');
  expect([checkout.bodies, checkout.entitled()]).toEqual([[], []]);
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
  const { page, texts, text, names, press, button } = checkout;
  expect(texts('dt, dd')).toEqual(['Basic plan, one year', '₹5,899.00']);
  expect(text()).toContain('All payments are non-refundable.');
  expect(names('button')).toEqual(['Cancel', 'Pay ₹5,899']);
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
  await press('Cancel');
  expect(checkout.onCancel).toHaveBeenCalledOnce();
});

test('without a connection that is the reason, also while the package is checked', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const checkout = await openCheckout([], {}, { waitsFor: 'Checking the package…' });
  const reason = () => checkout.texts('[role="status"]')[0];
  expect(reason()).toBe('You are offline');
  online.mockReturnValue(true);
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect([reason(), checkout.button().disabled]).toEqual(['Checking the package…', true]);
});

test.each([
  ['sandbox', '02ABCDE1234F1ZC', 'Documents Test paymentsGST included'],
  ['live', null, 'Documents'],
])('where payments are %s and the GSTIN is %s, the price is that of "%s"', async (payments, gstin, label) => {
  vi.resetModules();
  localStorage.setItem('site', JSON.stringify({ payments, gstin }));
  const { Checkout: Fresh } = await import('./Checkout.tsx');
  expect((await openTestPage(<Fresh {...PURCHASE} />)).texts('dt')).toEqual([label]);
});

describe('the fields of the payment form', () => {
  const attributes = (page: Element) =>
    [...page.querySelectorAll<HTMLInputElement>('input')].map((input) => [
      page.querySelector(`label[for="${input.id}"]`)?.textContent?.trim(),
      ...['name', 'type', 'inputmode', 'autocomplete'].map((name) => input.getAttribute(name)),
      input.required,
    ]);

  test('of a buyer are filled in by the browser, and a number or GSTIN may be pasted in any form', async () => {
    const checkout = await openCheckout([], {}, { typed: { mobileNo: '+91 98160-41122' } });
    const { page, type, value, text } = checkout;
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
    expect(text()).toContain('As registered for GST; they are printed on the tax invoice.');
    await type('gstin', '');
    expect(attributes(page)).toHaveLength(4);
  });

  test('of the invoice are folded with their State and GSTIN in the head, come into view, and open for an error', async () => {
    const scrolledTo: Element[] = [];
    vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      scrolledTo.push(this);
    });
    const checkout = await openCheckout([]);
    const { page, type, pay, errorOf, texts } = checkout;
    const fold = page.querySelector('details') as HTMLDetailsElement;
    const head = () => texts('summary')[0];
    const setOpen = (isOpen: boolean) =>
      act(async () => {
        fold.open = isOpen;
        fold.dispatchEvent(new Event('toggle'));
      });
    expect([fold.open, head()]).toEqual([false, 'GST invoiceAssam']);
    await setOpen(true);
    expect([fold.open, head()]).toEqual([true, 'GST invoice']);
    // the test's DOM sends the event more than once
    expect(scrolledTo[0]).toBe(fold);
    await type('gstin', '18ABCDE1234F1Z0');
    await setOpen(false);
    expect([fold.open, head()]).toEqual([false, 'GST invoiceAssam, 18ABCDE1234F1Z0']);
    await pay();
    expect(fold.open).toBe(true);
    expect(errorOf('gstin')).toBe('Please enter a valid 15-character GSTIN');
    await type('gstin', '');
    expect(errorOf('gstin')).toBeUndefined();
  });

  test('of the State offer every State, and the chosen one is sent', async () => {
    const checkout = await openCheckout([owned]);
    const { bodies, type, pay } = checkout;
    const select = checkout.field('State');
    const names = [...select.options].map(({ value, textContent }) =>
      value === textContent ? value : [value, textContent],
    );
    expect([names.length, ...names.slice(0, 3)]).toEqual([
      37,
      ['', 'Choose a state'],
      'Andhra Pradesh',
      'Arunachal Pradesh',
    ]);
    await type('billingState', 'Goa');
    await pay();
    await expect.poll(() => bodies).toMatchObject([{ billingState: 'Goa' }]);
  });

  test.each<[Name, string]>([
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
    await expect.poll(() => checkout.errorOf(name)).toBe(error);
    expect(checkout.page.querySelector('details')?.open).toBe(true);
  });

  test('of an account are fixed, and its invoice data are those of the profile', async () => {
    signInForTest('payer-1');
    savePaymentDraft({ buyer: { name: 'Ravi Kumar', firm: 'Typed & Co' }, planId: null, states: [] });
    const profile = {
      user: { _id: 'payer-1', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
      ...{ companyName: '', companyType: '', state: 'Goa', districts: [], departments: [], address: '', createdAt: '' },
      billing: { gstin: '03ABCDE1234F1ZA', firm: 'Negi & Co', firmAddress: 'Theog' },
    };
    const checkout = await openCheckout([owned], {}, { profile, typed: {} });
    const { page, value, bodies, text } = checkout;
    await expect.poll(() => value('gstin')).toBe('03ABCDE1234F1ZA');
    expect((['name', 'mobileNo', 'email', 'billingState', 'firm', 'firmAddress'] as const).map(value)).toEqual([
      ...['Asha', '9876543210', 'asha@example.in', 'Punjab', 'Typed & Co', 'Theog'],
    ]);
    const readOnly = [...page.querySelectorAll<HTMLInputElement>('[readonly]')].map(({ name }) => name);
    expect(readOnly).toEqual(['name', 'mobileNo', 'email']);
    expect(page.querySelector('a')?.getAttribute('href')).toBe('/dashboard/profile');
    expect(text()).toContain('As in your profile.');
    expect(text()).toContain('they are printed on the tax invoice and saved in your profile for the next one.');
    await checkout.pay();
    await expect.poll(() => bodies).toMatchObject([{ name: 'Asha', firm: 'Typed & Co', billingState: 'Punjab' }]);
  });

  test('of an account without a GSTIN name the State of its registration', async () => {
    signInForTest('payer-2');
    const profile = {
      user: { _id: 'payer-2', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
      ...{ companyName: '', companyType: '', state: 'Goa', districts: [], departments: [], address: '', createdAt: '' },
      billing: { gstin: '', firm: 'Negi & Co', firmAddress: 'Theog' },
    };
    const checkout = await openCheckout([], {}, { profile, typed: {} });
    await expect.poll(() => checkout.value('billingState')).toBe('Goa');
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
    expect([checkout.isBusy(), checkout.entitled()]).toEqual([true, []]);
    expect(checkout.field('State').disabled).toBe(true);
    const show = (persisted: boolean) =>
      act(async () => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })));
    await show(false);
    expect(checkout.isBusy()).toBe(true);
    await show(true);
    expect(checkout.isBusy()).toBe(false);
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
  });

  test('for documents stores no plan with the typed form', async () => {
    const assign = stayHere();
    savePaymentDraft({ buyer: {}, planId: 'premium', states: ['Goa'] });
    const checkout = await openCheckout([page]);
    await checkout.pay();
    await expect.poll(() => assign.mock.calls).toHaveLength(1);
    expect(readPaymentDraft()).toEqual({ buyer: BUYER, planId: null, states: [] });
  });

  test('again in one form is the same order; a form that was closed in between makes another', async () => {
    const fail = () => Response.json({}, { status: 500 });
    const first = await openCheckout([fail, fail]);
    await first.pay();
    await expect.poll(first.isBusy).toBe(false);
    await first.pay();
    await expect.poll(() => first.keys).toHaveLength(2);
    await expect.poll(first.isBusy).toBe(false);
    expect(first.failure()).toBe('Failed to initiate payment. Please try again.');
    await first.close();
    const second = await openCheckout([fail]);
    await second.pay();
    await expect.poll(() => second.keys).toHaveLength(1);
    expect(first.keys[1]).toBe(first.keys[0]);
    expect(second.keys[0]).not.toBe(first.keys[0]);
  });

  test('leads to no page that is not of the web, and stores nothing then', async () => {
    const assign = stayHere();
    const checkout = await openCheckout([() => Response.json({ url: 'javascript:alert(1)', orderId: 'abc' })]);
    await checkout.pay();
    await expect.poll(checkout.failure).toBe('Failed to initiate payment. Please try again.');
    expect([checkout.isBusy(), checkout.entitled(), assign.mock.calls]).toEqual([false, [], []]);
    expect(await readPendingOrder(Date.now())).toBeNull();
  });

  test('that the server refuses shows why at the field and in the form, and warns of nothing', async () => {
    const message = 'This GSTIN is registered in Punjab (03), not in Assam';
    const refuse = () => Response.json({ code: 'INVALID', message, fields: { gstin: message } }, { status: 422 });
    const checkout = await openCheckout([refuse]);
    await checkout.pay();
    await expect.poll(() => checkout.errorOf('gstin')).toBe(message);
    expect(checkout.failure()).toBe(message);
    expect(checkout.label()).toBe('Pay ₹99');
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
    expect(checkout.entitled()).toEqual([]);
  });

  test('an incomplete form shows each error, those of the item too', async () => {
    const checkout = await openCheckout([], { states: 'State is required' }, { typed: { mobileNo: '12345' } });
    await checkout.pay();
    expect((['name', 'mobileNo', 'email'] as const).map(checkout.errorOf)).toEqual([
      'Name is required',
      'Please enter a valid 10-digit mobile number',
      'Email is required',
    ]);
    expect(checkout.text()).toContain('State is required');
    expect(document.activeElement?.getAttribute('name')).toBe('name');
    expect(checkout.bodies).toEqual([]);
  });
});
