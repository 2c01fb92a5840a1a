import type { PlanState } from '@nivida/contract/orders/order';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import { CurrentPlan } from './CurrentPlan.tsx';

afterEach(() => vi.unstubAllGlobals());

const STATE: PlanState = {
  ...{ planId: 'basic', isTrial: false, states: ['Assam'], downloadsUsed: 0, downloadsPerMonth: 10 },
  ...{ startsAt: '2026-04-01T00:00:00Z', endsAt: '2027-04-01T00:00:00Z', statesChangeableAt: '2026-05-01T00:00:00Z' },
};

/** Opens the form that changes the states; `save` chooses a state and submits it. */
async function changeStates() {
  const now = new Date('2026-05-10T00:00:00Z');
  const plan = createElement(CurrentPlan, { state: STATE, now, onChange: async () => undefined });
  const router = createMemoryRouter([{ path: '/', element: plan }]);
  const page = document.createElement('div');
  await act(async () => createRoot(page).render(createElement(RouterProvider, { router })));
  const open = [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Change states');
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
])('a plan %s is shown with what it includes and what can be changed now', async (_what, change, text) => {
  expect(await planText(change)).toBe(text);
});
