/**
 * Invented tenders for a first start without data. Their distributions are those of real tenders, measured on two
 * portals.
 */

import { formatDate, fromIndianTime, indianDay } from '@nivida/contract/format';
import { GENERATED_PORTAL } from '@nivida/contract/orders/document-package';
import { type Department, REGIONS, type Region } from '@nivida/contract/regions/regions';
import { DAY_MS, MINUTE_MS } from '@nivida/contract/time';
import { stableKey } from '../cells/normalise.ts';
import type { SourceTender } from '../source-tender.ts';
import {
  ADDED_DOCUMENTS,
  DETAIL_SENTENCES,
  DISTRICT_PHRASES,
  DOCUMENT_LISTS,
  NAMED_CORRIGENDA,
  SERVICES,
  SLOT_VALUES,
  TITLE_SUFFIXES,
  TRADES,
  type Trade,
} from './demo-texts.ts';

/** Values with their relative frequency. */
type Weighted<K extends PropertyKey> = Readonly<Record<K, number>>;

/** A distribution. `shares[n]` of the cases are at most `values[n]`. */
interface Quantiles {
  shares: readonly number[];
  values: readonly number[];
}

const MIN_PER_STATE = 40;
const PUBLISHING_DAYS = 35;
const DRAFT_SHARE = 0.01;
const FIRST_SERIAL = 100_123;
const REVISED_SHARE = 0.176;
const REVISED_DATE_SHARE = 0.74;
const PRE_BID_SHARE = 0.024;
const MAX_TITLE_CHARACTERS = 250;
const WITHOUT_DISTRICT_SHARE = 0.17;
const TITLE_WITH_DISTRICT_SHARE = 0.7;
// Shares of the offices. With the shares above, 14% of all texts name two districts.
const WORKS_ELSEWHERE_SHARE = 0.25;

// Acceptance rate by weekday from Sunday: 1% of the tenders close on Sundays and 10% on Saturdays.
const PUBLISHING_WEEKDAYS = [0.3, 1, 1, 1, 1, 1, 1];
const CLOSING_WEEKDAYS = [0.08, 1, 1, 1, 1, 1, 0.6];
const OPENING_WEEKDAYS = [0.03, 1, 1, 1, 1, 1, 0.6];

const PUBLISHING_HOURS = { 9: 5, 10: 13, 11: 11, 12: 8, 13: 6, 14: 6, 15: 9, 16: 11, 17: 25, 18: 6 };
// The eight measured hours are 87%. The rest is spread over the day: half of all tenders close before noon.
const CLOSING_TIMES = {
  '17:00': 27,
  '11:00': 23,
  '10:00': 9,
  '10:30': 8,
  '18:00': 8,
  '16:00': 4.5,
  '09:00': 4,
  '15:00': 3.6,
  '11:30': 3,
  '14:00': 2.7,
  '12:00': 2.2,
  '13:00': 2,
  '09:30': 1.7,
  '11:55': 1,
  '18:55': 0.3,
};
const SAME_DAY_OPENING_SHARE = 0.36;
const SAME_DAY_OPENING_MINUTES = { 30: 15, 60: 67, 120: 18 };
const OPENING_TIMES = { '10:00': 44, '10:30': 22, '11:00': 20, '11:30': 6, '15:00': 8 };

const WINDOW_DAYS = {
  shares: [0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.97, 1],
  values: [4.1, 5.1, 6.2, 7.4, 10.5, 16, 23, 30],
};
const ESTIMATE_LAKHS = {
  shares: [0, 0.05, 0.25, 0.5, 0.75, 0.88, 0.933, 0.99, 1],
  values: [0.25, 1.2, 4.5, 9.6, 23, 50, 100, 910, 4_000],
};
const WITHOUT_ESTIMATE_SHARE = 0.12;
const EMD_PERCENTS = { 0: 1.2, 1: 7, 1.5: 3, 2: 80, 2.5: 8.8 };
const TENDER_FEES = { 500: 31, 350: 18, 590: 14, 1500: 11, 2000: 9, 400: 6, 5000: 5, 1180: 4.6, 0: 1.4 };

// 9% of the NITs have 2 to 40 works: 27% of all works are not the first of their NIT.
const SEVERAL_WORKS_SHARE = 0.09;
const SEVERAL_WORKS = { shares: [0, 0.5, 0.8, 0.95, 1], values: [2, 3.5, 7, 18, 40] };

const CATEGORY_WEIGHTS = { Works: 90, Services: 6, Goods: 4 };
type DemoCategory = keyof typeof CATEGORY_WEIGHTS;
// Weighted with CATEGORIES: Item Rate 53%, Percentage 37%, the others 10%.
const FORM_WEIGHTS: Record<DemoCategory, Weighted<string>> = {
  Works: { 'Item Rate': 54, Percentage: 40, 'Turn-key': 3.5, 'Lump-sum': 2.5 },
  Services: { 'Item Rate': 42, 'Lump-sum': 26, QCBS: 16, Percentage: 9, EOI: 7 },
  Goods: { 'Item Rate': 55, 'Item Wise': 45 },
};
const COVER_WEIGHTS = { 1: 6, 2: 92.3, 3: 1.7 };
const PERIOD_WEIGHTS = { 30: 14, 60: 16, 90: 20, 120: 12, 180: 18, 365: 16, 730: 4 };
const VALIDITY_WEIGHTS = { 30: 8, 60: 12, 75: 10, 90: 25, 120: 38, 180: 7 };
const OTHER_CHANGES = { price: 20, emd: 15, documents: 30, named: 35 };

/** Random numbers from a seed, the same on every machine: the public-domain generator mulberry32. */
class RandomSource {
  constructor(private state: number) {}

  /** From 0 (included) to 1 (excluded). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  wholeNumber(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.wholeNumber(0, list.length - 1)] as T;
  }

  weighted<K extends string>(table: Weighted<K>): K {
    const entries = Object.entries<number>(table);
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    const found = entries.find(([, weight]) => {
      left -= weight;
      return left < 0;
    });
    return (found ?? entries[0])?.[0] as K;
  }

  weightedNumber(table: Weighted<number>): number {
    return Number(this.weighted(table));
  }

  /** Interpolates on a logarithmic scale: money and time have long tails. */
  quantile({ shares, values }: Quantiles): number {
    const share = this.next();
    const upper = shares.findIndex((point) => share < point);
    const [fromShare = 0, toShare = 1] = shares.slice(upper - 1);
    const [from = 1, to = 1] = values.slice(upper - 1);
    return from * (to / from) ** ((share - fromShare) / (toShare - fromShare));
  }

  shuffled<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.wholeNumber(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
    }
    return shuffled;
  }

  /** A text from a pattern with the words of a trade; see demo-texts.ts. */
  fillPattern(pattern: string, trade: Trade): string {
    return pattern.replace(/\{(?:(\d+)-(\d+)|(\w+))\}/g, (_, from, to, slot) => {
      if (!slot) return String(this.wholeNumber(Number(from), Number(to)));
      if (slot === 'subHeads') return this.shuffled(trade.subHeads).slice(0, 2).join(', ');
      return this.fillPattern(this.pick(SLOT_VALUES[slot] ?? []), trade);
    });
  }
}

/** The instant of an Indian day number and 'HH:MM'. */
function instant(day: number, time: string): Date {
  const [hour, minute] = time.split(':').map(Number);
  return fromIndianTime(1970, 1, 1 + day, hour, minute);
}

/** 0 is Sunday; day 0, 1 January 1970, was a Thursday. */
function weekday(day: number): number {
  return (day + 4) % 7;
}

/** A notice inviting tenders: `size` works of one office that share their dates and documents. */
interface DemoNit {
  region: Region;
  department: string;
  trade: Trade;
  size: number;
  publishedAt: Date;
}

/**
 * Tenders of all states around `now`. Only the portal 'demo' and their 'DEMO…' ids mark them.
 *
 * `first` has every tender as first published, oldest first: at least 40 in each state, or fewer when `count` is under
 * 1,440. About 1% of them are published in the two days after `now`. `revised` has later versions of 17.6% of them, all
 * published before today. The result depends only on `seed`, `count` and the Indian day of `now`, so instants of today may
 * be a few hours in the future.
 */
export function demonstrationTenders({ now, seed = 1, count = 6_000 }: { now: Date; seed?: number; count?: number }): {
  first: SourceTender[];
  revised: SourceTender[];
} {
  const dice = new RandomSource(seed);
  const today = indianDay(now);
  const nits = tendersPerState(count)
    .flatMap((share, index) => createNits(dice, REGIONS[index] as Region, share, today))
    .sort((one, other) => one.publishedAt.getTime() - other.publishedAt.getTime());
  const first = nits.flatMap((nit, index) => createWorks(dice, nit, FIRST_SERIAL + index));
  return { first, revised: createRevisions(dice, first, today) };
}

/** The number of tenders of each region: the minimum for all, the rest by the number of districts. */
function tendersPerState(count: number): number[] {
  const minimum = Math.min(MIN_PER_STATE, Math.floor(count / REGIONS.length));
  let rest = count - minimum * REGIONS.length;
  let districts = REGIONS.reduce((sum, region) => sum + region.districts.length, 0);
  return REGIONS.map((region) => {
    // Shares of the remainder, so rounding loses none.
    const share = Math.round((rest * region.districts.length) / districts);
    rest -= share;
    districts -= region.districts.length;
    return minimum + share;
  });
}

function createNits(dice: RandomSource, region: Region, works: number, today: number): DemoNit[] {
  const trades = new Map(region.departments.map((department) => [department.name, findTrade(department)]));
  const weights = Object.fromEntries([...trades].map(([name, trade]) => [name, trade.share]));
  const nits: DemoNit[] = [];
  for (let left = works; left > 0; ) {
    const department = dice.weighted(weights);
    const requestedSize = dice.chance(SEVERAL_WORKS_SHARE) ? Math.floor(dice.quantile(SEVERAL_WORKS)) : 1;
    const size = Math.min(requestedSize, left);
    const publishedAt = randomPublishing(dice, today);
    nits.push({ region, department, trade: trades.get(department) as Trade, size, publishedAt });
    left -= size;
  }
  return nits;
}

/** The trade of a department. Aliases match too, because the names of many bodies are initials. */
function findTrade({ name, aliases }: Department): Trade {
  return TRADES.find(({ departments }) => departments.test([name, ...aliases].join(' '))) as Trade;
}

function randomPublishing(dice: RandomSource, today: number): Date {
  for (;;) {
    const day = dice.chance(DRAFT_SHARE)
      ? today + dice.wholeNumber(1, 2)
      : today - dice.wholeNumber(0, PUBLISHING_DAYS - 1);
    if (!dice.chance(PUBLISHING_WEEKDAYS[weekday(day)] as number)) continue;
    const minute = dice.chance(0.3) ? 0 : 5 * dice.wholeNumber(0, 11);
    return instant(day, `${dice.weightedNumber(PUBLISHING_HOURS)}:${minute}`);
  }
}

/** A closing about `days` after the instant; repeated until the weekday is accepted. */
function randomClosing(dice: RandomSource, since: Date, days: () => number): Date {
  for (;;) {
    const time = dice.weighted(CLOSING_TIMES);
    const nearest = Math.round((since.getTime() + days() * DAY_MS - instant(0, time).getTime()) / DAY_MS);
    const closesAt = instant(nearest, time);
    if (closesAt > since && dice.chance(CLOSING_WEEKDAYS[weekday(nearest)] as number)) return closesAt;
  }
}

/** Mostly the time of the notice, else one of the next three mornings. The shortest bidding window ends later. */
function randomBidStart(dice: RandomSource, publishedAt: Date): Date {
  if (dice.chance(0.6)) return new Date(publishedAt.getTime() + dice.pick([0, 0, 0, 30, 60]) * MINUTE_MS);
  return instant(indianDay(publishedAt) + dice.pick([1, 1, 2, 3]), dice.pick(['09:00', '10:00', '11:00']));
}

function randomOpening(dice: RandomSource, closesAt: Date): Date {
  if (dice.chance(SAME_DAY_OPENING_SHARE)) {
    return new Date(closesAt.getTime() + dice.weightedNumber(SAME_DAY_OPENING_MINUTES) * MINUTE_MS);
  }
  let day = indianDay(closesAt) + (dice.chance(0.88) ? 1 : dice.wholeNumber(2, 6));
  while (!dice.chance(OPENING_WEEKDAYS[weekday(day)] as number)) day++;
  return instant(day, dice.weighted(OPENING_TIMES));
}

function createWorks(dice: RandomSource, nit: DemoNit, serial: number): SourceTender[] {
  const { region, trade, publishedAt } = nit;
  const district = dice.chance(WITHOUT_DISTRICT_SHARE) ? null : dice.pick(region.districts).name;
  const site = district && dice.chance(WORKS_ELSEWHERE_SHARE) ? dice.pick(region.districts).name : district;
  // Portals number by calendar year, not by financial year.
  const idOfNit = `${formatDate(publishedAt).slice(-4)}_DEMO${trade.code}_${serial}`;
  const shared = sharedFields(dice, { ...nit, district, idOfNit });
  return Array.from({ length: nit.size }, (_, index) => {
    const title = createTitle(dice, trade, shared.category, site);
    return {
      ...shared,
      sourceId: `${idOfNit}_${index + 1}`,
      title,
      description: dice.chance(0.43) ? title : `${title}. ${createDetails(dice, trade)}`,
      ...createAmounts(dice),
      periodOfWorkDays: dice.weightedNumber(PERIOD_WEIGHTS),
    };
  });
}

type WorkFields =
  | 'sourceId'
  | 'title'
  | 'description'
  | 'price'
  | 'emd'
  | 'emdPercent'
  | 'tenderFee'
  | 'periodOfWorkDays';

/** Fields that the works of one NIT share. */
function sharedFields(
  dice: RandomSource,
  nit: DemoNit & { district: string | null; idOfNit: string },
): Omit<SourceTender, WorkFields> & { category: DemoCategory } {
  const { region, district, department, trade, idOfNit, publishedAt } = nit;
  const town = district ?? dice.fillPattern('{village}', trade);
  const division = district ? `Division ${district}` : `Division No. ${dice.wholeNumber(1, 9)}`;
  const reference = `DEMO/${division}/NIT ${idOfNit.split('_').pop()} dated ${formatDate(publishedAt)}`;
  const office = dice.chance(0.85) ? trade.office : dice.pick(['Superintending Engineer', 'Assistant Engineer']);
  const category = dice.weighted(CATEGORY_WEIGHTS);
  const covers = dice.weightedNumber(COVER_WEIGHTS);
  const dates = createDates(dice, publishedAt);
  return {
    portal: GENERATED_PORTAL,
    state: region.state.name,
    reference,
    nitKey: stableKey('demo', idOfNit, reference),
    organisationChain: [department, `Circle ${dice.wholeNumber(1, 6)}`, division],
    address: `Office of the ${office}, ${division}, ${town}`,
    place: town,
    pincode: null,
    category,
    subCategory: category === 'Works' ? trade.subCategory : null,
    tenderType: dice.chance(0.95) ? 'Open Tender' : 'Limited',
    formOfContract: dice.weighted(FORM_WEIGHTS[category]),
    priceText: null,
    emdExemptionAllowed: dice.chance(0.14),
    covers,
    bidValidityDays: dice.chance(0.97) ? dice.weightedNumber(VALIDITY_WEIGHTS) : null,
    contactDesignation: office,
    bidOpeningPlace: `Office of the ${office}, ${town}`,
    preBidPlace: dates.preBidAt && `Conference room, ${town}`,
    ...dates,
    documents: DOCUMENT_LISTS[covers - 1] ?? [],
    corrigenda: [],
    stage: 'published',
  };
}

function createDates(dice: RandomSource, publishedAt: Date) {
  const closesAt = randomClosing(dice, publishedAt, () => dice.quantile(WINDOW_DAYS));
  return {
    publishedAt,
    bidStartAt: randomBidStart(dice, publishedAt),
    closesAt,
    closingTimeKnown: true,
    opensAt: randomOpening(dice, closesAt),
    preBidAt: dice.chance(PRE_BID_SHARE) ? instant(indianDay(publishedAt) + 2, '11:30') : null,
  };
}

/** A title. The second half is left out if the portals would cut it. */
function createTitle(dice: RandomSource, trade: Trade, category: DemoCategory, district: string | null): string {
  const patterns = { Works: trade.works, Goods: trade.supplies, Services: SERVICES }[category];
  const work = dice.fillPattern(dice.pick(patterns), trade);
  const scope = category === 'Works' && dice.chance(0.4) ? dice.fillPattern(dice.pick(TITLE_SUFFIXES), trade) : '';
  const place =
    district && dice.chance(TITLE_WITH_DISTRICT_SHARE)
      ? dice.fillPattern(dice.pick(DISTRICT_PHRASES), trade) + district
      : '';
  const fullTitle = `${work}${scope}${place}`;
  const title = fullTitle.length <= MAX_TITLE_CHARACTERS ? fullTitle : `${work}${place}`;
  return dice.chance(0.08) ? title.toUpperCase() : title;
}

function createDetails(dice: RandomSource, trade: Trade): string {
  const sentences = dice.shuffled(DETAIL_SENTENCES).slice(0, dice.wholeNumber(1, 3));
  return sentences.map((sentence) => dice.fillPattern(sentence, trade)).join(' ');
}

function createAmounts(dice: RandomSource): Pick<SourceTender, 'price' | 'emd' | 'emdPercent' | 'tenderFee'> {
  const value = dice.quantile(ESTIMATE_LAKHS) * 100_000;
  const price = dice.chance(WITHOUT_ESTIMATE_SHARE) ? null : value.toFixed(0);
  const percent = dice.weightedNumber(EMD_PERCENTS);
  return {
    price: price && `${price}.00`,
    // Some offices publish the deposit without the estimate.
    emd: price || dice.chance(0.5) ? roundedEmd(value, percent) : null,
    emdPercent: percent > 0 && dice.chance(0.045) ? percent.toFixed(2) : null,
    tenderFee: dice.weightedNumber(TENDER_FEES).toFixed(2),
  };
}

/** Rounded up to hundreds, as offices do. */
function roundedEmd(value: number, percent: number): string {
  return (Math.ceil((value * percent) / 10_000) * 100).toFixed(2);
}

/** Later versions of exactly 17.6% of the tenders. 74% of these versions close later. */
function createRevisions(dice: RandomSource, first: readonly SourceTender[], today: number): SourceTender[] {
  const published = first.filter((tender) => indianDay(tender.publishedAt) < today);
  const chosen = dice.shuffled(published).slice(0, Math.round(first.length * REVISED_SHARE));
  const dates = Math.round(chosen.length * REVISED_DATE_SHARE);
  return chosen.map((tender, index) =>
    index < dates ? withLaterClosing(dice, tender) : withOtherChange(dice, tender),
  );
}

/** The opening stays only when it is after the new closing. */
function withLaterClosing(dice: RandomSource, tender: SourceTender): SourceTender {
  const closesAt = randomClosing(dice, tender.closesAt, () => dice.wholeNumber(1, 10));
  const { opensAt } = tender;
  return { ...tender, closesAt, opensAt: opensAt && opensAt > closesAt ? opensAt : randomOpening(dice, closesAt) };
}

function withOtherChange(dice: RandomSource, tender: SourceTender): SourceTender {
  const { price, emd, documents } = tender;
  switch (dice.weighted(OTHER_CHANGES)) {
    case 'price':
      // An estimate rises; a missing one is added.
      return {
        ...tender,
        price: (price ? Math.ceil(Number(price) * 1.08) : Math.ceil(dice.quantile(ESTIMATE_LAKHS)) * 100_000).toFixed(
          2,
        ),
      };
    case 'emd':
      // A deposit is halved; a missing one is added.
      return { ...tender, emd: Number(emd) > 0 ? (Number(emd) / 2).toFixed(2) : '20000.00' };
    case 'documents':
      return {
        ...tender,
        documents: [...documents, { cover: documents[0]?.cover ?? '', ...dice.pick(ADDED_DOCUMENTS) }],
      };
    case 'named':
      return { ...tender, corrigenda: [dice.pick(NAMED_CORRIGENDA)] };
  }
}
