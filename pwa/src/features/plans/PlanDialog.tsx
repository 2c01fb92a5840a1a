import type { Plan } from '@nivida/contract/orders/plans';
import { FEATURES, TRIAL_CLAIM } from '@nivida/contract/site/claims';
import { type ReactNode, useState } from 'react';
import { taxNote, useSite } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { priceText, stateCountText } from './labels.ts';
import css from './PlanDialog.module.css';
import { stateSelectionError } from './plan-states.ts';
import { StateChoice } from './StateChoice.tsx';

/** What the payment form needs of a plan. */
export interface PlanCheckout {
  plan: Plan;
  states: string[];
  /** What is wrong with the states, by field; empty when they can be ordered. */
  itemErrors: { states?: string };
  /** Draws the choice of the states with the form's error; `edited` takes it away. */
  renderStates: (error: string | undefined, edited: () => void) => ReactNode;
  /** What is bought and what is not. */
  terms: ReactNode;
}

interface PlanDialogProps {
  plan: Plan;
  /** Chosen before the user chooses; more than the plan covers are left out. */
  firstStates: readonly string[];
  /** Begins the free trial; null for whoever has an account already. */
  onTrial: (() => void) | null;
  /** The payment form, which belongs to the orders. */
  renderCheckout: (checkout: PlanCheckout) => ReactNode;
  onClose: () => void;
}

/** Everything that the plan promises; what does not exist yet says so (RESOLUTIONS R50). */
function PlanFeatures({ plan }: { plan: Plan }) {
  return (
    <ul className={css.features}>
      {plan.features.map((id) => {
        const { text, status } = FEATURES[id];
        return (
          <li key={id} data-status={status}>
            <Icon name={status === 'soon' ? 'clock' : 'check'} small />
            <span>
              {text} {status === 'soon' && <StatusStamp tone="gray" label="Coming soon" />}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function PlanTerms({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <ul className={css.terms}>
      <li>One payment for one year. Nothing renews by itself.</li>
      <li>The same plan bought again extends it from its present end.</li>
      <li>A larger plan starts at once and ends the smaller one; what is left of that is not paid back or counted.</li>
      <li>A smaller plan begins when the present one ends.</li>
      <li>All payments are non-refundable, except duplicate debits.</li>
      {!isSignedIn && (
        <li>You may buy without an account: one with the same verified email address claims the plan.</li>
      )}
    </ul>
  );
}

/** What Get Started opens: the plan with its terms, its states, and the payment form. */
export function PlanDialog({ plan, firstStates, onTrial, renderCheckout, onClose }: PlanDialogProps) {
  const isSignedIn = useSession() !== null;
  const taxes = taxNote(useSite());
  const [chosen, setStates] = useState<string[]>();
  // The profile may be known only after the dialog has opened.
  const states = chosen ?? firstStates.slice(0, plan.states ?? 0);
  const wrong = stateSelectionError(plan, states);
  return (
    <Dialog title={`${plan.name} plan`} onClose={onClose} isForm>
      <p>
        <strong>{priceText(plan)}</strong> per {plan.duration}
        {taxes && `, ${taxes}`}, {stateCountText(plan)}.
      </p>
      <PlanFeatures plan={plan} />
      {onTrial && TRIAL_CLAIM.shown && (
        <div className={css.trial}>
          <p className="s">{TRIAL_CLAIM.text}: Basic, in the state of your registration.</p>
          <Button onClick={onTrial}>Start Free Trial</Button>
        </div>
      )}
      {renderCheckout({
        plan,
        states,
        itemErrors: wrong ? { states: wrong } : {},
        renderStates: (error, edited) => (
          <StateChoice
            plan={plan}
            chosen={states}
            error={error}
            onChange={(chosen) => {
              setStates(chosen);
              edited();
            }}
          />
        ),
        terms: <PlanTerms isSignedIn={isSignedIn} />,
      })}
    </Dialog>
  );
}
