import { PLANS } from '@nivida/contract/orders/plans';
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
