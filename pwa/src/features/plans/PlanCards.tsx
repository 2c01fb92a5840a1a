import { t } from '@lingui/core/macro';
import { formatDate } from '@nivida/contract/format';
import type { PlanState } from '@nivida/contract/orders/order';
import { PLAN_IDS, PLANS, type Plan } from '@nivida/contract/orders/plans';
import { taxNote, useSite } from '../../data/server/site.ts';
import { Button } from '../../ui/Button.tsx';
import { ShareRail } from '../../ui/display/Gauge.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { changeLines, coveredShare, monthlyPriceText, priceText, stateCountText } from './labels.ts';
import css from './PlanCards.module.css';
import { PlanFeatures } from './PlanFeatures.tsx';

/** The lines on the card of `plan` for a user who has a plan or trial. */
function OwnPlanLines({ plan, own }: { plan: Plan; own: PlanState }) {
  if (own.planId === plan.id) {
    return (
      <p className="s">
        <StatusStamp tone="blue" label={own.isTrial ? t`Your trial` : t`Your plan`} />{' '}
        {t`until ${{ day: formatDate(own.endsAt) }}`}
      </p>
    );
  }
  if (own.isTrial) return null;
  return (
    <div className={`xs ${css.changes}`}>
      {changeLines(plan, PLANS[own.planId]).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

function PlanCard({ plan, own, onChoose }: { plan: Plan; own: PlanState | null; onChoose: (plan: Plan) => void }) {
  const taxes = taxNote(useSite());
  const isOwn = own?.planId === plan.id && !own.isTrial;
  const { name } = plan;
  return (
    <section className={css.plan} aria-labelledby={`plan-${plan.id}`}>
      <ShareRail className={css.covered} share={coveredShare(plan)} />
      <div className={css.head}>
        <h2 id={`plan-${plan.id}`}>{name}</h2>
        <span className="xs muted">{stateCountText(plan)}</span>
      </div>
      <p className={css.price}>
        {priceText(plan)} <small>{t`per year`}</small>
      </p>
      <p className="xs muted">
        {[t`${{ price: monthlyPriceText(plan) }} a month, paid once a year`, taxes].filter(Boolean).join(', ')}
      </p>
      {own && <OwnPlanLines plan={plan} own={own} />}
      <PlanFeatures plan={plan} className={css.ticks} />
      <Button
        look={isOwn ? undefined : 'main'}
        aria-label={isOwn ? t`Add a year of ${name}` : t`Get Started with ${name}`}
        onClick={() => onChoose(plan)}
      >
        {isOwn ? t`Add a year` : t`Get Started`}
      </Button>
    </section>
  );
}

interface PlanCardsProps {
  /** The visitor's plan or trial. Null when there is none and while it is unknown. */
  own: PlanState | null;
  onChoose: (plan: Plan) => void;
}

/** The three plans. The bar on each card shows the share of the states that the plan covers. */
export function PlanCards({ own, onChoose }: PlanCardsProps) {
  return (
    <div className={`stack ${css.plans}`}>
      {PLAN_IDS.map((id) => (
        <PlanCard key={id} plan={PLANS[id]} own={own} onChoose={onChoose} />
      ))}
    </div>
  );
}
