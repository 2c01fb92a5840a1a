import { t } from '@lingui/core/macro';
import { useShallow } from 'zustand/react/shallow';
import { useNow } from '../../data/clock.ts';
import { searchableScopes, stateOfScope, usePacks } from '../../offline/packs/pack-status.ts';
import { useChosenState } from './chosen-state.ts';
import { useDayOnDevice } from './day-on-device.ts';
import css from './Today.module.css';
import { TodayView } from './TodayView.tsx';
import { todayFacts } from './today.ts';

/**
 * Today's counts of the chosen or first state on this device, for when the server's counts are missing.
 * Renders nothing without a state. `isLoading`: the server's counts may still come, so the space stays
 * reserved.
 */
export function TodayOnDevice({ isLoading }: { isLoading: boolean }) {
  const now = useNow();
  const scopes = usePacks(useShallow(searchableScopes));
  // '' means all states, as in the choice.
  const states = scopes.map((scope) => stateOfScope(scope) ?? '');
  const chosen = useChosenState();
  const state = chosen !== null && states.includes(chosen) ? chosen : (states[0] ?? null);
  const { day, isWaiting } = useDayOnDevice(state, now);
  if (state === null || !day)
    return isLoading || (state !== null && isWaiting) ? <div className={css.waiting} /> : null;
  const { closing, ...counts } = day;
  return (
    <TodayView
      {...counts}
      state={state}
      states={states.filter(Boolean)}
      hasAll={states.includes('')}
      facts={todayFacts(closing, now)}
      now={now}
      source={t`On this phone`}
    />
  );
}
