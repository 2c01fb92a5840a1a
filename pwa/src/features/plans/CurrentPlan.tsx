import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { formatDate } from '@nivida/contract/format';
import type { PlanState } from '@nivida/contract/orders/order';
import { PLANS } from '@nivida/contract/orders/plans';
import { useState } from 'react';
import { assertOnline, failureText } from '../../data/server/api.ts';
import { Sold } from '../../data/server/site.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useOnline } from '../../ui/browser-state.ts';
import { Badge } from '../../ui/display/Badge.tsx';
import { ErrorText } from '../../ui/feedback/Note.tsx';
import { FormElement } from '../../ui/form/FormFields.tsx';
import { useForm } from '../../ui/form/useForm.ts';
import css from './CurrentPlan.module.css';
import { canReplaceStates, checkStates, coveredStatesText, updatePlanStates } from './plan-states.ts';
import { StateChoice } from './StateChoice.tsx';

interface CurrentPlanProps {
  /** Null when the user has no plan and no trial. */
  state: PlanState | null;
  now: Date;
  /** Called after the states have changed. */
  onChange: () => Promise<void>;
}

/** The form that changes the states. */
function StatesForm({
  state,
  now,
  onChange,
  onEnd,
}: Omit<CurrentPlanProps, 'state'> & { state: PlanState; onEnd: () => void }) {
  const plan = PLANS[state.planId];
  const form = useForm({ states: state.states });
  const isLocked = !canReplaceStates(state, now);

  const submit = () =>
    form.submit(
      checkStates(state, form.values.states, now),
      async (states) => {
        assertOnline();
        await updatePlanStates(states);
        await onChange();
        onEnd();
      },
      (error) => ({ text: failureText(error, t`Failed to change the states`) }),
    );

  return (
    <FormElement form={form} onSubmit={submit}>
      {isLocked && state.states.length > 0 && (
        <p className="s muted">
          <Trans>You can add states now, and replace one from {{ day: formatDate(state.statesChangeableAt) }}.</Trans>
        </p>
      )}
      {!isLocked && <p className="s muted">{t`After you replace a state, you can change again after 30 days.`}</p>}
      <StateChoice
        plan={plan}
        chosen={form.values.states}
        error={form.errors.states}
        onChange={(states) => form.change({ states })}
      />
      <ErrorText text={form.failure} />
      <div className="row">
        <Button type="submit" look="main" busy={form.isBusy}>
          {t`Save states`}
        </Button>
        <Button onClick={onEnd}>{t`Cancel`}</Button>
      </div>
    </FormElement>
  );
}

function DownloadQuota({ state: { downloadsUsed, downloadsPerMonth, isTrial } }: { state: PlanState }) {
  if (isTrial || downloadsPerMonth === 0)
    return <p className="s">{t`Document downloads are not included in the trial.`}</p>;
  if (downloadsPerMonth === null) {
    return (
      <p className="s">
        {plural(downloadsUsed, {
          one: '# document download this month, without a monthly limit.',
          other: '# document downloads this month, without a monthly limit.',
        })}
      </p>
    );
  }
  return (
    <div className={css.use}>
      <p className="s" id="downloads">
        {t`${downloadsUsed} of ${downloadsPerMonth} document downloads used this month`}
      </p>
      <progress aria-labelledby="downloads" max={downloadsPerMonth} value={downloadsUsed} />
    </div>
  );
}

/** Whether states can be added or replaced now. */
function canChangeStates(state: PlanState, now: Date): boolean {
  const maxStates = PLANS[state.planId].states;
  if (state.isTrial || maxStates === null) return false;
  return state.states.length < maxStates || canReplaceStates(state, now);
}

/** The current plan or trial: its end, its states, and the downloads of this month. */
export function CurrentPlan({ state, now, onChange }: CurrentPlanProps) {
  const [isChanging, setIsChanging] = useState(false);
  const isOnline = useOnline();
  if (!state) {
    return (
      <>
        <p className="muted">
          <Trans>No plan. Searching, reading and reminders are free; a plan adds alerts and downloads.</Trans>
        </p>
        <div className="row">
          <ButtonLink to="/pricing">{t`See plans`}</ButtonLink>
        </div>
      </>
    );
  }
  const changeableAt = PLANS[state.planId].states === null || state.isTrial ? null : state.statesChangeableAt;
  return (
    <>
      <Sold>
        <p>
          <b>{PLANS[state.planId].name}</b> {state.isTrial && <Badge tone="blue">{t`Trial`}</Badge>}
          {state.isGift && <Badge tone="blue">{t`Gift`}</Badge>}{' '}
          <span className="muted">{t`until ${{ day: formatDate(state.endsAt) }}`}</span>
        </p>
      </Sold>
      <DownloadQuota state={state} />
      {isChanging ? (
        <StatesForm state={state} now={now} onChange={onChange} onEnd={() => setIsChanging(false)} />
      ) : (
        <div className={css.states}>
          <p className="s">
            <Trans>
              <span className="muted">States:</span> {{ states: coveredStatesText(state) }}
            </Trans>
            {changeableAt && !canReplaceStates(state, now) && (
              <span className="xs muted"> {t`Can be changed from ${{ day: formatDate(changeableAt) }}.`}</span>
            )}
          </p>
          {canChangeStates(state, now) && (
            <Button disabled={!isOnline} onClick={() => setIsChanging(true)}>
              {state.states.length === 0 ? t`Choose states` : t`Change states`}
            </Button>
          )}
        </div>
      )}
      <Sold>
        <div className="row">
          <ButtonLink to="/pricing">{state.isTrial ? t`See plans` : t`Extend or change the plan`}</ButtonLink>
        </div>
      </Sold>
    </>
  );
}
