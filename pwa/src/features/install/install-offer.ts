/** When the app offers to be installed, as a table of what has happened; nothing here touches the browser. */
import { indianDay } from '@nivida/contract/format';

const ASK_AGAIN_DAYS = 30;

/** What this device remembers of visits and offers. Days are counted as by `indianDay`. */
export interface InstallMemory {
  /** Days on which the app was opened, up to the second: more make no difference. */
  visits: number;
  lastVisit: number;
  /** The day on which the last offer was refused; null when none was. */
  refused: number | null;
}

export interface InstallState extends InstallMemory {
  /** How it can be installed now: by the browser's own prompt, by hand on an iPhone or iPad, or not at all. */
  way: 'prompt' | 'by hand' | 'none';
  isInstalled: boolean;
}

export type InstallEvent =
  /** What the device remembers has been read; anything else than a memory counts as nothing. */
  | { type: 'remembered'; memory: unknown }
  | { type: 'visited'; now: Date }
  /** The browser would prompt; it says so only where the app is not installed. */
  | { type: 'promptable' }
  /** The prompt has been used up. */
  | { type: 'prompted' }
  /** A device whose browsers install by hand only. */
  | { type: 'by hand' }
  | { type: 'refused'; now: Date }
  | { type: 'installed' };

/** Before anything is known. */
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
 * Whether to offer it at `now`: after the first bookmark or from the second day on, never to those who have it, and
 * to those who refused not within 30 days.
 */
export function shouldOfferInstall(state: InstallState, hasBookmark: boolean, now: Date): boolean {
  if (state.isInstalled || state.way === 'none') return false;
  if (state.refused !== null && indianDay(now) - state.refused < ASK_AGAIN_DAYS) return false;
  return hasBookmark || state.visits >= 2;
}

/** What of the state is to be remembered. */
export function installMemoryOf({ visits, lastVisit, refused }: InstallState): InstallMemory {
  return { visits, lastVisit, refused };
}

function isInstallMemory(value: unknown): value is InstallMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { visits, lastVisit, refused } = value as Record<string, unknown>;
  return [visits, lastVisit].every(Number.isSafeInteger) && (refused === null || Number.isSafeInteger(refused));
}
