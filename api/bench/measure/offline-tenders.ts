/** Generated tenders of all states as a device gets them, and the questions that the benchmark asks. */
import { findDistrict, findRegion } from '@nivida/contract/regions/regions';
import { indexTerms } from '@nivida/contract/search/index-terms';
import type { DetailRows, ListRows } from '@nivida/contract/sync/sync';
import { TENDER_FIELD_LIST, type TenderFieldValues } from '@nivida/contract/tenders/tender-fields';
import { DEFAULT_ENGINE_QUERY, type EngineQuery } from '../../../pwa/src/offline/engine/query.ts';
import { demonstrationTenders } from '../../src/ingest/demo/demo-tenders.ts';
import type { SourceTender } from '../../src/ingest/source-tender.ts';
import { toSearchedTender } from '../../src/ingest/stored-row.ts';

/** Number of tenders generated at a time; they cover all 36 states. */
const TENDERS_PER_SEED = 10_000;

const NO_VALUES = Object.fromEntries(TENDER_FIELD_LIST.map(({ key }) => [key, null])) as unknown as TenderFieldValues;

/** A tender's fields, under the names of both files. */
export type OfflineTender = { [Field in keyof ListRows]: ListRows[Field][number] } & {
  [Field in keyof DetailRows]: DetailRows[Field][number];
};

/** `count` tenders around `now`, the same ones in every run of a day; a multiple of 10,000. */
export function offlineTenders(count: number, now: Date): OfflineTender[] {
  return Array.from({ length: count / TENDERS_PER_SEED }, (_, seedIndex) =>
    demonstrationTenders({ now, seed: seedIndex + 1, count: TENDERS_PER_SEED }).first.map((notice, index) =>
      toOfflineTender(notice, seedIndex * TENDERS_PER_SEED + index + 1),
    ),
  ).flat();
}

const toMilliseconds = (date: Date | null): number | null => date?.getTime() ?? null;

function toOfflineTender(tender: SourceTender, id: number): OfflineTender {
  const { title, description, organisationChain, place } = tender;
  const region = findRegion(tender.state);
  return {
    ...NO_VALUES,
    ...tender,
    id,
    orgName: organisationChain[0] ?? '',
    district: (region && place && findDistrict(region, place)?.name) || null,
    secondDistrict: null,
    isListed: null,
    department: organisationChain[0] ?? null,
    publishedAt: tender.publishedAt.getTime(),
    bidStartAt: toMilliseconds(tender.bidStartAt),
    closesAt: tender.closesAt.getTime(),
    lastCorrigendum: null,
    demonstration: true,
    sourceTenderId: tender.sourceId,
    nitWorks: 1,
    description: description === title ? '' : description,
    nitId: tender.nitKey,
    emdPercent: tender.emdPercent === null ? null : Number(tender.emdPercent),
    opensAt: toMilliseconds(tender.opensAt),
    preBidAt: toMilliseconds(tender.preBidAt),
    corrigenda: [],
    districtConfidence: 1,
    version: 1,
    updatedAt: tender.publishedAt.getTime(),
    documentPackage: null,
    otherSources: null,
  };
}

/** The tenders as columns for both files; each reader takes its own columns. */
export function offlineColumns(tenders: readonly OfflineTender[]): ListRows & DetailRows {
  const fields = Object.keys(tenders[0] ?? {}) as (keyof OfflineTender)[];
  const columns = fields.map((field) => [field, tenders.map((tender) => tender[field])]);
  return Object.fromEntries(columns) as ListRows & DetailRows;
}

/** The terms that the server and the engine index for a tender. */
export function searchedTerms(tender: OfflineTender): string[] {
  const { sourceTenderId: sourceId, department } = tender;
  const description = tender.description || tender.title;
  return [...indexTerms(toSearchedTender({ ...tender, sourceId, description }, tender, department)).keys()];
}

/** Questions of one kind. */
export interface QuestionGroup {
  name: string;
  queries: EngineQuery[];
}

/** 40 filters, 30 each of one, two and three words, 45 steps of typing, 20 of all mixed, 40 as the app asks; the words are those of tenders. */
export function questionGroups(tenders: readonly OfflineTender[]): QuestionGroup[] {
  // A prime stride covers states, trades and ages evenly.
  const pick = (at: number): OfflineTender => tenders[(at * 7_919) % tenders.length] as OfflineTender;
  const titleWordsAt = (at: number) => pick(at).title.match(/[A-Za-z]{4,}/g) ?? ['road'];
  const sorted = (at: number) =>
    ({
      sort: (['price', 'relevance', 'closing_date'] as const)[at % 3] ?? 'price',
      order: at % 4 < 2 ? 'desc' : 'asc',
      page: 1 + (at % 3),
    }) as const;
  const place = (at: number) => {
    const { state, district, department } = pick(at);
    const districts = district === null ? [] : [district];
    const departments = department === null ? [] : [department];
    return [{}, { state }, { state, districts }, { state, departments }][at % 4];
  };
  const make = (count: number, of: (at: number) => Partial<EngineQuery>): EngineQuery[] =>
    Array.from({ length: count }, (_, at) => ({ ...DEFAULT_ENGINE_QUERY, ...sorted(at), ...of(at) }));
  const words = (count: number, first: number) =>
    make(30, (at) => ({
      literal: 'all',
      q: titleWordsAt(first + at)
        .slice(0, count)
        .join(' '),
    }));
  const typing = Array.from({ length: 12 }, (_, at) => (titleWordsAt(200 + at)[at % 2] ?? 'road').toLowerCase());
  // As the app asks: places are read, misspelt words corrected, most of the words enough.
  const ranked = make(40, (at) => {
    const [first = '', second = '', third = ''] = titleWordsAt(400 + at);
    const misspelt = `${second.slice(0, 2)}${second.slice(3)}`;
    const texts = [
      `${first} ${second}`,
      `${first} ${misspelt}`,
      `${first} ${pick(at).district ?? second}`,
      `${first} ${third} zzzz`,
    ];
    return { sort: 'relevance', page: 1, q: texts[at % 4] ?? first };
  });
  return [
    { name: 'filter', queries: make(40, (at) => ({ ...place(at), open: at % 8 !== 7 })) },
    { name: 'one_word', queries: words(1, 50) },
    { name: 'two_words', queries: words(2, 90) },
    { name: 'three_words', queries: words(3, 130) },
    {
      name: 'prefix',
      queries: typing
        .flatMap((word) => make(4, (at) => ({ literal: 'all' as const, q: word.slice(0, at + 2) })))
        .slice(0, 45),
    },
    {
      name: 'mixed',
      queries: make(20, (at) => {
        const [first = '', second = ''] = titleWordsAt(300 + at);
        return { state: pick(300 + at).state, literal: 'all', q: `${first} ${second.slice(0, 3)}` };
      }),
    },
    { name: 'ranked', queries: ranked },
  ];
}
