import { STATES } from '@nivida/contract/regions/states';
import { Link, useMatch } from 'react-router-dom';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './StatesGrid.module.css';

/** Open tenders by the state's name; empty while unknown. */
export type OpenCounts = ReadonlyMap<string, number>;

const countFormat = new Intl.NumberFormat('en-IN');

function StateList({ counts }: { counts: OpenCounts }) {
  return (
    <ul className={css.states}>
      {STATES.map(({ name, slug }) => {
        const open = counts.get(name) ?? 0;
        return (
          <li key={slug}>
            <Link to={`/tenders/results?${new URLSearchParams({ state: name })}`}>
              {name}
              {open > 0 && (
                <data value={open}>
                  {countFormat.format(open)}
                  <span className="sr"> open</span>
                </data>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** The 36 states and union territories with their open tenders; folded below a list or a tender. */
export function StatesGrid({ counts }: { counts: OpenCounts }) {
  if (useMatch('/tenders/:id')) {
    return (
      <details className={`${css.fold} page`}>
        <summary>
          <h2>Browse Tenders by State</h2>
          <Icon name="next" />
        </summary>
        <StateList counts={counts} />
      </details>
    );
  }
  return (
    <section className="page" aria-labelledby="states">
      <div className="head">
        <h2 id="states">Browse Tenders by State</h2>
        {counts.size > 0 && <span className="xs muted">open now</span>}
      </div>
      <StateList counts={counts} />
    </section>
  );
}
