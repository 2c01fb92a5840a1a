/** The statistics of a group of awards at their limits; the explorer is in api/test/awards. */
import { dayNumber } from '@nivida/contract/time';
import { expect, test } from 'vitest';
import { groupAwards } from './group-awards.ts';
import type { AwardFacts } from './statistics/award-facts.ts';
import type { MeasureName } from './statistics/office-statistics.ts';
import { type Regime, Regimes } from './statistics/regimes.ts';

const DAY = '2026-03-31';
/** Awards of the last days, one a day. */
const many = (count: number, changes: (n: number) => Partial<AwardFacts> = () => ({})): AwardFacts[] =>
  Array.from({ length: count }, (_, n) => ({
    office: 'PWD||Central Zone',
    department: 'PWD',
    knownOn: dayNumber(DAY) - n,
    publishedOn: dayNumber(DAY) - n - 60,
    closesOn: dayNumber(DAY) - n - 40,
    bidders: 4,
    refusedTechnical: 0,
    notAdmitted: 0,
    price: -500,
    daysToContract: 40,
    ...changes(n),
  }));

const group = (facts: AwardFacts[], { wrong = [], regimes = [] }: { wrong?: MeasureName[]; regimes?: Regime[] } = {}) =>
  groupAwards(facts, DAY, new Set(wrong), new Regimes(regimes));

test('a group has its ranges, shares and days', () => {
  const facts = many(20, (n) => ({
    bidders: n === 0 ? 1 : 4,
    refusedTechnical: n < 3 ? 1 : 0,
    notAdmitted: n < 2 ? 1 : 0,
    daysToContract: 30 + n,
  }));
  expect(group(facts)).toEqual({
    awards: 20,
    firstKnownOn: '2026-03-12',
    lastKnownOn: '2026-03-31',
    bidders: { isShown: true, basis: 'office', awards: 20, officeAwards: 20, low: 4, high: 4, coverage: null },
    price: { isShown: true, basis: 'office', awards: 20, officeAwards: 20, low: -500, high: -500, coverage: null },
    daysToContract: { isShown: true, basis: 'office', awards: 20, officeAwards: 20, low: 30, high: 49, coverage: null },
    refused: { count: 5, of: 77, technical: 3, notAdmitted: 2 },
    singleBid: { count: 1, of: 20 },
  });
});

test('a group of fewer than 20 awards has its number and days only', () => {
  const tooFew = { isShown: false, reason: 'too-few', officeAwards: 19, changedOn: null };
  expect(group(many(19, () => ({ refusedTechnical: 1, bidders: 1 })))).toEqual({
    awards: 19,
    firstKnownOn: '2026-03-13',
    lastKnownOn: '2026-03-31',
    bidders: tooFew,
    price: tooFew,
    daysToContract: tooFew,
    refused: null,
    singleBid: null,
  });
  expect(group([])).toMatchObject({ awards: 0, firstKnownOn: null, lastKnownOn: null });
});

test('a group without any refused bid says nothing of refusals', () => {
  expect(group(many(20)).refused).toBeNull();
  expect(group(many(20, (n) => ({ notAdmitted: n === 0 ? 1 : 0 }))).refused).toMatchObject({ count: 1, technical: 0 });
});

test('a price range of more than 25 % and ranges that were wrong are withheld', () => {
  const wide = (high: number) => group(many(20, (n) => ({ price: n % 2 === 0 ? 0 : high }))).price;
  expect(wide(2_500)).toMatchObject({ isShown: true, low: 0, high: 2_500 });
  expect(wide(2_501)).toEqual({ isShown: false, reason: 'too-wide', officeAwards: 20, changedOn: null });
  // The bidders may differ by any number.
  expect(group(many(20, (n) => ({ bidders: n % 2 === 0 ? 1 : 4_000 }))).bidders).toMatchObject({ isShown: true });
  const wrong = group(many(20), { wrong: ['bidders'] });
  expect(wrong.bidders).toEqual({ isShown: false, reason: 'past-ranges-wrong', officeAwards: 20, changedOn: null });
  expect([wrong.price.isShown, wrong.daysToContract.isShown]).toEqual([true, true]);
});

test('prices of tenders from before a change of rules do not count', () => {
  const from = (day: string, department: string | null = 'PWD'): Regime => ({ department, from: dayNumber(day) });
  // The first of the 30 tenders was published on 1 January 2026.
  const facts = many(30);
  expect(group(facts, { regimes: [from('2026-01-11')] }).price).toMatchObject({ isShown: true, awards: 20 });
  expect(group(facts, { regimes: [from('2026-01-12'), from('2025-06-01', null)] })).toMatchObject({
    price: { isShown: false, reason: 'rates-changed', officeAwards: 19, changedOn: '2026-01-12' },
    bidders: { isShown: true, awards: 30 },
    awards: 30,
  });
  expect(group(facts, { regimes: [from('2026-01-12', 'HPSEBL')] }).price).toMatchObject({ awards: 30 });
  const wide = many(30, (n) => ({ price: n % 2 === 0 ? 0 : 2_501 }));
  expect(group(wide, { regimes: [from('2026-01-11')] }).price).toMatchObject({ reason: 'too-wide', changedOn: null });
  const others = many(30, () => ({ department: 'HPSEBL' })).map((each) => ({
    ...each,
    publishedOn: dayNumber('2025-01-01'),
  }));
  const regimes = [from('2026-03-01'), from('2025-06-01', 'HPSEBL')];
  expect(group([...facts, ...others], { regimes }).price).toMatchObject({
    reason: 'rates-changed',
    changedOn: '2026-03-01',
  });
});
