/** Finds similar searches for one without results: a wider place, closed tenders, fewer words. Each has its number of tenders. */

import { type TenderFilter, tenderFilterParams, withDefaultOrder } from '../filter/tender-filter.ts';
import type { NearestSearch } from '../tenders/tender.ts';
import type { QueryReading } from './read-query.ts';

/** 'state' and 'anywhere' widen the place, 'filters' drops the other filters, 'words' drops a word. */
type NearestKind = NearestSearch['kind'];

/** A search to try. `name` is the wider state, or the words that are kept. */
export interface NearestCandidate {
  kind: NearestKind;
  name: string;
  filter: TenderFilter;
  /** Set when only one of several words is kept. It is offered if leaving out one word is not enough. */
  isSingleWord?: true;
}

const MAX_NEAREST = 3;
/** Maximum words for leaving one out. In longer searches one word is seldom the problem. */
const MAX_DROPPED_WORDS = 5;

/** The searches to try, nearest first. */
export function nearestCandidates(
  filter: TenderFilter,
  { words, place, conditions, rest }: QueryReading,
): NearestCandidate[] {
  const candidates: NearestCandidate[] = [];
  const add = (kind: NearestKind, name: string, changes: Partial<TenderFilter>, more?: { isSingleWord: true }) =>
    candidates.push({ kind, name, filter: { ...filter, ...changes }, ...more });
  const joined = (...texts: readonly string[]) => texts.filter(Boolean).join(' ');
  const asked = conditions.map(({ text }) => text);
  const withPlace = (words: string) => joined(words, place?.text ?? '', ...asked);
  const states = [...new Set(place?.districts.map(({ state }) => state) ?? [])];
  const [state = ''] = states;
  if (place && states.length === 1) add('state', state, { state, q: joined(place.rest, ...asked) });
  else if (place?.rest) add('anywhere', '', { q: joined(place.rest, ...asked) });
  if (filter.districts.length > 0) add('state', filter.state, { districts: [] });
  else if (filter.state !== '' && filter.q !== '' && filter.departments.length === 0)
    add('anywhere', '', { state: '' });
  const { min, max, within, hour, publishedWithin, category, departments } = filter;
  const hasRange = [min, max, within, hour, publishedWithin, category].some((value) => value !== null);
  const unconditional = conditions.length > 0 ? joined(rest, place?.text ?? '') : filter.q;
  const isOfAll = unconditional === '' && filter.state === '';
  if ((hasRange || departments.length > 0 || conditions.length > 0) && !isOfAll) {
    const ranges = { min: null, max: null, within: null, hour: null, publishedWithin: null, category: null };
    add('filters', '', { ...ranges, departments: [], q: unconditional });
  }
  if (filter.open) add('closed', '', { open: false, within: null });
  const required = words.filter(({ required }) => required);
  if (required.length > 1 && required.length <= MAX_DROPPED_WORDS)
    for (const dropped of required) {
      const rest = required.filter((word) => word !== dropped).map(({ typed }) => typed);
      add('words', rest.join(' '), { q: withPlace(rest.join(' ')) });
    }
  if (required.length > 2 && required.length <= MAX_DROPPED_WORDS)
    for (const { typed } of required) add('words', typed, { q: withPlace(typed) }, { isSingleWord: true });
  return candidates;
}

/**
 * Picks at most three searches that find tenders: the best of each kind, by the counts of the candidates. Among single words
 * it is the one with the fewest tenders, because it is the most specific.
 */
export function pickNearest(candidates: readonly NearestCandidate[], counts: readonly number[]): NearestSearch[] {
  const found = new Map<NearestKind, NearestSearch & { isSingleWord: boolean }>();
  for (const [at, { kind, name, filter, isSingleWord = false }] of candidates.entries()) {
    const total = counts[at] ?? 0;
    const best = found.get(kind);
    const isBetter = !best || (isSingleWord ? best.isSingleWord && total < best.total : total > best.total);
    if (total === 0 || !isBetter) continue;
    const query = tenderFilterParams({ ...filter, ...withDefaultOrder(filter), page: 1 }).toString();
    found.set(kind, { kind, name, query, total, isSingleWord });
  }
  return [...found.values()].slice(0, MAX_NEAREST).map(({ isSingleWord: _, ...nearest }) => nearest);
}
