/**
 * Search over the tenders that the device holds. Finds what `GET /api/tenders` finds on the same tenders, in the same
 * order: words and their correction, Indian days and names come from the contract on both sides. Over 200 lines: all
 * calls share the opened packs.
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

/** What an engine is opened with. */
export interface EngineInput {
  /** Of the same tender in several packs the later pack's row counts, and the delta's before all. */
  packs: readonly ArrayBuffer[];
  delta: ArrayBuffer | null;
  /** Ids that are shown no more, wherever they stand: take an id out when its tender comes back. */
  removed: readonly number[];
  /** When each portal was last compared, for `fetched_at`; without it that is the publishing date. */
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

/** Packs opened together. An engine never changes: after a sync another one is opened. */
export class Engine {
  private readonly matcher: Matcher;

  private constructor(
    private readonly segments: readonly SegmentIndex[],
    /** How many tenders the engine holds. */
    readonly rows: number,
    private readonly checked: CheckedTimes,
  ) {
    this.matcher = new Matcher(segments);
  }

  /** Throws CorruptSegmentIndexError, which says which part it was, when a buffer is not what `buildSegmentIndex` gave. */
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

  /** False while words match list fields only in some pack. */
  get isComplete(): boolean {
    return this.segments.every((pack) => pack.hasDetails);
  }

  /** Answers a query by the clock `now`. */
  search(query: EngineQuery, now: Date): EngineAnswer {
    const q = query.q.trim();
    const words = parseQuery(q);
    // Words of which no search term remains ('/') are not a wish for everything.
    if (q !== '' && words.length === 0) return EMPTY_ANSWER;
    const filter: EngineFilter = { ...query, words };
    let found = this.matcher.match(filter, now);
    let showingFor: string | null = null;
    if (found.total === 0 && words.length > 0) {
      const correction = this.findCorrection(filter, now);
      // What was tried last may be another one: matched again also when there is none, for its counts.
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

  /** What is new of a query's tenders by the clock `now`: those with an id above `above`; `most` tenders are told. */
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

  /** Words of the tenders with the same first letter and about the same length, in the server's order. */
  private vocabularyNear(word: string): string[] {
    const [letter = ''] = word;
    const first = encodeText(letter);
    const near = (term: string) => Math.abs(term.length - word.length) <= 2;
    const terms = this.segments.flatMap((segment) => segment.textsOf(segment.find(first, true)).filter(near));
    return [...new Set(terms)].sort(compareCodePoints);
  }

  /**
   * What a text that is being typed may become: names of districts and departments, then the text with its last word
   * completed, most frequent first among open tenders (or those that `query` asks for; its `q` plays no part).
   */
  suggest(text: string, query: Partial<EngineQuery>, limit = MAX_SUGGESTIONS, now = new Date()): string[] {
    const { finished, stem } = splitTypedText(text);
    if (stem === '') return [];
    const words = parseQuery(finished).map((word) => ({ ...word, prefix: false }));
    const { masks, facets } = this.matcher.match({ ...DEFAULT_ENGINE_QUERY, ...query, words }, now);
    const names = matchingNames(finished + stem, {
      districts: query.district ? {} : facets.districts,
      departments: query.department ? {} : facets.departments,
    });
    const completed = [...completeWord(this.segments, masks, stem).keys()].map((word) => finished + word);
    const suggestions = new Map<string, string>();
    for (const each of [...names, ...completed]) {
      const key = each.toLowerCase();
      if (!suggestions.has(key)) suggestions.set(key, each);
    }
    return [...suggestions.values()].slice(0, limit);
  }

  /** Everything of a tender; null when it is not here or its details are not. */
  tender(id: number, now = new Date()): Tender | null {
    const place = this.findRow(id);
    return place?.segment.hasDetails ? readTender(place, this.siblingsOf(place, now), this.checked, now) : null;
  }

  /** What a card shows of a tender; null when it is not here. */
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

  /** Other published works of the same NIT, in the portal's order: by the number that ends their ids. */
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
