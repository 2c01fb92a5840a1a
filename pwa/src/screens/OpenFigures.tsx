import { useStateCounts } from '../data/states.ts';
import css from './OpenFigures.module.css';

const number = new Intl.NumberFormat('en-IN');

/** What is open in all of India now; nothing while unknown. */
export function OpenFigures() {
  const { answer } = useStateCounts();
  const withTenders = answer?.states.filter(({ open }) => open > 0) ?? [];
  if (withTenders.length === 0) return null;
  return (
    <dl className={css.figures}>
      <div>
        <dt>tenders open now</dt>
        <dd>{number.format(withTenders.reduce((sum, { open }) => sum + open, 0))}</dd>
      </div>
      <div>
        <dt>{withTenders.length === 1 ? 'state with open tenders' : 'states with open tenders'}</dt>
        <dd>{withTenders.length}</dd>
      </div>
    </dl>
  );
}
