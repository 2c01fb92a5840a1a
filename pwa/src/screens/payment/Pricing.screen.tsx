import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { i18n } from '@nivida/contract/i18n';
import type { PlanState } from '@nivida/contract/orders/order';
import { PLANS, type Plan, type PlanId } from '@nivida/contract/orders/plans';
import { PRICING_CLAIMS, TRIAL_CLAIM } from '@nivida/contract/site/claims';
import { PAGES, pageText } from '@nivida/contract/site/pages';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Sold } from '../../data/server/site.ts';
import { useSession } from '../../data/session.ts';
import { FreeHere } from '../../features/info/FreeHere.tsx';
import { useProfileBilling } from '../../features/orders/checkout/buyer.ts';
import { Checkout } from '../../features/orders/checkout/Checkout.tsx';
import { readPaymentDraft } from '../../features/orders/checkout/payment-draft.ts';
import { PlanCards } from '../../features/plans/PlanCards.tsx';
import { PlanComparison } from '../../features/plans/PlanComparison.tsx';
import { type PlanCheckout, PlanDialog } from '../../features/plans/PlanDialog.tsx';
import { useShownLocation } from '../../ui/browser-state.ts';
import { Icon } from '../../ui/display/Icon.tsx';
import { Panel } from '../../ui/display/Panel.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { optionalPart } from '../../ui/lazy/lazy.tsx';
import { PageMeta } from '../../ui/PageMeta.tsx';
import { useStartRegistration } from '../account/useAccountActions.ts';
import css from './Pricing.module.css';

const OwnPlan = optionalPart(async () => (await import('./OwnPlan.tsx')).OwnPlan);

/**
 * Features of all plans that the operator confirms. The trial is not shown to a signed-in user, who has had
 * it.
 */
function CommonClaims({ isSignedIn }: { isSignedIn: boolean }) {
  const visibleClaims = PRICING_CLAIMS.filter((claim) => claim.shown && !(isSignedIn && claim === TRIAL_CLAIM));
  if (visibleClaims.length === 0) return null;
  return (
    <ul className={css.claims}>
      {visibleClaims.map(({ text, status }) => (
        <li key={text.id} data-status={status}>
          <Icon name={status === 'soon' ? 'clock' : 'check'} /> {i18n._(text)}
          {status === 'soon' && <StatusStamp tone="gray" label={t`Coming soon`} />}
        </li>
      ))}
    </ul>
  );
}

/** The payment form of a plan. The status page shows the result. */
function PlanPayment({ checkout, onCancel }: { checkout: PlanCheckout; onCancel: () => void }) {
  const navigate = useNavigate();
  const { plan, states, itemErrors, renderStates, terms } = checkout;
  return (
    <Checkout
      item={{ product: 'yearly-subscription', planId: plan.id, states }}
      pricePaise={plan.pricePaise}
      priceLabel={t`${{ name: plan.name }} plan, one year`}
      returnPath="/payment-status"
      billingState={states[0] ?? ''}
      itemErrors={itemErrors}
      renderFields={({ errors, edited }) => renderStates(errors.states, () => edited('states'))}
      terms={terms}
      brief={t`One payment for one year. Nothing renews by itself.`}
      onCancel={onCancel}
      onEntitled={(orderId) => void navigate(`/payment-status?id=${encodeURIComponent(orderId)}`)}
    />
  );
}

/** The dialog of one plan. It starts with the states of a failed payment, or with the account's State. */
function ChosenPlanDialog({
  plan,
  onTrial,
  onClose,
}: {
  plan: Plan;
  onTrial: (() => void) | null;
  onClose: () => void;
}) {
  const { home } = useProfileBilling(useSession());
  const [draft] = useState(readPaymentDraft);
  const own = home === '' ? [] : [home];
  return (
    <PlanDialog
      plan={plan}
      firstStates={draft.planId === plan.id ? draft.states : own}
      onTrial={onTrial}
      renderCheckout={(checkout) => <PlanPayment checkout={checkout} onCancel={onClose} />}
      onClose={onClose}
    />
  );
}

/** The three plans, their common features, and their comparison. */
function Plans() {
  const asked: Plan | undefined = PLANS[useShownLocation().state?.buy as PlanId];
  const [chosen, setChosen] = useState<Plan | null>(asked ?? null);
  useEffect(() => {
    if (asked) setChosen(asked);
  }, [asked]);
  const start = useStartRegistration();
  const session = useSession();
  const [own, setOwn] = useState<PlanState | null>(null);
  const isSignedIn = session !== null;
  const close = () => setChosen(null);
  const startTrial = () => {
    close();
    start();
  };
  return (
    <div className={`page ${css.pricing}`}>
      <PageMeta {...pageText(PAGES['/pricing'])} />
      <header className="stack">
        <h1>{t`Plans`}</h1>
        <p className="muted column">
          <Trans>
            Searching, reading and reminders stay free for everyone. A plan adds alerts in your states and included
            document downloads.
          </Trans>
        </p>
      </header>
      {session && <OwnPlan key={session.user._id} userId={session.user._id} onRead={setOwn} />}
      <PlanCards own={session && own} onChoose={setChosen} />
      <CommonClaims isSignedIn={isSignedIn} />
      <Panel aria-labelledby="compare">
        <div className="head">
          <h2 id="compare">{t({ message: 'Compare', context: 'heading above the plans' })}</h2>
        </div>
        <PlanComparison />
      </Panel>
      <p className="xs muted column">
        <Trans>
          All payments are non-refundable, except duplicate debits and packages that could not be delivered, which are
          refunded automatically: <Link to="/refund">refund policy</Link>. A larger plan starts at once and ends the old
          one. No plan renews by itself. “Unlimited” is for your own bidding:{' '}
          {{ premium: PLANS.premium.downloadsPerDay ?? '' }} packages a day with Premium,{' '}
          {{ enterprise: PLANS.enterprise.downloadsPerDay ?? '' }} with Enterprise. Functions marked “Coming soon” do
          not work yet.
        </Trans>
      </p>
      {chosen && <ChosenPlanDialog plan={chosen} onTrial={isSignedIn ? null : startTrial} onClose={close} />}
    </div>
  );
}

/** `/pricing`. */
export function Pricing() {
  return (
    <Sold free={<FreeHere />}>
      <Plans />
    </Sold>
  );
}
