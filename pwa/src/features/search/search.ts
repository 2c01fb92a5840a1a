/** Changes that the list's controls make to a search, and the titles of a search. */
import { t } from '@lingui/core/macro';
import {
  defaultOrder,
  defaultSort,
  type SortKey,
  type SortOrder,
  type TenderFilter,
  type TenderListQuery,
} from '@nivida/contract/filter/tender-filter';

/** Examples on the search form, in the language of the app. Each finds tenders on the portals. */
export const searchExamples = () => [t`bailey bridge`, t`retaining wall`];

/** The filters other than place and words. */
export type RangeFilter = Pick<TenderFilter, 'min' | 'max' | 'within' | 'hour' | 'publishedWithin' | 'category'>;

const NO_RANGE_FILTER: RangeFilter = {
  min: null,
  max: null,
  within: null,
  hour: null,
  publishedWithin: null,
  category: null,
};

/** True when a filter other than place and words is active. */
export function hasRangeFilter({ min, max, within, hour, publishedWithin, category, open }: TenderFilter): boolean {
  return [min, max, open ? within : null, hour, publishedWithin, category].some((each) => each !== null);
}

/** The search with only its state and words. Open or closed stays as it is. */
export function withoutFilters(search: TenderListQuery): TenderListQuery {
  return { ...search, districts: [], departments: [], ...NO_RANGE_FILTER, page: 1 };
}

/** True when a filter is active that `withoutFilters` removes. */
export function hasFilters(search: TenderFilter): boolean {
  return search.districts.length > 0 || search.departments.length > 0 || hasRangeFilter(search);
}

/**
 * Sorts by a key. The same key again reverses the direction; another key starts with its default. Goes to
 * page 1.
 */
export function withSort(search: TenderListQuery, sort: SortKey): TenderListQuery {
  const turned: SortOrder = search.order === 'asc' ? 'desc' : 'asc';
  return { ...search, sort, order: sort === search.sort ? turned : defaultOrder(sort, search.open), page: 1 };
}

/** Switches between open and closed tenders and resets the sorting. */
export function withOpenState(search: TenderListQuery, open: boolean): TenderListQuery {
  const sort = defaultSort({ ...search, open });
  return { ...search, open, sort, order: defaultOrder(sort, open), page: 1 };
}

/** 'Mandi or Kangra'. Each name once; '' without names. */
export const eitherText = (names: readonly string[]): string =>
  [...new Set(names)].reduce((others, name) => (others ? t`${others} or ${name}` : name), '');
