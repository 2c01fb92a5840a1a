/**
 * Search over the tenders on the device. Gives the same results in the same order as `GET /api/tenders` on the same
 * tenders: both sides use the contract's rules for words, corrections, Indian days and names.
 */

import { conditionBounds, toQueryConditions } from '@nivida/contract/conditions/conditions-in-query';
import { lacksState, type TenderFilter } from '@nivida/contract/filter/tender-filter';
import { nearestCandidates, pickNearest } from '@nivida/contract/search/nearest-searches';
import { parseQuery, toSearchedWords } from '@nivida/contract/search/query-words';
import { MAX_RANKED, MIN_FULL_MATCHES, needsPartialMatches } from '@nivida/contract/search/ranking';
import { type QueryReading, readQuery, readTypedQuery } from '@nivida/contract/search/read-query';
import {
  type Suggestion,
  suggestDepartments,
  suggestPlaces,
  suggestWords,
  suggestWorks,
} from '@nivida/contract/search/suggest-works';
import type { NearestSearch, Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { numberKey, numberKeysOf } from '@nivida/contract/tenders/tender-list';
import { compareCodePoints } from '../segments/packed-texts.ts';
import { type CheckedTimes, readTender, readTenderSummary } from '../segments/read-tender.ts';
import { rebuildSegmentIndex } from '../segments/rebuild-segment-index.ts';
import { SegmentIndex } from '../segments/segment-index.ts';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import { type EngineFilter, Matcher, type Matches } from './matching.ts';
import { pageInOrder, type RowRef } from './merge-page.ts';
import { findNewest, type NewestResult } from './newest.ts';
import { type KeysOfIndex, NoticeNumbers, noticesInOrder, noticesOfRows } from './notices.ts';
import { DEFAULT_ENGINE_QUERY, type EngineAnswer, type EngineQuery } from './query.ts';
import { type PartialMatches, partialRows, rankedRows } from './rank.ts';
import { completeId, completeWord, matchingNames, splitTypedText } from './suggestions.ts';

export interface EngineInput {
  /** A tender's row in a later index overrides earlier ones; the delta's row overrides all. */
  indexes: readonly ArrayBuffer[];
  delta: ArrayBuffer | null;
  /** Ids that are hidden in all indexes and in the delta. */
  removed: readonly number[];
  /** When each portal was last compared, for `fetched_at`; the default is the publishing date. */
  checked?: CheckedTimes;
}

const MAX_SIBLINGS = 20;
const MAX_SUGGESTIONS = 8;
const MAX_WORKS = 3;
const MAX_PLACES = 3;
const MAX_DEPARTMENTS = 2;

const suggestionsOf = (kind: Suggestion['kind'], texts: readonly string[]): Suggestion[] =>
  texts.map((text) => ({ text, kind }));

/** Removes repeated texts; upper and lower case count as equal. */
function distinctSuggestions(suggestions: readonly Suggestion[]): Suggestion[] {
  const byText = new Map<string, Suggestion>();
  for (const each of suggestions) if (!byText.has(each.text.toLowerCase())) byText.set(each.text.toLowerCase(), each);
  return [...byText.values()].slice(0, MAX_SUGGESTIONS);
}

/**
 * Suggestions that need no tender: places and departments of a state (all states with ''), works and frequent
 * words.
 */
export function suggestWithoutTenders(text: string, state: string): Suggestion[] {
  const suggestions = [
    ...suggestionsOf('place', suggestPlaces(text, MAX_PLACES, state)),
    ...suggestionsOf('department', suggestDepartments(text, MAX_DEPARTMENTS, state)),
    ...suggestionsOf('work', suggestWorks(text, MAX_WORKS)),
    ...suggestionsOf('word', suggestWords(text, MAX_SUGGESTIONS)),
  ];
  return distinctSuggestions(suggestions);
}

/**
 * An index that was rebuilt because an earlier version of the app had built it. It must replace the stored
 * one.
 */
export interface RebuiltIndex {
  part: number | 'delta';
  buffer: ArrayBuffer;
}

function openSegmentIndex(buffer: ArrayBuffer, part: number | 'delta', rebuilt: RebuiltIndex[]): SegmentIndex {
  try {
    const opened = SegmentIndex.open(buffer);
    if (opened.hasPresentTerms) return opened;
    const index = { part, buffer: rebuildSegmentIndex(opened) };
    rebuilt.push(index);
    return SegmentIndex.open(index.buffer);
  } catch (error) {
    if (error instanceof CorruptSegmentIndexError) error.part = part;
    throw error;
  }
}

/** Immutable: each sync opens a new engine. */
export class Engine {
  private readonly matcher: Matcher;
  private numbers: NoticeNumbers | undefined;

  private constructor(
    private readonly segments: readonly SegmentIndex[],
    /** Number of tenders. */
    readonly rows: number,
    private readonly checked: CheckedTimes,
    readonly rebuilt: readonly RebuiltIndex[],
  ) {
    this.matcher = new Matcher(segments);
  }

  /** Throws CorruptSegmentIndexError, with its `part`, when a buffer is not from `buildSegmentIndex`. */
  static open({ indexes, delta, removed, checked = {} }: EngineInput): Engine {
    const rebuilt: RebuiltIndex[] = [];
    const opened = indexes.map((buffer, part) => openSegmentIndex(buffer, part, rebuilt));
    if (delta) opened.push(openSegmentIndex(delta, 'delta', rebuilt));
    for (const [at, segment] of opened.entries()) {
      segment.hide(removed);
      for (const later of opened.slice(at + 1)) if (segment.overlaps(later)) segment.hide(later.ids);
    }
    const rows = opened.reduce((sum, segment) => sum + segment.liveRows, 0);
    return new Engine(opened, rows, checked, rebuilt);
  }

  /** False while an index lacks details, so words match only its list fields. */
  get isComplete(): boolean {
    return this.segments.every(({ hasDetails }) => hasDetails);
  }

  search(query: EngineQuery, now: Date): EngineAnswer {
    const reading = this.read(query, now);
    // Text without a search term ('/') finds nothing, not everything.
    if (lacksState(query) || (query.q.trim() !== '' && reading.isEmpty))
      return { ...EMPTY_ANSWER, ...(query.notices && { notices: 0, before: 0 }) };
    const filter = withReading(query, reading);
    const found = this.matcher.match(filter, now);
    const { total: fullTotal, facets } = found;
    const withPartial = needsPartialMatches(reading.words, fullTotal);
    const isRanked = query.sort === 'relevance' && reading.words.length > 0;
    const full = query.notices && !withPartial ? [] : this.fullRows(query, found, isRanked, withPartial);
    const { rows: partial, words } = withPartial
      ? this.partialRows(filter, full, now)
      : { rows: [], words: reading.words };
    const start = (query.page - 1) * query.limit;
    const matchesOf = (row: RowRef) => (partial.includes(row) ? ('most' as const) : ('all' as const));
    const grouped = query.notices
      ? withPartial
        ? noticesOfRows(this.segments, [...full, ...partial], this.noticeNumbers, matchesOf, query)
        : noticesInOrder(this.segments, found, this.noticeNumbers, this.keysOf(query, found, isRanked), query)
      : undefined;
    const firsts = grouped?.works.flatMap(([first]) => first ?? []);
    const rows = firsts ?? (withPartial ? [...full, ...partial].slice(start, start + query.limit) : full);
    return {
      total: fullTotal + partial.length,
      fullTotal,
      ...(grouped && { notices: grouped.notices, before: grouped.before }),
      tenders: rows.map((row, at) => ({
        ...readTenderSummary(row, this.checked, now),
        ...(reading.words.length > 0 && { matches: matchesOf(row) }),
        ...(grouped && { works: grouped.works[at]?.slice(1).map(idOf) ?? [] }),
      })),
      place: reading.place,
      conditions: toQueryConditions(reading.conditions, now),
      showingFor: reading.showingFor,
      words: toSearchedWords(words),
      facets,
      nearest: fullTotal + partial.length === 0 ? this.findNearest(query, reading, now) : [],
      demonstration: rows.some(({ segment, row }) => segment.isDemonstration(row)),
    };
  }

  /** The rows of the query's page. With `isAll`: the few rows that are listed before the partial matches. */
  private fullRows(query: EngineQuery, matches: Matches, isRanked: boolean, isAll: boolean): RowRef[] {
    const { page, limit } = isAll ? { page: 1, limit: MIN_FULL_MATCHES } : query;
    if (isRanked && matches.total <= MAX_RANKED)
      return rankedRows(this.segments, matches, query.open, (page - 1) * limit, Math.min(page * limit, matches.total));
    const closing = { sort: 'closing_date', order: query.open ? 'asc' : 'desc' } as const;
    return pageInOrder(this.segments, matches, {
      ...query,
      ...(query.sort === 'relevance' && closing),
      page,
      limit,
    });
  }

  /** The sort order of the query's matches, as keys. */
  private keysOf({ sort, order, open }: EngineQuery, { scores, total }: Matches, isRanked: boolean): KeysOfIndex {
    const closing = (sign: number) => (index: number) => {
      const { closesAt } = this.segments[index] as SegmentIndex;
      return (row: number) => sign * (closesAt[row] as number);
    };
    const same = () => 0;
    const sign = order === 'desc' ? -1 : 1;
    if (sort === 'relevance') {
      const later = closing(open ? 1 : -1);
      const isScored = isRanked && total <= MAX_RANKED;
      return (index) => ({
        key: isScored ? (row) => -(scores[index]?.[row] as number) : same,
        laterKey: later(index),
      });
    }
    if (sort === 'closing_date') return (index) => ({ key: closing(sign)(index), laterKey: same });
    return (index) => {
      const { price } = this.segments[index] as SegmentIndex;
      const key = (row: number) => {
        const value = price[row] as number;
        return Number.isNaN(value) ? Infinity : sign * value;
      };
      return { key, laterKey: same };
    };
  }

  /** Computed for the first list of notices. */
  private get noticeNumbers(): NoticeNumbers {
    this.numbers ??= new NoticeNumbers(this.segments);
    return this.numbers;
  }

  private partialRows(filter: EngineFilter, full: readonly RowRef[], now: Date): PartialMatches {
    const under = this.matcher.rowsUnder(filter, now);
    return partialRows(this.segments, this.matcher, under, filter.words, filter.open, full);
  }

  /** Searches near one that found nothing. */
  private findNearest(query: EngineQuery, reading: QueryReading, now: Date): NearestSearch[] {
    // An offline pack has few closed tenders and may have no other state, so their numbers would be wrong.
    const candidates = nearestCandidates(query, reading).filter(
      ({ kind, filter }) => kind !== 'closed' && (kind === 'state' || filter.state === query.state),
    );
    const counts = candidates.map(({ filter }) => {
      const reading = readTypedQuery(filter.q.trim(), placeContext(filter), filter.literal, now);
      return this.matcher.count(withReading(filter, reading), now);
    });
    return pickNearest(candidates, counts);
  }

  /** Reads the words and the place of a query. Corrections come from the tenders on the device. */
  private read(query: EngineQuery, now: Date): QueryReading {
    const steps = readQuery(query.q.trim(), placeContext(query), query.literal, now);
    for (let step = steps.next(); ; ) {
      if (step.done) return step.value;
      const counts = step.value.map(({ atMost, ...reading }) =>
        this.matcher.count(withReading(query, reading), now, atMost),
      );
      step = steps.next(counts);
    }
  }

  /** Matching tenders: how many have an id above `above`, and the newest `limit` of all. */
  newest(query: EngineQuery, above: number, limit: number, now: Date): NewestResult {
    const reading = readTypedQuery(query.q.trim(), placeContext(query), query.literal, now);
    if (lacksState(query) || (query.q.trim() !== '' && reading.isEmpty)) return { count: 0, highestId: 0, tenders: [] };
    const { masks } = this.matcher.match(withReading(query, reading), now);
    const { places, ...counts } = findNewest(this.segments, masks, above, limit);
    return { ...counts, tenders: places.map((place) => readTenderSummary(place, this.checked, now)) };
  }

  /**
   * At most eight suggestions for a typed text: tender ids, districts and departments, works of the
   * dictionary, then the text with its last word completed. Words that are frequent in open tenders come
   * first. With `query`, its filter without `q` chooses the tenders.
   */
  suggest(text: string, query: Partial<EngineQuery>, now: Date): Suggestion[] {
    const { finished, stem } = splitTypedText(text);
    if (stem === '') return [];
    const words = parseQuery(finished, 'never');
    const under = { ...DEFAULT_ENGINE_QUERY, ...query, place: null, conditions: null };
    const { masks, facets } = this.matcher.match({ ...under, words }, now);
    const typed = finished + stem;
    const districts = query.districts?.length ? [] : matchingNames(typed, facets.districts, MAX_PLACES);
    const departments = query.departments?.length ? [] : matchingNames(typed, facets.departments, MAX_DEPARTMENTS);
    const ids = completeId(this.segments, masks, stem);
    const completed = [...completeWord(this.segments, masks, stem).keys()].map((word) => finished + word);
    const works = suggestWorks(text, MAX_SUGGESTIONS).filter((work) => {
      return this.matcher.count({ ...under, words: parseQuery(work, 'never') }, now, 1) > 0;
    });
    const suggestions = [
      ...suggestionsOf('id', ids),
      ...suggestionsOf('place', districts),
      ...suggestionsOf('department', departments),
      ...suggestionsOf('work', works.slice(0, MAX_WORKS)),
      ...suggestionsOf('word', completed),
    ];
    return distinctSuggestions(suggestions);
  }

  /** A whole tender; null when it or its details are not on the device. */
  tender(id: number, now: Date): Tender | null {
    const place = this.findRow(id);
    return place?.segment.hasDetails ? readTender(place, this.siblingsOf(place, now), this.checked, now) : null;
  }

  /** The fields of a card; null when the tender is not on the device. */
  summary(id: number, now: Date): TenderSummary | null {
    const place = this.findRow(id);
    return place && readTenderSummary(place, this.checked, now);
  }

  /** The published tenders whose id at the portal, NIT or reference is one of the numbers. It reads each tender. */
  numbered(numbers: readonly string[], now: Date): TenderSummary[] {
    const keys = new Set(numbers.map(numberKey));
    const isAsked = ({ segment, row }: RowRef) =>
      numberKeysOf({
        source_tender_id: segment.valueAt('sourceTenderId', row) as string,
        reference_number: segment.valueAt('reference', row) ?? null,
      }).some((key) => keys.has(key));
    return this.segments.flatMap((segment) =>
      Array.from(segment.live, (isLive, row) => ({ isLive, segment, row }))
        .filter(({ isLive, row }) => isLive === 1 && (segment.publishedAt[row] as number) <= now.getTime())
        .filter(isAsked)
        .map((place) => readTenderSummary(place, this.checked, now)),
    );
  }

  private findRow(id: number): RowRef | null {
    for (const segment of this.segments) {
      const row = segment.rowOf(id);
      if (row >= 0) return { segment, row };
    }
    return null;
  }

  /** Other published works of the same NIT. They have the portal's order, by the last number of their ids. */
  private siblingsOf(place: RowRef, now: Date): Tender['nit_siblings'] {
    const nit = place.segment.valueAt('nitId', place.row);
    if (!nit) return [];
    const siblings = this.segments.flatMap((segment) =>
      segment
        .rowsOfNit(nit)
        .filter((row) => !(segment === place.segment && row === place.row))
        .filter((row) => (segment.publishedAt[row] as number) <= now.getTime())
        .map((row) => ({
          _id: String(segment.ids[row]),
          title: segment.valueAt('title', row) as string,
          source_tender_id: segment.valueAt('sourceTenderId', row) as string,
        })),
    );
    const order = ({ source_tender_id: id }: (typeof siblings)[number]) => id;
    return siblings
      .sort((one, other) => order(one).length - order(other).length || compareCodePoints(order(one), order(other)))
      .slice(0, MAX_SIBLINGS);
  }
}

const idOf = ({ segment, row }: RowRef): string => String(segment.ids[row]);

const withReading = (
  filter: TenderFilter,
  { words, place, conditions }: Pick<QueryReading, 'words' | 'place' | 'conditions'>,
): EngineFilter => ({ ...filter, words, place, conditions: conditionBounds(conditions) });

/** The part of the filter that decides what a place name in the words can mean. */
const placeContext = ({ state, districts }: TenderFilter) => ({ state: state || null, districts });

const EMPTY_ANSWER: EngineAnswer = {
  words: [],
  nearest: [],
  total: 0,
  fullTotal: 0,
  place: null,
  conditions: [],
  tenders: [],
  showingFor: null,
  facets: { districts: {}, departments: {} },
  demonstration: false,
};
