import { type ComponentType, createElement, type ReactNode, useEffect, useState } from 'react';

/**
 * A component with its own chunk that the page can do without. `waiting` is shown until the chunk is loaded.
 * When that fails, nothing is shown.
 */
export function optionalPart<P extends object = object>(
  load: () => Promise<ComponentType<P>>,
  waiting: ReactNode = null,
): ComponentType<P> {
  let Part: ComponentType<P> | undefined;
  let loading: Promise<unknown> | undefined;
  return function OptionalPart(props: P) {
    const [, setIsLoaded] = useState(false);
    useEffect(() => {
      loading ??= load().then(
        (loaded) => {
          Part = loaded;
        },
        () => {
          Part = () => null;
        },
      );
      void loading.then(() => setIsLoaded(true));
    }, []);
    return Part ? createElement(Part, props) : waiting;
  };
}
