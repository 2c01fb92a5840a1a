import { t } from '@lingui/core/macro';
import { formatCount } from '@nivida/contract/format';
import { placeName } from '@nivida/contract/regions/states';
import type { StateCount } from '@nivida/contract/tenders/tender';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useStateCounts } from '../../data/server/state-counts.ts';
import { Skeleton } from '../../ui/feedback/Skeleton.tsx';
import css from './StateLinks.module.css';

const MAX_STATES = 8;

/** Links to the states with most open tenders. Renders nothing when no state has any. */
export function StateLinks({ states }: { states: readonly StateCount[] }) {
  const heading = useId();
  const visibleStates = states
    .filter(({ open }) => open > 0)
    .sort((a, b) => b.open - a.open)
    .slice(0, MAX_STATES);
  if (visibleStates.length === 0) return null;
  return (
    <section className={css.states} aria-labelledby={heading}>
      <h2 id={heading}>{t`States with tenders now`}</h2>
      <ul className="entries">
        {visibleStates.map(({ state, slug, open }) => (
          <li key={slug}>
            <Link to={`/tenders/results?${new URLSearchParams({ state })}`}>
              {placeName(state)} <span>{t`${formatCount(open)} open`}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reserves the space of the links while they load. */
function StateLinksSkeleton() {
  return (
    <section className={css.states} aria-busy="true" aria-label={t`States with tenders now`}>
      <h2>{t`States with tenders now`}</h2>
      <ul className="entries" aria-hidden="true">
        {Array.from({ length: MAX_STATES }, (_, index) => index).map((index) => (
          <li key={index}>
            <span className={css.line}>
              <Skeleton>{15}</Skeleton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The links with the current counts. */
export function OpenStateLinks() {
  const { answer, isLoading } = useStateCounts();
  return isLoading ? <StateLinksSkeleton /> : <StateLinks states={answer?.states ?? []} />;
}
