import { useSyncExternalStore } from 'react';

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
  );
}
