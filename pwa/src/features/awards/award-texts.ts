/** Sentences about the awards of an office. For a range that is withheld, a sentence says why. */
import {
  type AwardChoice,
  type AwardCounts,
  type AwardRange,
  type AwardSummary,
  MIN_OFFICE_AWARDS,
  type OfficeAwards,
  type PriceMass,
} from '@nivida/contract/awards/awards';
import { formatCount, formatDate, formatRupees } from '@nivida/contract/format';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** '2024-04-19' as 'Apr 2024'. */
export function monthText(day: string): string {
  const [year, month] = day.split('-');
  return `${MONTHS[Number(month) - 1]} ${year}`;
}

/** '2024-04-19' as '19 Apr 2024'. */
export const awardDayText = (day: string) => formatDate(`${day}T12:00:00+05:30`);

/** '1 award', '1,200 awards'. */
const countText = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/**
 * 'this division', 'this office', 'the department at PIN 781003'. 'this office' is used for a tender without
 * awards of its office.
 */
export function officeText({ kind, name }: OfficeAwards['office']): string {
  if (kind === 'pin') return `the department at ${name}`;
  return /\bdiv(isio)?n?\b/i.test(name) ? 'this division' : 'this office';
}

/**
 * The nearest simple fraction: '1 in 7', '6 in 7', '7 in 10'. 'none' and 'all' are used only when they are
 * exact.
 */
export function ratioText(count: number, of: number): string {
  if (count === 0) return 'none';
  if (count === of) return 'all';
  const share = count / of;
  const simple = Array.from({ length: 9 }, (_, at) => at + 2).flatMap((whole) => [
    [1, whole],
    [whole - 1, whole],
  ]);
  const tenths = Array.from({ length: 9 }, (_, at) => [at + 1, 10]);
  const distance = ([part = 0, whole = 1]: number[]) => Math.abs(part / whole - share);
  const near = [...simple, ...tenths].reduce((best, each) => (distance(each) < distance(best) - 1e-9 ? each : best));
  if (share < 0.09) return `1 in ${formatCount(Math.round(of / count))}`;
  return `${near[0]} in ${near[1]}`;
}

const percent = (price: number) => `${Number((Math.abs(price) / 100).toFixed(1))} %`;

/** A difference of less than a quarter of a percent comes from the rounding of works and prices. */
const isAtEstimate = (price: number) => Math.abs(price) < 25;

/** -1000 as '10 % below', 0 as 'the estimate'. */
export const pricePlace = (price: number) =>
  isAtEstimate(price) ? 'the estimate' : `${percent(price)} ${price < 0 ? 'below' : 'above'}`;

/** 'at the estimate', '10 % below the estimate'. */
export function awardPriceText(price: number): string {
  return isAtEstimate(price) ? 'at the estimate' : `${pricePlace(price)} the estimate`;
}

/** '1 bidder', '3 bidders'. */
export const biddersText = (bidders: number): string => countText(bidders, 'bidder');

/**
 * 'Awarded at ₹4.50 Lakh · 10 % below the estimate · 3 bidders · 19 Apr 2024'. Unknown facts are left out.
 */
export function awardFactsText({ awardedValue, price, bidders, knownOn }: AwardSummary): string {
  const facts = [
    awardedValue !== null && `Awarded at ${formatRupees(awardedValue)}`,
    price !== null && awardPriceText(price),
    biddersText(bidders),
    knownOn !== null && awardDayText(knownOn),
  ];
  return facts.filter(Boolean).join(' · ');
}

/** '2 to 5', or '3' when both are equal. */
const rangeText = (low: number, high: number) => (low === high ? `${low}` : `${low} to ${high}`);

/**
 * The noun for the values of a range. An award without a usable price counts only in the range of bidders.
 */
const MEASURED = { bidders: 'award', price: 'awarded price' } as const;

/** The reason why a range is not shown. */
function withheldSentence(range: AwardRange & { isShown: false }, measure: keyof typeof MEASURED): string {
  switch (range.reason) {
    case 'too-few':
      if (range.officeAwards === null)
        return `Fewer than ${MIN_OFFICE_AWARDS} ${MEASURED[measure]}s known here; too few to say.`;
      return range.officeAwards === 0
        ? `No ${MEASURED[measure]}s known here yet.`
        : `Only ${countText(range.officeAwards, MEASURED[measure])} known here; too few to say.`;
    case 'too-wide':
      return 'Awards here range too widely to give a typical rate.';
    case 'past-ranges-wrong':
      return 'Our past ranges were wrong too often here recently.';
    case 'rates-changed':
      return `Rates changed for tenders published from about ${
        range.changedOn === null ? 'recently' : awardDayText(range.changedOn)
      }. Older rates are not shown.`;
  }
}

/** The measured share of such ranges that contained the real value; '' without a measurement. */
function coverageText({ coverage }: AwardRange & { isShown: true }): string {
  if (!coverage) return '';
  const share = ratioText(coverage.count, coverage.of);
  return share === 'all' ? 'all tested works' : `about ${share} works`;
}

/** How many bidders a work of the office usually has, or why that is not shown. */
export function biddersSentence(range: AwardRange): string {
  if (!range.isShown) return withheldSentence(range, 'bidders');
  const { low, high } = range;
  const coverage = coverageText(range);
  return `Typically ${rangeText(low, high)} bidder${high === 1 ? '' : 's'}${coverage && `, in ${coverage}`}.`;
}

/** The usual awarded price against the estimate, or why it is not shown. */
export function priceSentence(range: AwardRange): string {
  if (!range.isShown) return withheldSentence(range, 'price');
  const { low, high } = range;
  if (pricePlace(low) === pricePlace(high)) return `Most awards were ${awardPriceText(high)}.`;
  if (low < 0 && high < 0 && !isAtEstimate(high))
    return `Most awards were between ${percent(low)} and ${percent(high)} below the estimate.`;
  if (low > 0 && !isAtEstimate(low))
    return `Most awards were between ${percent(low)} and ${percent(high)} above the estimate.`;
  const end = isAtEstimate(high) || isAtEstimate(low) ? '' : ' the estimate';
  return `Most awards were between ${pricePlace(low)} and ${pricePlace(high)}${end}.`;
}

/** Both ends of a price range for a table: '10 % below', 'the estimate'. */
export const priceRangeCells = ({ low, high }: { low: number; high: number }): [string, string] => [
  pricePlace(low),
  pricePlace(high),
];

/** The usual days from closing to the contract; '' when they are not shown. */
export function daysSentence(range: AwardRange): string {
  if (!range.isShown) return '';
  const coverage = coverageText(range);
  return `Most contracts${coverage && ` (${coverage})`} were dated ${rangeText(range.low, range.high)} days after closing.`;
}

/** The price range and the most common prices. One sentence when both are the same price. */
export function pricesSentence(range: AwardRange, masses: readonly PriceMass[]): string {
  const sentence = priceSentence(range);
  const [first, ...others] = masses;
  if (!range.isShown || !first) return sentence;
  const isOnePrice =
    others.length === 0 && [range.low, range.high].every((end) => pricePlace(end) === pricePlace(first.price));
  return isOnePrice
    ? sentence.replace(/\.$/, `: ${first.count} of ${first.of}.`)
    : `${sentence} ${massesSentence(masses)}`;
}

/** '14 of 96 were recorded at the estimate; 22 at 10 % below.'; '' without a mass. */
function massesSentence(masses: readonly PriceMass[]): string {
  const [first, ...others] = masses;
  if (!first) return '';
  const place = (price: number) => (isAtEstimate(price) ? 'at the estimate' : `at ${pricePlace(price)}`);
  const rest = others.map(({ price, count }) => `; ${count} ${place(price)}`).join('');
  return `${first.count} of ${first.of} were recorded ${place(first.price)}${
    isAtEstimate(first.price) ? '' : ' the estimate'
  }${rest}.`;
}

/** From this share of refused bids on, the block of a tender shows advice. */
const MANY_REFUSED = 0.1;

/** Refused bids. For a group of offices they are not compared with a usual share. */
type RefusedBids = Omit<NonNullable<OfficeAwards['refused']>, 'isMoreThanUsual'> & { isMoreThanUsual?: boolean };

/** How many bids were refused before prices were opened; '' when it is not known. */
export function refusedSentence(refused: RefusedBids | null): string {
  if (!refused) return '';
  const { count, of, technical, notAdmitted, isMoreThanUsual } = refused;
  if (count === 0) return `None of ${countText(of, 'bid')} was refused before prices were opened.`;
  const parts = `${formatCount(count)} of ${formatCount(of)}: ${formatCount(technical)} technical, ${formatCount(notAdmitted)} not admitted`;
  const share = ratioText(count, of);
  if (share === 'all') return `All ${countText(of, 'bid')} were refused before prices were opened.`;
  const verb = share.startsWith('1 ') ? 'was' : 'were';
  return `${share} bids ${verb} refused before prices were opened (${parts}).${
    isMoreThanUsual ? ' That is more than usual.' : ''
  }`;
}

/** What a bidder can do with the figures of an office; '' when they suggest nothing. */
export function bidAdvice({ refused, price }: Pick<OfficeAwards, 'refused' | 'price'>): string {
  const documents =
    refused && refused.count >= MANY_REFUSED * refused.of
      ? 'check your documents twice. Many bids fail here before their price is read.'
      : '';
  const rate = price.isShown ? 'work out your own rate and compare it with the past ones here.' : '';
  return [documents, documents && rate ? `Then ${rate}` : rate].filter(Boolean).join(' ');
}

/** How many works had one bidder; '' when it is not known. */
export function singleBidSentence(share: OfficeAwards['singleBid']): string {
  return share ? `${formatCount(share.count)} of ${formatCount(share.of)} awarded works had one bidder.` : '';
}

/** How many bids came in the last 24 hours; '' when it is not known. */
export function lateBidsSentence(share: OfficeAwards['lateBids']): string {
  if (!share) return '';
  if (share.count === 0) return 'No bid came in the last 24 hours.';
  const part = share.count === share.of ? 'All' : ratioText(share.count, share.of);
  return `${part} bids came in the last 24 hours.`;
}

/** 'Department figures: this office has only 4.' It is shown beside a range of the department. */
export function basisNote(range: AwardRange): string {
  if (!range.isShown || range.basis === 'office') return '';
  if (range.officeAwards === null)
    return `Department figures: fewer than ${MIN_OFFICE_AWARDS} awards of this office are known.`;
  return range.officeAwards === 0
    ? 'Department figures: no award of this office is known.'
    : `Department figures: this office has only ${range.officeAwards}.`;
}

/** How many awards the figures come from, and since when. `place` is 'this office' or 'Assam'. */
export function sourceSentence(
  place: string,
  {
    awards,
    firstKnownOn,
    lastKnownOn,
    bidders,
  }: Pick<OfficeAwards, 'awards' | 'firstKnownOn' | 'lastKnownOn' | 'bidders'>,
): string {
  if (bidders.officeAwards === null)
    return `Fewer than ${MIN_OFFICE_AWARDS} awards of ${place} are known from the last 24 months.`;
  if (awards === 0 || firstKnownOn === null || lastKnownOn === null)
    return `No award of ${place} is known from the last 24 months.`;
  const works = `${formatCount(awards)} ${awards === 1 ? 'work' : 'works'} of ${place} ${awards === 1 ? 'was' : 'were'}`;
  const period = `awarded from ${monthText(firstKnownOn)} to ${monthText(lastKnownOn)}`;
  return `${works} ${period}; newest ${awardDayText(lastKnownOn)}. Awarded tenders only; cancelled ones are not counted.`;
}

/**
 * How many awards of a place are stored, and which of them are not counted. The figures and lists end with
 * the day `computedOn`.
 */
export function storedSentence(
  place: string,
  { stored, recent, older, newer, excluded }: Omit<AwardCounts, 'lists'>,
  computedOn: string,
): string {
  if (stored === 0) return `No award of ${place} is stored.`;
  if (stored === recent)
    return stored === 1
      ? `The only stored award of ${place} is counted.`
      : `All ${formatCount(stored)} stored awards of ${place} are counted.`;
  const left = [
    older > 0 && `${formatCount(older)} older`,
    newer > 0 && `${formatCount(newer)} newer`,
    excluded > 0 && `${formatCount(excluded)} without usable dates, bids or office`,
  ];
  return (
    `${countText(stored, 'award')} of ${place} ${stored === 1 ? 'is' : 'are'} stored. ` +
    `The figures and lists count ${formatCount(recent)}, those of the 24 months up to ${awardDayText(computedOn)}; ` +
    `left out: ${left.filter(Boolean).join(', ')}.`
  );
}

/** The lists of choices in the explorer. */
const LISTS = {
  departments: { title: 'Departments', one: 'department', many: 'departments', name: 'department' },
  districts: { title: 'Districts', one: 'district', many: 'districts', name: 'district' },
  categories: { title: 'Kinds of work', one: 'kind', many: 'kinds', name: 'kind of work' },
} as const satisfies Record<keyof AwardCounts['lists'], unknown>;

/**
 * Which awards of a place a list of choices leaves out. '' when it leaves none out, and when there is no
 * list.
 */
export function listSentence(
  list: keyof AwardCounts['lists'],
  choices: readonly AwardChoice[],
  { of, unnamed }: AwardCounts['lists']['departments'],
  place: string,
): string {
  const listed = choices.reduce((sum, { awards }) => sum + awards, 0);
  if (listed === 0 || listed === of) return '';
  const { title, one, many, name } = LISTS[list];
  const small = of - unnamed - listed;
  const left = [
    unnamed > 0 && `${formatCount(unnamed)} ${unnamed === 1 ? 'names' : 'name'} no ${name}`,
    small > 0 && `${formatCount(small)} ${small === 1 ? `is in a ${one}` : `are in ${many}`} too small to list`,
  ];
  return `${title} list ${formatCount(listed)} of ${formatCount(of)} awards of ${place}: ${left.filter(Boolean).join(', ')}.`;
}

/** Where the figures of a page come from; generated awards have no portal. */
export const portalsText = (portals: readonly string[], isDemonstration: boolean): string =>
  isDemonstration ? 'Source: generated for the demonstration.' : `Source: award notices of ${portals.join(', ')}.`;

/** 'Awards known until Feb 2024.' when the newest award is older than a year; otherwise ''. */
export function ageSentence({ isOld, lastKnownOn }: Pick<OfficeAwards, 'isOld' | 'lastKnownOn'>): string {
  return isOld && lastKnownOn !== null ? `Awards known until ${monthText(lastKnownOn)}.` : '';
}

/** 'A work with nearly the same title was awarded here in Mar 2023 at 12 % below its estimate.' */
export function similarWorkSentence({ knownOn, price }: Pick<AwardSummary, 'knownOn' | 'price'>): string {
  const when = knownOn === null ? '' : ` in ${monthText(knownOn)}`;
  if (price === null) return `A work with nearly the same title was awarded here${when}.`;
  const rate = isAtEstimate(price) ? 'at its estimate' : `at ${pricePlace(price)} its estimate`;
  return `A work with nearly the same title was awarded here${when} ${rate}.`;
}
