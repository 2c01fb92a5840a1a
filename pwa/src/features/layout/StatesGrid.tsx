import { t } from '@lingui/core/macro';
import { formatCount } from '@nivida/contract/format';
import { placeName, type State, statesByName } from '@nivida/contract/regions/states';
import { Link, useMatch } from 'react-router-dom';
import { Icon } from '../../ui/display/Icon.tsx';
import css from './StatesGrid.module.css';

/** Number of open tenders by the state's name. Empty while unknown. */
type OpenCounts = ReadonlyMap<string, number>;

function StateList({ states, counts }: { states: readonly State[]; counts: OpenCounts }) {
  if (states.length === 0) return null;
  return (
    <ul className={css.states}>
      {states.map(({ name, slug }) => {
        const open = counts.get(name) ?? 0;
        return (
          <li key={slug}>
            <Link to={`/tenders/results?${new URLSearchParams({ state: name })}`}>
              {placeName(name)}
              {open > 0 && (
                <data value={open}>
                  {formatCount(open)}
                  <span className="sr"> {t({ message: 'open', context: 'after a number of tenders' })}</span>
                </data>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/**
 * The 36 states and union territories. States without open tenders are folded. All are folded while the
 * counts are unknown, so that nothing moves up when they arrive. All are folded below a tender and below the
 * search form, which has its own list.
 */
export function StatesGrid({ counts }: { counts: OpenCounts }) {
  const isFolded = useMatch('/tenders/:id?') !== null;
  const isOpenIn = ({ name }: State) => (counts.get(name) ?? 0) > 0;
  const states = statesByName();
  const withTenders = states.filter(isOpenIn);
  const others = states.filter((state) => !isOpenIn(state));
  if (isFolded) {
    return (
      <details className={`${css.fold} page`}>
        <summary>
          <h2>{t`Browse Tenders by State`}</h2>
          <Icon name="next" />
        </summary>
        <StateList states={states} counts={counts} />
      </details>
    );
  }
  return (
    <section className={`${css.grid} page`} aria-labelledby="states">
      <div className="head">
        <h2 id="states">{t`Browse Tenders by State`}</h2>
        {withTenders.length > 0 && <span className="xs muted">{t`open now`}</span>}
      </div>
      <StateList states={withTenders} counts={counts} />
      {others.length > 0 && (
        <details className={css.fold}>
          <summary>
            <span>
              {withTenders.length > 0 ? t`${others.length} more states` : t`All states and union territories`}
            </span>
            <Icon name="next" />
          </summary>
          <StateList states={others} counts={counts} />
        </details>
      )}
    </section>
  );
}
