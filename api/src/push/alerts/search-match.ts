/**
 * Which saved searches a new tender matches, without asking each of them: a search is filed under the most telling part
 * of its filter, its probes, and a tender looks only under the probes that it has itself. The rules are those of the list.
 */

import { foldDepartment } from '@nivida/contract/regions/fold-name';
import { departmentName, findDistrict, findRegion } from '@nivida/contract/regions/regions';
import type { SavedSearch } from '@nivida/contract/search/saved-search';
import { parseQuery, type QueryWord, type TermSet } from '@nivida/contract/search/search';
import { endOfClosingWindow } from '@nivida/contract/tenders/closing';

/** What is looked at of a tender; `words` are its index terms, `price` is in rupees. */
export interface MatchedTender {
  id: number;
  state: string;
  district: string | null;
  department: string | null;
  category: string | null;
  price: number | null;
  closesAt: Date;
  words: readonly string[];
}

/** A saved search that is ready to be asked; places have their listed names, null is not asked for. */
export interface PreparedSearch {
  state: string | null;
  district: string | null;
  /** Folded: an organisation that is not listed is spelt in several ways. */
  department: string | null;
  words: readonly QueryWord[];
  filter: SavedSearch['filter'];
}

/** Probe of a search that can match nothing: it names a place that is none, or words without a term. */
const NO_MATCH_PROBE = '-';
const ANY_VALUE = '*';
/** Terms are filed by so many first letters, so that a word that is still being typed finds the longer ones. */
const LONG_STEM_LETTERS = 6;
const SHORT_STEM_LETTERS = 3;

/** Reads a filter once; undefined when nothing can match it. */
export function prepareSearch(filter: SavedSearch['filter']): PreparedSearch | undefined {
  const region = filter.state === '' ? undefined : findRegion(filter.state);
  const district = region && filter.district !== '' ? findDistrict(region, filter.district) : undefined;
  const department = region && foldDepartment(departmentName(region, filter.department) ?? '');
  const words = parseQuery(filter.q);
  const isUnknown =
    (filter.state !== '' && !region) ||
    (filter.district !== '' && !district) ||
    (filter.department !== '' && !department) ||
    (filter.q !== '' && words.length === 0);
  if (isUnknown) return undefined;
  return {
    state: region?.state.name ?? null,
    district: district?.name ?? null,
    department: department || null,
    words,
    filter,
  };
}

/**
 * The probes of a search: at least one of them is among those of every tender that it matches. Words tell more than
 * places, unless all of them are `common`: terms that a good part of all tenders hold.
 */
export function searchProbes(search: PreparedSearch | undefined, common: ReadonlySet<string>): string[] {
  if (!search) return [NO_MATCH_PROBE];
  const { state, district, department } = search;
  const places = [state, district, department].filter((place) => place !== null).length;
  const word = search.words.map((each) => each.alternatives.map((terms) => rarestTerm(terms, common)));
  const [best] = word.toSorted((one, other) => minTermSpecificity(other, common) - minTermSpecificity(one, common));
  const isTelling = best !== undefined && minTermSpecificity(best, common) > 0;
  if (best && (isTelling || places < 2)) return [...new Set(best.map((term) => wordProbe(state, termStem(term))))];
  return places === 0 ? [ANY_VALUE] : [placeProbe(state, district, department)];
}

/** Everything that a search could be filed under to match this tender. */
export function tenderProbes(tender: MatchedTender): string[] {
  const { state, district, words } = tender;
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
    placeProbe(state, district, null),
    placeProbe(state, null, department),
    placeProbe(state, district, department),
    ...[...stems].flatMap((stem) => [wordProbe(state, stem), wordProbe(null, stem)]),
  ];
}

/** Whether a tender that is open at `now` matches. */
export function matchesSearch(
  search: PreparedSearch,
  tender: MatchedTender,
  terms: ReadonlySet<string>,
  now: Date,
): boolean {
  const { min, max, within, category } = search.filter;
  if (search.state !== null && search.state !== tender.state) return false;
  if (search.district !== null && search.district !== tender.district) return false;
  if (search.department !== null && search.department !== foldedDepartment(tender)) return false;
  if (category !== undefined && category !== tender.category) return false;
  if (min !== undefined && !(tender.price !== null && tender.price >= min)) return false;
  if (max !== undefined && !(tender.price !== null && tender.price <= max)) return false;
  if (within !== undefined && tender.closesAt >= endOfClosingWindow(within, now)) return false;
  return search.words.every((word) => containsWord(word, tender.words, terms));
}

const foldedDepartment = ({ department }: Pick<MatchedTender, 'department'>) =>
  department && foldDepartment(department);

function containsWord(
  { alternatives, prefix }: QueryWord,
  words: readonly string[],
  terms: ReadonlySet<string>,
): boolean {
  return alternatives.some((alternative, nth) =>
    alternative.every((term, at) => {
      if (terms.has(term)) return true;
      const isTyped = prefix && nth === 0 && at === alternative.length - 1;
      return isTyped && words.some((word) => word.startsWith(term));
    }),
  );
}

/** All terms of an alternative must be there, so one of them is enough to find it by. */
function rarestTerm(terms: TermSet, common: ReadonlySet<string>): string {
  const [first = ''] = terms.toSorted((one, other) => termSpecificity(other, common) - termSpecificity(one, common));
  return first;
}

/** The longer a word, the fewer tenders hold it; what many are known to hold tells nothing. */
const termSpecificity = (term: string, common: ReadonlySet<string>): number => (common.has(term) ? 0 : term.length);
/** A word is as telling as the least of its alternatives. */
const minTermSpecificity = (terms: readonly string[], common: ReadonlySet<string>): number =>
  Math.min(...terms.map((term) => termSpecificity(term, common)));

function termStem(term: string): string {
  return term.length >= LONG_STEM_LETTERS ? term.slice(0, LONG_STEM_LETTERS) : term.slice(0, SHORT_STEM_LETTERS);
}

const wordProbe = (state: string | null, stem: string) => `w ${state ?? ANY_VALUE}\t${stem}`;
const placeProbe = (state: string | null, district: string | null, department: string | null) =>
  `p ${state}\t${district ?? ANY_VALUE}\t${department ?? ANY_VALUE}`;
