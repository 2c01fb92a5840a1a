import { PackProgressLine } from '../../features/on-this-phone/PackProgressLine.tsx';
import { scopeOfState } from '../../offline/packs/pack-status.ts';

export interface SavedStateLineProps {
  /** Name of the state. */
  state: string;
  now: Date;
}

/**
 * Says that the state is being saved or is on this phone, and opens "On this phone". Otherwise renders
 * nothing.
 */
export function SavedStateLine({ state, now }: SavedStateLineProps) {
  return <PackProgressLine scope={scopeOfState(state)} now={now} isHidden={false} name={state} />;
}
