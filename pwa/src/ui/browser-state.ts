/** Hooks for what only the browser knows. Their first render equals the server's. */
import { useMemo, useSyncExternalStore } from 'react';
import { type Location, useLocation } from 'react-router-dom';

const neverChanges = () => () => undefined;

/** False on the server and during hydration, then true; true at once in a page without hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

/** The location for rendering, without the fragment and the history state until hydration is over. */
export function useShownLocation(): Location {
  const location = useLocation();
  const isHydrated = useHydrated();
  return useMemo(() => (isHydrated ? location : { ...location, hash: '', state: null }), [isHydrated, location]);
}

const isFromWidth = (width: string): boolean => window.matchMedia(`(width >= ${width})`).matches;

/**
 * Removes the rendered parts that only wider screens show (`data-from-width`; CSS hides them), so that a phone does not
 * hydrate them. Called right before hydration.
 */
export function removeWideParts(root: HTMLElement): void {
  for (const part of root.querySelectorAll<HTMLElement>('[data-from-width]'))
    if (!isFromWidth(part.dataset.fromWidth ?? '')) part.remove();
}

/** True from the given width on ('60rem'), and on the server, where the part has `data-from-width`. */
export function useMinWidth(width: `${number}rem`): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(`(width >= ${width})`);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => isFromWidth(width),
    () => globalThis.window === undefined || isFromWidth(width),
  );
}

function subscribeToConnection(changed: () => void) {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** False while the device is offline. When true a call may still fail. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
}
