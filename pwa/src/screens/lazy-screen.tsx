import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { reportScreenReady } from '../data/first-screen.ts';
import { ScreenLoading } from '../ui/feedback/ScreenLoading.tsx';

/** A screen whose code comes later; `load` fetches it ahead and never throws. */
export type LazyScreen<Props> = ComponentType<Props> & { load: () => Promise<void> };

/**
 * A screen whose code is fetched when it is first drawn; until then its skeleton stands there, and a failure is the
 * route's error.
 */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyScreen<Props> {
  return lazyPart(load, <ScreenLoading />, reportScreenReady);
}

/**
 * The same for a part of a screen, with what stands in its place until then. Not React's `lazy`: behind that it stays for
 * 0.3 s, also when the code has long arrived.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode,
  onDrawn?: () => void,
): LazyScreen<Props> {
  let Screen: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;

  function fetchCode(): Promise<void> {
    loading ??= load().then((code) => {
      Screen = code;
    });
    return loading;
  }

  function Later(props: Props) {
    const [, redraw] = useState({});
    const [failure, setFailure] = useState<{ error: unknown }>();
    const isHere = Screen !== undefined;
    if (!isHere) fetchCode();

    useEffect(() => {
      if (isHere) onDrawn?.();
      else
        loading?.then(
          () => redraw({}),
          (error: unknown) => setFailure({ error }),
        );
    }, [isHere]);

    if (failure) throw failure.error;
    return Screen ? <Screen {...props} /> : waiting;
  }

  return Object.assign(Later, { load: () => fetchCode().catch(() => undefined) });
}
