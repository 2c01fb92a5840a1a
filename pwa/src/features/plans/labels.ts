/** The texts of a plan's price and limits. */

import { t } from '@lingui/core/macro';
import { formatCount } from '@nivida/contract/format';
import { i18n } from '@nivida/contract/i18n';
import { DOCUMENT_PRICE_PAISE } from '@nivida/contract/orders/order';
import { PLAN_IDS, PLANS, type Plan, type PlanId } from '@nivida/contract/orders/plans';
import { STATES } from '@nivida/contract/regions/states';
import { FEATURES, type FeatureId } from '@nivida/contract/site/plan-features';

/** '₹5,899': a price in whole rupees. */
export function priceText({ pricePaise }: Plan): string {
  return `₹${formatCount(pricePaise / 100)}`;
}

/** The price of a month, in whole rupees: '₹492'. */
export function monthlyPriceText({ pricePaise }: Plan): string {
  return `₹${formatCount(Math.round(pricePaise / 1_200))}`;
}

/** '1 of 36 states', 'all 36 states'. */
export function stateCountText({ states }: Plan): string {
  const total = STATES.length;
  return states === null ? t`all ${total} states` : t`${states} of ${total} states`;
}

/** The share of the states that a plan covers, 0 to 1. */
export function coveredShare({ states }: Plan): number {
  return states === null ? 1 : states / STATES.length;
}

const statesLabel = ({ states: count }: Plan) => (count === null ? t`All India` : String(count));
const downloadsLabel = ({ downloadsPerMonth }: Plan) =>
  downloadsPerMonth === null ? t`Unlimited` : t`${downloadsPerMonth} a month`;

/**
 * A row of the comparison: the value without a plan, then the value of each plan, cheapest first. 'Yes', 'No' and
 * 'Coming soon' are marks; other values are texts.
 */
export interface ComparisonRow {
  title: string;
  cells: readonly string[];
}

/** The smallest plan that has a feature. Larger plans include it. */
const FEATURE_ROWS: readonly { id: FeatureId; from: PlanId }[] = [
  { id: 'prioritySupport', from: 'premium' },
  { id: 'tenderAnalytics', from: 'premium' },
  { id: 'accountManager', from: 'enterprise' },
  { id: 'customReporting', from: 'enterprise' },
  { id: 'teamCollaboration', from: 'enterprise' },
];

function featureRow({ id, from }: (typeof FEATURE_ROWS)[number]): ComparisonRow {
  const { text, status } = FEATURES[id];
  // A firm buys a plan of its own, which contains Enterprise.
  const available = id === 'teamCollaboration' ? t`Firm plan` : 'Yes';
  const given = status === 'soon' ? 'Coming soon' : available;
  const first = PLAN_IDS.indexOf(from);
  return { title: i18n._(text), cells: ['No', ...PLAN_IDS.map((_id, index) => (index < first ? 'No' : given))] };
}

/** What is free for all (R84), then the limits of each plan (R46), then the features that plans add. */
export function comparisonRows(): ComparisonRow[] {
  const plans = PLAN_IDS.map((id) => PLANS[id]);
  const everyone = ['Yes', 'Yes', 'Yes', 'Yes'];
  return [
    { title: t`Search, filters and all tenders`, cells: everyone },
    { title: t`Every state can be saved on the phone`, cells: everyone },
    { title: t`Reminders and changes of bookmarked tenders`, cells: everyone },
    { title: t`Saved searches`, cells: everyone },
    { title: i18n._(FEATURES.competitiveAnalysis.text), cells: everyone },
    { title: t`Preparing bids`, cells: everyone },
    { title: t`States with alerts of saved searches and offices`, cells: ['No', ...plans.map(statesLabel)] },
    {
      title: t`Document packages included`,
      cells: [t`₹${{ price: DOCUMENT_PRICE_PAISE / 100 }} each`, ...plans.map(downloadsLabel)],
    },
    ...FEATURE_ROWS.map(featureRow),
  ];
}

function dailyDownloadsLabel(plan: Plan): string {
  const { downloadsPerDay: daily } = plan;
  return daily === null ? downloadsLabel(plan) : t`${daily} a day`;
}

/** The lines on a plan's card for the owner of another plan. */
export function changeLines(plan: Plan, own: Plan): string[] {
  const isLarger = PLAN_IDS.indexOf(plan.id) > PLAN_IDS.indexOf(own.id);
  const { name } = own;
  return [
    isLarger
      ? t`Starts at once. Your ${name} ends then; its unused time is not refunded.`
      : t`Starts when your ${name} ends.`,
    t`Alerts: ${{ next: stateCountText(plan) }} instead of ${{ present: stateCountText(own) }}.`,
    t`Document packages: ${{ next: dailyDownloadsLabel(plan) }} instead of ${{ present: dailyDownloadsLabel(own) }}.`,
  ];
}
