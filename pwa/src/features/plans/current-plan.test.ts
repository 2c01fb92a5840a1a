import type { PlanState } from '@nivida/contract/orders/order';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { CurrentPlan } from './CurrentPlan.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const STATE: PlanState = {
  ...{ planId: 'basic', isTrial: false, states: ['Assam'], downloadsUsed: 0, downloadsPerMonth: 10 },
  ...{ startsAt: '2026-04-01T00:00:00Z', endsAt: '2027-04-01T00:00:00Z', statesChangeableAt: '2026-05-01T00:00:00Z' },
};

/** Opens the form that changes the states; `save` chooses a state and submits it. */
async function changeStates(change: Partial<PlanState> = {}, onChange = async () => {}) {
  const now = new Date('2026-05-10T00:00:00Z');
  const plan = createElement(CurrentPlan, { state: { ...STATE, ...change }, now, onChange });
  const router = createMemoryRouter([{ path: '/', element: plan }]);
  const page = document.createElement('div');
  await act(async () => createRoot(page).render(createElement(RouterProvider, { router })));
  const open = [...page.querySelectorAll('button')].find(({ textContent }) =>
    /^(Change|Choose) states$/.test(textContent ?? ''),
  );
  await act(async () => open?.click());
  const select = page.querySelector('select') as HTMLSelectElement;
  return {
    page,
    select,
    save: async (state: string) => {
      await act(async () => {
        select.value = state;
        select.dispatchEvent(new Event('change', { bubbles: true }));
      });
      await act(async () => page.querySelector('form')?.requestSubmit());
    },
  };
}

test('a choice of no state is refused with its reason', async () => {
  const { page, select, save } = await changeStates();
  await save('');
  expect(select.getAttribute('aria-invalid')).toBe('true');
  expect(page.textContent).toContain('State is required');
});

test('states that the server refuses stay in the form with the reason, and the form closes when they are saved', async () => {
  const answers = [
    Response.json({ code: 'CONFLICT', message: 'States can be changed once in 30 days' }, { status: 409 }),
    Response.json(STATE),
  ];
  vi.stubGlobal('fetch', async () => answers.shift());
  const { page, select, save } = await changeStates();
  await save('Odisha');
  await expect.poll(() => page.textContent).toContain('States can be changed once in 30 days');
  expect(select.value).toBe('Odisha');
  await save('Odisha');
  await expect.poll(() => page.querySelector('form')).toBeNull();
});

test('changed states are sent, the plan is loaded again, and then the form closes', async () => {
  const calls: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    calls.push([request.method, new URL(request.url).pathname, await request.json()]);
    return Response.json(STATE);
  });
  const loaded = Promise.withResolvers<void>();
  const loads: string[] = [];
  const { page, save } = await changeStates({}, () => {
    loads.push('plan');
    return loaded.promise;
  });
  await save('Odisha');
  await expect.poll(() => loads).toEqual(['plan']);
  expect(calls).toEqual([['PUT', '/api/plan/states', { states: ['Odisha'] }]]);
  expect(page.querySelector('form')).not.toBeNull();
  loaded.resolve();
  await expect.poll(() => page.querySelector('form')).toBeNull();
});

test('a choice that is given up sends nothing, and the next one begins with the states of the plan', async () => {
  const calls: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => calls.push(request));
  const { page, select } = await changeStates();
  const press = (label: string) =>
    act(async () => [...page.querySelectorAll('button')].find(({ textContent }) => textContent === label)?.click());
  await act(async () => {
    select.value = 'Odisha';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await press('Cancel');
  expect(page.querySelector('form')).toBeNull();
  await press('Change states');
  expect([page.querySelector('select')?.value, calls]).toEqual(['Assam', []]);
});

test('without signal the states cannot be changed, and nothing is sent later', async () => {
  const calls: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => calls.push(request));
  const { page, save } = await changeStates();
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await save('Odisha');
  await expect
    .poll(() => page.querySelector('[role="alert"]')?.textContent)
    .toBe('You are offline: this needs a connection. Nothing was sent.');
  const next = document.createElement('div');
  const plan = createElement(CurrentPlan, {
    ...{ state: STATE, now: new Date('2026-05-10T00:00:00Z'), onChange: async () => undefined },
  });
  const router = createMemoryRouter([{ path: '/', element: plan }]);
  await act(async () => createRoot(next).render(createElement(RouterProvider, { router })));
  expect([next.querySelector('button')?.disabled, calls]).toEqual([true, []]);
});

test('a failure without a reason says what failed', async () => {
  vi.stubGlobal('fetch', async () => Response.json({}, { status: 500 }));
  const { page, save } = await changeStates();
  await save('Odisha');
  await expect.poll(() => page.querySelector('[role="alert"]')?.textContent).toBe('Failed to change the states');
});

test.each<[string, Partial<PlanState>, string[]]>([
  ['that can be replaced', {}, ['After you replace a state, you can change again after 30 days.']],
  [
    'with room for more, whose others are locked',
    { planId: 'premium', statesChangeableAt: '2026-05-31T00:00:00Z' },
    ['You can add states now, and replace one from 31 May 2026.'],
  ],
  ['that has none yet', { states: [], statesChangeableAt: '2026-05-31T00:00:00Z' }, []],
])('the form of a plan %s says when its states can be replaced', async (_what, change, texts) => {
  const { page } = await changeStates(change);
  const shown = [...page.querySelectorAll('form p')].map(({ textContent }) => textContent);
  expect(shown.filter((text) => text !== 'Assam')).toEqual(texts);
});

test('the downloads of the month are shown as a share, too', async () => {
  const page = document.createElement('div');
  const state = { ...STATE, downloadsUsed: 3 };
  const plan = createElement(CurrentPlan, { state, now: new Date('2026-05-10T00:00:00Z'), onChange: async () => {} });
  const router = createMemoryRouter([{ path: '/', element: plan }]);
  await act(async () => createRoot(page).render(createElement(RouterProvider, { router })));
  const bar = page.querySelector('progress');
  expect([bar?.getAttribute('value'), bar?.getAttribute('max')]).toEqual(['3', '10']);
  expect(page.querySelector(`[id="${bar?.getAttribute('aria-labelledby')}"]`)?.textContent).toBe(
    '3 of 10 document downloads used this month',
  );
  expect(page.querySelector('a')?.getAttribute('href')).toBe('/pricing');
});

test('an account without a plan reads what is free, and finds the plans', async () => {
  const page = document.createElement('div');
  const plan = createElement(CurrentPlan, {
    ...{ state: null, now: new Date('2026-05-10T00:00:00Z'), onChange: async () => {} },
  });
  const router = createMemoryRouter([{ path: '/', element: plan }]);
  await act(async () => createRoot(page).render(createElement(RouterProvider, { router })));
  expect(page.querySelector('p')?.textContent).toBe(
    'No plan. Searching, reading and reminders are free; a plan adds alerts and downloads.',
  );
  const links = [...page.querySelectorAll('a, button')].map((each) => [each.getAttribute('href'), each.textContent]);
  expect(links).toEqual([['/pricing', 'See plans']]);
});

/** The texts and buttons of a plan on 10 May 2026. */
async function planText(change: Partial<PlanState>): Promise<string> {
  const now = new Date('2026-05-10T00:00:00Z');
  const plan = createElement(CurrentPlan, { state: { ...STATE, ...change }, now, onChange: async () => undefined });
  const page = document.createElement('div');
  const router = createMemoryRouter([{ path: '/', element: plan }]);
  await act(async () => createRoot(page).render(createElement(RouterProvider, { router })));
  return [...page.querySelectorAll('p, button, a')]
    .map(({ textContent }) => textContent?.replace(/\s+/g, ' '))
    .join(' | ');
}

test.each<[string, Partial<PlanState>, string]>([
  [
    'with its downloads of the month',
    { downloadsUsed: 3 },
    'Basic until 1 Apr 2027 | 3 of 10 document downloads used this month | States: Assam | Change states | Extend or change the plan',
  ],
  [
    'whose state is locked',
    { statesChangeableAt: '2026-05-31T00:00:00Z' },
    'Basic until 1 Apr 2027 | 0 of 10 document downloads used this month | States: Assam Can be changed from 31 May 2026. | Extend or change the plan',
  ],
  [
    'with room for a state, although the others are locked',
    { planId: 'premium', downloadsPerMonth: null, statesChangeableAt: '2026-05-31T00:00:00Z' },
    'Premium until 1 Apr 2027 | 0 document downloads this month, without a monthly limit. | States: Assam Can be changed from 31 May 2026. | Change states | Extend or change the plan',
  ],
  [
    'without a state',
    { states: [], statesChangeableAt: '2026-05-31T00:00:00Z' },
    'Basic until 1 Apr 2027 | 0 of 10 document downloads used this month | States: No state chosen yet Can be changed from 31 May 2026. | Choose states | Extend or change the plan',
  ],
  [
    'for all of India',
    { planId: 'enterprise', states: [], downloadsUsed: 7, downloadsPerMonth: null, statesChangeableAt: null },
    'Enterprise until 1 Apr 2027 | 7 document downloads this month, without a monthly limit. | States: All India | Extend or change the plan',
  ],
  [
    'on trial',
    { isTrial: true, downloadsPerMonth: 0 },
    'Basic Trial until 1 Apr 2027 | Document downloads are not included in the trial. | States: Assam | See plans',
  ],
  [
    'on trial without a state',
    { isTrial: true, downloadsPerMonth: 0, states: [], statesChangeableAt: '2026-05-31T00:00:00Z' },
    'Basic Trial until 1 Apr 2027 | Document downloads are not included in the trial. | States: No state chosen yet | See plans',
  ],
])('a plan %s is shown with what it includes and what can be changed now', async (_what, change, text) => {
  expect(await planText(change)).toBe(text);
});
