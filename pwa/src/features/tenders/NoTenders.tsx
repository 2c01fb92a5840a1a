import { type TenderSearch, writePlace, writeSearch } from '@nivida/contract/list-address';
import type { StateCount, TenderList } from '@nivida/contract/tender';
import { useStateCounts } from '../../data/states.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { StateLinks } from './StateLinks.tsx';
import { ALL, narrowedBy, searchName } from './search.ts';

function reason(search: TenderSearch): string {
  const filters = narrowedBy(search) > 0 ? ' within these filters' : '';
  const narrowed = `${search.department ? ` of ${search.department}` : ''}${filters}`;
  if (search.q) return `Nothing${search.open ? ' open' : ' closed'}${narrowed} matches ${searchName(search)}.`;
  const where = searchName(search);
  return search.open ? `Nothing${narrowed} is open in ${where} now.` : `No closed tenders${narrowed} in ${where}.`;
}

interface NoTendersProps {
  search: TenderSearch;
  list: TenderList;
  /** The list is the device's, which has only some of the closed tenders. */
  isPartial: boolean;
}

/** Nothing found: why, the way back to the filled form, and the states that have tenders now. */
export function NoTenders({ search, list, isPartial }: NoTendersProps) {
  const counts = useStateCounts().answer?.states;
  const states: readonly StateCount[] = list.states ?? counts ?? [];
  const others = states.filter(({ state, open }) => open > 0 && (state !== search.state || search.q !== ''));
  return (
    <>
      <EmptyState
        title="No Tenders Found"
        actions={
          <>
            <ButtonLink look="main" to={`/tenders?${writePlace(search)}`}>
              Modify Search
            </ButtonLink>
            {narrowedBy(search) > 0 && (
              <ButtonLink to={{ search: `?${writeSearch({ ...search, ...ALL, page: 1 })}` }} replace>
                Clear filters
              </ButtonLink>
            )}
          </>
        }
      >
        {isPartial
          ? 'There are none on this phone, which keeps only those closed lately. Older ones need a connection.'
          : reason(search)}
      </EmptyState>
      <StateLinks states={others} />
    </>
  );
}
