import { formatDate, formatTime, indianDay } from '@nivida/contract/format';
import { REGIONS } from '@nivida/contract/regions/regions';
import { STATES } from '@nivida/contract/regions/states';
import { DAY_MS, dayNumber } from '@nivida/contract/time';
import { describe, expect, test } from 'vitest';
import type { SourceTender } from '../source-tender.ts';
import { demonstrationAwards } from './demo-awards.ts';
import { demonstrationTenders } from './demo-tenders.ts';

// Wednesday noon in India.
const NOON = new Date('2026-04-15T06:30:00Z');
const { first, revised } = demonstrationTenders({ now: NOON });
const works = new Map(first.map((notice) => [notice.sourceId, notice]));

const before = (notice: SourceTender) => works.get(notice.sourceId) as SourceTender;
const share = (matches: (notice: SourceTender) => boolean, notices = first) =>
  notices.filter(matches).length / notices.length;
const days = (notice: SourceTender) => (notice.closesAt.getTime() - notice.publishedAt.getTime()) / DAY_MS;
const indian = { timeZone: 'Asia/Kolkata' } as const;
const clockFormat = new Intl.DateTimeFormat('en-GB', { ...indian, hour: '2-digit', minute: '2-digit' });
const weekdayFormat = new Intl.DateTimeFormat('en-GB', { ...indian, weekday: 'short' });
const clock = (instant: Date) => clockFormat.format(instant);
const weekday = (instant: Date) => weekdayFormat.format(instant);

/** The quantile of the values at this share. */
function quantile(values: number[], at: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * at)] as number;
}

function expectBetween(value: number, min: number, max: number): void {
  expect(value).toBeGreaterThanOrEqual(min);
  expect(value).toBeLessThanOrEqual(max);
}

describe('the set', () => {
  test('is the same for the same seed and day at any hour', () => {
    const morning = new Date('2026-04-15T03:00:00Z');
    expect(demonstrationTenders({ now: morning })).toEqual({ first, revised });
  });

  test('differs for another seed', () => {
    const other = demonstrationTenders({ now: NOON, seed: 2 }).first;
    expect(other.map(({ title }) => title)).not.toEqual(first.map(({ title }) => title));
  });

  test('has exactly the requested number of tenders, 6,000 by default', () => {
    expect(first).toHaveLength(6_000);
    expect(demonstrationTenders({ now: NOON, count: 100 }).first).toHaveLength(100);
  });

  test('has at least 40 tenders in each of the 36 states, and more in the bigger ones', () => {
    const counts = STATES.map(({ name }) => first.filter(({ state }) => state === name).length);
    expect(counts).toHaveLength(36);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(40);
    const inState = (name: string) => first.filter(({ state }) => state === name).length;
    expect(inState('Uttar Pradesh')).toBeGreaterThan(3 * inState('Goa'));
  });
});

test('titles have single spaces, one before “including” and brackets, and none before punctuation', () => {
  expect(first.filter(({ title }) => /\S(?:including|\()|\s{2}|\s[,.)]/.test(title)).map(({ title }) => title)).toEqual(
    [],
  );
});

describe('ids and NITs', () => {
  test('every id has the form of a real one, contains DEMO and is unique', () => {
    for (const { portal, sourceId } of first) {
      expect(portal).toBe('demo');
      expect(sourceId).toMatch(/^\d{4}_DEMO[A-Z]+_\d{6}_\d+$/);
    }
    expect(works.size).toBe(6_000);
  });

  test('an id starts with the Indian calendar year of publishing', () => {
    const january = demonstrationTenders({ now: new Date('2026-01-10T06:30:00Z') }).first;
    for (const { sourceId, publishedAt } of january)
      expect(sourceId.slice(0, 4)).toBe(formatDate(publishedAt).slice(-4));
    expect(new Set(january.map(({ sourceId }) => sourceId.slice(0, 4)))).toEqual(new Set(['2025', '2026']));
  });

  test('the works of one NIT share reference, key, dates and documents, and no two NITs share a reference', () => {
    const nits = Map.groupBy(first, ({ sourceId }) => sourceId.slice(0, sourceId.lastIndexOf('_')));
    for (const group of nits.values()) {
      const terms = group.map((work) => [work.reference, work.nitKey, work.publishedAt, work.closesAt, work.documents]);
      for (const other of terms) expect(other).toEqual(terms[0]);
      expect(group.map(({ sourceId }) => Number(sourceId.split('_')[3]))).toEqual(group.map((_, index) => index + 1));
    }
    expect(new Set(first.map(({ nitKey }) => nitKey)).size).toBe(nits.size);
    expect(new Set(first.map(({ reference }) => reference)).size).toBe(nits.size);
    expectBetween(Math.max(...[...nits.values()].map((group) => group.length)), 20, 40);
  });

  test('27% of the works are not the first of their NIT', () => {
    expectBetween(
      share(({ sourceId }) => !sourceId.endsWith('_1')),
      0.24,
      0.3,
    );
  });
});

describe('time', () => {
  test('between 20% and 40% of all tenders are open now, after their corrigenda', () => {
    const latest = [...new Map([...first, ...revised].map((notice) => [notice.sourceId, notice])).values()];
    expectBetween(
      share(({ publishedAt, closesAt }) => publishedAt <= NOON && closesAt > NOON, latest),
      0.2,
      0.4,
    );
    const opensLater = ({ publishedAt, bidStartAt }: SourceTender) =>
      publishedAt <= NOON && (bidStartAt as Date) > NOON;
    expectBetween(share(opensLater, latest), 0.005, 0.05);
  });

  test('tenders were published in the last 35 days, and about 1% are published in the next two', () => {
    const today = indianDay(NOON);
    const ages = first.map(({ publishedAt }) => today - indianDay(publishedAt));
    expect(Math.max(...ages)).toBe(34);
    expect(Math.min(...ages)).toBe(-2);
    expectBetween(ages.filter((age) => age < 0).length / 6_000, 0.003, 0.025);
  });

  test('today is the Indian day, also when it is still yesterday in UTC', () => {
    const halfPastMidnight = demonstrationTenders({ now: new Date('2026-04-14T19:00:00Z') });
    const minuteToMidnight = demonstrationTenders({ now: new Date('2026-04-15T18:29:00Z') });
    expect(halfPastMidnight.first).toEqual(first);
    expect(minuteToMidnight.first).toEqual(first);
    const dayBefore = demonstrationTenders({ now: new Date('2026-04-14T18:29:00Z') }).first;
    const newest = (notices: SourceTender[]) => formatDate(notices.at(-1)?.publishedAt);
    expect([newest(dayBefore), newest(first)]).toEqual(['16 Apr 2026', '17 Apr 2026']);
  });

  test('dates are in order: publishing, bid start, closing, opening', () => {
    for (const { publishedAt, bidStartAt, closesAt, opensAt, preBidAt } of [...first, ...revised]) {
      expect((bidStartAt as Date).getTime()).toBeGreaterThanOrEqual(publishedAt.getTime());
      expect(closesAt.getTime()).toBeGreaterThan((bidStartAt as Date).getTime());
      expect((opensAt as Date).getTime()).toBeGreaterThan(closesAt.getTime());
      if (preBidAt) expectBetween(preBidAt.getTime(), publishedAt.getTime(), closesAt.getTime());
    }
  });

  test('a quarter is published between 17:00 and 17:59', () => {
    expectBetween(
      share(({ publishedAt }) => clock(publishedAt).startsWith('17:')),
      0.22,
      0.28,
    );
  });

  test('nothing closes at midnight, all between 09:00 and 18:59', () => {
    for (const { closesAt } of [...first, ...revised]) expectBetween(Number(clock(closesAt).slice(0, 2)), 9, 18);
    expect(first.filter(({ closesAt }) => formatTime(closesAt) === '12:00 AM')).toEqual([]);
  });

  test('half closes before noon, 27% at 17:00 and 23% at 11:00', () => {
    expectBetween(
      share(({ closesAt }) => clock(closesAt) < '12:00'),
      0.46,
      0.54,
    );
    expectBetween(
      share(({ closesAt }) => clock(closesAt) === '17:00'),
      0.24,
      0.3,
    );
    expectBetween(
      share(({ closesAt }) => clock(closesAt) === '11:00'),
      0.2,
      0.26,
    );
  });

  test('1% closes on a Sunday and 10% on a Saturday', () => {
    expectBetween(
      share(({ closesAt }) => weekday(closesAt) === 'Sun'),
      0.002,
      0.02,
    );
    expectBetween(
      share(({ closesAt }) => weekday(closesAt) === 'Sat'),
      0.07,
      0.13,
    );
    expectBetween(
      share(({ opensAt }) => weekday(opensAt as Date) === 'Sat'),
      0.07,
      0.15,
    );
  });

  test('a tender is open for 7.3 days (median), 44% for a week at most', () => {
    const windows = first.map(days);
    expectBetween(quantile(windows, 0.05), 4.6, 5.4);
    expectBetween(quantile(windows, 0.25), 5.7, 6.5);
    expectBetween(quantile(windows, 0.5), 6.8, 7.8);
    expectBetween(
      share((notice) => days(notice) <= 7),
      0.39,
      0.49,
    );
    expectBetween(quantile(windows, 0.99), 20, 31);
  });

  test('bids are opened 17 hours after closing (median), a quarter within the hour', () => {
    const gaps = first.map(({ closesAt, opensAt }) => ((opensAt as Date).getTime() - closesAt.getTime()) / 3_600_000);
    expect(quantile(gaps, 0.25)).toBe(1);
    expectBetween(quantile(gaps, 0.5), 16, 18.5);
  });
});

describe('money', () => {
  const rupees = first.filter(({ price }) => price !== null).map(({ price }) => Number(price));

  test('estimates have the measured quantiles, and 12% are not published', () => {
    expectBetween(
      share(({ price }) => price === null),
      0.1,
      0.14,
    );
    expectBetween(quantile(rupees, 0.25), 4_00_000, 5_00_000);
    expectBetween(quantile(rupees, 0.5), 8_80_000, 10_40_000);
    expectBetween(quantile(rupees, 0.75), 20_50_000, 25_50_000);
    expectBetween(quantile(rupees, 0.9), 52_00_000, 74_00_000);
    expectBetween(quantile(rupees, 0.99), 6_00_00_000, 14_00_00_000);
    expectBetween(rupees.filter((value) => value < 50_00_000).length / rupees.length, 0.86, 0.9);
    expectBetween(rupees.filter((value) => value >= 1_00_00_000).length / rupees.length, 0.055, 0.08);
  });

  test('EMD is 2% of the estimate (1.0 to 2.5), none in 1.2%, unknown for some without an estimate', () => {
    const percents = first
      .filter(({ price, emd }) => price !== null && Number(emd) > 0)
      .map(({ price, emd }) => (100 * Number(emd)) / Number(price));
    expectBetween(quantile(percents, 0.05), 0.95, 1.1);
    expectBetween(quantile(percents, 0.5), 1.98, 2.05);
    expectBetween(quantile(percents, 0.95), 2.4, 2.6);
    expectBetween(
      share(({ emd }) => emd === '0.00'),
      0.006,
      0.02,
    );
    expectBetween(
      share(({ emd }) => emd === null),
      0.03,
      0.09,
    );
    expect(first.some(({ price, emd }) => price !== null && emd === null)).toBe(false);
    expectBetween(
      share(({ emdPercent }) => emdPercent !== null),
      0.03,
      0.06,
    );
    expectBetween(
      share(({ emdExemptionAllowed }) => emdExemptionAllowed === true),
      0.1,
      0.19,
    );
  });

  test('amounts are rupees with two decimals as text', () => {
    for (const { price, emd, tenderFee } of [...first, ...revised])
      for (const amount of [price, emd, tenderFee]) if (amount !== null) expect(amount).toMatch(/^\d+\.\d\d$/);
  });

  test('fees are those of the portals, none in 1.4%', () => {
    const fees = new Set(first.map(({ tenderFee }) => Number(tenderFee)));
    expect(fees).toEqual(new Set([500, 350, 590, 1500, 2000, 400, 5000, 1180, 0]));
    expectBetween(
      share(({ tenderFee }) => tenderFee === '0.00'),
      0.007,
      0.022,
    );
  });
});

describe('terms and texts', () => {
  test('categories, forms of contract and covers have the measured shares', () => {
    expectBetween(
      share(({ category }) => category === 'Works'),
      0.87,
      0.93,
    );
    expectBetween(
      share(({ category }) => category === 'Services'),
      0.035,
      0.085,
    );
    expectBetween(
      share(({ category }) => category === 'Goods'),
      0.02,
      0.06,
    );
    expectBetween(
      share(({ formOfContract }) => formOfContract === 'Item Rate'),
      0.5,
      0.57,
    );
    expectBetween(
      share(({ formOfContract }) => formOfContract === 'Percentage'),
      0.33,
      0.4,
    );
    expectBetween(
      share(({ covers }) => covers === 2),
      0.89,
      0.95,
    );
  });

  test('a tender lists documents for each of its covers, and a bill of quantities', () => {
    for (const { covers, documents } of first) {
      expect(new Set(documents.map(({ cover }) => cover)).size).toBe(covers);
      expect(documents.some(({ name, type }) => name === 'Bill of quantities' && type === 'xls')).toBe(true);
    }
  });

  test('the department belongs to the state', () => {
    const listed = new Map(REGIONS.map(({ state, departments }) => [state.name, departments.map(({ name }) => name)]));
    for (const { state, organisationChain } of first) {
      expect(listed.get(state)).toContain(organisationChain[0]);
      expect(organisationChain).toHaveLength(3);
    }
  });

  test('the texts of 17% name no district, those of 14% more than one', () => {
    const districts = new Map(REGIONS.map(({ state, districts }) => [state.name, districts.map(({ name }) => name)]));
    const named = ({ state, title, address, place, organisationChain }: SourceTender) => {
      const texts = [title, address, place, ...organisationChain.slice(1)].join(' ').toLowerCase();
      const names = districts.get(state)?.filter((name) => texts.includes(name.toLowerCase())) ?? [];
      // 'Jaipur' within 'Jaipur Rural' is not a second district.
      return names.filter((name) => !names.some((longer) => longer !== name && longer.includes(name))).length;
    };
    expectBetween(
      share((notice) => named(notice) === 0),
      0.14,
      0.2,
    );
    expectBetween(
      share((notice) => named(notice) > 1),
      0.1,
      0.18,
    );
  });

  test('titles are complete, at most 250 characters long, and equal to 43% of the descriptions', () => {
    for (const { title } of [...first, ...revised]) {
      expect(title).toMatch(/^[A-Z][\w &():'.,/-]+$/);
      expectBetween(title.length, 20, 250);
    }
    expectBetween(
      quantile(
        first.map(({ title }) => title.length),
        0.5,
      ),
      80,
      112,
    );
    expectBetween(
      share(({ title, description }) => title === description),
      0.4,
      0.46,
    );
  });
});

describe('corrigenda', () => {
  const movesClosing = (notice: SourceTender) => notice.closesAt.getTime() !== before(notice).closesAt.getTime();

  test('17.6% of the tenders get one later version', () => {
    expect(revised).toHaveLength(1_056);
    expect(new Set(revised.map(({ sourceId }) => sourceId)).size).toBe(1_056);
    for (const notice of revised) expect(works.has(notice.sourceId)).toBe(true);
  });

  test('74% of them close later, mostly with a later opening', () => {
    const moved = revised.filter(movesClosing);
    expect(moved).toHaveLength(781);
    for (const notice of moved) expect(notice.closesAt.getTime()).toBeGreaterThan(before(notice).closesAt.getTime());
    const openingMoves = (notice: SourceTender) => notice.opensAt?.getTime() !== before(notice).opensAt?.getTime();
    expectBetween(share(openingMoves, moved), 0.85, 0.999);
  });

  test('the others change the estimate, the EMD or the documents, or are named without values', () => {
    const others = revised.filter((notice) => !movesClosing(notice));
    const changed = others.map((notice) =>
      (['price', 'emd', 'documents', 'corrigenda'] as const).filter(
        (field) => JSON.stringify(notice[field]) !== JSON.stringify(before(notice)[field]),
      ),
    );
    for (const fields of changed) expect(fields).toHaveLength(1);
    expect(new Set(changed.flat())).toEqual(new Set(['price', 'emd', 'documents', 'corrigenda']));
  });

  test('only tenders published before today are changed', () => {
    for (const { publishedAt } of revised) expect(indianDay(publishedAt)).toBeLessThan(indianDay(NOON));
  });
});

describe('the awards', () => {
  const awards = demonstrationAwards(first, NOON);
  const part = (matches: (award: (typeof awards)[number]) => boolean) => awards.filter(matches).length / awards.length;
  const office = ({ state, organisationChain }: { state: string; organisationChain: string[] }) =>
    [state, ...organisationChain].join('||');

  test('are the same for the same tenders and day at any hour, each with its own id', () => {
    expect(demonstrationAwards(first, new Date('2026-04-15T03:00:00Z'))).toEqual(awards);
    expect(new Set(awards.map(({ sourceId }) => sourceId)).size).toBe(awards.length);
    expect(awards.length).toBeGreaterThan(600);
  });

  test('are of the 12 offices with the most tenders in each of two states', () => {
    for (const state of ['Himachal Pradesh', 'Assam']) {
      const tenders = Map.groupBy(
        first.filter((tender) => tender.state === state),
        office,
      );
      const found = new Set(awards.filter((award) => award.state === state).map(office));
      expect(found.size).toBe(12);
      const least = Math.min(...[...found].map((each) => tenders.get(each)?.length ?? 0));
      for (const [each, works] of tenders) if (!found.has(each)) expect(works.length).toBeLessThanOrEqual(least);
    }
    expect(new Set(awards.map(({ state }) => state)).size).toBe(2);
  });

  test('have days in order, in two years before today', () => {
    const today = indianDay(NOON);
    for (const { publishedOn, closesOn, contractOn, bids } of awards) {
      const [published, closes, contract] = [publishedOn, closesOn, contractOn].map((day) => dayNumber(day ?? '')) as [
        number,
        number,
        number,
      ];
      expect(closes - published).toBe(14);
      expectBetween(contract - closes, 20, 400);
      expectBetween(today - closes, 30, 730);
      expect(contract).toBeLessThan(today);
      expect(new Set(bids.map(({ updatedOn }) => updatedOn))).toEqual(new Set([contractOn]));
    }
  });

  test('have one winner, the measured numbers of bidders and prices, and no name of a firm', () => {
    for (const { bids, estimate, awardedValue } of awards) {
      expect(bids.map(({ awarded }) => awarded)).toEqual(bids.map((_, n) => n === 0));
      expect(bids.map(({ status }) => status.startsWith('Accepted'))).toEqual(bids.map((_, n) => n === 0));
      expect(bids.some(({ bidder }) => bidder !== null)).toBe(false);
      expectBetween((awardedValue ?? 0) / (estimate ?? 1), 0.85, 1);
    }
    expectBetween(
      part(({ bids }) => bids.length === 2),
      0.37,
      0.47,
    );
    expectBetween(
      part(({ bids }) => bids.length === 1),
      0.03,
      0.09,
    );
    expectBetween(
      part(({ estimate, awardedValue }) => awardedValue === estimate),
      0.4,
      0.5,
    );
    expectBetween(
      part(({ bids }) => bids.some(({ status }) => status === 'Rejected-Technical')),
      0.08,
      0.25,
    );
  });
});
