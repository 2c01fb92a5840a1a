// @vitest-environment node
import type { PlanState } from '@nivida/contract/orders/order';
import { PLANS } from '@nivida/contract/orders/plans';
import { describe, expect, test } from 'vitest';
import { canReplaceStates, checkStates, coveredStatesText, stateSelectionError } from './plan-states.ts';

const STATE: PlanState = {
  planId: 'premium',
  isTrial: false,
  isGift: false,
  states: ['Himachal Pradesh', 'Delhi'],
  startsAt: '2026-11-01T00:00:00.000Z',
  endsAt: '2027-11-01T00:00:00.000Z',
  downloadsUsed: 0,
  downloadsPerMonth: null,
  statesChangeableAt: '2026-12-01T00:00:00.000Z',
};

describe('the states of a plan', () => {
  const six = ['Punjab', 'Delhi', 'Goa', 'Bihar', 'Assam', 'Kerala'];
  test.each([
    ['basic', [], 'State is required'],
    ['basic', ['Delhi', 'Goa'], 'Basic covers 1 state'],
    ['premium', six, 'Premium covers 5 states'],
    ['premium', six.slice(1), undefined],
    ['enterprise', [], undefined],
  ] as const)('%s with %j: %s', (plan, chosen, message) => {
    expect(stateSelectionError(PLANS[plan], chosen)).toBe(message);
  });

  test.each<[Partial<PlanState>, string]>([
    [{}, 'Himachal Pradesh, Delhi'],
    [{ states: [] }, 'No state chosen yet'],
    [{ planId: 'enterprise', states: [] }, 'All India'],
    [{ planId: 'enterprise', states: [], isTrial: true }, 'No state chosen yet'],
  ])('with %j it covers: %s', (changed, text) => {
    expect(coveredStatesText({ ...STATE, ...changed })).toBe(text);
  });

  test('may be replaced from the day that the server names', () => {
    expect(canReplaceStates(STATE, new Date('2026-11-30T23:59:59.000Z'))).toBe(false);
    expect(canReplaceStates(STATE, new Date('2026-12-01T00:00:00.000Z'))).toBe(true);
    expect(canReplaceStates({ ...STATE, statesChangeableAt: null }, new Date('2026-12-02T00:00:00.000Z'))).toBe(false);
  });

  const LOCKED = new Date('2026-11-30T00:00:00.000Z');
  const FREE = new Date('2026-12-01T00:00:00.000Z');
  test.each([
    ['one more while they are locked', ['Himachal Pradesh', 'Delhi', 'Goa'], LOCKED, undefined],
    ['another one while they are locked', ['Himachal Pradesh', 'Goa'], LOCKED, 'States can be changed once in 30 days'],
    ['another one after 30 days', ['Himachal Pradesh', 'Goa'], FREE, undefined],
    ['none after 30 days', [], FREE, 'State is required'],
  ])('a change to %s', (_name, chosen, now, message) => {
    const expected = message === undefined ? { sent: chosen, errors: {} } : { errors: { states: message } };
    expect(checkStates(STATE, chosen, now)).toEqual(expected);
  });
});
