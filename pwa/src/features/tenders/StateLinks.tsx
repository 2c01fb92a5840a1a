import { groupIndian } from '@nivida/contract/format';
import type { StateCount } from '@nivida/contract/tender';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useStateCounts } from '../../data/states.ts';
import { Skeleton } from '../../ui/Skeleton.tsx';
import css from './StateLinks.module.css';

const MOST_SHOWN = 8;

/** The states with most open tenders, each leading to its list; nothing when no state has any. */
export function StateLinks({ states }: { states: readonly StateCount[] }) {
  const heading = useId();
  const shown = states
    .filter(({ open }) => open > 0)
    .sort((a, b) => b.open - a.open)
    .slice(0, MOST_SHOWN);
  if (shown.length === 0) return null;
  return (
    <section className={css.states} aria-labelledby={heading}>
      <h2 id={heading}>States with tenders now</h2>
      <ul>
        {shown.map(({ state, slug, open }) => (
          <li key={slug}>
            <Link to={`/tenders/results?${new URLSearchParams({ state })}`}>
              {state} <span>{groupIndian(String(open))} open</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** In their place while they load, so that nothing below moves when they come. */
function Waiting() {
  return (
    <section className={css.states} aria-busy="true" aria-label="States with tenders now">
      <h2>States with tenders now</h2>
      <ul aria-hidden="true">
        {Array.from({ length: MOST_SHOWN }, (_, index) => index).map((index) => (
          <li key={index}>
            <span className={css.line}>
              <Skeleton>Himachal Pradesh</Skeleton>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The same from the present counts. */
export function OpenStates() {
  const { answer, isLoading } = useStateCounts();
  return isLoading ? <Waiting /> : <StateLinks states={answer?.states ?? []} />;
}
