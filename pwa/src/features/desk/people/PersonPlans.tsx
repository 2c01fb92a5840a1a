import { t } from '@lingui/core/macro';
import type { StaffRole } from '@nivida/contract/desk/act';
import { GrantPlanResponse, PersonActResponse, type PersonResponse } from '@nivida/contract/desk/people';
import { endOfIndianDay, formatDate, indianDay } from '@nivida/contract/format';
import { PLAN_IDS, PLANS, type PlanId } from '@nivida/contract/orders/plans';
import { dayText } from '@nivida/contract/time';
import { useState } from 'react';
import { useNow } from '../../../data/clock.ts';
import { ChoiceField, Field, Input } from '../../../ui/form/Field.tsx';
import { ActButton } from '../act/ActButton.tsx';
import { PersonSection } from './PersonSection.tsx';

/** Days of a gift that nothing else is chosen for. */
const USUAL_DAYS = 30;

/** Origin and time of a plan. */
export function planFacts({
  origin,
  status,
  startsAt,
  endsAt,
  states,
  isTest,
}: PersonResponse['plans'][number]): string {
  const origins = { order: t`bought`, trial: t`trial`, gift: t`gift`, free: t`free here` };
  // The end is exclusive.
  const last = formatDate(new Date(new Date(endsAt).getTime() - 1));
  const when = {
    waiting: t`from ${{ day: formatDate(startsAt) }} to ${{ last }}`,
    running: t`until ${{ last }}`,
    ended: t`ended on ${{ last }}`,
    revoked: t`revoked`,
  };
  return [origins[origin], when[status], states.join(', '), isTest && t`test`].filter(Boolean).join(' · ');
}

/** Plans and trials of an account. */
export function PersonPlans({ person, may }: { person: PersonResponse; may: (role: StaffRole) => boolean }) {
  const { id, plans, status } = person;
  return (
    <div className="stack">
      <PersonSection title={t`Plans`} empty={t`No plan`}>
        {plans.map((plan) => (
          <li key={plan.id}>
            <span className="s">{PLANS[plan.planId].name}</span>
            <span className="facts">{planFacts(plan)}</span>
            {may('operator') && plan.origin === 'gift' && ['running', 'waiting'].includes(plan.status) && (
              <span>
                <ActButton
                  label={t`End this gift`}
                  title={t`End the gift ${{ plan: PLANS[plan.planId].name }} now?`}
                  path={`people/${id}/plans/${plan.id}/end`}
                  schema={PersonActResponse}
                  done={() => t`The gift has ended`}
                />
              </span>
            )}
          </li>
        ))}
      </PersonSection>
      {may('operator') && status === 'open' && <GiveButton person={person} />}
    </div>
  );
}

function GiveButton({ person: { id, username } }: { person: PersonResponse }) {
  const today = indianDay(useNow());
  const [planId, setPlanId] = useState<PlanId>('premium');
  const [until, setUntil] = useState(() => dayText(today + USUAL_DAYS));
  return (
    <div className="row">
      <ActButton
        label={t`Give a plan`}
        title={t`Give ${username} a plan?`}
        path={`people/${id}/plans`}
        body={{ planId, until }}
        schema={GrantPlanResponse}
        usualReasons={[t`Our mistake`, t`Payment could not be made`]}
        done={({ outcome }) =>
          ({
            given: t`The plan is given`,
            changed: t`The gift ends on ${{ day: formatDate(endOfIndianDay(until)) }} now`,
            unchanged: t`The account has this gift already`,
          })[outcome]
        }
        undo={({ id: plan, outcome }) => (outcome === 'given' ? { path: `people/${id}/plans/${plan}/end` } : undefined)}
      >
        <ChoiceField
          label={t`Plan`}
          name="planId"
          value={planId}
          options={PLAN_IDS.map((each) => [each, PLANS[each].name] as const)}
          onChange={({ target }) => setPlanId(target.value as PlanId)}
        />
        <Field label={t`Last day`}>
          {(control) => (
            <Input
              {...control}
              type="date"
              min={dayText(today)}
              value={until}
              onChange={({ target }) => setUntil(target.value)}
            />
          )}
        </Field>
      </ActButton>
    </div>
  );
}
