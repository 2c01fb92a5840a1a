import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A component without properties in a chunk of its own, which the page can do without: when the chunk cannot be loaded, it renders nothing. */
export function optionalPart(load: () => Promise<ComponentType>): LazyExoticComponent<ComponentType> {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  );
}
