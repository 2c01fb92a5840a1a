import type { SavedFilter } from './saved-search.ts';
import { distinctTexts, EMPTY_FILTER, oneOrSeveral, type TenderFilter } from './tender-filter.ts';

/** The saved form of a filter. `hour`, `publishedWithin` and `open` are not saved, because alerts are about new open tenders. */
export function toSavedFilter({
  state,
  districts,
  departments,
  q,
  literal,
  min,
  max,
  within,
  category,
}: TenderFilter): SavedFilter {
  return {
    state,
    district: oneOrSeveral(districts),
    department: oneOrSeveral(departments),
    q: q.trim().replace(/\s+/gu, ' '),
    ...(literal && { literal }),
    ...(min !== null && { min }),
    ...(max !== null && { max }),
    ...(within !== null && { within }),
    ...(category && { category }),
  };
}

/** The filter of a saved search. */
export function fromSavedFilter({
  state,
  district,
  department,
  q,
  literal,
  min,
  max,
  within,
  category,
}: SavedFilter): TenderFilter {
  return {
    ...EMPTY_FILTER,
    state,
    districts: distinctTexts([district].flat()),
    departments: distinctTexts([department].flat()),
    q,
    literal: literal ?? null,
    min: min ?? null,
    max: max ?? null,
    within: within ?? null,
    category: category ?? null,
  };
}
