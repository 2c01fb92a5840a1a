/** The state whose day the home page shows: the one chosen on this device, or the signed-in user's. */
import { create } from 'zustand';
import { browserStorage } from '../../data/device/browser-storage.ts';
import { useSession } from '../../data/session.ts';

const CHOSEN_STATE_KEY = 'homeState';

interface HomeState {
  /** Null when none is chosen. '' means all states. */
  chosen: string | null;
  /** The state of a user's registration. It applies to this user only and is not stored. */
  proposal: { userId: string; state: string } | null;
}

// The initial state must equal the server's render, which has no choice.
const useHomeState = create<HomeState>(() => ({ chosen: null, proposal: null }));
useHomeState.setState({ chosen: browserStorage()?.getItem(CHOSEN_STATE_KEY) ?? null });

export function chooseState(state: string): void {
  useHomeState.setState({ chosen: state });
  try {
    browserStorage()?.setItem(CHOSEN_STATE_KEY, state);
  } catch {
    // The storage is full. The choice lasts until the page is closed.
  }
}

/** Sets the state that a user sees while none is chosen. */
export function proposeState(userId: string, state: string): void {
  useHomeState.setState({ proposal: { userId, state } });
}

/** The chosen state, or the proposal for the current user. Null without both. '' means all states. */
export function useChosenState(): string | null {
  const userId = useSession()?.user._id;
  return useHomeState(
    ({ chosen, proposal }) => chosen ?? (proposal?.userId === userId ? (proposal?.state ?? null) : null),
  );
}
