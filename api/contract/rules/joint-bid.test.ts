import { expect, test } from 'vitest';
import { testTenderDetail } from '../tenders/test-tender.ts';
import { type BidPartner, type JointBid, jointReasons } from './joint-bid.ts';
import { type BidProfile, EMPTY_BID_PROFILE } from './may-i-bid.ts';

const NOW = new Date('2026-05-10T06:00:00Z');
const YEARS = ['2025-26', '2024-25', '2023-24'];
const turnover = (rupees: number) => Object.fromEntries(YEARS.map((year) => [year, rupees]));
const TENDER = testTenderDetail({
  ...{ state: 'Himachal Pradesh', department: 'PWD', category: 'Works', sub_category: null, price: 10_000_000 },
  period_of_work_days: 365,
});
const OWN: BidProfile = { ...EMPTY_BID_PROFILE, turnover: turnover(2_000_000), commitments: 500_000 };
const partner = (id: string, rupees: number, more: Partial<BidPartner> = {}): BidPartner => ({
  ...{ id, name: `Firm ${id}`, turnover: turnover(rupees), commitments: 0, works: [] },
  ...more,
});
const SUM: JointBid = { partnerIds: ['A', 'B'], lead: null, rule: { kind: 'sum' } };
const texts = (partners: BidPartner[], bid: Partial<JointBid> = {}) =>
  jointReasons(TENDER, OWN, partners, { ...SUM, ...bid }, NOW).map(({ text }) => text);

test('without the rule of the NIT the only answer is the question for it', () => {
  expect(jointReasons(TENDER, OWN, [partner('A', 1)], { ...SUM, rule: null }, NOW)).toEqual([
    {
      verdict: 'ask',
      text: 'Which rule for joint bids stands in the NIT? Choose it, and the figures are added by it.',
      source: null,
    },
  ]);
});

test('turnover is added, and the text says whose figure each is', () => {
  expect(texts([partner('A', 700_000), partner('B', 300_000), partner('C', 90_000_000)])[2]).toBe(
    'Average turnover together ₹30.00 Lakh: You ₹20.00 Lakh, Firm A ₹7.00 Lakh, Firm B ₹3.00 Lakh. That reaches 30 % of the estimate. Does this NIT ask for more?',
  );
  expect(texts([partner('A', 700_000), partner('B', 299_999)])[2]).toContain('That is below ₹30.00 Lakh.');
});

test('a year that is not entered is asked for by the name of its firm', () => {
  const missing = partner('A', 1, { turnover: { '2025-26': 1 }, commitments: null });
  expect(texts([missing]).slice(2)).toEqual([
    'Turnover of the last 3 financial years is not entered for: Firm A.',
    'Bid capacity: turnover or works in hand are not entered for: Firm A.',
  ]);
});

test.each<[JointBid['lead'], number, number, string]>([
  // The lead needs 15 of the 30 lakh, another partner 6 lakh.
  [null, 50, 20, 'That reaches 30 % of the estimate.'],
  ['A', 50, 20, 'too little alone: Firm A (at least ₹15.00 Lakh).'],
  [null, 70, 50, 'too little alone: You (at least ₹21.00 Lakh), Firm A (at least ₹15.00 Lakh).'],
  // A lead that takes no part is not the lead.
  ['C', 50, 20, 'That reaches 30 % of the estimate.'],
])('with the lead %s and least shares of %i and %i per cent: %s', (lead, leadPercent, partnerPercent, text) => {
  const rule = { kind: 'shares', leadPercent, partnerPercent } as const;
  expect(texts([partner('A', 1_200_000)], { partnerIds: ['A'], lead, rule })[2]).toContain(text);
});

test('works of all partners count together, within the years of the rule', () => {
  const work = (value: number, completedOn: string) => ({ id: `${value}`, name: 'Firm A', value, completedOn });
  const two = [work(5_000_000, '2024-03-31'), work(5_100_000, '2025-03-31')];
  const [one, other] = two as [(typeof two)[0], (typeof two)[0]];
  const reasons = (works: typeof two) => {
    const own = { ...OWN, works: [one] };
    return jointReasons(TENDER, own, [partner('A', 1, { works })], { ...SUM, partnerIds: ['A'] }, NOW)[1];
  };
  expect(reasons([other])).toMatchObject({
    verdict: 'yes',
    text: expect.stringMatching(/^Works of all partners: You 1 work, Firm A 1 work\. Your works reach the usual /),
  });
  expect(reasons([{ ...other, completedOn: '2010-03-31' }])?.verdict).toBe('ask');
});

test('bid capacities are added, each with the commitments of its own firm', () => {
  // You: 20 lakh × 1 × 2 − 5 lakh; Firm A: 40 lakh × 2 − 10 lakh.
  expect(texts([partner('A', 4_000_000, { commitments: 1_000_000 })], { partnerIds: ['A'] })[3]).toBe(
    'Bid capacity together ₹1.05 Cr: You ₹35.00 Lakh, Firm A ₹70.00 Lakh. That is at least the estimate. Does this NIT add capacities?',
  );
});

test('a missing enlistment is a question: that of a partner may count', () => {
  const small = { id: '1', authority: 'hp_pwd', className: '', ownLimit: 100, validUntil: '2099-01-01' };
  const own: BidProfile = { ...OWN, enlistments: [small] };
  const [reason] = jointReasons(TENDER, own, [partner('A', 1)], SUM, NOW);
  expect(reason).toMatchObject({ verdict: 'ask', text: expect.stringContaining("A partner's enlistment may count.") });
});
