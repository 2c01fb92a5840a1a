/** The rate book: the bidder's past rates, and those that fit an item of a BOQ. They are shown, never filled in. */
import type { BoqItem } from '../documents/boq.ts';
import { MAX_RATE_CANDIDATES, type RateCandidates } from '../documents/rate-candidates.ts';
import { normalUnit } from '../documents/units.ts';
import { groupByKey, textLikeness } from './item-words.ts';

/** A rate that the bidder gave once. Instants in UTC. */
export interface PastRate {
  id: string;
  tenderId: string;
  /** SHA-256 of the BOQ. */
  file: string;
  row: number;
  rate: string;
  text: string;
  unit: string;
  /** Title of the tender. */
  source: string;
  ratedAt: string;
}

/** Less alike items are other work. */
const MIN_LIKENESS = 0.4;

/** The unit for comparison; '' for a text without one. */
const unitOf = (unit: string | null | undefined): string => normalUnit(unit ?? '') ?? '';

/** The past rates by unit. Build it once for all items of a BOQ. */
export function ratesByUnit(book: readonly PastRate[]): ReadonlyMap<string, PastRate[]> {
  return groupByKey(book, ({ unit }) => unitOf(unit));
}

/**
 * The past rates for the same unit whose texts are most alike, at most `MAX_RATE_CANDIDATES`. Of equal rates for equal
 * texts the latest is shown.
 */
export function ownCandidates(
  { text, unit }: Pick<BoqItem, 'text' | 'unit'>,
  byUnit: ReadonlyMap<string, readonly PastRate[]>,
): PastRate[] {
  const seen = new Set<string>();
  return (byUnit.get(unitOf(unit)) ?? [])
    .map((past) => ({ past, likeness: textLikeness(text, past.text) }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((one, other) => other.likeness - one.likeness || (one.past.ratedAt < other.past.ratedAt ? 1 : -1))
    .filter(({ past }) => {
      const key = `${past.rate} ${past.text}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    })
    .slice(0, MAX_RATE_CANDIDATES)
    .map(({ past }) => past);
}

/** A rate to show beside an item, and where it is from. `on` is an instant or a day; null when it is unknown. */
export interface ShownCandidate {
  from: 'own' | 'schedule';
  rate: string;
  unit: string;
  text: string;
  source: string;
  on: string | null;
}

/** The candidates of a line: own rates first, then those of the operator's schedules of rates. */
export function shownCandidates(
  own: readonly PastRate[],
  schedules: RateCandidates | null,
  { fileId, row }: { fileId: string; row: number },
): ShownCandidate[] {
  const line = schedules?.lines.find((each) => each.fileId === fileId && each.row === row);
  const fromSchedules = (line?.items ?? []).map(({ scheduleId, code, rate, unit, text }): ShownCandidate => {
    const schedule = schedules?.schedules.find(({ id }) => id === scheduleId);
    const source = [schedule?.name, code].filter(Boolean).join(', ');
    return { from: 'schedule', rate, unit, text, source, on: schedule?.from ?? null };
  });
  const fromOwn = own.map(
    ({ rate, unit, text, source, ratedAt }): ShownCandidate => ({ from: 'own', rate, unit, text, source, on: ratedAt }),
  );
  return [...fromOwn, ...fromSchedules];
}
