/**
 * Matches saved searches with new tenders without testing each search. A search is stored under probes, the most specific
 * part of its filter. A tender is looked up by its own probes. The rules are the same as in lists of tenders.
 */

import type { Exclusion } from '@nivida/contract/conditions/condition-meaning';
import { type ConditionBounds, conditionBounds } from '@nivida/contract/conditions/conditions-in-query';
import { fromSavedFilter } from '@nivida/contract/filter/saved-filter';
import type { SavedFilter } from '@nivida/contract/filter/saved-search';
import type { TenderFilter } from '@nivida/contract/filter/tender-filter';
import { foldDepartment } from '@nivida/contract/regions/fold-name';
import { departmentName, findDistrict, findRegion, listedPlace } from '@nivida/contract/regions/regions';
import { MATCH_QUALITY, type QueryWord, type TermSet } from '@nivida/contract/search/query-words';
import { readTypedQuery } from '@nivida/contract/search/read-query';
import { endOfClosingWindow } from '@nivida/contract/tenders/closing';
import type { QueryPlace } from '@nivida/contract/tenders/tender';

/** The matched fields of a tender. `words` are its index terms, `textWords` those of title and description; money is in rupees. */
export interface MatchedTender {
  id: number;
  state: string;
  district: string | null;
  secondDistrict: string | null;
  department: string | null;
  category: string | null;
  price: number | null;
  emd: number | null;
  emdExemptionAllowed: boolean | null;
  publishedAt: Date;
  closesAt: Date;
  words: readonly string[];
  textWords: readonly string[];
}

/** A parsed filter. Places have their listed names; null and an empty list: any. */
export interface PreparedSearch {
  state: string | null;
  districts: readonly string[];
  /** Folded, because unlisted organisations have several spellings. */
  departments: readonly string[];
  words: readonly QueryWord[];
  /** A district name in the words that exists in several states. Any other place is in `state` and `districts`. */
  place: QueryPlace | null;
  /** Conditions in the words, for the Indian day on which they were parsed. */
  conditions: ConditionBounds | null;
  filter: Pick<TenderFilter, 'min' | 'max' | 'within' | 'category'>;
}

/** Probe of a search that matches nothing: an unknown place, or words without a term. */
const NO_MATCH_PROBE = '-';
const ANY_VALUE = '*';
/** A probe of a term has only this many letters, so that a prefix finds longer terms. */
const LONG_STEM_LETTERS = 6;
const SHORT_STEM_LETTERS = 3;

/** Parses a filter for the Indian day of `now`; undefined when it matches nothing. */
export function prepareSearch(saved: SavedFilter, now: Date): PreparedSearch | undefined {
  const filter = listedPlace(fromSavedFilter(saved));
  const { state, districts, q } = filter;
  const region = state === '' ? undefined : findRegion(state);
  const isKnown = (district: string) => region !== undefined && findDistrict(region, district) !== undefined;
  const folded = region ? filter.departments.map((name) => foldDepartment(departmentName(region, name) ?? '')) : [];
  const departments = [...new Set(folded.filter(Boolean))];
  const context = { state: region?.state.name ?? null, districts };
  const { words, place, isEmpty, ...reading } = readTypedQuery(q, context, filter.literal, now);
  const conditions = conditionBounds(reading.conditions);
  const isUnknown =
    (state !== '' && !region) ||
    !districts.every(isKnown) ||
    (filter.departments.length > 0 && departments.length === 0) ||
    (q !== '' && isEmpty);
  if (isUnknown) return undefined;
  const placeStates = new Set(place?.districts.map((each) => each.state) ?? []);
  // Districts with the same name in several states need their state, so they are kept as pairs.
  if (placeStates.size > 1) return { ...context, departments, words, place, conditions, filter };
  return {
    state: region?.state.name ?? place?.state ?? [...placeStates][0] ?? null,
    districts: placeStates.size === 1 && place ? place.districts.map(({ district }) => district) : districts,
    departments,
    words,
    place: null,
    conditions,
    filter,
  };
}

/**
 * The probes of a search. Every matching tender has at least one of them. Words are more specific than places, unless all
 * words are in `common`, the terms of many tenders.
 */
export function searchProbes(search: PreparedSearch | undefined, common: ReadonlySet<string>): string[] {
  if (!search) return [NO_MATCH_PROBE];
  const { state, districts, departments } = search;
  const places = [state !== null, districts.length > 0, departments.length > 0].filter(Boolean).length;
  const required = search.words.filter((word) => word.required);
  const termsOfWords = required.map((each) => each.alternatives.map(({ terms }) => rarestTerm(terms, common)));
  const [best] = termsOfWords.toSorted(
    (one, other) => minTermSpecificity(other, common) - minTermSpecificity(one, common),
  );
  const isSpecific = best !== undefined && minTermSpecificity(best, common) > 0;
  if (best && (isSpecific || places < 2)) return [...new Set(best.map((term) => wordProbe(state, termStem(term))))];
  if (search.place) return search.place.districts.map(({ state, district }) => placeProbe(state, district, null));
  return places === 0 ? [ANY_VALUE] : placeProbes(search);
}

/** Probes of the places. If there are both districts and departments, the shorter list is enough. */
function placeProbes({ state, districts, departments }: PreparedSearch): string[] {
  const hasBoth = districts.length > 1 && departments.length > 1;
  const areDistrictsFewer = districts.length <= departments.length;
  const orAny = (names: readonly string[], isLeftOut: boolean) => (isLeftOut || names.length === 0 ? [null] : names);
  return orAny(districts, hasBoth && !areDistrictsFewer).flatMap((district) =>
    orAny(departments, hasBoth && areDistrictsFewer).map((department) => placeProbe(state, district, department)),
  );
}

/** All probes of searches that may match this tender. */
export function tenderProbes(tender: MatchedTender): string[] {
  const { state, district, secondDistrict, words } = tender;
  const department = foldedDepartment(tender);
  const stems = new Set(
    words.flatMap((word) => [
      word.slice(0, LONG_STEM_LETTERS),
      word.slice(0, SHORT_STEM_LETTERS),
      word.slice(0, 2),
      word.slice(0, 1),
    ]),
  );
  return [
    ANY_VALUE,
    placeProbe(state, null, null),
    placeProbe(state, null, department),
    ...[district, ...(secondDistrict === null ? [] : [secondDistrict])].flatMap((each) => [
      placeProbe(state, each, null),
      placeProbe(state, each, department),
    ]),
    ...[...stems].flatMap((stem) => [wordProbe(state, stem), wordProbe(null, stem)]),
  ];
}

/** Whether an open tender matches at `now`. */
export function matchesSearch(
  search: PreparedSearch,
  tender: MatchedTender,
  terms: ReadonlySet<string>,
  now: Date,
): boolean {
  const { min, max, within, category } = search.filter;
  if (search.state !== null && search.state !== tender.state) return false;
  if (!isOneOf(search.districts, tender.district) && !isOneOf(search.districts, tender.secondDistrict)) return false;
  if (!isOneOf(search.departments, foldedDepartment(tender))) return false;
  if (category !== null && category !== tender.category) return false;
  if (min !== null && !(tender.price !== null && tender.price >= min)) return false;
  if (max !== null && !(tender.price !== null && tender.price <= max)) return false;
  if (within !== null && tender.closesAt >= endOfClosingWindow(within, now)) return false;
  if (search.place && !isInPlace(search.place, tender)) return false;
  if (search.conditions && !meetsConditions(search.conditions, tender)) return false;
  return search.words.every((word) => !word.required || containsWord(word, tender.words, terms));
}

function meetsConditions(conditions: ConditionBounds, tender: MatchedTender): boolean {
  const { min, max, emdMin, emdMax, isEmdExempt, closing, published, categories, exclusions } = conditions;
  const isBetween = (value: number | null, from: number | null, to: number | null) =>
    (from === null && to === null) || (value !== null && value >= (from ?? -Infinity) && value <= (to ?? Infinity));
  const isWithin = (at: Date, { from, before }: ConditionBounds['closing']) =>
    (from === null || at >= from) && (before === null || at < before);
  return (
    isBetween(tender.price, min, max) &&
    isBetween(tender.emd, emdMin, emdMax) &&
    (!isEmdExempt || tender.emd === 0 || tender.emdExemptionAllowed === true) &&
    isWithin(tender.closesAt, closing) &&
    isWithin(tender.publishedAt, published) &&
    categories.every((category) => category === tender.category) &&
    !exclusions.some((exclusion) => isLeftOut(exclusion, tender))
  );
}

function isLeftOut({ words, place }: Exclusion, tender: MatchedTender): boolean {
  if (place) return isInPlace(place, tender);
  const terms = new Set(tender.textWords);
  return words.length > 0 && words.every((word) => containsWord(word, tender.textWords, terms));
}

const isInPlace = (
  place: Pick<QueryPlace, 'state' | 'districts'>,
  { state, district, secondDistrict }: MatchedTender,
) =>
  (place.state === null || place.state === state) &&
  (place.districts.length === 0 ||
    place.districts.some((each) => each.state === state && [district, secondDistrict].includes(each.district)));

const isOneOf = (names: readonly string[], name: string | null) =>
  names.length === 0 || (name !== null && names.includes(name));
const foldedDepartment = ({ department }: Pick<MatchedTender, 'department'>) =>
  department && foldDepartment(department);

function containsWord({ alternatives }: QueryWord, words: readonly string[], terms: ReadonlySet<string>): boolean {
  return alternatives.some((alternative) =>
    alternative.terms.every((term, at) => {
      if (terms.has(term)) return true;
      const isPrefix = alternative.quality === MATCH_QUALITY.prefix && at === alternative.terms.length - 1;
      return isPrefix && words.some((word) => word.startsWith(term));
    }),
  );
}

/** The probe of an alternative. All its terms are required, so the rarest one is enough. */
function rarestTerm(terms: TermSet, common: ReadonlySet<string>): string {
  const [first = ''] = terms.toSorted((one, other) => termSpecificity(other, common) - termSpecificity(one, common));
  return first;
}

/** Longer terms are rarer. A common term has no specificity. */
const termSpecificity = (term: string, common: ReadonlySet<string>): number => (common.has(term) ? 0 : term.length);
/** The specificity of several alternatives is that of the least specific one. */
const minTermSpecificity = (terms: readonly string[], common: ReadonlySet<string>): number =>
  Math.min(...terms.map((term) => termSpecificity(term, common)));

function termStem(term: string): string {
  return term.length >= LONG_STEM_LETTERS ? term.slice(0, LONG_STEM_LETTERS) : term.slice(0, SHORT_STEM_LETTERS);
}

const wordProbe = (state: string | null, stem: string) => `w ${state ?? ANY_VALUE}\t${stem}`;
const placeProbe = (state: string | null, district: string | null, department: string | null) =>
  `p ${state}\t${district ?? ANY_VALUE}\t${department ?? ANY_VALUE}`;
