/** Which states a plan may cover. */
import { PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { findRegion } from '@nivida/contract/regions/regions';
import { AppError } from '../http/errors/app-error.ts';

/**
 * The chosen states of a plan under their listed names, each once; none for a plan that covers all of India. INVALID
 * (422) for an unlisted one and for more than the plan covers.
 */
export function validatePlanStates(plan: PlanId, names: readonly string[]): string[] {
  const { states: maxStates, name } = PLANS[plan];
  if (maxStates === null) return [];
  const listed = names.map((each) => findRegion(each)?.state.name);
  if (listed.includes(undefined)) throw invalidStates('Please choose a state from the list');
  const states = [...new Set(listed as string[])];
  if (states.length > maxStates)
    throw invalidStates(`${name} covers ${maxStates} ${maxStates === 1 ? 'state' : 'states'}`);
  return states;
}

const invalidStates = (message: string) => new AppError('INVALID', message, { states: message }, 422);
