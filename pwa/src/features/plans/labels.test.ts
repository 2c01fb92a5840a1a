// @vitest-environment node
import { PLANS } from '@nivida/contract/orders/plans';
import { describe, expect, test } from 'vitest';
import { changeLines, comparisonRows, coveredShare, monthlyPriceText, priceText, stateCountText } from './labels.ts';

describe('the texts of a plan', () => {
  test.each([
    ['basic', '₹5,899', '₹492', '1 of 36 states'],
    ['premium', '₹10,899', '₹908', '5 of 36 states'],
    ['enterprise', '₹14,999', '₹1,250', 'all 36 states'],
  ] as const)('%s costs %s a year, %s a month, and covers %s', (id, price, month, cover) => {
    expect(priceText(PLANS[id])).toBe(price);
    expect(monthlyPriceText(PLANS[id])).toBe(month);
    expect(stateCountText(PLANS[id])).toBe(cover);
  });

  test('the rail of a plan shows its share of the 36 states', () => {
    expect([PLANS.basic, PLANS.premium, PLANS.enterprise].map(coveredShare)).toEqual([1 / 36, 5 / 36, 1]);
  });
});

test('the comparison lists what is free and what each plan adds', () => {
  expect(comparisonRows().map(({ title, cells }) => [title, ...cells])).toEqual([
    ['Search, filters and all tenders', 'Yes', 'Yes', 'Yes', 'Yes'],
    ['Every state can be saved on the phone', 'Yes', 'Yes', 'Yes', 'Yes'],
    ['Reminders and changes of bookmarked tenders', 'Yes', 'Yes', 'Yes', 'Yes'],
    ['Saved searches', 'Yes', 'Yes', 'Yes', 'Yes'],
    ['Competitive analysis', 'Yes', 'Yes', 'Yes', 'Yes'],
    ['Preparing bids', 'Yes', 'Yes', 'Yes', 'Yes'],
    ['States with alerts of saved searches and offices', 'No', '1', '5', 'All India'],
    ['Document packages included', '₹99 each', '10 a month', 'Unlimited', 'Unlimited'],
    ['Priority support', 'No', 'No', 'Yes', 'Yes'],
    ['Tender analytics', 'No', 'No', 'Coming soon', 'Coming soon'],
    ['Dedicated account manager', 'No', 'No', 'No', 'Coming soon'],
    ['Custom reporting', 'No', 'No', 'No', 'Coming soon'],
    ['Team collaboration', 'No', 'No', 'No', 'Firm plan'],
  ]);
});

test('the owner of a plan reads what another one changes', () => {
  expect(changeLines(PLANS.enterprise, PLANS.premium)).toEqual([
    'Starts at once. Your Premium ends then; its unused time is not refunded.',
    'Alerts: all 36 states instead of 5 of 36 states.',
    'Document packages: 500 a day instead of 200 a day.',
  ]);
  expect(changeLines(PLANS.basic, PLANS.premium)).toEqual([
    'Starts when your Premium ends.',
    'Alerts: 1 of 36 states instead of 5 of 36 states.',
    'Document packages: 10 a month instead of 200 a day.',
  ]);
});
