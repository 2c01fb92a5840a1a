/**
 * Whether a contractor may bid for a tender, by dated rules and the contractor's own figures. 'yes' and 'no' need a certain
 * rule and known figures. Everything else is 'ask'. Money is in rupees.
 */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { formatDate, formatRupees, indianDay } from '../format.ts';
import { inPresentLanguage } from '../i18n.ts';
import type { Tender } from '../tenders/tender.ts';
import { DAY_MS } from '../time.ts';
import biddingRules from './bidding-rules.json' with { type: 'json' };

/** 1,00,000 crore. */
export const MAX_RUPEES = 1_000_000_000_000;

export type BidVerdict = 'yes' | 'no' | 'ask';

/** One reason with the rule it follows from. */
export interface BidReason {
  verdict: BidVerdict;
  text: string;
  /** The source of the rule with its date; null for the contractor's own figures. */
  source: string | null;
}

export interface BidAnswer {
  verdict: BidVerdict;
  reasons: BidReason[];
}

const amount = v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_RUPEES));
const day = v.pipe(v.string(), v.isoDate());

export const ENLISTMENT_TRADES = ['civil', 'electrical'] as const;
export type EnlistmentTrade = (typeof ENLISTMENT_TRADES)[number];

/** The contractor's enlistment at one authority. */
const Enlistment = v.object({
  id: v.string(),
  /** Id of an authority. */
  authority: v.string(),
  /** The works it is for; absent while it is unknown. */
  trade: v.optional(v.picklist(ENLISTMENT_TRADES)),
  /** Class of the authority's table; '' for none. */
  className: v.string(),
  /** Limit on the certificate. It takes precedence over the table. Null for none. */
  ownLimit: v.nullable(amount),
  /** Last day, an Indian day: '2027-03-31'. '' while it is unknown. */
  validUntil: v.union([v.literal(''), day]),
});
export type Enlistment = v.InferOutput<typeof Enlistment>;

/** A work that the contractor has completed. It counts when its value and its day are known. */
const WorkDone = v.object({
  id: v.string(),
  name: v.string(),
  /** Who ordered it, as in the certificate; no rule reads it. */
  client: v.optional(v.string()),
  /** Null while it is unknown. */
  value: v.nullable(amount),
  /** An Indian day: '2024-03-31'. '' while it is unknown. */
  completedOn: v.union([v.literal(''), day]),
});
export type WorkDone = v.InferOutput<typeof WorkDone>;
type CountedWork = WorkDone & { value: number };

/** What the contractor entered. The rules run on the device. */
export const BidProfile = v.object({
  enlistments: v.array(Enlistment),
  works: v.array(WorkDone),
  /** Value of works by financial year, such as '2025-26'. */
  turnover: v.record(v.string(), amount),
  /** Works in hand that fall due within the tender's period; null while it is unknown. */
  commitments: v.nullable(amount),
  /** M of the bid capacity. */
  multiplier: v.number(),
  /** Values of past works are raised to today's prices. */
  raisesValues: v.boolean(),
});
export type BidProfile = v.InferOutput<typeof BidProfile>;

const DEFAULT_MULTIPLIER = 2;
export const MULTIPLIERS: readonly number[] = biddingRules.bidCapacity.multipliers;
export const EMPTY_BID_PROFILE: BidProfile = {
  enlistments: [],
  works: [],
  turnover: {},
  commitments: null,
  multiplier: DEFAULT_MULTIPLIER,
  raisesValues: false,
};

/** A: from an official text or its literal quotation. B: from a press report or a trade page. */
export type Confidence = 'A' | 'B';

interface ClassLimits {
  validFrom: string;
  /** Last day on which the table is known to be in force; null while no source names it. */
  validTo: string | null;
  source: string;
  confidence: Confidence;
  /** Null: not stated. */
  rupees: Record<string, number | 'unlimited' | null>;
}

/** A body that enlists contractors. If it has no table, the contractor enters the limit of the certificate. */
export interface Authority {
  id: string;
  name: string;
  /** Null for all states. */
  state: string | null;
  departments: string[];
  classLimits?: ClassLimits;
}

export const AUTHORITIES = biddingRules.authorities as Authority[];

/** The source of a rule, for a line below what follows from it. */
export const sourceText = (source: string): string => t`${{ source: inPresentLanguage(source) }}. Check the NIT.`;
const DAYS_OF_YEAR = 365;

/** The fields of a tender that the rules read. */
export type RuledTender = Pick<
  Tender,
  'state' | 'department' | 'category' | 'price' | 'published_date' | 'closing_date' | 'period_of_work_days'
> &
  // Lists do not have this field.
  Partial<Pick<Tender, 'sub_category'>>;

/** The trade of a work by the portal's product category; undefined for others and without one. */
export function tradeOf({ sub_category: product }: RuledTender): EnlistmentTrade | undefined {
  return ENLISTMENT_TRADES.find((trade) => product?.toLowerCase().startsWith(trade));
}

/** The authority that enlists for a tender; undefined when the rules do not know it. */
export function authorityOf({ state, department }: RuledTender): Authority | undefined {
  return AUTHORITIES.find(
    (authority) =>
      (authority.state === null || authority.state === state) && authority.departments.includes(department ?? ''),
  );
}

/** Whether a rule decides. Without an official text or a known end of its table it only gives a question. */
export function isCertainRule({ confidence, validTo }: { confidence: string; validTo?: string | null }): boolean {
  return confidence === 'A' && validTo !== null;
}

const dayStart = (day: string): number => new Date(`${day}T00:00:00+05:30`).getTime();

/** Whether a rule was in force when the tender was published. Its first and last day are included. Null bounds are unknown. */
export function wasInForceAtPublication(
  { validFrom, validTo }: { validFrom: string | null; validTo: string | null },
  { published_date }: Pick<RuledTender, 'published_date'>,
): boolean {
  const published = new Date(published_date).getTime();
  return (
    (validFrom === null || published >= dayStart(validFrom)) &&
    (validTo === null || published < dayStart(validTo) + DAY_MS)
  );
}

/** The table of an authority if it was in force when the tender was published. */
const tableFor = ({ classLimits }: Authority, tender: RuledTender): ClassLimits | undefined =>
  classLimits && wasInForceAtPublication(classLimits, tender) ? classLimits : undefined;

interface KnownLimit {
  limit: number;
  source: string | null;
  /** What the user should enter to make the limit certain; null when it is certain. */
  advice: string | null;
}

/** The limit of an enlistment and its source; undefined when it is not known. */
function limitOf(
  { className, ownLimit, validUntil }: Enlistment,
  table: ClassLimits | undefined,
): KnownLimit | undefined {
  const endAdvice = validUntil === '' ? t`Enter its last day from your certificate.` : null;
  if (ownLimit !== null) return { limit: ownLimit, source: null, advice: endAdvice };
  const limit = table?.rupees[className] ?? null;
  if (!table || limit === null) return undefined;
  return {
    limit: limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit,
    source: sourceText(table.source),
    advice: isCertainRule(table) ? endAdvice : t`The table may have changed. Enter the limit from your certificate.`,
  };
}

const certainOrAsk = (rule: { confidence: string }, verdict: BidVerdict): BidVerdict =>
  isCertainRule(rule) ? verdict : 'ask';

const ask = (text: string, source: string | null = null): BidReason => ({ verdict: 'ask', text, source });

/** The enlistment's limit against the estimate. */
export function enlistmentReason(tender: RuledTender, profile: BidProfile): BidReason {
  const { price } = tender;
  if (tender.category !== 'Works') return ask(t`Class limits are for works. Read in the NIT who may bid.`);
  const authority = authorityOf(tender);
  if (!authority) return ask(t`Which enlistment this office asks for is not known here. Read it in the NIT.`);
  if (price === null) return ask(t`The portal publishes no estimate.`);
  const office = authority.name;
  const ofAuthority = profile.enlistments.filter((enlistment) => enlistment.authority === authority.id);
  if (ofAuthority.length === 0) return ask(t`You entered no enlistment of ${office}.`);
  const trade = tradeOf(tender);
  const own = ofAuthority.filter((each) => !trade || !each.trade || each.trade === trade);
  if (own.length === 0) return ask(noEnlistmentText(office, trade));
  const isCurrent = ({ validUntil }: Enlistment) =>
    validUntil === '' || dayStart(validUntil) + DAY_MS > new Date(tender.closing_date).getTime();
  const current = own.filter(isCurrent);
  if (current.length === 0) return ask(t`Your enlistment of ${office} ends before closing. Renew it first.`);
  const table = tableFor(authority, tender);
  const limits = current.map((enlistment) => {
    const known = limitOf(enlistment, table);
    return known && { ...known, isOfTrade: !trade || enlistment.trade === trade };
  });
  const known = limits.flatMap((each) => each ?? []);
  const fitting = known.filter(({ limit }) => price <= limit);
  const certain = fitting.filter(({ advice }) => advice === null);
  const fits = certain.find(({ isOfTrade }) => isOfTrade) ?? certain[0] ?? fitting[0];
  if (fits) {
    const text = Number.isFinite(fits.limit)
      ? t`Your enlistment of ${office} is up to ${{ limit: formatRupees(fits.limit) }}.`
      : t`Your enlistment of ${office} is without a limit.`;
    const { source, advice, isOfTrade } = fits;
    const tradeAdvice = isOfTrade
      ? null
      : trade === 'civil'
        ? t`Is it for civil works?`
        : t`Is it for electrical works?`;
    return limitReason('yes', text, {
      source,
      advice: advice ?? tradeAdvice,
    });
  }
  if (known.length < limits.length)
    return ask(t`The limit of your class is not known here. Enter it from your certificate.`);
  const highest = known.reduce((best, each) => (each.limit > best.limit ? each : best));
  const text = t`The estimate ${{ estimate: formatRupees(price) }} is above the limit ${{ limit: formatRupees(highest.limit) }} of your enlistment of ${office}.`;
  const { advice } = known.find((each) => each.advice !== null) ?? highest;
  return limitReason('no', text, { source: highest.source, advice });
}

const noEnlistmentText = (office: string, trade: EnlistmentTrade | undefined): string =>
  trade === 'civil'
    ? t`You entered no enlistment of ${office} for civil works.`
    : t`You entered no enlistment of ${office} for electrical works.`;

/** The verdict of a limit; a question with its advice while the limit is not certain. */
function limitReason(verdict: 'yes' | 'no', text: string, { source, advice }: Omit<KnownLimit, 'limit'>): BidReason {
  return advice === null ? { verdict, text, source } : ask(`${text} ${advice}`, source);
}

/** A past work's value at today's prices, with simple growth for each year since its completion. */
export function raisedValue({ value, completedOn }: Pick<CountedWork, 'value' | 'completedOn'>, now: Date): number {
  const years = Math.max(0, now.getTime() - dayStart(completedOn)) / DAY_MS / DAYS_OF_YEAR;
  return value * (1 + (biddingRules.valueRise.percent / 100) * years);
}

const isComplete = (work: WorkDone): work is CountedWork => work.value !== null && work.completedOn !== '';

/** Whether a work was completed within the years of the rule, to the day. */
function isWithinYears(completedOn: string, years: number, now: Date): boolean {
  const countsUntil = new Date(dayStart(completedOn));
  countsUntil.setUTCFullYear(countsUntil.getUTCFullYear() + years);
  return countsUntil >= now && dayStart(completedOn) <= now.getTime();
}

/** Whether works meet one of the usual requirements: 3 of 40 %, 2 of 50 % or 1 of 80 % of the estimate. */
export function meetsSimilarWorks(price: number, values: readonly number[]): boolean {
  return biddingRules.similarWorks.options.some(
    ({ works, percent }) => values.filter((value) => value * 100 >= price * percent).length >= works,
  );
}

/** Similar works. The data of notices do not state whether they are required, so too few works are only a question. */
export function similarWorksReason({ price }: RuledTender, profile: BidProfile, now: Date): BidReason {
  if (price === null) return ask(t`Similar works: the portal publishes no estimate.`);
  if (profile.works.length === 0) return ask(t`Similar works: you entered none.`);
  const complete = profile.works.filter(isComplete);
  if (complete.length === 0) return ask(t`Similar works: enter the value and the day of a work.`);
  const { years, options } = biddingRules.similarWorks;
  const source = sourceText(biddingRules.similarWorks.source);
  const works = complete.filter(({ completedOn }) => isWithinYears(completedOn, years, now));
  const rule = options
    .map(({ works: count, percent }) => t`${count} of ${{ amount: formatRupees((price * percent) / 100) }}`)
    .reduce((list, option) => t`${list} or ${option}`);
  const values = works.map(({ value }) => value);
  if (meetsSimilarWorks(price, values)) {
    const text = t`Your works reach the usual ${rule} in ${years} years, if they are similar.`;
    return { verdict: certainOrAsk(biddingRules.similarWorks, 'yes'), text, source };
  }
  const raised = works.map((work) => raisedValue(work, now));
  if (profile.raisesValues && meetsSimilarWorks(price, raised)) {
    const { percent, source: riseSource } = biddingRules.valueRise;
    const text = t`Your works, raised by ${percent} % a year, reach the usual ${rule} in ${years} years, if they are similar. Does this NIT raise values?`;
    return ask(
      text,
      t`${{ source: inPresentLanguage(biddingRules.similarWorks.source) }}; values raised ${percent} % a year (${{ riseSource: inPresentLanguage(riseSource) }}). Check the NIT.`,
    );
  }
  return ask(t`Your works do not reach the usual ${rule} in ${years} years. Does this NIT ask for them?`, source);
}

const FIRST_MONTH = 4;
/** The last `count` complete financial years, the newest first: '2025-26' … */
export function lastFinancialYears(now: Date, count: number): string[] {
  const day = new Date(indianDay(now) * DAY_MS);
  const current = day.getUTCMonth() + 1 >= FIRST_MONTH ? day.getUTCFullYear() : day.getUTCFullYear() - 1;
  return Array.from({ length: count }, (_, index) => {
    const start = current - 1 - index;
    return `${start}-${String(start + 1).slice(2)}`;
  });
}

/** The financial years that the rule of turnover reads. */
export const turnoverYears = (now: Date): string[] => lastFinancialYears(now, biddingRules.turnover.years);

/** The years whose figures the rules read. */
export const profileYears = (now: Date): string[] => lastFinancialYears(now, biddingRules.bidCapacity.years);

/** Average turnover by CPWD's norm. The data of notices do not state whether it applies, so too little is only a question, even at CPWD. */
export function turnoverReason({ price }: RuledTender, profile: BidProfile, now: Date): BidReason {
  if (price === null) return ask(t`Turnover: the portal publishes no estimate.`);
  const { years, percent } = biddingRules.turnover;
  const values = turnoverYears(now).flatMap((year) => profile.turnover[year] ?? []);
  if (values.length < years) return ask(t`Turnover: enter the last ${years} financial years.`);
  const average = values.reduce((sum, value) => sum + value, 0) / years;
  const needed = (price * percent) / 100;
  const source = sourceText(biddingRules.turnover.source);
  const turnover = formatRupees(average);
  if (average < needed)
    return ask(
      t`Your average turnover ${turnover} is below ${{ needed: formatRupees(needed) }}. Does this NIT ask for ${percent} % of the estimate?`,
      source,
    );
  const text = t`Your average turnover ${turnover} reaches ${percent} % of the estimate. Does this NIT ask for more?`;
  return { verdict: certainOrAsk(biddingRules.turnover, 'yes'), text, source };
}

/** A·N·M − B. */
export function bidCapacity(parts: {
  largest: number;
  years: number;
  multiplier: number;
  commitments: number;
}): number {
  return parts.largest * parts.years * parts.multiplier - parts.commitments;
}

/** Bid capacity. M and the rule itself differ by authority, so too little is a question. */
export function capacityReason(
  { price, period_of_work_days: days }: RuledTender,
  profile: BidProfile,
  now: Date,
): BidReason {
  if (price === null) return ask(t`Bid capacity: the portal publishes no estimate.`);
  if (days === null || days <= 0) return ask(t`Bid capacity: the portal names no period of work.`);
  const values = profileYears(now).flatMap((year) => profile.turnover[year] ?? []);
  if (values.length === 0 || profile.commitments === null)
    return ask(t`Bid capacity: enter your turnover and your works in hand.`);
  const capacity = bidCapacity({
    largest: Math.max(...values),
    years: days / DAYS_OF_YEAR,
    multiplier: profile.multiplier,
    commitments: profile.commitments,
  });
  const { multiplier } = profile;
  const source = t`A·N·M − B with M ${multiplier}, ${{ source: inPresentLanguage(biddingRules.bidCapacity.source) }}. Check the NIT.`;
  const amount = formatRupees(Math.max(0, Math.round(capacity)));
  if (capacity < price)
    return ask(t`Your bid capacity is ${amount}, below the estimate. Does this NIT ask for it?`, source);
  const verdict = certainOrAsk(biddingRules.bidCapacity, 'yes');
  const text = t`Your bid capacity is ${amount}, at least the estimate. Does this NIT use this M?`;
  return { verdict, text, source };
}

/** All reasons. One certain 'no' decides; 'yes' needs every reason. */
export function mayIBid(tender: RuledTender, profile: BidProfile, now: Date): BidAnswer {
  const reasons = [
    enlistmentReason(tender, profile),
    similarWorksReason(tender, profile, now),
    turnoverReason(tender, profile, now),
    capacityReason(tender, profile, now),
  ];
  const has = (verdict: BidVerdict) => reasons.some((reason) => reason.verdict === verdict);
  return { verdict: has('no') ? 'no' : has('ask') ? 'ask' : 'yes', reasons };
}

/** The facts of a tender that lists have. */
export type ListedRuledTender = Omit<RuledTender, 'period_of_work_days'>;

/**
 * The verdict for a tender of a list: that of the enlistment, the only rule that can give 'no'. Other rules need facts that
 * lists do not have.
 */
export function listVerdict(tender: ListedRuledTender, profile: BidProfile): BidVerdict {
  return enlistmentReason({ ...tender, period_of_work_days: null }, profile).verdict;
}

/** The source's date of an authority's table, for the form: 'from 1 Sep 2018, press report …'. */
export function tableSource({ classLimits }: Authority): string | null {
  if (!classLimits) return null;
  return t`from ${{ day: formatDate(new Date(dayStart(classLimits.validFrom))) }}, ${{ source: inPresentLanguage(classLimits.source) }}`;
}
