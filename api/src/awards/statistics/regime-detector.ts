/** Finds the day from which a department's awards follow another price rule, like a ceiling that came or went. */
import type { AwardFacts } from './award-facts.ts';
import { commonestPrice, isSamePrice } from './point-masses.ts';

const MIN_AWARDS = 20;
/** Awards of one office with one closing day are one decision. */
const MIN_CLUSTERS = 10;
/** A smaller share of equal prices is no rule. */
const MIN_MASS_SHARE = 0.4;
const MIN_SHARE_CHANGE = 0.25;
const MIN_Z = 5;
/**
 * Minimum difference between the new share and the highest share in the reference. The reference is searched in runs of
 * as many consecutive awards as there are new ones.
 */
const MIN_MARGIN = 0.15;
/** Length of the reference before the cut. Older tenders say little about the time just before it. */
const REFERENCE_DAYS = 365;
/** Days between two tested cuts. For the variance, awards of one office within this many days are one cluster. */
const STEP_DAYS = 7;

/** An award with its price. Days are day numbers. */
export interface PricedAward extends Pick<AwardFacts, 'office' | 'publishedOn' | 'closesOn' | 'knownOn'> {
  price: number;
}

/** A change that the awards show. */
export interface RegimeChange {
  /** Tenders published from this day follow the new rule. */
  from: number;
  /** The price whose share changed, in hundredths of a percent, and its share before and after. */
  price: number;
  shareBefore: number;
  shareAfter: number;
}

/**
 * The clearest change in the prices of one department that was visible at the end of `day`; null without one. Only
 * tenders published from `since` on are compared, because an earlier change starts a new reference.
 */
export function findRegimeChange(awards: readonly PricedAward[], day: number, since: number): RegimeChange | null {
  const earliest = Math.max(since, day - 2 * REFERENCE_DAYS);
  const known = awards.filter(({ knownOn, publishedOn }) => knownOn <= day && publishedOn >= earliest);
  if (known.length < 2 * MIN_AWARDS) return null;
  known.sort((a, b) => b.publishedOn - a.publishedOn);
  const prices = new Set([commonestPrice(known), commonestPrice(known.slice(0, MIN_AWARDS))]);
  let best: { change: RegimeChange; z: number } | null = null;
  for (const price of prices) {
    const marked = known.map((award) => ({ ...award, isHit: isSamePrice(award.price, price) }));
    let end = 0;
    for (let from = day - STEP_DAYS; from > day - REFERENCE_DAYS; from -= STEP_DAYS) {
      while (end < marked.length && (marked[end] as MarkedAward).publishedOn >= from) end++;
      if (end < MIN_AWARDS) continue;
      const found = compare(marked.slice(0, end), referenceAwards(marked, end, from, day));
      if (found && (!best || found.z > best.z))
        best = { change: { from, price, shareBefore: found.before, shareAfter: found.after }, z: found.z };
    }
  }
  return best?.change ?? null;
}

interface MarkedAward extends PricedAward {
  /** Whether the award has the compared price. */
  isHit: boolean;
}

/**
 * Awards of the year before the cut that became known as quickly as those after it: slow awards differ for other
 * reasons.
 */
function referenceAwards(known: readonly MarkedAward[], start: number, from: number, day: number): MarkedAward[] {
  const before: MarkedAward[] = [];
  for (let index = start; index < known.length; index++) {
    const award = known[index];
    if (!award || award.publishedOn < from - REFERENCE_DAYS) break;
    if (award.knownOn - award.publishedOn <= day - from) before.push(award);
  }
  return before;
}

/** Share of hits on both sides and the change in standard errors; null where the change is no sign of a rule. */
function compare(after: readonly MarkedAward[], before: readonly MarkedAward[]) {
  if (before.length < MIN_AWARDS) return null;
  const [shareBefore, shareAfter] = [hitShare(before), hitShare(after)];
  const change = Math.abs(shareAfter - shareBefore);
  if (Math.max(shareBefore, shareAfter) < MIN_MASS_SHARE || change < MIN_SHARE_CHANGE) return null;
  if (countDecisions(before) < MIN_CLUSTERS || countDecisions(after) < MIN_CLUSTERS) return null;
  if (!isNew(before, shareBefore, shareAfter, after.length)) return null;
  const z = change / Math.sqrt(shareVariance(before) + shareVariance(after));
  return z < MIN_Z ? null : { before: shareBefore, after: shareAfter, z };
}

const hitShare = (awards: readonly MarkedAward[]) => awards.filter(({ isHit }) => isHit).length / awards.length;

const countDecisions = (awards: readonly MarkedAward[]) =>
  new Set(awards.map(({ office, closesOn }) => `${closesOn} ${office}`)).size;

/**
 * Whether the change is a new rule. It is a normal swing when a run of as many awards in the reference had nearly the new
 * share.
 */
function isNew(before: readonly MarkedAward[], shareBefore: number, shareAfter: number, size: number): boolean {
  const length = Math.min(size, before.length >> 1);
  let hits = 0;
  let extreme = shareBefore;
  const direction = Math.sign(shareAfter - shareBefore);
  for (const [index, { isHit }] of before.entries()) {
    if (isHit) hits++;
    if (index >= length && before[index - length]?.isHit) hits--;
    if (index < length - 1) continue;
    const share = hits / length;
    if ((share - extreme) * direction > 0) extreme = share;
  }
  return (shareAfter - extreme) * direction >= MIN_MARGIN;
}

/** Variance of a share. Awards of one office and week are alike, so they count as one cluster. */
function shareVariance(awards: readonly MarkedAward[]): number {
  const share = hitShare(awards);
  const residuals = new Map<string, number>();
  for (const { office, publishedOn, isHit } of awards) {
    const key = `${Math.floor(publishedOn / STEP_DAYS)} ${office}`;
    residuals.set(key, (residuals.get(key) ?? 0) + (isHit ? 1 : 0) - share);
  }
  const clusters = residuals.size;
  let sum = 0;
  for (const residual of residuals.values()) sum += residual ** 2;
  const clustered = clusters < 2 ? 0 : ((clusters / (clusters - 1)) * sum) / awards.length ** 2;
  // Smoothing avoids a variance of 0 when all or none of the awards have the price.
  const smoothed = (share * awards.length + 1) / (awards.length + 2);
  return Math.max(clustered, (smoothed * (1 - smoothed)) / awards.length);
}
