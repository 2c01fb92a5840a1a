import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { i18n } from '@nivida/contract/i18n';
import type { Plan } from '@nivida/contract/orders/plans';
import { TRIAL_CLAIM } from '@nivida/contract/site/claims';
import { type ReactNode, useState } from 'react';
import { taxNote, useSite } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { priceText, stateCountText } from './labels.ts';
import css from './PlanDialog.module.css';
import { PlanFeatures } from './PlanFeatures.tsx';
import { stateSelectionError } from './plan-states.ts';
import { StateChoice } from './StateChoice.tsx';

/** The plan's data for the payment form. */
export interface PlanCheckout {
  plan: Plan;
  states: string[];
  /** Errors of the states, by field. Empty when the states can be ordered. */
  itemErrors: { states?: string };
  /** Renders the choice of the states with the form's error. Call `edited` to remove the error. */
  renderStates: (error: string | undefined, edited: () => void) => ReactNode;
  /** What the price includes, and what it does not. */
  terms: ReactNode;
}

interface PlanDialogProps {
  plan: Plan;
  /** The initial choice. States beyond the plan's number are left out. */
  firstStates: readonly string[];
  /** Starts the free trial. Null for a user with an account. */
  onTrial: (() => void) | null;
  /** Renders the payment form of the feature `orders`. */
  renderCheckout: (checkout: PlanCheckout) => ReactNode;
  onClose: () => void;
}

function PlanTerms({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <ul className={css.terms}>
      <li>{t`One payment for one year. Nothing renews by itself.`}</li>
      <li>{t`Buying the same plan again adds one year.`}</li>
      <li>{t`A larger plan starts at once and ends the smaller one; unused time is not refunded.`}</li>
      <li>{t`A smaller plan begins when the present one ends.`}</li>
      <li>{t`All payments are non-refundable, except duplicate debits.`}</li>
      {!isSignedIn && (
        <li>
          <Trans>You can buy without an account. Register later with the same email address to use the plan.</Trans>
        </li>
      )}
    </ul>
  );
}

/** The dialog that Get Started opens: the plan, its states, its terms and the payment form. */
export function PlanDialog({ plan, firstStates, onTrial, renderCheckout, onClose }: PlanDialogProps) {
  const isSignedIn = useSession() !== null;
  const taxes = taxNote(useSite());
  const [chosen, setStates] = useState<string[]>();
  // The profile may load after the dialog has opened.
  const states = chosen ?? firstStates.slice(0, plan.states ?? 0);
  const price = priceText(plan);
  const details = [taxes, stateCountText(plan)].filter(Boolean).join(', ');
  const wrong = stateSelectionError(plan, states);
  return (
    <Dialog title={t`${{ name: plan.name }} plan`} onClose={onClose} isForm>
      <p>
        <Trans>
          <strong>{price}</strong> per year, {details}.
        </Trans>
      </p>
      <PlanFeatures plan={plan} className={css.features} isSmall />
      {onTrial && TRIAL_CLAIM.shown && (
        <div className={css.trial}>
          <p className="s">{t`${{ offer: i18n._(TRIAL_CLAIM.text) }}: Basic, in the state of your registration.`}</p>
          <Button onClick={onTrial}>{t`Start Free Trial`}</Button>
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
