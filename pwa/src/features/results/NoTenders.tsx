import { t } from '@lingui/core/macro';
import { namesText, searchName } from '@nivida/contract/filter/filter-texts';
import { placeFilterParams, type TenderListQuery, tenderFilterParams } from '@nivida/contract/filter/tender-filter';
import type { StateCount, TenderListResponse } from '@nivida/contract/tenders/tender';
import { useStateCounts } from '../../data/server/state-counts.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { StateLinks } from '../search/StateLinks.tsx';
import { hasFilters, hasRangeFilter, withoutFilters } from '../search/search.ts';
import { emptyText, NearestLinks } from './SearchNotes.tsx';

/** 'of PWD within these filters'; '' without departments and filters. */
function narrowedText(search: TenderListQuery): string {
  const departments = namesText(search.departments, 'departments');
  if (!hasRangeFilter(search)) return departments && t`of ${departments}`;
  return departments ? t`of ${departments} within these filters` : t`within these filters`;
}

function emptyReason(search: TenderListQuery): string {
  const name = searchName(search);
  const narrowed = narrowedText(search);
  if (search.q && narrowed)
    return search.open ? t`Nothing open ${narrowed} matches ${name}.` : t`Nothing closed ${narrowed} matches ${name}.`;
  if (search.q) return search.open ? t`Nothing open matches ${name}.` : t`Nothing closed matches ${name}.`;
  if (narrowed)
    return search.open ? t`Nothing ${narrowed} is open in ${name} now.` : t`No closed tenders ${narrowed} in ${name}.`;
  return search.open ? t`Nothing is open in ${name} now.` : t`No closed tenders in ${name}.`;
}

interface NoTendersProps {
  search: TenderListQuery;
  list: TenderListResponse;
  /** The list is from the device, which has only some states, or only recently closed tenders. */
  isPartial: boolean;
}

/** No results: the reason, a link to the filled form, and the states with open tenders. */
export function NoTenders({ search, list, isPartial }: NoTendersProps) {
  const counts = useStateCounts().answer?.states;
  const states: readonly StateCount[] = list.states ?? counts ?? [];
  const others = states.filter(({ state, open }) => open > 0 && (state !== search.state || search.q !== ''));
  return (
    <>
      <EmptyState
        title={t`No Tenders Found`}
        actions={
          <>
            <NearestLinks nearest={list.nearest ?? []} />
            <ButtonLink look="main" to={`/tenders?${placeFilterParams(search)}`}>
              {t`Modify Search`}
            </ButtonLink>
            {hasFilters(search) && (
              <ButtonLink to={{ search: `?${tenderFilterParams(withoutFilters(search))}` }} replace>
                {t`Clear filters`}
              </ButtonLink>
            )}
          </>
        }
      >
        {isPartial
          ? search.open
            ? t`None in the states on this phone. Go online to search all of India.`
            : t`None on this phone. It has only recently closed tenders. Go online to see older ones.`
          : search.q && ((list.nearest?.length ?? 0) > 0 || list.index_incomplete)
            ? t`${{ nothing: emptyText(search, list) }}.`
            : emptyReason(search)}
      </EmptyState>
      <StateLinks states={others} />
    </>
  );
}
