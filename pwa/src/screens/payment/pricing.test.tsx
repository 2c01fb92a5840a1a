// @vitest-environment-options { "url": "http://localhost/" }
import { act } from 'react';
import 'fake-indexeddb/auto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { closeDatabase, withDatabase } from '../../data/device/database.ts';
import { reportScreenReady } from '../../data/first-screen.ts';
import { refreshSite } from '../../data/server/site.ts';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeAuthDialog, useAuthDialog } from '../../features/auth/dialogs.ts';
import { savePaymentDraft } from '../../features/orders/checkout/payment-draft.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { Pricing } from './Pricing.screen.tsx';

afterEach(async () => {
  await closeTestPages();
  // The settings are loaded after the first screen; a later call would be one of another test.
  reportScreenReady();
  await refreshSite();
  closeAuthDialog();
  clearSession();
  sessionStorage.clear();
  await withDatabase((db) => db.delete());
  await closeDatabase();
});

/** Shows the plans; `bodies` are the orders that the server has received. */
async function openPricing({
  buy,
  profile = {},
  plan = null,
}: {
  buy?: string;
  profile?: object;
  plan?: object | null;
} = {}) {
  const bodies: Record<string, unknown>[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/api/me')) return Response.json(profile);
    if (request.url.endsWith('/api/orders')) return Response.json({ orders: [], plan });
    if (!request.url.endsWith('/create-order')) return Response.json({});
    bodies.push(await request.json());
    return Response.json({ url: '/payment-status', orderId: 'a/c', alreadyEntitled: true });
  });
  const opened = await openTestPage(<Pricing />, { pathname: '/pricing', state: buy ? { buy } : null });
  const { page, texts, field, router, address } = opened;
  const pay = () => act(async () => page.querySelector('form')?.requestSubmit());
  return {
    ...opened,
    pay,
    /** The order that the server has received, after the page of its payment is shown. */
    order: async () => {
      await pay();
      await expect.poll(address).toBe('/payment-status?id=a%2Fc');
      return bodies;
    },
    bodies,
    go: (state: object) => act(async () => void (await router.navigate('/pricing', { state }))),
    title: () => texts('dialog h2')[0],
    state: () => field('State of the plan').value,
  };
}

const BUYER = { Name: 'Asha', 'Mobile number': '9816041122', Email: 'asha@example.in' };

const textsOf = (root: ParentNode, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent?.replace(/\s+/g, ' ').trim());

describe('the page of the plans', () => {
  test('shows each plan with its share of the States, its price, and its features', async () => {
    const { page, texts } = await openPricing();
    const cards = [...page.querySelectorAll('section[aria-labelledby^="plan-"]')].map((card) => ({
      name: card.querySelector(`[id="${card.getAttribute('aria-labelledby')}"]`)?.textContent,
      share: card.querySelector('rect')?.getAttribute('width'),
      texts: textsOf(card, ':scope > div .muted, p'),
      features: textsOf(card, 'li').length,
      soon: textsOf(card, 'li[data-status="soon"]'),
    }));
    expect(cards).toEqual([
      {
        ...{ name: 'Basic', share: '3', features: 5, soon: [] },
        texts: ['1 of 36 states', '₹5,899 per year', '₹492 a month, paid once a year'],
      },
      {
        ...{
          name: 'Premium',
          share: '14',
          features: 8,
          soon: ['Tender analytics Coming soon'],
        },
        texts: ['5 of 36 states', '₹10,899 per year', '₹908 a month, paid once a year'],
      },
      {
        ...{ name: 'Enterprise', share: '100', features: 6 },
        soon: ['Dedicated account manager Coming soon', 'Custom reporting Coming soon'],
        texts: ['all 36 states', '₹14,999 per year', '₹1,250 a month, paid once a year'],
      },
    ]);
    const icons = (status: string) =>
      new Set([...page.querySelectorAll(`li[data-status="${status}"] path`)].map((path) => path.getAttribute('d')));
    expect([...icons('soon'), ...icons('free'), ...icons('plan')]).toEqual([
      'M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0M12 7v5l3.5 2',
      ...['m5 12.5 4.5 4.5L19 7.5', 'm5 12.5 4.5 4.5L19 7.5'],
    ]);
    expect(texts('section:first-of-type li')).toEqual([
      'All tenders Free for all',
      '1 state (alerts of saved searches and followed offices)',
      ...['Basic search filters Free for all', 'Email notifications Free for all'],
      'Up to 10 document downloads per month',
    ]);
  });

  test('compares the plans, each row under its own title', async () => {
    const { page, texts } = await openPricing();
    const table = page.querySelector('table') as HTMLTableElement;
    expect(table.querySelector('caption')?.textContent).toBe('What is free and what each plan adds');
    expect(textsOf(table, 'thead th')).toEqual(['Free', 'Basic', 'Premium', 'Enterprise']);
    const rows = [...table.querySelectorAll('tbody')].map((row) => [
      ...textsOf(row, 'th'),
      ...[...row.querySelectorAll('td')].map((cell) => (cell.querySelector('.sr') ?? cell).textContent),
    ]);
    expect(rows).toHaveLength(13);
    const twice = (title: string) => [title, title];
    expect(rows[0]).toEqual([...twice('Search, filters and all tenders'), 'Yes', 'Yes', 'Yes', 'Yes']);
    expect(rows[7]).toEqual([
      ...twice('Document packages included'),
      '₹99 each',
      '10 a month',
      'Unlimited',
      'Unlimited',
    ]);
    expect(rows[9]).toEqual([...twice('Tender analytics'), 'No', 'No', 'Coming soon', 'Coming soon']);
    const cells = [...table.querySelectorAll('tbody td')];
    const shown = (text: string) => cells.filter(({ textContent }) => textContent?.startsWith(text));
    expect(shown('Yes').every((cell) => cell.querySelector('svg'))).toBe(true);
    expect(shown('No').every((cell) => cell.querySelector('[aria-hidden]')?.textContent === '–')).toBe(true);
    expect(cells.filter((cell) => cell.querySelector('[data-soon]')).map(({ textContent }) => textContent)).toEqual(
      shown('Coming soon').map(({ textContent }) => textContent),
    );
    expect(texts('[aria-labelledby="compare"] h2')).toEqual(['Compare']);
  });

  test('names the limits of fair use and the refund policy, and offers the trial to visitors only', async () => {
    const { text, texts } = await openPricing();
    expect(text()).toContain('200 packages a day with Premium, 500 with Enterprise.');
    expect(texts('a[href="/refund"]')).toEqual(['refund policy']);
    expect(document.title).toBe('Plans and prices · Nivida');
    const claims = () => texts('li');
    expect(claims()).toContain('7-day free trial, no credit card');
    expect(claims()).toContain('Secure payment');
    expect(claims()).toContain('24/7 supportComing soon');
    await act(async () => signInForTest('7'));
    expect(claims()).not.toContain('7-day free trial, no credit card');
    expect(claims()).toContain('Secure payment');
  });
});

describe('the owner of a plan', () => {
  const PREMIUM = {
    ...{ planId: 'premium', isTrial: false, states: ['Goa'], downloadsUsed: 0, downloadsPerMonth: null },
    ...{ startsAt: '2026-01-05T00:00:00Z', endsAt: '2999-01-05T00:00:00Z', statesChangeableAt: null },
  };
  const lines = (page: ParentNode, id: string) =>
    textsOf(page.querySelector(`section[aria-labelledby="plan-${id}"]`) as ParentNode, 'p, button');

  test('sees which is the own one, and what the others change', async () => {
    signInForTest('owner-1');
    const { page, hasButton } = await openPricing({ plan: PREMIUM });
    await expect.poll(() => hasButton('Add a year of Premium')).toBe(true);
    expect(lines(page, 'premium').slice(2)).toEqual(['Your plan until 5 Jan 2999', 'Add a year']);
    expect(lines(page, 'basic').slice(2)).toEqual([
      'Starts when your Premium ends.',
      'Alerts: 1 of 36 states instead of 5 of 36 states.',
      'Document packages: 10 a month instead of 200 a day.',
      'Get Started',
    ]);
    expect(lines(page, 'enterprise')[2]).toBe(
      'Starts at once. Your Premium ends then; its unused time is not refunded.',
    );
  });

  test('of the trial sees the trial on its plan, and the others as they are', async () => {
    signInForTest('owner-2');
    const { page } = await openPricing({ plan: { ...PREMIUM, planId: 'basic', isTrial: true } });
    await expect.poll(() => lines(page, 'basic').slice(2)).toEqual(['Your trial until 5 Jan 2999', 'Get Started']);
    expect(lines(page, 'premium').slice(2)).toEqual(['Get Started']);
  });
});

describe('the dialog of a plan', () => {
  const TERMS = [
    'One payment for one year. Nothing renews by itself.',
    'Buying the same plan again adds one year.',
    'A larger plan starts at once and ends the smaller one; unused time is not refunded.',
    'A smaller plan begins when the present one ends.',
    'All payments are non-refundable, except duplicate debits.',
  ];
  const GUEST = 'You can buy without an account. Register later with the same email address to use the plan.';

  test.each([
    ['Basic', '₹5,899 per year, 1 of 36 states.', 'Pay ₹5,899'],
    ['Premium', '₹10,899 per year, 5 of 36 states.', 'Pay ₹10,899'],
    ['Enterprise', '₹14,999 per year, all 36 states.', 'Pay ₹14,999'],
  ])('%s opens with its price, its features and its terms, and closes', async (name, text, pay) => {
    const { texts, title, press, hasButton } = await openPricing();
    expect(title()).toBeUndefined();
    await press(`Get Started with ${name}`);
    expect(title()).toBe(`${name} plan`);
    expect(texts('dialog p')[0]).toBe(text);
    expect(texts('dialog dt')).toEqual([`${name} plan, one year`]);
    expect(texts('dialog form > ul li')).toEqual([...TERMS, GUEST]);
    expect(hasButton(pay)).toBe(true);
    expect(texts('dialog [role="status"]')).toEqual(['One payment for one year. Nothing renews by itself.']);
    await press('Cancel');
    expect(title()).toBeUndefined();
  });

  test('of Premium lists its features, the planned ones as such', async () => {
    const { page, texts, press } = await openPricing();
    await press('Get Started with Premium');
    expect(texts('dialog ul:first-of-type li').slice(0, 8)).toEqual([
      ...['All Basic features', 'Competitive analysis Free for all'],
      ...['5 states (alerts of saved searches and followed offices)', 'Advanced filters Free for all'],
      ...['Priority support (your messages are answered first)', 'Unlimited downloads', 'Tender analytics Coming soon'],
      'Custom alerts (also with Basic)',
    ]);
    expect(page.querySelector('dialog li[data-status="soon"] path')?.getAttribute('d')).toMatch(/^M3 12a9/);
    expect(page.querySelector('dialog li[data-status="plan"] path')?.getAttribute('d')).toMatch(/^m5 12\.5/);
  });

  test('offers visitors the trial, which opens the registration instead', async () => {
    const { text, title, press } = await openPricing();
    await press('Get Started with Basic');
    expect(text()).toContain('7-day free trial, no credit card: Basic, in the state of your registration.');
    await press('Start Free Trial');
    expect([title(), useAuthDialog.getState().open]).toEqual([undefined, 'register']);
  });

  test('of an account offers no trial, and begins with the State of its registration', async () => {
    signInForTest('planner-1');
    const profile = {
      user: { _id: 'planner-1', username: 'Asha', email: 'asha@example.in', mobileNo: '+919876543210' },
      ...{ companyName: '', companyType: '', state: 'Goa', districts: [], departments: [], address: '', createdAt: '' },
      billing: { gstin: '03ABCDE1234F1ZA', firm: 'Negi & Co', firmAddress: 'Theog' },
    };
    const { texts, press, state, order } = await openPricing({ profile });
    await press('Get Started with Basic');
    await expect.poll(state).toBe('Goa');
    expect(texts('dialog')[0]).not.toContain('free trial');
    expect(texts('dialog form > ul li')).toEqual(TERMS);
    expect(await order()).toMatchObject([
      {
        ...{ product: 'yearly-subscription', planId: 'basic', states: ['Goa'], amount: 5_899 },
        ...{ redirectUrl: '/payment-status', billingState: 'Punjab', gstin: '03ABCDE1234F1ZA' },
      },
    ]);
  });

  test('needs a state, whose error ends with the choice; the invoice is for the first state of the plan', async () => {
    const { press, pay, order, fill, enter, errorAt, state, bodies } = await openPricing();
    await press('Get Started with Basic');
    await fill(BUYER);
    expect(state()).toBe('');
    await pay();
    await expect.poll(() => errorAt('State of the plan')).toBe('State is required');
    expect(bodies).toEqual([]);
    await enter('State of the plan', 'Assam');
    expect(errorAt('State of the plan')).toBeUndefined();
    expect(await order()).toMatchObject([{ planId: 'basic', states: ['Assam'], billingState: 'Assam' }]);
  });

  test('of Enterprise is ordered without a state', async () => {
    const { press, order, fill } = await openPricing();
    await press('Get Started with Enterprise');
    await fill(BUYER);
    expect(await order()).toMatchObject([{ planId: 'enterprise', states: [], amount: 14_999 }]);
  });

  test('opens by itself after a failed payment, with the states that were chosen then', async () => {
    savePaymentDraft({ buyer: { name: 'Asha' }, planId: 'premium', states: ['Goa', 'Delhi'] });
    const { field, texts, title, press, go, state } = await openPricing({ buy: 'premium' });
    expect(title()).toBe('Premium plan');
    expect(texts('dialog label:has(:checked)')).toEqual(['Goa', 'Delhi']);
    expect(field('Name').value).toBe('Asha');
    await press('Cancel');
    // Those of another plan are not its own.
    await press('Get Started with Basic');
    expect([title(), state()]).toEqual(['Basic plan', '']);
    await press('Cancel');
    await go({ buy: 'enterprise' });
    expect(title()).toBe('Enterprise plan');
  });

  test('shows no more states than the plan covers', async () => {
    savePaymentDraft({ buyer: {}, planId: 'basic', states: ['Goa', 'Delhi'] });
    const { press, state, order, fill } = await openPricing();
    await press('Get Started with Basic');
    expect(state()).toBe('Goa');
    await fill(BUYER);
    expect(await order()).toMatchObject([{ states: ['Goa'] }]);
  });

  test('of an unknown plan does not open', async () => {
    const { title } = await openPricing({ buy: 'gold' });
    expect(title()).toBeUndefined();
  });
});
