import { lazy, Suspense } from 'react';
import { PublicLayout } from '../features/layout/PublicLayout.tsx';
import { StatesGrid } from '../features/layout/StatesGrid.tsx';

// The first paint needs no call to the server: what makes calls, some 11 KB, is loaded beside it.
const CountedStates = lazy(() => import('./CountedStates.tsx').then((m) => ({ default: m.CountedStates })));

/** The public layout, at first with the bare names of the states. */
export function PublicFrame() {
  return (
    <PublicLayout
      states={
        <Suspense fallback={<StatesGrid counts={new Map()} />}>
          <CountedStates />
        </Suspense>
      }
    />
  );
}
