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
/** Tenders published earlier than this before the cut say little about its eve. */
const REFERENCE_DAYS = 365;

/** A price with what is compared: days are day numbers. */
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
 * The clearest change in the prices of one department that was visible at the end of `day`; null without one. Only tenders
 * published from `since` on are compared: a change found earlier starts a new reference.
 */
export function findRegimeChange(awards: readonly PricedAward[], day: number, since: number): RegimeChange | null {
  const earliest = Math.max(since, day - 2 * REFERENCE_DAYS);
  const known = awards
    .filter(({ knownOn, publishedOn }) => knownOn <= day && publishedOn >= earliest)
    .sort((a, b) => b.publishedOn - a.publishedOn);
  let best: { change: RegimeChange; z: number } | null = null;
  const clusters = new Set<string>();
  for (const [index, award] of known.entries()) {
    const from = award.publishedOn;
    if (from < day - REFERENCE_DAYS) break;
    clusters.add(cluster(award));
    const isLastOfDay = known[index + 1]?.publishedOn !== from;
    if (!isLastOfDay || index + 1 < MIN_AWARDS || clusters.size < MIN_CLUSTERS) continue;
    const found = compare(known.slice(0, index + 1), referenceAwards(known, index + 1, from, day));
    if (found && (!best || found.z > best.z)) best = { change: { from, ...found.change }, z: found.z };
  }
  return best?.change ?? null;
}

/** The year before the cut, of awards that were known as quickly as any after it: slow awards differ for other reasons. */
function referenceAwards(known: readonly PricedAward[], start: number, from: number, day: number): PricedAward[] {
  const before: PricedAward[] = [];
  for (let index = start; index < known.length; index++) {
    const award = known[index];
    if (!award || award.publishedOn < from - REFERENCE_DAYS) break;
    if (award.knownOn - award.publishedOn <= day - from) before.push(award);
  }
  return before;
}

interface Comparison {
  z: number;
  change: Omit<RegimeChange, 'from'>;
}

/** The clearest change of the commonest prices of both sides. */
function compare(after: readonly PricedAward[], before: readonly PricedAward[]): Comparison | null {
  if (before.length < MIN_AWARDS || new Set(before.map(cluster)).size < MIN_CLUSTERS) return null;
  const prices = new Set([commonestPrice(before), commonestPrice(after)]);
  const found = [...prices].flatMap((price) => compareShares(price, before, after) ?? []);
  return found.sort((a, b) => b.z - a.z)[0] ?? null;
}

function compareShares(
  price: number,
  before: readonly PricedAward[],
  after: readonly PricedAward[],
): Comparison | null {
  const hits = (awards: readonly PricedAward[]) => awards.filter((award) => isSamePrice(award.price, price)).length;
  const [hitsBefore, hitsAfter] = [hits(before), hits(after)];
  const shareBefore = hitsBefore / before.length;
  const shareAfter = hitsAfter / after.length;
  const change = Math.abs(shareAfter - shareBefore);
  if (Math.max(shareBefore, shareAfter) < MIN_MASS_SHARE || change < MIN_SHARE_CHANGE) return null;
  const pooled = (hitsBefore + hitsAfter) / (before.length + after.length);
  const z = change / Math.sqrt(pooled * (1 - pooled) * (1 / before.length + 1 / after.length));
  return z < MIN_Z ? null : { z, change: { price, shareBefore, shareAfter } };
}

const cluster = ({ office, closesOn }: PricedAward) => `${closesOn} ${office}`;
