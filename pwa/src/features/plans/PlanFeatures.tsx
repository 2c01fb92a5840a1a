import { t } from '@lingui/core/macro';
import { i18n } from '@nivida/contract/i18n';
import type { Plan } from '@nivida/contract/orders/plans';
import { FEATURES, type FeatureId, type PlanFeature } from '@nivida/contract/site/plan-features';
import { Icon } from '../../ui/display/Icon.tsx';
import { StatusStamp } from '../../ui/display/Status.tsx';

function FeatureLine({ id, isSmall }: { id: FeatureId; isSmall: boolean }) {
  const { text, status, note }: PlanFeature = FEATURES[id];
  return (
    <li data-status={status}>
      <Icon name={status === 'soon' ? 'clock' : 'check'} small={isSmall} />
      <span>
        {i18n._(text)} {note && <span className="muted">({i18n._(note)})</span>}
        {status === 'free' && <StatusStamp tone="green" label={t`Free for all`} />}
        {status === 'soon' && <StatusStamp tone="gray" label={t`Coming soon`} />}
      </span>
    </li>
  );
}

interface PlanFeaturesProps {
  plan: Plan;
  className: string | undefined;
  isSmall?: boolean;
}

/**
 * The features of a plan. A feature that is free for all, or that is not available yet, is marked (R50, R84).
 */
export function PlanFeatures({ plan, className, isSmall = false }: PlanFeaturesProps) {
  return (
    <ul className={className}>
      {plan.features.map((id) => (
        <FeatureLine key={id} id={id} isSmall={isSmall} />
      ))}
    </ul>
  );
}
