import { PLAN_IDS, PLANS, type Plan } from '@nivida/contract/orders/plans';
import { FEATURES, type FeatureId } from '@nivida/contract/site/claims';
import { taxNote, useSite } from '../../data/server/site.ts';
import { Button } from '../../ui/Button.tsx';
import { ShareRail } from '../../ui/display/Gauge.tsx';
import { Icon } from '../../ui/display/Icon.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';
import { HydrateLater } from '../../ui/HydrateLater.tsx';
import { coveredShare, monthlyPriceText, priceText, stateCountText } from './labels.ts';
import css from './PlanCards.module.css';

function FeatureLine({ id }: { id: FeatureId }) {
  const { text, status } = FEATURES[id];
  return (
    <li data-status={status}>
      <Icon name={status === 'soon' ? 'clock' : 'check'} />
      <span>
        {text} {status === 'soon' && <StatusStamp tone="gray" label="Coming soon" />}
      </span>
    </li>
  );
}

function PlanCard({ plan, onChoose }: { plan: Plan; onChoose: (plan: Plan) => void }) {
  const taxes = taxNote(useSite());
  return (
    <section className={css.plan} aria-labelledby={`plan-${plan.id}`}>
      <ShareRail className={css.covered} share={coveredShare(plan)} />
      <div className={css.head}>
        <h2 id={`plan-${plan.id}`}>{plan.name}</h2>
        <span className="xs muted">{stateCountText(plan)}</span>
      </div>
      <p className={css.price}>
        {priceText(plan)} <small>per {plan.duration}</small>
      </p>
      <p className="xs muted">
        {monthlyPriceText(plan)} a month, paid once a year
        {taxes && `, ${taxes}`}
      </p>
      <ul className={css.ticks}>
        {plan.features.map((id) => (
          <FeatureLine key={id} id={id} />
        ))}
      </ul>
      <Button look="main" aria-label={`Get Started with ${plan.name}`} onClick={() => onChoose(plan)}>
        Get Started
      </Button>
    </section>
  );
}

/** The three plans; the rail on each shows the share of the states that it covers. */
export function PlanCards({ onChoose }: { onChoose: (plan: Plan) => void }) {
  return (
    <div className={css.plans}>
      {PLAN_IDS.map((id) => (
        <HydrateLater key={id}>
          <PlanCard plan={PLANS[id]} onChoose={onChoose} />
        </HydrateLater>
      ))}
    </div>
  );
}
