// @vitest-environment node
import { expect, test } from 'vitest';
import { type CashTender, cashNeeded } from './cash-needed.ts';

const ESTIMATE = 10_000_000;
const TENDER: CashTender = {
  state: 'Himachal Pradesh',
  department: 'PWD',
  category: 'Works',
  price: ESTIMATE,
  published_date: '2026-03-01T04:30:00Z',
  closing_date: '2026-04-15T05:30:00Z',
  period_of_work_days: 365,
  emd: '200000.00',
  tender_fee: '2000.00',
  emd_exemption_allowed: false,
};
const CPWD = { ...TENDER, state: 'Delhi', department: 'CPWD' };
const ODISHA = { ...TENDER, state: 'Odisha', department: 'Works Department', published_date: '2026-01-02T18:00:00Z' };
const line = (tender: CashTender, ratePercent: number | null, id: string, performancePercent: number | null = null) =>
  cashNeeded(tender, { ratePercent, performancePercent }).lines.find((each) => each.id === id);

test('the cash needed is the sum of the known amounts, and names the unknown ones', () => {
  expect(cashNeeded(TENDER, { ratePercent: -10, performancePercent: 5 })).toMatchObject({
    total: 200_000 + 2_000 + 450_000,
    unknown: ['Additional security for a low bid'],
  });
  expect(cashNeeded(TENDER, { ratePercent: null, performancePercent: null })).toMatchObject({
    total: 202_000,
    unknown: ['Performance security', 'Additional security for a low bid'],
  });
});

test.each([
  [{ emd: null }, null, 'Not published. Usually 2 % to 5 % of the estimate: ₹2.00 Lakh to ₹5.00 Lakh.'],
  [{ emd: null, price: null }, null, 'Not published. Usually 2 % to 5 % of the estimate.'],
  [{ emd: '0.00' }, 0, 'Not required, as the portal says.'],
  [{}, 200_000, 'As the portal publishes it.'],
  [
    { emd_exemption_allowed: true },
    200_000,
    'The portal allows an exemption, but that for MSE does not extend to works contracts.',
  ],
  [
    { emd_exemption_allowed: true, category: 'Goods' },
    200_000,
    'As the portal publishes it. It allows an exemption; read in the NIT for whom.',
  ],
])('the EMD of %j is %s: %s', (fields, rupees, text) => {
  expect(line({ ...TENDER, ...fields }, 0, 'emd')).toMatchObject({ rupees, text });
});

test.each([
  [900_000, 350],
  [1_000_000, 350],
  [1_000_001, 500],
  [2_500_000, 500],
  [10_000_000, 2_000],
  [20_000_000, 5_000],
  [50_000_000, 7_000],
  [100_000_000, 10_000],
  [100_000_001, 20_000],
  [null, null],
])('without a published fee a work of Himachal PWD of %s costs %s', (price, rupees) => {
  expect(line({ ...TENDER, tender_fee: null, price }, 0, 'tender_fee')?.rupees).toBe(rupees);
});

test('the fee table counts from its date on, and for its department only', () => {
  const unpublished = { ...TENDER, tender_fee: null };
  expect(line({ ...unpublished, published_date: '2025-04-30T12:00:00Z' }, 0, 'tender_fee')?.rupees).toBeNull();
  expect(line({ ...unpublished, department: 'Education Department' }, 0, 'tender_fee')?.rupees).toBeNull();
});

test.each([
  // 5 % of the higher of estimate and contract, plus (0.8 × estimate − bid) below 80 %
  [-10, 500_000, 0],
  [-20, 500_000, 0],
  [-25, 500_000, 500_000],
  [10, 550_000, 0],
])('at %s %% CPWD asks for %s of performance and %s of additional security', (rate, performance, additional) => {
  expect(line(CPWD, rate, 'performance')?.rupees).toBe(performance);
  expect(line(CPWD, rate, 'additional')?.rupees).toBe(additional);
});

test.each([
  [0, 0],
  [-4.99, 0],
  [-5, 250_000],
  [-9.99, 499_500],
  [-10, 1_500_000],
  [-14.99, 2_248_500],
  // such a bid was rejected
  [-15, null],
])('at %s %% Odisha asked for %s of additional security until 2 January 2026', (rate, rupees) => {
  expect(line(ODISHA, rate, 'additional')?.rupees).toBe(rupees);
});

test('the rule of Odisha counts for a tender of 2 January 2026, and not for one of the next day', () => {
  expect(line({ ...ODISHA, published_date: '2026-01-02T18:29:59Z' }, -10, 'additional')?.rupees).toBe(1_500_000);
  expect(line({ ...ODISHA, published_date: '2026-01-02T18:30:00Z' }, -10, 'additional')).toMatchObject({
    rupees: null,
    text: 'Not known for this office. Read the NIT.',
  });
});

test('the performance security that the bidder enters from the NIT takes precedence over the rule of the office', () => {
  expect(line(CPWD, -10, 'performance', 3)).toMatchObject({
    rupees: 270_000,
    text: "3 % of the contract's value, as you entered.",
    source: null,
  });
  expect(line(CPWD, null, 'performance', 3)?.rupees).toBeNull();
  expect(line({ ...CPWD, price: null }, -10, 'performance', 3)?.rupees).toBeNull();
  expect(line({ ...CPWD, price: null }, -10, 'performance')?.rupees).toBeNull();
});

test('the rule of a state counts for its offices only, and gives no amount without an estimate or a rate', () => {
  const himachal = { ...TENDER, published_date: ODISHA.published_date };
  expect(line(himachal, -10, 'additional')?.text).toBe('Not known for this office. Read the NIT.');
  for (const [tender, rate] of [
    [{ ...ODISHA, price: null }, -10],
    [ODISHA, null],
  ] as const)
    expect(line(tender, rate, 'additional')).toMatchObject({
      rupees: null,
      text: 'Depends on your rate and the estimate.',
    });
});

test('every amount by a rule names its source', () => {
  expect(line(CPWD, -25, 'additional')?.source).toBe('CPWD tender documents. Check the NIT.');
  expect(line({ ...TENDER, tender_fee: null }, 0, 'tender_fee')?.source).toBe(
    'order of May 2025, and the usual fee in 4,900 notices. Check the NIT.',
  );
});
