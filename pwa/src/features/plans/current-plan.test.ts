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
