import { describe, expect, test } from 'vitest';
import { i18n } from '../i18n.ts';
import { FEATURES, type FeatureId } from '../site/plan-features.ts';
import { PLANS } from './plans.ts';

const lines = (ids: readonly FeatureId[]) =>
  ids.map(
    (id) =>
      i18n._(FEATURES[id].text) + { free: ' (free for all)', plan: '', soon: ' (coming soon)' }[FEATURES[id].status],
  );

describe('the plans', () => {
  test('cost ₹5,899, ₹10,899 and ₹14,999 a year', () => {
    expect(Object.values(PLANS).map((plan) => [plan.id, plan.pricePaise, plan.duration])).toEqual([
      ['basic', 589_900, 'year'],
      ['premium', 1_089_900, 'year'],
      ['enterprise', 1_499_900, 'year'],
    ]);
  });

  test('Basic covers one state and ten downloads a month, and sells nothing that is free', () => {
    expect(PLANS.basic).toMatchObject({ states: 1, downloadsPerMonth: 10 });
    expect(lines(PLANS.basic.features)).toEqual([
      'All tenders (free for all)',
      '1 state',
      'Basic search filters (free for all)',
      'Email notifications (free for all)',
      'Up to 10 document downloads per month',
    ]);
  });

  test('Premium covers five states without a monthly limit and names its planned features', () => {
    expect(PLANS.premium).toMatchObject({ states: 5, downloadsPerMonth: null });
    expect(lines(PLANS.premium.features)).toEqual([
      'All Basic features',
      'Competitive analysis (free for all)',
      '5 states',
      'Advanced filters (free for all)',
      'Priority support',
      'Unlimited downloads',
      'Tender analytics (coming soon)',
      'Custom alerts',
    ]);
  });

  test('Enterprise covers all of India and names its planned features', () => {
    expect(PLANS.enterprise).toMatchObject({ states: null, downloadsPerMonth: null });
    expect(lines(PLANS.enterprise.features)).toEqual([
      'All Premium features',
      'Competitive analysis (free for all)',
      'All India',
      'Dedicated account manager (coming soon)',
      'Custom reporting (coming soon)',
      'Team collaboration',
    ]);
  });
});
