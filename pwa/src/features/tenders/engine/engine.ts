/**
 * Search over the tenders that the device holds. Finds what `GET /api/tenders` finds on the same tenders, in the same
 * order: words and their correction, Indian days and names come from the contract on both sides. Over 200 lines: all
 * calls share the opened packs.
 */
import { type Correction, correctableWords, correctionRounds } from '@nivida/contract/correction';
import { corrections, parseQuery, rewriteQuery } from '@nivida/contract/search';
import type { Tender, TenderSummary } from '@nivida/contract/tender';
import { type Filter, Matcher } from './matching.ts';
import { type EngineNews, newestOf } from './newest.ts';
import { NumberSet } from './numbers.ts';
import { Pack } from './pack.ts';
import { CorruptPackError } from './pack-file.ts';
import { type Place, pageOf } from './page.ts';
import { type EngineAnswer, type EngineQuery, EVERYTHING } from './query.ts';
import { longerWords, namesLike, splitTyped } from './suggestions.ts';
import { type Checked, toSummary, toTender } from './tender-at.ts';
import { byCodePoint, toBytes } from './texts.ts';

/** What an engine is opened with. */
export interface EngineParts {
  /** Of the same tender in several packs the later pack's row counts, and the delta's before all. */
  packs: readonly ArrayBuffer[];
  delta: ArrayBuffer | null;
  /** Ids that are shown no more, wherever they stand: take an id out when its tender comes back. */
  removed: readonly number[];
  /** When each portal was last compared, for `fetched_at`; without it that is the publishing date. */
  checked?: Checked;
}

const SIBLINGS = 20;
const SUGGESTIONS = 8;

function openPack(buffer: ArrayBuffer, part: number | 'delta'): Pack {
  try {
    return Pack.open(buffer);
  } catch (error) {
    if (error instanceof CorruptPackError) error.part = part;
    throw error;
  }
}

/** Packs opened together. An engine never changes: after a sync another one is opened. */
export class Engine {
  private readonly matcher: Matcher;

  private constructor(
    private readonly packs: readonly Pack[],
    /** How many tenders the engine holds. */
    readonly rows: number,
    private readonly checked: Checked,
  ) {
    this.matcher = new Matcher(packs);
  }

  /** Throws CorruptPackError, which says which part it was, when a buffer is not what `buildPack` gave. */
  static open({ packs, delta, removed, checked = {} }: EngineParts): Engine {
    const opened = packs.map((buffer, index) => openPack(buffer, index));
    if (delta) opened.push(openPack(delta, 'delta'));
    const seen = new NumberSet();
    for (const id of removed) seen.add(id);
    const gone = seen.size;
    for (const pack of opened.toReversed()) {
      const { ids, live } = pack;
      for (let row = 0; row < ids.length; row += 1) {
        if (seen.add(ids[row] as number)) continue;
        live[row] = 0;
        pack.hasDead = true;
      }
    }
    return new Engine(opened, seen.size - gone, checked);
  }

  /** False while words match list fields only in some pack. */
  get isComplete(): boolean {
    return this.packs.every((pack) => pack.hasDetails);
  }

  /** Answers a query by the clock `now`. */
  search(query: EngineQuery, now: Date): EngineAnswer {
    const q = query.q.trim();
    const words = parseQuery(q);
    // Words of which no search term remains ('/') are not a wish for everything.
    if (q !== '' && words.length === 0) return NOTHING;
    const filter: Filter = { ...query, words };
    let found = this.matcher.match(filter, now);
    let showingFor: string | null = null;
    if (found.total === 0 && words.length > 0) {
      const correction = this.findCorrection(filter, now);
      // What was tried last may be another one: matched again also when there is none, for its counts.
      found = this.matcher.match({ ...filter, words: correction?.words ?? words }, now);
      showingFor = correction ? rewriteQuery(q, correction.replacements) : null;
    }
    const places = pageOf(this.packs, found.masks, query);
    return {
      total: found.total,
      tenders: places.map((place) => toSummary(place, this.checked, now)),
      showingFor,
      facets: found.facets,
      demonstration: places.some(({ pack, row }) => pack.isDemonstration(row)),
    };
  }

  /** What is new of a query's tenders by the clock `now`: those with an id above `above`; `most` tenders are told. */
  newest(query: EngineQuery, above: number, most: number, now: Date): EngineNews {
    const words = parseQuery(query.q.trim());
    if (query.q.trim() !== '' && words.length === 0) return { count: 0, highestId: 0, tenders: [] };
    const { masks } = this.matcher.match({ ...query, words }, now);
    const { places, ...counts } = newestOf(this.packs, masks, above, most);
    return { ...counts, tenders: places.map((place) => toSummary(place, this.checked, now)) };
  }

  private findCorrection(filter: Filter, now: Date): Correction | undefined {
    const candidates = new Map(
      correctableWords(filter.words).map((word) => [word, corrections(word, this.vocabularyNear(word))]),
    );
    for (const round of correctionRounds(filter.words, candidates)) {
      let best: { correction: Correction; total: number } | undefined;
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
    const first = toBytes(letter);
    const near = (term: string) => Math.abs(term.length - word.length) <= 2;
    const terms = this.packs.flatMap((pack) => pack.textsOf(pack.find(first, true)).filter(near));
    return [...new Set(terms)].sort(byCodePoint);
  }

  /**
   * What a text that is being typed may become: names of districts and departments, then the text with its last word
   * completed, most frequent first among open tenders (or those that `query` asks for; its `q` plays no part).
   */
  suggest(text: string, query: Partial<EngineQuery>, most = SUGGESTIONS, now = new Date()): string[] {
    const { finished, stem } = splitTyped(text);
    if (stem === '') return [];
    const words = parseQuery(finished).map((word) => ({ ...word, prefix: false }));
    const { masks, facets } = this.matcher.match({ ...EVERYTHING, ...query, words }, now);
    const names = namesLike(finished + stem, {
      districts: query.district ? {} : facets.districts,
      departments: query.department ? {} : facets.departments,
    });
    const completed = [...longerWords(this.packs, masks, stem).keys()].map((word) => finished + word);
    const suggestions = new Map<string, string>();
    for (const each of [...names, ...completed]) {
      const key = each.toLowerCase();
      if (!suggestions.has(key)) suggestions.set(key, each);
    }
    return [...suggestions.values()].slice(0, most);
  }

  /** Everything of a tender; null when it is not here or its details are not. */
  tender(id: number, now = new Date()): Tender | null {
    const place = this.placeOf(id);
    return place?.pack.hasDetails ? toTender(place, this.siblingsOf(place, now), this.checked, now) : null;
  }

  /** What a card shows of a tender; null when it is not here. */
  summary(id: number, now: Date): TenderSummary | null {
    const place = this.placeOf(id);
    return place && toSummary(place, this.checked, now);
  }

  private placeOf(id: number): Place | null {
    for (const pack of this.packs) {
      const row = pack.rowOf(id);
      if (row >= 0) return { pack, row };
    }
    return null;
  }

  /** Other published works of the same NIT, in the portal's order: by the number that ends their ids. */
  private siblingsOf(place: Place, now: Date): Tender['nit_siblings'] {
    const nit = place.pack.valueAt('nitId', place.row);
    if (!nit) return [];
    const siblings = this.packs.flatMap((pack) =>
      pack
        .rowsOfNit(nit)
        .filter((row) => !(pack === place.pack && row === place.row))
        .filter((row) => (pack.publishedAt[row] as number) <= now.getTime())
        .map((row) => ({
          _id: String(pack.ids[row]),
          title: pack.valueAt('title', row) as string,
          source_tender_id: pack.valueAt('sourceTenderId', row) as string,
        })),
    );
    const order = ({ source_tender_id: id }: (typeof siblings)[number]) => id;
    return siblings
      .sort((one, other) => order(one).length - order(other).length || byCodePoint(order(one), order(other)))
      .slice(0, SIBLINGS);
  }
}

const NOTHING: EngineAnswer = {
  total: 0,
  tenders: [],
  showingFor: null,
  facets: { districts: {}, departments: {} },
  demonstration: false,
};
