import { formatCount } from '@nivida/contract/format';
import { Suspense } from 'react';
import { useStateCounts } from '../../data/server/state-counts.ts';
import { optionalPart } from '../../ui/optional-part.ts';
import css from './OpenTenderFigures.module.css';

const SavedTenderFigures = optionalPart(async () => (await import('./SavedTenderFigures.tsx')).SavedTenderFigures);

/** The open tenders of all India; without the server's figures those of this device. Renders nothing without either. */
export function OpenTenderFigures() {
  const { answer, isLoading } = useStateCounts();
  if (isLoading) return <div className={css.waiting} />;
  const withTenders = answer?.states.filter(({ open }) => open > 0) ?? [];
  if (withTenders.length === 0) {
    return answer ? null : (
      <Suspense>
        <SavedTenderFigures />
      </Suspense>
    );
  }
  return (
    <dl className={css.figures}>
      <div>
        <dt>tenders open now</dt>
        <dd>{formatCount(withTenders.reduce((sum, { open }) => sum + open, 0))}</dd>
      </div>
      <div>
        <dt>{withTenders.length === 1 ? 'state with open tenders' : 'states with open tenders'}</dt>
        <dd>{withTenders.length}</dd>
      </div>
    </dl>
  );
}
