import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { act } from 'preact/test-utils';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { StateChoice } from './StateChoice.tsx';

test('the state of a plan can be chosen and taken back', async () => {
  const page = document.createElement('div');
  const choices: string[][] = [];
  const choice = createElement(StateChoice, {
    plan: PLANS.basic,
    chosen: [],
    error: undefined,
    onChange: (chosen) => choices.push(chosen),
  });
  await act(async () => createRoot(page).render(choice));
  const select = page.querySelector('select') as HTMLSelectElement;
  for (const state of ['Assam', '']) {
    select.value = state;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }
  expect(choices).toEqual([['Assam'], []]);
});

/** Shows the choice for a plan; `choices` are those that were made. */
async function openChoice(planId: PlanId, chosen: string[], error?: string) {
  const page = document.createElement('div');
  document.body.append(page);
  const choices: string[][] = [];
  const root = createRoot(page);
  const onChange = (states: string[]) => choices.push(states);
  await act(async () => root.render(createElement(StateChoice, { plan: PLANS[planId], chosen, error, onChange })));
  const close = async () => {
    await act(async () => root.unmount());
    page.remove();
  };
  return { page, choices, close };
}

test('one state is chosen from all 36, and an error is at the field', async () => {
  const { page, close } = await openChoice('basic', ['Goa'], 'State is required');
  const select = page.querySelector('select') as HTMLSelectElement;
  expect(page.querySelector(`label[for="${select.id}"]`)?.textContent?.trim()).toBe('State of the plan');
  expect([select.name, select.value]).toEqual(['states', 'Goa']);
  const options = [...select.options].map(({ value, textContent }) => [value, textContent]);
  expect([options.length, options[0], options[1]]).toEqual([
    37,
    ['', 'Choose a state'],
    ['Andhra Pradesh', 'Andhra Pradesh'],
  ]);
  const error = page.querySelector(`[id="${select.getAttribute('aria-describedby')}"]`);
  expect([select.getAttribute('aria-invalid'), error?.textContent]).toEqual(['true', 'State is required']);
  await close();
});

test('up to five states are chosen from a list, which names them below', async () => {
  const { page, choices, close } = await openChoice('premium', ['Goa', 'Delhi'], 'Premium covers 5 states');
  expect(page.querySelector('legend')?.textContent).toBe('States, up to 5 2 chosen');
  const boxes = [...page.querySelectorAll<HTMLInputElement>('[type="checkbox"]')];
  const named = (name: string) => boxes.find((box) => box.closest('label')?.textContent === name);
  expect(boxes.filter(({ checked }) => checked).map((box) => box.closest('label')?.textContent)).toEqual([
    'Goa',
    'Delhi',
  ]);
  expect(boxes).toHaveLength(36);
  expect(page.textContent).toContain('Premium covers 5 states');
  expect(page.lastElementChild?.lastElementChild?.textContent).toBe('Goa, Delhi');
  await act(async () => named('Assam')?.click());
  await act(async () => named('Goa')?.click());
  expect(choices).toEqual([['Assam', 'Goa', 'Delhi'], ['Delhi']]);
  await close();
  const none = await openChoice('premium', []);
  expect(none.page.querySelectorAll('p')).toHaveLength(0);
  await none.close();
});

test('for all of India there is nothing to choose', async () => {
  const { page, close } = await openChoice('enterprise', []);
  expect(page.textContent).toBe('Covers all of India: there is no state to choose.');
  await close();
});
