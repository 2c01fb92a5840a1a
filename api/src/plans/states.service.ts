/** Which states a plan may cover. */
import { PLANS, type PlanId } from '@nivida/contract/plans';
import { regionOf } from '@nivida/contract/regions';
import { AppError } from '../http/app-error.ts';

/**
 * The chosen states of a plan under their listed names, each once; none for a plan that covers all of India. INVALID
 * (422) for an unlisted one and for more than the plan covers.
 */
export function chosenStates(plan: PlanId, names: readonly string[]): string[] {
  const { states: most, name } = PLANS[plan];
  if (most === null) return [];
  const listed = names.map((each) => regionOf(each)?.state.name);
  if (listed.includes(undefined)) throw refusal('Please choose a state from the list');
  const states = [...new Set(listed as string[])];
  if (states.length > most) throw refusal(`${name} covers ${most} ${most === 1 ? 'state' : 'states'}`);
  return states;
}

const refusal = (message: string) => new AppError('INVALID', message, { states: message }, 422);
