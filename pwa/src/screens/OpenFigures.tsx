import { groupIndian } from '@nivida/contract/format';
import { useStateCounts } from '../data/states.ts';
import { lazyPart } from './lazy-screen.tsx';
import css from './OpenFigures.module.css';

const number = (count: number) => groupIndian(String(count));

const SavedFigures = lazyPart(() => import('./SavedFigures.tsx').then((m) => m.SavedFigures), null);

/** What is open in all of India now; where the server cannot say, what this phone has. Nothing when neither is known. */
export function OpenFigures() {
  const { answer, isLoading } = useStateCounts();
  if (isLoading) return <div className={css.waiting} />;
  const withTenders = answer?.states.filter(({ open }) => open > 0) ?? [];
  if (withTenders.length === 0) return answer ? null : <SavedFigures />;
  return (
    <dl className={css.figures}>
      <div>
        <dt>tenders open now</dt>
        <dd>{number(withTenders.reduce((sum, { open }) => sum + open, 0))}</dd>
      </div>
      <div>
        <dt>{withTenders.length === 1 ? 'state with open tenders' : 'states with open tenders'}</dt>
        <dd>{withTenders.length}</dd>
      </div>
    </dl>
  );
}
