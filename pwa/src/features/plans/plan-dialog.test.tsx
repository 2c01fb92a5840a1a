// @vitest-environment-options { "url": "http://localhost/" }
import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession } from '../../data/session.ts';
import { signInForTest } from '../../data/test-session.ts';
import { closeTestPages, openTestPage } from '../../ui/test-page.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import { TrialDialog } from './TrialDialog.tsx';

beforeEach(() => void vi.stubGlobal('fetch', async () => Response.json({})));
afterEach(async () => {
  await closeTestPages();
  vi.unstubAllGlobals();
  clearSession();
  localStorage.clear();
});

/** Opens the dialog of a plan for a buyer of these states; its payment form has the states with their error, and the terms. */
async function openDialog(planId: PlanId, firstStates: string[], onTrial: (() => void) | null = null) {
  const edits: string[] = [];
  const dialog = await openTestPage(
    <PlanDialog
      {...{ plan: PLANS[planId], firstStates, onTrial, onClose: () => undefined }}
      renderCheckout={({ states, itemErrors, renderStates, terms }) => (
        <>
          <output>{states.join(', ')}</output>
          {renderStates(itemErrors.states, () => void edits.push('states'))}
          <section>{terms}</section>
        </>
      )}
    />,
  );
  return { ...dialog, edits };
}

const TERMS = [
  'One payment for one year. Nothing renews by itself.',
  'Buying the same plan again adds one year.',
  'A larger plan starts at once and ends the smaller one; unused time is not refunded.',
  'A smaller plan begins when the present one ends.',
  'All payments are non-refundable, except duplicate debits.',
];

test('the dialog of a plan has its price and its terms, and tells a visitor how a plan without an account is used', async () => {
  const visitor = await openDialog('basic', ['Goa']);
  expect(visitor.texts('h2')).toEqual(['Basic plan']);
  expect(visitor.texts('dialog p')[0]).toBe('₹5,899 per year, 1 of 36 states.');
  expect(visitor.texts('section li')).toEqual([
    ...TERMS,
    'You can buy without an account. Register later with the same email address to use the plan.',
  ]);
  signInForTest('7');
  expect((await openDialog('basic', ['Goa'])).texts('section li')).toEqual(TERMS);
});

test('a plan begins with as many states of the profile as it covers, and another choice replaces them', async () => {
  const { texts, enter, errorAt, edits } = await openDialog('basic', ['Goa', 'Delhi']);
  expect(texts('output')).toEqual(['Goa']);
  await enter('State of the plan', '');
  expect([texts('output'), errorAt('State of the plan'), edits]).toEqual([[''], 'State is required', ['states']]);
  expect((await openDialog('enterprise', ['Goa'])).texts('output')).toEqual(['']);
});

test('the free trial is offered where the user can have one', async () => {
  let trials = 0;
  const { press } = await openDialog('basic', [], () => void trials++);
  await press('Start Free Trial');
  expect(trials).toBe(1);
  expect((await openDialog('basic', [])).hasButton('Start Free Trial')).toBe(false);
});

test('the pictures of the steps of the free trial are not read aloud, because each step has its text', async () => {
  const { page } = await openTestPage(<TrialDialog onClose={() => undefined} onStart={() => undefined} />);
  const pictures = [...page.querySelectorAll('ol svg')];
  expect(pictures.map((each) => [each.getAttribute('role'), each.getAttribute('aria-hidden')])).toEqual(
    Array(4).fill([null, 'true']),
  );
});
