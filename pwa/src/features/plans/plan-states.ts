/** The states that a plan covers: how many may be chosen, and the call that changes them. */
import { plural, t } from '@lingui/core/macro';
import { PlanState } from '@nivida/contract/orders/order';
import { PLANS, type Plan } from '@nivida/contract/orders/plans';
import { placeName } from '@nivida/contract/regions/states';
import { api } from '../../data/server/api.ts';
import { currentSite } from '../../data/server/site.ts';
import type { CheckedForm } from '../../ui/form/useForm.ts';

/** The error of a choice of states for a plan. Undefined when the choice is valid. */
export function stateSelectionError({ states: most, name }: Plan, chosen: readonly string[]): string | undefined {
  if (most === null) return undefined;
  if (chosen.length === 0) return t`State is required`;
  if (chosen.length > most)
    return currentSite().payments === 'none'
      ? plural(most, { one: 'Alerts cover # state', other: 'Alerts cover # states' })
      : t`${name} covers ${plural(most, { one: '# state', other: '# states' })}`;
  return undefined;
}

/** Changes the states of the signed-in user's plan. Adding is always possible; replacing once in 30 days. */
export async function updatePlanStates(states: readonly string[]): Promise<PlanState> {
  return api.put('api/plan/states', { json: { states } }).json(PlanState);
}

/** True when states of a plan may be replaced now. Adding needs no check. */
export function canReplaceStates({ statesChangeableAt }: PlanState, now: Date): boolean {
  return statesChangeableAt !== null && Date.parse(statesChangeableAt) <= now.getTime();
}

/**
 * Validates the new states for the plan `state`. While it is locked, states can be added but not replaced.
 */
export function checkStates(state: PlanState, chosen: string[], now: Date): CheckedForm<string[]> {
  const isReplacing = state.states.some((name) => !chosen.includes(name));
  const isLocked = isReplacing && !canReplaceStates(state, now);
  const wrong = isLocked ? t`States can be changed once in 30 days` : stateSelectionError(PLANS[state.planId], chosen);
  return wrong === undefined ? { sent: chosen, errors: {} } : { errors: { states: wrong } };
}

/** 'Himachal Pradesh, Delhi', or 'All India' for a plan that covers it. */
export function coveredStatesText({ planId, isTrial, states }: PlanState): string {
  if (states.length > 0) return states.map(placeName).join(', ');
  return !isTrial && PLANS[planId].states === null ? t`All India` : t`No state chosen yet`;
}
