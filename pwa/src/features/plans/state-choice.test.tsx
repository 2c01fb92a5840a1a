import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { expect, test } from 'vitest';
import { openTestPage } from '../../ui/test-page.tsx';
import { StateChoice } from './StateChoice.tsx';

const FIELD = 'State of the plan';

/** Shows the choice for a plan; `choices` are those that were made. */
async function openChoice(planId: PlanId, chosen: string[], error?: string) {
  const choices: string[][] = [];
  const choice = (
    <StateChoice {...{ plan: PLANS[planId], chosen, error, onChange: (states) => void choices.push(states) }} />
  );
  return { ...(await openTestPage(choice)), choices };
}

test('the state of a plan can be chosen and taken back', async () => {
  const { enter, choices } = await openChoice('basic', []);
  for (const state of ['Assam', '']) await enter(FIELD, state);
  expect(choices).toEqual([['Assam'], []]);
});

test('one state is chosen from all 36, and an error is at the field', async () => {
  const { field, errorAt } = await openChoice('basic', ['Goa'], 'State is required');
  const select = field(FIELD);
  expect([select.name, select.value]).toEqual(['states', 'Goa']);
  const options = [...select.options].map(({ value, textContent }) => [value, textContent]);
  expect([options.length, options[0], options[1]]).toEqual([
    ...[37, ['', 'Choose a state'], ['Andhra Pradesh', 'Andhra Pradesh']],
  ]);
  expect(errorAt(FIELD)).toBe('State is required');
});

test('up to five states are chosen from a list, which names them below', async () => {
  const { page, texts, toggle, choices } = await openChoice('premium', ['Goa', 'Delhi'], 'Premium covers 5 states');
  expect(texts('legend')).toEqual(['States, up to 5 2 chosen']);
  expect(page.querySelectorAll('[type="checkbox"]')).toHaveLength(36);
  expect(texts('label:has(:checked)')).toEqual(['Goa', 'Delhi']);
  expect(texts('p')).toEqual(['Premium covers 5 states', 'Goa, Delhi']);
  await toggle('Assam');
  await toggle('Goa');
  expect(choices).toEqual([['Assam', 'Goa', 'Delhi'], ['Delhi']]);
  expect((await openChoice('premium', [])).texts('p')).toEqual([]);
});

test('for all of India there is nothing to choose', async () => {
  expect((await openChoice('enterprise', [])).text()).toBe('Covers all of India: there is no state to choose.');
});
