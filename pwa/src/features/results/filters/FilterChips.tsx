import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type TenderListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import type { QueryCondition } from '@nivida/contract/tenders/tender';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../../ui/display/Icon.tsx';
import { withOpenState, withoutFilters } from '../../search/search.ts';
import css from './FilterChips.module.css';
import { conditionChips, filterChips, stateChip, withoutConditions } from './filter-chips.ts';

/**
 * The page of a search: the results, or the search form when there is no state and no words. From a list, it
 * replaces the history entry.
 */
function pageOf(search: TenderListQuery) {
  const isList = search.state !== '' || search.q !== '';
  return {
    to: isList ? { search: `?${tenderFilterParams(search)}` } : '/tenders',
    replace: isList,
    state: { page: 1 },
  };
}

interface FilterChipsProps {
  search: TenderListQuery;
  /** The conditions that the answer has read in the words. */
  conditions?: readonly QueryCondition[] | undefined;
  /** Called when the last chip was removed, because the focus needs another place. */
  now: Date;
  onEmpty: () => void;
}

/** The active filters over a list; each can be removed. Renders nothing for all tenders of a state. */
export function FilterChips({ search, conditions = [], now, onEmpty }: FilterChipsProps) {
  const list = useRef<HTMLUListElement>(null);
  const removedAt = useRef<number>(undefined);
  const filters = [...conditionChips(search, conditions, now), ...filterChips(search)];
  const state = stateChip(search);
  const chips = state && (filters.length > 0 || search.q !== '') ? [...filters, state] : filters;
  const keys = chips.map(({ key }) => key).join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: `keys` changes with the chips; only then a link can have been removed
  useEffect(() => {
    if (removedAt.current === undefined) return;
    const links = list.current?.querySelectorAll('a') ?? [];
    const next = links[Math.min(removedAt.current, links.length - 1)];
    removedAt.current = undefined;
    if (next) next.focus();
    else onEmpty();
  }, [keys]);

  if (chips.length === 0) return null;
  return (
    <ul
      ref={list}
      className={css.chips}
      data-state-only={filters.length === 0 || undefined}
      aria-label={t`Filters set`}
    >
      {chips.map(({ key, label, without }, at) => (
        <li key={key}>
          <Link
            {...pageOf(without)}
            className={css.chip}
            onClick={() => {
              removedAt.current = at;
            }}
          >
            <span>
              <Trans>
                <span className="sr">Remove </span>
                {label}
              </Trans>
              <Icon name="close" small />
            </span>
          </Link>
        </li>
      ))}
      {filters.length > 1 && (
        <li>
          <Link
            {...pageOf(
              withoutConditions(withoutFilters(search.open ? search : withOpenState(search, true)), conditions),
            )}
            className={css.clear}
            onClick={() => {
              removedAt.current = 0;
            }}
          >
            {t`Clear all`}
          </Link>
        </li>
      )}
    </ul>
  );
}
