import { groupIndian } from '@nivida/contract/format';
import { scopeName, usePacks } from '../features/tenders/packs/status.ts';
import css from './OpenFigures.module.css';

/** What this phone has, where the server cannot say what is open; nothing when it has nothing. */
export function SavedFigures() {
  const { scopes } = usePacks();
  const copies = Object.values(scopes).flatMap(({ row: { scope, current } }) => (current ? [{ scope, current }] : []));
  if (copies.length === 0) return null;
  return (
    <dl className={css.figures}>
      {copies.map(({ scope, current }) => (
        <div key={scope}>
          <dt>tenders of {scopeName(scope)} on this phone</dt>
          <dd>{groupIndian(String(current.rows))}</dd>
        </div>
      ))}
    </dl>
  );
}
