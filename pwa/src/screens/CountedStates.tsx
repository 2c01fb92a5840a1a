import { useStateCounts } from '../data/server/open-counts.ts';
import { StatesGrid } from '../features/layout/StatesGrid.tsx';

/** The 36 states with their open tenders once they are loaded. */
export function CountedStates() {
  const { answer } = useStateCounts();
  return <StatesGrid counts={new Map(answer?.states.map(({ state, open }) => [state, open]))} />;
}
