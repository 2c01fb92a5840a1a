/** Sentences about the awards of an office. For a range that is withheld, a sentence says why. */
import { plural, t } from '@lingui/core/macro';
import {
  type AwardChoice,
  type AwardCounts,
  type AwardRange,
  type AwardSummary,
  MIN_OFFICE_AWARDS,
  type OfficeAwards,
  type PriceMass,
} from '@nivida/contract/awards/awards';
import { shownOfficeName } from '@nivida/contract/awards/office';
import { formatCount, formatDate, formatRupees } from '@nivida/contract/format';

/** '2024-04-19' as 'Apr 2024'. A date begins with its day in every language of India. */
export const monthText = (day: string) => awardDayText(day).replace(/^\d+ /, '');

/** '2024-04-19' as '19 Apr 2024'. */
export const awardDayText = (day: string) => formatDate(`${day}T12:00:00+05:30`);

/**
 * 'this division', 'this office', 'the department at PIN 781003'. 'this office' is used for a tender without
 * awards of its office.
 */
export function officeText({ kind, name }: OfficeAwards['office']): string {
  if (kind === 'pin')
    return t({ message: `the department at ${{ name: shownOfficeName({ kind, name }) }}`, context: 'after “of”' });
  return /\bdiv(isio)?n?\b/i.test(name)
    ? t({ message: 'this division', context: 'after “of”' })
    : t({ message: 'this office', context: 'after “of”' });
}

/** The nearest simple fraction: 1 in 7, 6 in 7, 7 in 10, 1 in 2,000. `count` is neither 0 nor `of`. */
export function nearestFraction(count: number, of: number): { part: number; whole: string } {
  const share = count / of;
  if (share < 0.09) return { part: 1, whole: formatCount(Math.round(of / count)) };
  const simple = Array.from({ length: 9 }, (_, at) => at + 2).flatMap((whole) => [
    { part: 1, whole },
    { part: whole - 1, whole },
  ]);
  const tenths = Array.from({ length: 9 }, (_, at) => ({ part: at + 1, whole: 10 }));
  const distance = ({ part, whole }: { part: number; whole: number }) => Math.abs(part / whole - share);
  const near = [...simple, ...tenths].reduce((best, each) => (distance(each) < distance(best) - 1e-9 ? each : best));
  return { part: near.part, whole: `${near.whole}` };
}

const percentText = (price: number) => `${Number((Math.abs(price) / 100).toFixed(1))} %`;

/** A difference of less than a quarter of a percent comes from the rounding of works and prices. */
const isAtEstimate = (price: number) => Math.abs(price) < 25;

/** -1000 as '10 % below', 0 as 'the estimate'. */
export function pricePlace(price: number): string {
  if (isAtEstimate(price)) return t`the estimate`;
  const percent = percentText(price);
  return price < 0 ? t`${percent} below` : t`${percent} above`;
}

/** 'at the estimate', '10 % below the estimate'. */
export function awardPriceText(price: number): string {
  if (isAtEstimate(price)) return t`at the estimate`;
  const percent = percentText(price);
  return price < 0 ? t`${percent} below the estimate` : t`${percent} above the estimate`;
}

/** '1 bidder', '3 bidders'. */
export const biddersText = (bidders: number): string => plural(bidders, { one: '# bidder', other: '# bidders' });

/**
 * 'Awarded at ₹4.50 Lakh · 10 % below the estimate · 3 bidders · 19 Apr 2024'. Unknown facts are left out.
 */
export function awardFactsText({ awardedValue, price, bidders, knownOn }: AwardSummary): string {
  const facts = [
    awardedValue !== null && t`Awarded at ${{ value: formatRupees(awardedValue) }}`,
    price !== null && awardPriceText(price),
    biddersText(bidders),
    knownOn !== null && awardDayText(knownOn),
  ];
  return facts.filter(Boolean).join(' · ');
}

/**
 * The reason why a range is not shown. An award without a usable price counts only in the range of bidders.
 */
function withheldSentence(range: AwardRange & { isShown: false }, measure: 'bidders' | 'price'): string {
  switch (range.reason) {
    case 'too-few':
      return measure === 'price' ? tooFewPrices(range.officeAwards) : tooFewAwards(range.officeAwards);
    case 'too-wide':
      return t`Awards here range too widely to give a typical rate.`;
    case 'past-ranges-wrong':
      return t`Our past ranges were wrong too often here recently.`;
    case 'rates-changed':
      return range.changedOn === null
        ? t`Rates changed recently. Older rates are not shown.`
        : t`Rates changed for tenders published from about ${{ day: awardDayText(range.changedOn) }}. Older rates are not shown.`;
  }
}

/** `known` is null when the number is unknown and less than `MIN_OFFICE_AWARDS`. */
function tooFewAwards(known: number | null): string {
  if (known === null) return t`Fewer than ${MIN_OFFICE_AWARDS} awards known here; too few to say.`;
  if (known === 0) return t`No awards known here yet.`;
  return plural(known, {
    one: 'Only # award known here; too few to say.',
    other: 'Only # awards known here; too few to say.',
  });
}

function tooFewPrices(known: number | null): string {
  if (known === null) return t`Fewer than ${MIN_OFFICE_AWARDS} awarded prices known here; too few to say.`;
  if (known === 0) return t`No awarded prices known here yet.`;
  return plural(known, {
    one: 'Only # awarded price known here; too few to say.',
    other: 'Only # awarded prices known here; too few to say.',
  });
}

/** The measured share of such ranges that contained the real value; null without a measurement. */
function coverageOf({ coverage }: AwardRange & { isShown: true }): 'all' | ReturnType<typeof nearestFraction> | null {
  if (!coverage) return null;
  return coverage.count === coverage.of ? 'all' : nearestFraction(coverage.count, coverage.of);
}

/** How many bidders a work of the office usually has, or why that is not shown. */
export function biddersSentence(range: AwardRange): string {
  if (!range.isShown) return withheldSentence(range, 'bidders');
  const { low, high } = range;
  const coverage = coverageOf(range);
  if (low === high) {
    if (coverage === null) return plural(high, { one: 'Typically # bidder.', other: 'Typically # bidders.' });
    if (coverage === 'all')
      return plural(high, {
        one: 'Typically # bidder, in all tested works.',
        other: 'Typically # bidders, in all tested works.',
      });
    const { part, whole } = coverage;
    return plural(high, {
      one: `Typically # bidder, in about ${part} in ${whole} works.`,
      other: `Typically # bidders, in about ${part} in ${whole} works.`,
    });
  }
  if (coverage === null) return t`Typically ${low} to ${high} bidders.`;
  if (coverage === 'all') return t`Typically ${low} to ${high} bidders, in all tested works.`;
  const { part, whole } = coverage;
  return t`Typically ${low} to ${high} bidders, in about ${part} in ${whole} works.`;
}

/** The usual awarded price against the estimate, or why it is not shown. */
export function priceSentence(range: AwardRange): string {
  if (!range.isShown) return withheldSentence(range, 'price');
  const [low, high] = [percentText(range.low), percentText(range.high)];
  if (isOnePrice(range)) {
    if (isAtEstimate(range.high)) return t`Most awards were at the estimate.`;
    return range.high < 0
      ? t`Most awards were ${{ percent: high }} below the estimate.`
      : t`Most awards were ${{ percent: high }} above the estimate.`;
  }
  if (isAtEstimate(range.high)) return t`Most awards were between ${low} below and the estimate.`;
  if (isAtEstimate(range.low)) return t`Most awards were between the estimate and ${high} above.`;
  if (range.high < 0) return t`Most awards were between ${low} and ${high} below the estimate.`;
  if (range.low > 0) return t`Most awards were between ${low} and ${high} above the estimate.`;
  return t`Most awards were between ${low} below and ${high} above the estimate.`;
}

const isOnePrice = ({ low, high }: { low: number; high: number }) => pricePlace(low) === pricePlace(high);

/** Both ends of a price range for a table: '10 % below', 'the estimate'. */
export const priceRangeCells = ({ low, high }: { low: number; high: number }): [string, string] => [
  pricePlace(low),
  pricePlace(high),
];

/** The usual days from closing to the contract; '' when they are not shown. */
export function daysSentence(range: AwardRange): string {
  if (!range.isShown) return '';
  const { low, high } = range;
  const coverage = coverageOf(range);
  if (low === high) {
    const days = `${high}`;
    if (coverage === null) return t`Most contracts were dated ${days} days after closing.`;
    if (coverage === 'all') return t`Most contracts (all tested works) were dated ${days} days after closing.`;
    const { part, whole } = coverage;
    return t`Most contracts (about ${part} in ${whole} works) were dated ${days} days after closing.`;
  }
  if (coverage === null) return t`Most contracts were dated ${low} to ${high} days after closing.`;
  if (coverage === 'all') return t`Most contracts (all tested works) were dated ${low} to ${high} days after closing.`;
  const { part, whole } = coverage;
  return t`Most contracts (about ${part} in ${whole} works) were dated ${low} to ${high} days after closing.`;
}

/** The price range and the most common prices. One sentence when both are the same price. */
export function pricesSentence(range: AwardRange, masses: readonly PriceMass[]): string {
  const [first, ...others] = masses;
  if (!range.isShown || !first) return priceSentence(range);
  const isSame = others.length === 0 && isOnePrice(range) && isOnePrice({ low: range.low, high: first.price });
  return isSame ? onePriceSentence(first) : `${priceSentence(range)} ${massesSentence(first, others)}`;
}

/** 'Most awards were at the estimate: 90 of 96.' */
function onePriceSentence({ price, count, of }: PriceMass): string {
  if (isAtEstimate(price)) return t`Most awards were at the estimate: ${count} of ${of}.`;
  const percent = percentText(price);
  return price < 0
    ? t`Most awards were ${percent} below the estimate: ${count} of ${of}.`
    : t`Most awards were ${percent} above the estimate: ${count} of ${of}.`;
}

/** '14 of 96 were recorded at the estimate; 22 at 10 % below.' */
function massesSentence(first: PriceMass, others: readonly PriceMass[]): string {
  const list = [firstMassText(first), ...others.map(otherMassText)].join('; ');
  return t({ message: `${list}.`, context: 'a list as a sentence' });
}

function firstMassText({ price, count, of }: PriceMass): string {
  if (isAtEstimate(price)) return t`${count} of ${of} were recorded at the estimate`;
  const percent = percentText(price);
  return price < 0
    ? t`${count} of ${of} were recorded at ${percent} below the estimate`
    : t`${count} of ${of} were recorded at ${percent} above the estimate`;
}

function otherMassText({ price, count }: PriceMass): string {
  if (isAtEstimate(price)) return t`${count} at the estimate`;
  const percent = percentText(price);
  return price < 0 ? t`${count} at ${percent} below` : t`${count} at ${percent} above`;
}

/** From this share of refused bids on, the block of a tender shows advice. */
const MANY_REFUSED = 0.1;

/** Refused bids. For a group of offices they are not compared with a usual share. */
type RefusedBids = Omit<NonNullable<OfficeAwards['refused']>, 'isMoreThanUsual'> & { isMoreThanUsual?: boolean };

/** How many bids were refused before prices were opened; '' when it is not known. */
export function refusedSentence(refused: RefusedBids | null): string {
  if (!refused) return '';
  if (refused.count === 0)
    return plural(refused.of, {
      one: 'None of # bid was refused before prices were opened.',
      other: 'None of # bids was refused before prices were opened.',
    });
  if (refused.count === refused.of)
    return plural(refused.of, {
      one: 'All # bid were refused before prices were opened.',
      other: 'All # bids were refused before prices were opened.',
    });
  const { part, whole } = nearestFraction(refused.count, refused.of);
  const [count, of] = [formatCount(refused.count), formatCount(refused.of)];
  const [technical, notAdmitted] = [formatCount(refused.technical), formatCount(refused.notAdmitted)];
  const sentence = plural(part, {
    one: `# in ${whole} bids was refused before prices were opened (${count} of ${of}: ${technical} technical, ${notAdmitted} not admitted).`,
    other: `# in ${whole} bids were refused before prices were opened (${count} of ${of}: ${technical} technical, ${notAdmitted} not admitted).`,
  });
  return refused.isMoreThanUsual ? `${sentence} ${t`That is more than usual.`}` : sentence;
}

/** What a bidder can do with the figures of an office; '' when they suggest nothing. */
export function bidAdvice({ refused, price }: Pick<OfficeAwards, 'refused' | 'price'>): string {
  const documents =
    refused && refused.count >= MANY_REFUSED * refused.of
      ? t`check your documents twice. Many bids fail here before their price is read.`
      : '';
  if (!price.isShown) return documents;
  return documents
    ? `${documents} ${t`Then work out your own rate and compare it with the past ones here.`}`
    : t`work out your own rate and compare it with the past ones here.`;
}

/** How many works had one bidder; '' when it is not known. */
export function singleBidSentence(share: OfficeAwards['singleBid']): string {
  if (!share) return '';
  const [count, of] = [formatCount(share.count), formatCount(share.of)];
  return t`${count} of ${of} awarded works had one bidder.`;
}

/** How many bids came in the last 24 hours; '' when it is not known. */
export function lateBidsSentence(share: OfficeAwards['lateBids']): string {
  if (!share) return '';
  if (share.count === 0) return t`No bid came in the last 24 hours.`;
  if (share.count === share.of) return t`All bids came in the last 24 hours.`;
  const { part, whole } = nearestFraction(share.count, share.of);
  return t`${part} in ${whole} bids came in the last 24 hours.`;
}

/** 'Department figures: this office has only 4.' It is shown beside a range of the department. */
export function basisNote(range: AwardRange): string {
  if (!range.isShown || range.basis === 'office') return '';
  const known = range.officeAwards;
  if (known === null) return t`Department figures: fewer than ${MIN_OFFICE_AWARDS} awards of this office are known.`;
  return known === 0
    ? t`Department figures: no award of this office is known.`
    : t`Department figures: this office has only ${known}.`;
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
    return t`Fewer than ${MIN_OFFICE_AWARDS} awards of ${place} are known from the last 24 months.`;
  if (awards === 0 || firstKnownOn === null || lastKnownOn === null)
    return t`No award of ${place} is known from the last 24 months.`;
  const [from, to, newest] = [monthText(firstKnownOn), monthText(lastKnownOn), awardDayText(lastKnownOn)];
  const sentence = plural(awards, {
    one: `# work of ${place} was awarded from ${from} to ${to}; newest ${newest}.`,
    other: `# works of ${place} were awarded from ${from} to ${to}; newest ${newest}.`,
  });
  return `${sentence} ${t`Awarded tenders only; cancelled ones are not counted.`}`;
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
  if (stored === 0) return t`No award of ${place} is stored.`;
  if (stored === recent)
    return plural(stored, {
      one: `The only stored award of ${place} is counted.`,
      other: `All # stored awards of ${place} are counted.`,
    });
  const left = [
    older > 0 && t`${{ count: formatCount(older) }} older`,
    newer > 0 && t`${{ count: formatCount(newer) }} newer`,
    excluded > 0 && t`${{ count: formatCount(excluded) }} without usable dates, bids or office`,
  ];
  const [counted, day, leftOut] = [formatCount(recent), awardDayText(computedOn), left.filter(Boolean).join(', ')];
  const all = plural(stored, { one: `# award of ${place} is stored.`, other: `# awards of ${place} are stored.` });
  return `${all} ${t`The figures and lists count ${counted}, those of the 24 months up to ${day}; left out: ${leftOut}.`}`;
}

interface ListTexts {
  /** What the list leaves out. The counts are not 0. */
  unnamed: (count: number) => string;
  small: (count: number) => string;
  sentence: (texts: { listed: string; total: string; place: string; left: string }) => string;
}

/** The lists of choices in the explorer. */
const LISTS: Record<keyof AwardCounts['lists'], ListTexts> = {
  departments: {
    unnamed: (count) => plural(count, { one: '# names no department', other: '# name no department' }),
    small: (count) =>
      plural(count, {
        one: '# is in a department too small to list',
        other: '# are in departments too small to list',
      }),
    sentence: ({ listed, total, place, left }) =>
      t`Departments list ${listed} of ${total} awards of ${place}: ${left}.`,
  },
  districts: {
    unnamed: (count) => plural(count, { one: '# names no district', other: '# name no district' }),
    small: (count) =>
      plural(count, { one: '# is in a district too small to list', other: '# are in districts too small to list' }),
    sentence: ({ listed, total, place, left }) => t`Districts list ${listed} of ${total} awards of ${place}: ${left}.`,
  },
  categories: {
    unnamed: (count) => plural(count, { one: '# names no kind of work', other: '# name no kind of work' }),
    small: (count) =>
      plural(count, { one: '# is in a kind too small to list', other: '# are in kinds too small to list' }),
    sentence: ({ listed, total, place, left }) =>
      t`Kinds of work list ${listed} of ${total} awards of ${place}: ${left}.`,
  },
};

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
  const texts = LISTS[list];
  const small = of - unnamed - listed;
  const left = [unnamed > 0 && texts.unnamed(unnamed), small > 0 && texts.small(small)].filter(Boolean).join(', ');
  return texts.sentence({ listed: formatCount(listed), total: formatCount(of), place, left });
}

/** Where the figures of a page come from; generated awards have no portal. */
export const portalsText = (portals: readonly string[], isDemonstration: boolean): string =>
  isDemonstration
    ? t`Source: generated for the demonstration.`
    : t`Source: award notices of ${{ portals: portals.join(', ') }}.`;

/** 'Awards known until Feb 2024.' when the newest award is older than a year; otherwise ''. */
export function ageSentence({ isOld, lastKnownOn }: Pick<OfficeAwards, 'isOld' | 'lastKnownOn'>): string {
  return isOld && lastKnownOn !== null ? t`Awards known until ${{ month: monthText(lastKnownOn) }}.` : '';
}

/** 'A work with nearly the same title was awarded here in Mar 2023 at 12 % below its estimate.' */
export function similarWorkSentence({ knownOn, price }: Pick<AwardSummary, 'knownOn' | 'price'>): string {
  const percent = price === null ? '' : percentText(price);
  if (knownOn === null) {
    if (price === null) return t`A work with nearly the same title was awarded here.`;
    if (isAtEstimate(price)) return t`A work with nearly the same title was awarded here at its estimate.`;
    return price < 0
      ? t`A work with nearly the same title was awarded here at ${percent} below its estimate.`
      : t`A work with nearly the same title was awarded here at ${percent} above its estimate.`;
  }
  const month = monthText(knownOn);
  if (price === null) return t`A work with nearly the same title was awarded here in ${month}.`;
  if (isAtEstimate(price)) return t`A work with nearly the same title was awarded here in ${month} at its estimate.`;
  return price < 0
    ? t`A work with nearly the same title was awarded here in ${month} at ${percent} below its estimate.`
    : t`A work with nearly the same title was awarded here in ${month} at ${percent} above its estimate.`;
}
