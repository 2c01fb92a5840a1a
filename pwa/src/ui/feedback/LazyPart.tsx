import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { Button } from '../Button.tsx';
import { Note } from './Note.tsx';
import { Spinner } from './Spinner.tsx';

/** A component whose code loads when it is first shown. */
export interface LoadedCode<P> {
  /** Null until the code is loaded. */
  Content: ComponentType<P> | null;
  isLoading: boolean;
  /**
   * Number of failed attempts. Some browsers do not request a failed file again, so a reload is offered after
   * the second failure.
   */
  failures: number;
  retry: () => void;
}

/** Loads a component. `load` must be the same function in each render. */
export function useLoadedCode<P>(load: () => Promise<ComponentType<P>>): LoadedCode<P> {
  const [loaded, setLoaded] = useState<{ Content: ComponentType<P> } | null>(null);
  const [failures, setFailures] = useState(0);
  const [isLoading, setIsLoading] = useState(true);
  const start = useCallback(() => {
    setIsLoading(true);
    load().then(
      (Content) => setLoaded({ Content }),
      () => {
        setFailures((count) => count + 1);
        setIsLoading(false);
      },
    );
  }, [load]);
  useEffect(start, [start]);
  return { Content: loaded?.Content ?? null, isLoading, failures, retry: start };
}

/** The buttons that are shown after a failed attempt. */
export function RetryButtons({ failures, retry }: Pick<LoadedCode<never>, 'failures' | 'retry'>) {
  return (
    <>
      {failures > 1 && <Button onClick={() => location.reload()}>Reload the page</Button>}
      <Button look="main" onClick={retry}>
        Try Again
      </Button>
    </>
  );
}

interface LazyPartProps<P> {
  /** Loads the part. Must be the same function in each render. */
  load: () => Promise<ComponentType<P>>;
  /** What loads, for the spinner and the error: 'the checklist'. */
  name: string;
  /** The part's properties. */
  part: P;
}

/**
 * A part of a page with its own chunk. When the chunk cannot be loaded, the part shows an error, and the page
 * stays.
 */
export function LazyPart<P extends object>({ load, name, part }: LazyPartProps<P>) {
  const { Content, isLoading, ...attempts } = useLoadedCode(load);
  if (Content) return <Content {...part} />;
  if (isLoading) return <Spinner label={`Loading ${name}`} />;
  return (
    <div className="stack">
      <Note tone="red" icon="offline" alert>
        {name.charAt(0).toUpperCase() + name.slice(1)} cannot be loaded now.
      </Note>
      <div className="row">
        <RetryButtons {...attempts} />
      </div>
    </div>
  );
}
