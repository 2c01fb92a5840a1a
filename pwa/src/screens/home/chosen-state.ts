/** The state whose day the home page shows, remembered on the device. */
import { create } from 'zustand';
import { browserStorage } from '../../data/device/browser-storage.ts';

const CHOSEN_STATE_KEY = 'homeState';

/** Null: not chosen; '' is all states. The server renders the page without a choice. */
export const useChosenState = create<{ state: string | null }>(() => ({ state: null }));
useChosenState.setState({ state: browserStorage()?.getItem(CHOSEN_STATE_KEY) ?? null });

export function chooseState(state: string): void {
  useChosenState.setState({ state });
  try {
    browserStorage()?.setItem(CHOSEN_STATE_KEY, state);
  } catch {
    // The storage is full: the choice lasts until the page is closed.
  }
}

/** The state to show while none is chosen: that of the user. */
export function proposeState(state: string): void {
  if (useChosenState.getState().state === null) useChosenState.setState({ state });
}
