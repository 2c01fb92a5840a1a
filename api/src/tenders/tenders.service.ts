import { Inject, Injectable } from '@nestjs/common';
import { conditionBounds, toQueryConditions } from '@nivida/contract/conditions/conditions-in-query';
import { defaultSort, lacksState, toListFilter } from '@nivida/contract/filter/tender-filter';
import type { TenderQuery } from '@nivida/contract/filter/tender-query';
import { indianDay, startOfIndianDay } from '@nivida/contract/format';
import { inLanguage } from '@nivida/contract/i18n';
import { type Language, languages } from '@nivida/contract/languages';
import { MAX_COUNTED, MAX_INTEGER_ID } from '@nivida/contract/limits';
import { foldDepartment } from '@nivida/contract/regions/fold-name';
import { findRegion } from '@nivida/contract/regions/regions';
import { STATES } from '@nivida/contract/regions/states';
import { nearestCandidates, pickNearest } from '@nivida/contract/search/nearest-searches';
import { type QueryWord, toSearchedWords } from '@nivida/contract/search/query-words';
import { needsPartialMatches, partialRule, partialWords } from '@nivida/contract/search/ranking';
import { type QueryReading, readQuery, readTypedQuery } from '@nivida/contract/search/read-query';
import { calendarFileName, tenderCalendar } from '@nivida/contract/tenders/calendar';
import {
  closingBounds,
  endOfClosingWindow,
  startOfPublicationWindow,
  UNKNOWN_MINUTE,
} from '@nivida/contract/tenders/closing';
import {
  type ClosingMinutes,
  type ListedTender,
  type ListedTendersResponse,
  MAX_LIST_ROWS,
  type NearestSearch,
  type RegionListResponse,
  type StateCount,
  type Tender,
  type TenderFacetsResponse,
  type TenderListResponse,
  type TenderSummary,
} from '@nivida/contract/tenders/tender';
import {
  asciiNumberKey,
  MAX_TENDERS_OF_NUMBER,
  numberKey,
  numberKeysOf,
  type TenderNumbersRequest,
} from '@nivida/contract/tenders/tender-list';
import type { Pool } from 'pg';
import { AppError, searchTookTooLong, tenderHidden, tenderNotFound } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CLOCK, CONFIG, READ_POOL } from '../base/injection-tokens.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { isStatementTimeout } from '../database/database-unavailable.ts';
import { ReplicaReader } from '../database/replica-reader.ts';
import type { PageMetadata } from '../http/html/page-metadata.ts';
import { IS_HIDDEN } from './hidden-tenders.sql.ts';
import { type ResolvedPlaces, resolvePlaces } from './resolve-places.ts';
import { tenderPageMetadata } from './tender-page-metadata.ts';
import {
  bookmarkedStatement,
  type CountedFilter,
  closingMinutesStatement,
  closingOrderStatement,
  countsStatement,
  departmentsStatement,
  facetsStatement,
  foundWordsStatement,
  isBounded,
  LAST_FETCHED,
  listStatement,
  numbersStatement,
  partialListStatement,
  type SqlStatement,
  sitemapCountStatement,
  sitemapStatement,
  stateCountsStatement,
  summariesStatement,
  type TenderSqlFilter,
  tenderStatement,
  versionsStatement,
} from './tenders.sql.ts';
import { numberQuery } from './words.sql.ts';

const COUNTS_TTL_MS = 30_000;
/** The limit of sitemaps.org is 50,000 addresses, and a tender has one in each language. */
const MAX_SITEMAP_TENDERS = Math.floor(50_000 / languages().length);

interface ListRow {
  total: number;
  /**
   * For a list by relevance: the number of tenders with most of the words. They follow when few tenders have all words. Null
   * or absent when they were not read.
   */
  partial?: number | null;
  /** For a list of notices: their number. */
  notices?: number;
  before?: number;
  /** More tenders match than `total`. */
  hasMore?: true;
  rows: string;
  demonstration: boolean;
  /** Whether all tenders have the search terms of this version. True for lists without words. */
  isIndexed: boolean;
}

type TenderVersion = Pick<Tender, '_id' | 'version' | 'updated_at'>;
/** A tender of a list with its version. */
export type FeedTender = ListedTender & TenderVersion;

type StateCounts = Required<Pick<RegionListResponse, 'day' | 'states'>>;

interface FacetRow {
  district: string | null;
  secondDistrict: string | null;
  department: string | null;
  tenders: number;
}

/** Reads public tenders. Answers are JSON texts that PostgreSQL has built. */
@Injectable()
export class TendersService {
  private readonly pendingLists = new Map<string, Promise<string>>();
  private readonly counts = new TtlCache<StateCounts>(COUNTS_TTL_MS);
  private readonly departments = new TtlCache<string[]>(COUNTS_TTL_MS);

  constructor(
    @Inject(READ_POOL) private readonly primary: Pool,
    private readonly reader: ReplicaReader,
    @Inject(CLOCK) private readonly now: () => Date,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The tenders of a filter as the JSON of a TenderList. An unknown place gives an empty list, not an error. */
  list(query: TenderQuery): Promise<string> {
    const key = JSON.stringify(query);
    // Equal concurrent requests share one read, because there are many at closing times.
    let answer = this.pendingLists.get(key);
    if (!answer) {
      answer = this.read(query)
        .catch(explainTimeout)
        .finally(() => this.pendingLists.delete(key));
      this.pendingLists.set(key, answer);
    }
    return answer;
  }

  /** The rows of `list` with the version and the last change of each. A tender that was hidden meanwhile is left out. */
  async feed(query: TenderQuery): Promise<FeedTender[]> {
    const { tenders }: Pick<TenderListResponse, 'tenders'> = JSON.parse(await this.list(query));
    const ids = tenders.map(({ _id }) => Number(_id));
    const { rows } = await this.reader.query<TenderVersion>(versionsStatement(ids, this.now()));
    const versions = new Map(rows.map((row) => [row._id, row]));
    return tenders.flatMap((tender) => {
      const version = versions.get(tender._id);
      return version ? { ...tender, ...version } : [];
    });
  }

  private async read(query: TenderQuery): Promise<string> {
    const now = this.now();
    const places = await this.withSpelledDepartments(resolvePlaces(query));
    const limit = query.limit ?? null;
    // A request for all tenders gets one page.
    const page = limit === null ? 1 : (query.page ?? 1);
    const asked = toSqlFilter(query, places, now, limit ?? MAX_LIST_ROWS, (page - 1) * (limit ?? 0));
    const typed = places.hasUnknownPlace ? EMPTY_READING : readTypedQuery(query.q, asked, query.literal, now);
    // Words without a search term, such as '/', match nothing.
    const matchesNothing = places.hasUnknownPlace || (query.q !== '' && typed.isEmpty);
    // Few texts need a correction, so the list for the typed words is read at the same time as the counts that decide it.
    const typedList = matchesNothing ? undefined : this.queryCounted(withReading(asked, typed), now);
    const counts: WordCounts = new Map();
    const [reading, fullAsTyped] = matchesNothing
      ? [typed, EMPTY_LIST]
      : await Promise.all([this.readWords(query, asked, now, counts), typedList]);
    const filter = withReading(asked, reading);
    const isCorrected = reading.showingFor !== null;
    const full = isCorrected ? await this.queryCounted(filter, now) : (fullAsTyped ?? EMPTY_LIST);
    const partial = matchesNothing
      ? undefined
      : await this.queryPartial(filter, full, now, isCorrected ? new Map() : counts);
    const found = partial?.list ?? full;
    const rest: Omit<TenderListResponse, 'tenders' | 'data'> = {
      total: found.total,
      total_full: full.total,
      ...(found.hasMore && { has_more: true }),
      ...(query.notices && !found.hasMore && { notices: found.notices ?? 0, before: found.before ?? 0 }),
      page,
      limit,
      filter: toListFilter({ ...places, q: query.q }),
      place: reading.place,
      conditions: toQueryConditions(reading.conditions, now),
      showing_for: reading.showingFor,
      words: toSearchedWords(partial?.words ?? reading.words),
      demonstration: found.demonstration,
      ...(!found.isIndexed && { index_incomplete: true }),
    };
    if (found.total === 0) {
      rest.states = await this.statesWithTenders();
      if (!matchesNothing) rest.nearest = await this.findNearest({ ...query, ...places }, reading, now);
    }
    return `{"tenders":${found.rows},"data":${found.rows},${JSON.stringify(rest).slice(1)}`;
  }

  /** The words and the place of a query, corrected by the tenders under its filter. */
  private async readWords(
    query: TenderQuery,
    filter: TenderSqlFilter,
    now: Date,
    counts: WordCounts = new Map(),
  ): Promise<QueryReading> {
    const steps = readQuery(query.q, filter, query.literal, now);
    for (let step = steps.next(); ; ) {
      if (step.done) return step.value;
      const requests = step.value;
      const totals = await this.count(
        requests.map(({ atMost, ...reading }) => ({ filter: withReading(filter, reading), atMost })),
        now,
      );
      for (const [at, { words }] of requests.entries())
        if (words.length === 1) counts.set(JSON.stringify(words[0]), totals[at] ?? 0);
      step = steps.next(totals);
    }
  }

  private async count(counted: readonly CountedFilter[], now: Date): Promise<number[]> {
    if (counted.length === 0) return [];
    const { rows } = await this.reader.query<{ totals: number[] }>(countsStatement(counted, now));
    return rows[0]?.totals ?? [];
  }

  /**
   * The list with tenders that have most of the words, and the words that were used: a phrase that no tender has is split.
   * Undefined when enough tenders have all words.
   */
  private async queryPartial(
    filter: TenderSqlFilter,
    list: ListRow,
    now: Date,
    counts: WordCounts,
  ): Promise<{ list: ListRow; words: readonly QueryWord[] } | undefined> {
    const { total: full, partial = null } = list;
    if (!needsPartialMatches(filter.words, full)) return undefined;
    if (full > 0 && partial !== null) return { list: { ...list, total: full + partial }, words: filter.words };
    // If a tender has all words, each required word is known.
    const known = filter.words.map((word) => (full > 0 && word.required ? full : counts.get(JSON.stringify(word))));
    const isFound = known.every((count) => count !== undefined)
      ? known.map((count) => count > 0)
      : await this.findWords(filter, filter.words, now);
    const words = partialWords(filter.words, isFound);
    const isSame = words.every((word, at) => word === filter.words[at]);
    const rule = partialRule(words, isSame ? isFound : await this.findWords(filter, words, now));
    return rule && { list: await this.queryList(partialListStatement(filter, rule, now)), words };
  }

  /** Finds similar searches when one found nothing. */
  private async findNearest(
    query: TenderQuery & ResolvedPlaces,
    reading: QueryReading,
    now: Date,
  ): Promise<NearestSearch[]> {
    const candidates = nearestCandidates(query, reading);
    const counted = candidates.map(({ filter }) => {
      const asked = toSqlFilter({ ...query, ...filter }, { ...query, ...filter }, now, 0, 0);
      return {
        filter: withReading(asked, readTypedQuery(filter.q, filter, filter.literal, now)),
        atMost: MAX_COUNTED + 1,
      };
    });
    return pickNearest(candidates, await this.count(counted, now));
  }

  /** Whether a tender under the filter has each word. */
  private async findWords(filter: TenderSqlFilter, words: readonly QueryWord[], now: Date): Promise<boolean[]> {
    const { rows } = await this.reader.query<Record<string, boolean>>(foundWordsStatement(filter, words, now));
    return words.map((_, at) => rows[0]?.[`w${at}`] ?? false);
  }

  /** The districts and departments of a query's tenders with their numbers, each under all other filters. */
  facets(query: TenderQuery): Promise<TenderFacetsResponse> {
    return this.readFacets(query).catch(explainTimeout);
  }

  private async readFacets(query: TenderQuery): Promise<TenderFacetsResponse> {
    const now = this.now();
    const filter = await this.readFilter(query, now);
    if (!filter) return { districts: {}, departments: {} };
    const { rows } = await this.reader.query<FacetRow>(facetsStatement(filter, now));
    return {
      districts: sumBy(
        rows.filter((row) => inDepartment(row, filter)),
        ({ district, secondDistrict }) => [district, secondDistrict],
      ),
      departments: sumBy(
        rows.filter((row) => inDistrict(row, filter)),
        ({ department }) => [department],
      ),
    };
  }

  /** The filter of a query without a page, its words read and corrected; null when nothing can match. */
  async readFilter(query: TenderQuery, now: Date): Promise<TenderSqlFilter | null> {
    const places = await this.withSpelledDepartments(resolvePlaces(query));
    const asked = toSqlFilter(query, places, now, 0, 0);
    if (lacksState(places) || (places.state !== '' && !findRegion(places.state))) return null;
    const reading = await this.readWords(query, asked, now);
    return query.q !== '' && reading.isEmpty ? null : withReading(asked, reading);
  }

  /** Spells unlisted departments as the state's tenders do. A name that no tender has is not changed. */
  private async withSpelledDepartments(places: ResolvedPlaces): Promise<ResolvedPlaces> {
    const { state, departments, unlistedDepartments, hasUnknownPlace } = places;
    if (hasUnknownPlace || unlistedDepartments.length === 0) return places;
    const names = await this.departmentsOf(state);
    const spelled = (department: string) => {
      if (!unlistedDepartments.includes(department) || names.includes(department)) return department;
      const folded = foldDepartment(department);
      return (folded && names.find((name) => foldDepartment(name) === folded)) || department;
    };
    return { ...places, departments: [...new Set(departments.map(spelled))] };
  }

  /** The departments of a state's tenders, read at most twice a minute. */
  private departmentsOf(state: string): Promise<string[]> {
    return this.departments.get(state, this.now(), async () => {
      const { rows } = await this.reader.query<{ department: string }>(departmentsStatement(state));
      return rows.map(({ department }) => department);
    });
  }

  /** One tender as the JSON of a TenderAnswer; NOT_FOUND for unknown ids and drafts. */
  async tender(id: string): Promise<string> {
    return `{"tender":${await this.find(id, this.now())}}`;
  }

  /** The closing of one tender as a calendar file in a language, and the file's name; NOT_FOUND as for `tender`. */
  async calendar(id: string, language: Language): Promise<{ name: string; text: string }> {
    const now = this.now();
    const tender: Tender = JSON.parse(await this.find(id, now));
    const text = inLanguage(language, () => tenderCalendar(tender, now, this.config.publicOrigin));
    return { name: calendarFileName(tender), text };
  }

  /**
   * The published tenders that a user has bookmarked, newest bookmark first, as the JSON of TenderSummary[], and their number.
   * It reads the primary, because the user may just have bookmarked one.
   */
  async bookmarked(userId: string): Promise<{ rows: string; total: number }> {
    const statement = bookmarkedStatement(userId, this.now());
    const { rows } = await this.primary.query<{ rows: string; total: number }>(statement);
    return rows[0] ?? EMPTY_LIST;
  }

  /** The published tenders of `ids` in their order, as the JSON of a ListedTendersResponse. */
  async listed(ids: number[]): Promise<string> {
    const { rows } = await this.reader.query<{ rows: string }>(summariesStatement(ids, this.now()));
    return `{"tenders":${rows[0]?.rows ?? '[]'}}`;
  }

  /**
   * The published tenders with these ids of this app or these numbers, open and closed, as the JSON of a
   * ListedTendersResponse. An unknown number has none.
   */
  byNumber({ ids, numbers }: TenderNumbersRequest): Promise<string> {
    return this.findByNumber(ids, numbers).catch(explainTimeout);
  }

  private async findByNumber(ids: readonly string[], numbers: readonly string[]): Promise<string> {
    const now = this.now();
    const asked = numbers.flatMap((number) => {
      const key = asciiNumberKey(number);
      const query = numberQuery(number);
      return key === '' || query === '' ? [] : { key, query };
    });
    const { rows: found } = await this.reader.query<{ id: number }>(
      numbersStatement(asked, MAX_TENDERS_OF_NUMBER, now),
    );
    const known = ids.map(Number).filter((id) => id >= 1 && id <= MAX_INTEGER_ID);
    const candidates = [...new Set([...known, ...found.map(({ id }) => id)])];
    const { tenders }: ListedTendersResponse = JSON.parse(await this.listed(candidates));
    const keys = new Set(numbers.map(numberKey));
    const isAsked = (tender: TenderSummary) =>
      ids.includes(tender._id) || numberKeysOf(tender).some((key) => keys.has(key));
    return JSON.stringify({ tenders: tenders.filter(isAsked) });
  }

  /** All 36 states with their open tenders, counted at most twice a minute. */
  async regions(): Promise<RegionListResponse> {
    const { rows } = await this.reader.query<{ fetched_at: Date | null }>(LAST_FETCHED);
    return { ...(await this.stateCounts()), fetched_at: rows[0]?.fetched_at?.toISOString() ?? null };
  }

  /** Metadata of a tender's page in a language, for search engines and link previews; undefined for unknown ids and drafts. */
  async pageMetadata(id: string, language: Language): Promise<PageMetadata | undefined> {
    try {
      const tender = JSON.parse(await this.find(id, this.now()));
      return inLanguage(language, () => tenderPageMetadata(tender, this.config.publicOrigin));
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** Number of files of the sitemap of open tenders. */
  async sitemapFiles(): Promise<number> {
    const { rows } = await this.reader.query<{ total: number }>(sitemapCountStatement(this.now()));
    return Math.ceil((rows[0]?.total ?? 0) / MAX_SITEMAP_TENDERS);
  }

  /** File `number` (from 1) of the sitemap: paths and the instant of the last change. Empty after the last file. */
  async sitemap(number: number): Promise<{ path: string; changed: string }[]> {
    const offset = (number - 1) * MAX_SITEMAP_TENDERS;
    const { rows } = await this.reader.query<{ path: string; changed: string }>(
      sitemapStatement(this.now(), MAX_SITEMAP_TENDERS, offset),
    );
    return rows;
  }

  private async find(id: string, now: Date): Promise<string> {
    const number = /^\d{1,10}$/.test(id) ? Number(id) : 0;
    if (number >= 1 && number <= MAX_INTEGER_ID) {
      const found = await this.reader.find<{ tender: string }>(tenderStatement(number, now));
      if (found) return found.tender;
      const isHidden = await this.reader.find({ ...IS_HIDDEN, values: [number] });
      if (isHidden) throw tenderHidden();
    }
    throw tenderNotFound();
  }

  /** Reads a list. If there are more matches than are counted, the order is by closing. */
  private async queryCounted(filter: TenderSqlFilter, now: Date): Promise<ListRow> {
    const list = await this.queryList(listStatement(filter, now));
    if (!isBounded(filter) || list.total <= MAX_COUNTED) return list;
    // Too many matches to read them all, so the notices are not known.
    const single = { ...filter, notices: false };
    return { ...(await this.queryList(closingOrderStatement(single, now))), hasMore: true };
  }

  private async queryList(statement: SqlStatement): Promise<ListRow> {
    const { rows } = await this.reader.query<ListRow>(statement);
    return rows[0] ?? EMPTY_LIST;
  }

  private async statesWithTenders(): Promise<StateCount[]> {
    const { states } = await this.stateCounts();
    return states.filter(({ open }) => open > 0).map(({ state, slug, open }) => ({ state, slug, open }));
  }

  private stateCounts(): Promise<StateCounts> {
    return this.counts.get('', this.now(), () => this.countStates());
  }

  private async countStates(): Promise<StateCounts> {
    type Row = { state: string; open: number; demonstration: boolean; fresh: number };
    type ClosingRow = { state: string; minute: number; tenders: number };
    const now = this.now();
    const day = indianDay(now);
    const [{ rows }, { rows: closings }] = await Promise.all([
      this.reader.query<Row>(stateCountsStatement(now, startOfPublicationWindow(1, now))),
      this.reader.query<ClosingRow>(
        closingMinutesStatement(now, startOfIndianDay(day), endOfClosingWindow(0, now), UNKNOWN_MINUTE),
      ),
    ]);
    const counted = new Map(rows.map((row) => [row.state, row]));
    const closing = new Map<string, ClosingMinutes>();
    for (const { state, minute, tenders } of closings) {
      const ofState = closing.get(state) ?? [];
      ofState.push([minute, tenders]);
      closing.set(state, ofState);
    }
    const states = STATES.map(({ name, slug }) => {
      const { open = 0, demonstration = false, fresh = 0 } = counted.get(name) ?? {};
      return {
        ...{ state: name, slug, open, demonstration },
        ...(closing.has(name) && { closing: closing.get(name) }),
        ...(fresh > 0 && { fresh }),
      };
    });
    return { day, states };
  }
}

/** Throws a statement's timeout as the error that users read. */
export function explainTimeout(error: unknown): never {
  throw isStatementTimeout(error) ? searchTookTooLong() : error;
}

const inDistrict = ({ district, secondDistrict }: FacetRow, { districts }: TenderSqlFilter) =>
  districts.length === 0 || districts.some((each) => each === district || each === secondDistrict);
const inDepartment = ({ department }: FacetRow, filter: TenderSqlFilter) =>
  filter.departments.length === 0 || (department !== null && filter.departments.includes(department));

function sumBy(rows: readonly FacetRow[], namesOf: (row: FacetRow) => (string | null)[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    for (const name of namesOf(row)) if (name !== null) sums.set(name, (sums.get(name) ?? 0) + row.tenders);
  }
  return Object.fromEntries(sums);
}

/** Number of tenders at the place that have a word, by the word as JSON. Counting stops at the limit of corrections. */
type WordCounts = Map<string, number>;

const withReading = (
  filter: TenderSqlFilter,
  { words, place, conditions }: Pick<QueryReading, 'words' | 'place' | 'conditions'>,
): TenderSqlFilter => ({ ...filter, words, place, conditions: conditionBounds(conditions) });

const EMPTY_READING: QueryReading = {
  words: [],
  place: null,
  conditions: [],
  rest: '',
  showingFor: null,
  isEmpty: true,
};
const EMPTY_LIST: ListRow = { total: 0, rows: '[]', demonstration: false, isIndexed: true };

function toSqlFilter(
  query: TenderQuery,
  places: ResolvedPlaces,
  now: Date,
  limit: number,
  offset: number,
): TenderSqlFilter {
  const { open, publishedWithin } = query;
  const closes = closingBounds(query, now);
  // Without words there is no relevance. The list has its default order, as in the app.
  const asked = query.sort === 'relevance' && query.q === '' ? null : query.sort;
  // By default closed tenders are sorted by newest closing first.
  const sort = asked ?? defaultSort(query);
  const usual = sort === 'closing_date' && (open || asked) ? 'asc' : 'desc';
  return {
    state: places.state || null,
    districts: places.districts,
    departments: places.departments,
    words: [],
    place: null,
    conditions: null,
    min: query.min,
    max: query.max,
    closesFrom: closes.from,
    closesBefore: closes.before,
    isHourStated: query.hour !== null,
    publishedFrom: publishedWithin === null ? null : startOfPublicationWindow(publishedWithin, now),
    category: query.category,
    open,
    sort,
    order: query.order ?? usual,
    notices: query.notices,
    limit,
    offset,
  };
}
