/** Invented awards for a first start without data: past works of the offices of the demonstration tenders. */
import { indianDay } from '@nivida/contract/format';
import { GENERATED_PORTAL } from '@nivida/contract/orders/document-package';
import { dayText } from '@nivida/contract/time';
import type { Award, AwardBid } from '../../awards/award.entity.ts';
import type { SourceTender } from '../source-tender.ts';

/** In other states the app shows that no award is known. */
const STATES_WITH_AWARDS: readonly string[] = ['Himachal Pradesh', 'Assam'];
const OFFICES_PER_STATE = 12;
const AWARDS_PER_OFFICE = 36;
const PUBLISHED_DAYS = 14;
/** Days before today over which the closings are spread: the window of 24 months. */
const CLOSING_DAYS = 700;

/** Shares measured in Assam: numbers of bidders, and prices in hundredths of a percent. Other prices lie between these. */
const BIDDERS: readonly [number, number][] = [
  [1, 0.06],
  [2, 0.42],
  [3, 0.27],
  [4, 0.14],
  [5, 0.08],
  [8, 0.03],
];
const AT_ESTIMATE_SHARE = 0.45;
const AT_TENTH_BELOW_SHARE = 0.3;
/** Deciles of the days from closing to contract. */
const DAYS_TO_CONTRACT = [20, 72, 95, 120, 142, 163, 190, 220, 260, 311, 400];
const REFUSED_SHARE = 0.1;

/** Awards of the busiest offices, known before `now`; equal input gives equal awards. */
export function demonstrationAwards(tenders: readonly SourceTender[], now: Date): Award[] {
  const today = indianDay(now);
  return STATES_WITH_AWARDS.flatMap((state, nthState) => {
    const random = createRandom(nthState + 1);
    const offices = Map.groupBy(
      tenders.filter((tender) => tender.state === state),
      ({ organisationChain }) => organisationChain.join('||'),
    );
    const busiest = [...offices.values()].sort((a, b) => b.length - a.length).slice(0, OFFICES_PER_STATE);
    return busiest.flatMap((works, nthOffice) =>
      Array.from({ length: AWARDS_PER_OFFICE }, (_, n) => {
        const like = works[n % works.length] as SourceTender;
        const serial = nthState * 100_000 + nthOffice * 1_000 + n;
        return toAward(like, `${serial}`, today, random);
      }).filter(({ contractOn }) => contractOn !== null && contractOn < dayText(today)),
    );
  });
}

function toAward(like: SourceTender, serial: string, today: number, random: () => number): Award {
  const closes = today - 30 - Math.floor(random() * CLOSING_DAYS);
  const contract = closes + quantile(DAYS_TO_CONTRACT, random());
  const estimate = Math.round((200_000 + random() ** 3 * 20_000_000) / 1_000) * 1_000;
  const contractOn = dayText(contract);
  return {
    portal: GENERATED_PORTAL,
    sourceId: `award-${serial}`,
    state: like.state,
    title: like.title,
    organisationChain: like.organisationChain,
    category: like.category,
    pincode: like.pincode,
    estimate,
    awardedValue: Math.round((estimate * (10_000 + randomPrice(random))) / 100) / 100,
    publishedOn: dayText(closes - PUBLISHED_DAYS),
    closesOn: dayText(closes),
    contractOn,
    bids: Array.from({ length: pick(BIDDERS, random()) }, (_, n) => toBid(n, contractOn, random)),
  };
}

/** Demonstration awards name no firm. */
function toBid(n: number, contractOn: string, random: () => number): AwardBid {
  const status = n === 0 ? 'Accepted-AOC' : random() < REFUSED_SHARE ? 'Rejected-Technical' : 'Rejected-Finance';
  return { bidder: null, submittedAt: null, status, updatedOn: contractOn, awarded: n === 0 };
}

function randomPrice(random: () => number): number {
  const kind = random();
  if (kind < AT_ESTIMATE_SHARE) return 0;
  if (kind < AT_ESTIMATE_SHARE + AT_TENTH_BELOW_SHARE) return -1_000;
  return -Math.floor(random() * 1_500);
}

function pick(shares: readonly [number, number][], at: number): number {
  let cumulated = 0;
  for (const [value, share] of shares) {
    cumulated += share;
    if (at < cumulated) return value;
  }
  return 2;
}

function quantile(deciles: readonly number[], at: number): number {
  const place = at * (deciles.length - 1);
  const lower = deciles[Math.floor(place)] as number;
  const upper = deciles[Math.ceil(place)] as number;
  return Math.round(lower + (upper - lower) * (place % 1));
}

/** Pseudorandom numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
