import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A component in a chunk of its own, which the page can do without: when the chunk cannot be loaded, it renders nothing. */
export function optionalPart<P = object>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  );
}
