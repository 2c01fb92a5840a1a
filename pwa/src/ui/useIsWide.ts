import { useSyncExternalStore } from 'react';

let isDrawnWide = false;

/** For a page that the server draws, which knows no width but what kind of device asks. */
export function drawWide(isWide: boolean): void {
  isDrawnWide = isWide;
}

/**
 * True from the given width on ('60rem'). For parts that a phone should not even build: hidden filters would fetch
 * their lists of districts and answer to their labels.
 */
export function useIsWide(width: `${number}rem`): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = window.matchMedia(`(width >= ${width})`);
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => window.matchMedia(`(width >= ${width})`).matches,
    () => isDrawnWide,
  );
}
