import { formatCount } from '@nivida/contract/format';
import { scopeName, usePacks } from '../../features/tenders/packs/pack-status.ts';
import css from './OpenTenderFigures.module.css';

/** The tenders on this device, when the server's figures are missing; renders nothing without any. */
export function SavedTenderFigures() {
  const { scopes } = usePacks();
  const packs = Object.values(scopes).flatMap(({ row: { scope, current } }) => (current ? [{ scope, current }] : []));
  if (packs.length === 0) return null;
  return (
    <dl className={css.figures}>
      {packs.map(({ scope, current }) => (
        <div key={scope}>
          <dt>tenders of {scopeName(scope)} on this phone</dt>
          <dd>{formatCount(current.rows)}</dd>
        </div>
      ))}
    </dl>
  );
}
