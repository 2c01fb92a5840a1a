/**
 * Search over the tenders on the device. Gives the same results in the same order as `GET /api/tenders` on the same
 * tenders: both sides use the contract's rules for words, corrections, Indian days and names.
 */
import { correctableWords, correctionRounds, type QueryCorrection } from '@nivida/contract/search/correction';
import { parseQuery, rewriteQuery, spellingCorrections } from '@nivida/contract/search/search';
import type { Tender, TenderSummary } from '@nivida/contract/tenders/tender';
import { NumberSet } from '../segments/compact-numbers.ts';
import { compareCodePoints, encodeText } from '../segments/packed-texts.ts';
import { type CheckedTimes, readTender, readTenderSummary } from '../segments/read-tender.ts';
import { SegmentIndex } from '../segments/segment-index.ts';
import { CorruptSegmentIndexError } from '../segments/segment-index-file.ts';
import { type EngineFilter, Matcher } from './matching.ts';
import { mergePage, type RowRef } from './merge-page.ts';
import { findNewest, type NewestResult } from './newest.ts';
import { DEFAULT_ENGINE_QUERY, type EngineAnswer, type EngineQuery } from './query.ts';
import { completeWord, matchingNames, splitTypedText } from './suggestions.ts';

export interface EngineInput {
  /** A tender's row in a later index overrides earlier ones; the delta's row overrides all. */
  packs: readonly ArrayBuffer[];
  delta: ArrayBuffer | null;
  /** Ids that are hidden in all indexes and in the delta. */
  removed: readonly number[];
  /** When each portal was last compared, for `fetched_at`; the default is the publishing date. */
  checked?: CheckedTimes;
}

const MAX_SIBLINGS = 20;
const MAX_SUGGESTIONS = 8;

function openSegmentIndex(buffer: ArrayBuffer, part: number | 'delta'): SegmentIndex {
  try {
    return SegmentIndex.open(buffer);
  } catch (error) {
    if (error instanceof CorruptSegmentIndexError) error.part = part;
    throw error;
  }
}

/** Immutable: after a sync another engine is opened. */
export class Engine {
  private readonly matcher: Matcher;

  private constructor(
    private readonly segments: readonly SegmentIndex[],
    /** Number of tenders. */
    readonly rows: number,
    private readonly checked: CheckedTimes,
  ) {
    this.matcher = new Matcher(segments);
  }

  /** Throws CorruptSegmentIndexError, with its `part`, when a buffer is not from `buildSegmentIndex`. */
  static open({ packs, delta, removed, checked = {} }: EngineInput): Engine {
    const opened = packs.map((buffer, index) => openSegmentIndex(buffer, index));
    if (delta) opened.push(openSegmentIndex(delta, 'delta'));
    const seen = new NumberSet();
    for (const id of removed) seen.add(id);
    const gone = seen.size;
    for (const segment of opened.toReversed()) {
      const { ids, live } = segment;
      for (let row = 0; row < ids.length; row += 1) {
        if (seen.add(ids[row] as number)) continue;
        live[row] = 0;
        segment.hasDead = true;
      }
    }
    return new Engine(opened, seen.size - gone, checked);
  }

  /** False while an index lacks details, so words match only its list fields. */
  get isComplete(): boolean {
    return this.segments.every((pack) => pack.hasDetails);
  }

  search(query: EngineQuery, now: Date): EngineAnswer {
    const q = query.q.trim();
    const words = parseQuery(q);
    // Text without a search term ('/') finds nothing, not everything.
    if (q !== '' && words.length === 0) return EMPTY_ANSWER;
    const filter: EngineFilter = { ...query, words };
    let found = this.matcher.match(filter, now);
    let showingFor: string | null = null;
    if (found.total === 0 && words.length > 0) {
      const correction = this.findCorrection(filter, now);
      // The last try may be another correction. Match again, even without a correction, to get the right counts.
      found = this.matcher.match({ ...filter, words: correction?.words ?? words }, now);
      showingFor = correction ? rewriteQuery(q, correction.replacements) : null;
    }
    const places = mergePage(this.segments, found.masks, query);
    return {
      total: found.total,
      tenders: places.map((place) => readTenderSummary(place, this.checked, now)),
      showingFor,
      facets: found.facets,
      demonstration: places.some(({ segment, row }) => segment.isDemonstration(row)),
    };
  }

  /** The query's tenders with an id above `above`: their count, and the newest `limit` of all. */
  newest(query: EngineQuery, above: number, limit: number, now: Date): NewestResult {
    const words = parseQuery(query.q.trim());
    if (query.q.trim() !== '' && words.length === 0) return { count: 0, highestId: 0, tenders: [] };
    const { masks } = this.matcher.match({ ...query, words }, now);
    const { places, ...counts } = findNewest(this.segments, masks, above, limit);
    return { ...counts, tenders: places.map((place) => readTenderSummary(place, this.checked, now)) };
  }

  private findCorrection(filter: EngineFilter, now: Date): QueryCorrection | undefined {
    const candidates = new Map(
      correctableWords(filter.words).map((word) => [word, spellingCorrections(word, this.vocabularyNear(word))]),
    );
    for (const round of correctionRounds(filter.words, candidates)) {
      let best: { correction: QueryCorrection; total: number } | undefined;
      for (const correction of round) {
        const { total } = this.matcher.match({ ...filter, words: correction.words }, now);
        if (total > (best?.total ?? 0)) best = { correction, total };
      }
      if (best) return best.correction;
    }
    return undefined;
  }

  /** Vocabulary words with the same first letter and about the same length, in the server's order. */
  private vocabularyNear(word: string): string[] {
    const [letter = ''] = word;
    const first = encodeText(letter);
    const near = (term: string) => Math.abs(term.length - word.length) <= 2;
    const terms = this.segments.flatMap((segment) => segment.textsOf(segment.find(first, true)).filter(near));
    return [...new Set(terms)].sort(compareCodePoints);
  }

  /**
   * Completions of a typed text: names of districts and departments, then the text with its last word completed, most
   * frequent first among open tenders (or those of `query`, whose `q` is ignored).
   */
  suggest(text: string, query: Partial<EngineQuery>, limit = MAX_SUGGESTIONS, now = new Date()): string[] {
    const { finished, stem } = splitTypedText(text);
    if (stem === '') return [];
    const words = parseQuery(finished).map((word) => ({ ...word, prefix: false }));
    const { masks, facets } = this.matcher.match({ ...DEFAULT_ENGINE_QUERY, ...query, words }, now);
    const names = matchingNames(finished + stem, {
      districts: query.districts?.length ? {} : facets.districts,
      departments: query.departments?.length ? {} : facets.departments,
    });
    const completed = [...completeWord(this.segments, masks, stem).keys()].map((word) => finished + word);
    const suggestions = new Map<string, string>();
    for (const each of [...names, ...completed]) {
      const key = each.toLowerCase();
      if (!suggestions.has(key)) suggestions.set(key, each);
    }
    return [...suggestions.values()].slice(0, limit);
  }

  /** A whole tender; null when it or its details are not on the device. */
  tender(id: number, now = new Date()): Tender | null {
    const place = this.findRow(id);
    return place?.segment.hasDetails ? readTender(place, this.siblingsOf(place, now), this.checked, now) : null;
  }

  /** The fields of a card; null when the tender is not on the device. */
  summary(id: number, now: Date): TenderSummary | null {
    const place = this.findRow(id);
    return place && readTenderSummary(place, this.checked, now);
  }

  private findRow(id: number): RowRef | null {
    for (const segment of this.segments) {
      const row = segment.rowOf(id);
      if (row >= 0) return { segment, row };
    }
    return null;
  }

  /** Other published works of the same NIT, in the portal's order: by the last number of their ids. */
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

const EMPTY_ANSWER: EngineAnswer = {
  total: 0,
  tenders: [],
  showingFor: null,
  facets: { districts: {}, departments: {} },
  demonstration: false,
};
