/** The state whose day the home page shows: the choice remembered on the device, else that of the signed-in user. */
import { create } from 'zustand';
import { browserStorage } from '../../data/device/browser-storage.ts';
import { useSession } from '../../data/session.ts';

const CHOSEN_STATE_KEY = 'homeState';

interface HomeState {
  /** Null: not chosen; '' is all states. */
  chosen: string | null;
  /** The state of a user's registration. It counts for this user only and is not remembered. */
  proposal: { userId: string; state: string } | null;
}

// The server renders the page without a choice.
const useHomeState = create<HomeState>(() => ({ chosen: null, proposal: null }));
useHomeState.setState({ chosen: browserStorage()?.getItem(CHOSEN_STATE_KEY) ?? null });

export function chooseState(state: string): void {
  useHomeState.setState({ chosen: state });
  try {
    browserStorage()?.setItem(CHOSEN_STATE_KEY, state);
  } catch {
    // The storage is full: the choice lasts until the page is closed.
  }
}

/** The state to show to a user while none is chosen. */
export function proposeState(userId: string, state: string): void {
  useHomeState.setState({ proposal: { userId, state } });
}

/** The chosen state, else the proposal of the present user; null without both. '' is all states. */
export function useChosenState(): string | null {
  const userId = useSession()?.user._id;
  return useHomeState(
    ({ chosen, proposal }) => chosen ?? (proposal?.userId === userId ? (proposal?.state ?? null) : null),
  );
}
