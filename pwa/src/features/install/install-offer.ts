/** The rules of the install offer: a reducer of events that does not access the browser. */
import { indianDay } from '@nivida/contract/format';

const ASK_AGAIN_DAYS = 30;

/** Visits and offers stored on this device. Days are numbers from `indianDay`. */
interface InstallMemory {
  /** Number of days on which the app was opened. It is not counted beyond two. */
  visits: number;
  lastVisit: number;
  /** The day on which the user last refused the offer. Null when it was never refused. */
  refused: number | null;
}

interface InstallState extends InstallMemory {
  /** How the app can be installed: by the browser's prompt, by hand on an iPhone or iPad, or not at all. */
  way: 'prompt' | 'by hand' | 'none';
  isInstalled: boolean;
}

export type InstallEvent =
  /** The stored data has been read. A value of the wrong shape counts as none. */
  | { type: 'remembered'; memory: unknown }
  | { type: 'visited'; now: Date }
  /** The browser can show its prompt. The event comes only while the app is not installed. */
  | { type: 'promptable' }
  /** The prompt has been used. */
  | { type: 'prompted' }
  /** On this device the browsers install an app only by hand. */
  | { type: 'by hand' }
  | { type: 'refused'; now: Date }
  | { type: 'installed' };

export const INITIAL_STATE: InstallState = { visits: 0, lastVisit: 0, refused: null, way: 'none', isInstalled: false };

/** The state after an event. */
export function nextInstallState(state: InstallState, event: InstallEvent): InstallState {
  switch (event.type) {
    case 'remembered':
      return isInstallMemory(event.memory) ? { ...state, ...event.memory } : state;
    case 'visited': {
      const today = indianDay(event.now);
      if (state.visits > 0 && state.lastVisit === today) return state;
      return { ...state, visits: Math.min(2, state.visits + 1), lastVisit: today };
    }
    case 'promptable':
      return { ...state, way: 'prompt', isInstalled: false };
    case 'prompted':
      return { ...state, way: 'none' };
    case 'by hand':
      return { ...state, way: 'by hand' };
    case 'refused':
      return { ...state, refused: indianDay(event.now) };
    case 'installed':
      return { ...state, way: 'none', isInstalled: true };
  }
}

/**
 * Whether to offer installation at `now`: after the first bookmark or from the second day on. Never when the
 * app is installed or within 30 days of a refusal.
 */
export function shouldOfferInstall(state: InstallState, hasBookmark: boolean, now: Date): boolean {
  if (state.isInstalled || state.way === 'none') return false;
  if (state.refused !== null && indianDay(now) - state.refused < ASK_AGAIN_DAYS) return false;
  return hasBookmark || state.visits >= 2;
}

/** The part of the state that is stored. */
export function installMemoryOf({ visits, lastVisit, refused }: InstallState): InstallMemory {
  return { visits, lastVisit, refused };
}

function isInstallMemory(value: unknown): value is InstallMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { visits, lastVisit, refused } = value as Record<string, unknown>;
  return [visits, lastVisit].every(Number.isSafeInteger) && (refused === null || Number.isSafeInteger(refused));
}
