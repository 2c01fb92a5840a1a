/** What the first render in the browser must not show yet, because the server could not know it. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { type Location, useLocation } from 'react-router-dom';

const neverChanges = () => () => undefined;

/** False on the server and while its page is hydrated, then true; true at once where nothing is hydrated. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

/** Parts of a page that the server leaves out. */
export function AfterHydration({ children }: { children: ReactNode }): ReactNode {
  return useHydrated() ? children : null;
}

/** The location as it may be rendered: without the fragment and the history state until hydration is over. */
export function useShownLocation(): Location {
  const location = useLocation();
  return useHydrated() ? location : { ...location, hash: '', state: null };
}

/**
 * True from the given width on ('60rem'), and on the server and during hydration, where CSS hides what a narrow screen
 * has no room for. Afterwards a phone drops these parts: hidden filters would answer to their labels.
 */
export function useHasRoom(width: `${number}rem`): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(`(width >= ${width})`);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(`(width >= ${width})`).matches,
    () => true,
  );
}
