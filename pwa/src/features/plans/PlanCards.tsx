import { FEATURES, type FeatureId } from '@nivida/contract/claims';
import { PLAN_IDS, PLANS, type Plan } from '@nivida/contract/plans';
import type { CSSProperties } from 'react';
import { taxNote, useSite } from '../../data/site.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Stamp } from '../../ui/Status.tsx';
import css from './PlanCards.module.css';
import { coverShare, coverText, monthText, priceText } from './words.ts';

function FeatureLine({ id }: { id: FeatureId }) {
  const { text, status } = FEATURES[id];
  return (
    <li data-status={status}>
      <Icon name={status === 'soon' ? 'clock' : 'check'} />
      <span>
        {text} {status === 'soon' && <Stamp tone="gray" label="Coming soon" />}
      </span>
    </li>
  );
}

function PlanCard({ plan, onChoose }: { plan: Plan; onChoose: (plan: Plan) => void }) {
  const taxes = taxNote(useSite());
  const covered = { '--covered': `${Math.round(coverShare(plan) * 100)}%` } as CSSProperties;
  return (
    <section className={css.plan} style={covered} aria-labelledby={`plan-${plan.id}`}>
      <div className={css.head}>
        <h2 id={`plan-${plan.id}`}>{plan.name}</h2>
        <span className="xs muted">{coverText(plan)}</span>
      </div>
      <p className={css.price}>
        {priceText(plan)} <small>per {plan.duration}</small>
      </p>
      <p className="xs muted">
        {monthText(plan)} a month, paid once a year
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

/** The three plans side by side; the rail on each is the share of the states that it covers. */
export function PlanCards({ onChoose }: { onChoose: (plan: Plan) => void }) {
  return (
    <div className={css.plans}>
      {PLAN_IDS.map((id) => (
        <PlanCard key={id} plan={PLANS[id]} onChoose={onChoose} />
      ))}
    </div>
  );
}
