/** The active filters of a search as chips. */
import { t } from '@lingui/core/macro';
import { conditionLabel } from '@nivida/contract/conditions/condition-texts';
import {
  closingHourText,
  closingWindowText,
  priceRangeText,
  publicationWindowText,
} from '@nivida/contract/filter/filter-texts';
import { followDefaultOrder, type TenderListQuery } from '@nivida/contract/filter/tender-filter';
import { placeName } from '@nivida/contract/regions/states';
import { portalValueLabel } from '@nivida/contract/tenders/portal-values';
import type { QueryCondition } from '@nivida/contract/tenders/tender';
import { withOpenState } from '../../search/search.ts';

/** One active filter. */
interface FilterChip {
  /** Unique among the chips of a search. */
  key: string;
  label: string;
  /** The search without this filter. */
  without: TenderListQuery;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The active filters except the state. Their number is shown on the filter button. */
export function filterChips(search: TenderListQuery): FilterChip[] {
  const { districts, departments, min, max, within, hour, publishedWithin, category, open } = search;
  const chip = (key: string, label: string, change: Partial<TenderListQuery>): FilterChip => ({
    key,
    label: capitalized(label),
    without: { ...search, ...change, page: 1 },
  });
  const chips = [
    ...districts.map((name) =>
      chip(`district ${name}`, placeName(name), { districts: districts.filter((each) => each !== name) }),
    ),
    ...departments.map((name) =>
      chip(`department ${name}`, name, { departments: departments.filter((each) => each !== name) }),
    ),
  ];
  if (min !== null || max !== null) chips.push(chip('price', priceRangeText({ min, max }), { min: null, max: null }));
  if (open && within !== null) chips.push(chip('within', closingWindowText(within), { within: null }));
  if (hour !== null) chips.push(chip('hour', closingHourText({ hour, open }), { hour: null }));
  if (publishedWithin !== null)
    chips.push(chip('published', publicationWindowText(publishedWithin), { publishedWithin: null }));
  if (category !== null) chips.push(chip('category', portalValueLabel(category), { category: null }));
  if (!open) chips.push({ key: 'closed', label: t`Closed tenders`, without: withOpenState(search, true) });
  return chips;
}

/** The conditions that were read in the words. Removing a chip removes its words. */
export function conditionChips(
  search: TenderListQuery,
  conditions: readonly QueryCondition[],
  now: Date,
): FilterChip[] {
  return conditions.map((condition) => ({
    key: condition.text,
    label: conditionLabel(condition, now),
    without: withWords(search, condition.rest),
  }));
}

/** The search without any of the conditions in its words. */
export function withoutConditions(search: TenderListQuery, conditions: readonly QueryCondition[]): TenderListQuery {
  const rest = conditions.reduce((q, { text }) => q.replace(text, ''), search.q);
  return withWords(search, rest.trim());
}

const withWords = (search: TenderListQuery, q: string) => followDefaultOrder(search, { ...search, q, page: 1 });

/**
 * The state as a chip. Without the state, the words are searched in all states. Undefined without a state.
 */
export function stateChip(search: TenderListQuery): FilterChip | undefined {
  const { state } = search;
  if (state === '') return undefined;
  return {
    key: `state ${state}`,
    label: placeName(state),
    without: { ...search, state: '', districts: [], departments: [], page: 1 },
  };
}
