/** Components that have a chunk of their own. It is loaded once, when a component is first shown. */
import { t } from '@lingui/core/macro';
import { allTexts } from '@nivida/contract/i18n';
import { type ComponentType, type ReactNode, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../Button.tsx';
import { Dialog, DialogActions } from '../Dialog.tsx';
import { Note } from '../feedback/Note.tsx';
import { Spinner } from '../feedback/Spinner.tsx';

type Load<P> = () => Promise<ComponentType<P>>;

interface Attempts {
  isLoading: boolean;
  /**
   * Number of failed attempts. Some browsers do not request a failed file again, so a reload is offered after
   * the second failure.
   */
  failures: number;
  retry: () => void;
}

const neverChanges = () => () => undefined;

/** `renderMissing` renders the component until its code is loaded: on the server, during hydration and after a failure. */
function lazyComponent<P extends object>(
  load: Load<P>,
  renderMissing: (attempts: Attempts, props: P) => ReactNode,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const Loaded = useSyncExternalStore(
      neverChanges,
      () => loaded,
      () => undefined,
    );
    const [attempts, setAttempts] = useState({ isLoading: true, failures: 0 });
    const start = useCallback(() => {
      if (loaded) return;
      setAttempts(({ failures }) => ({ isLoading: true, failures }));
      Promise.all([load(), allTexts()]).then(
        ([component]) => {
          loaded = component;
          setAttempts({ isLoading: false, failures: 0 });
        },
        () => setAttempts(({ failures }) => ({ isLoading: false, failures: failures + 1 })),
      );
    }, []);
    useEffect(start, [start]);
    return Loaded ? <Loaded {...props} /> : renderMissing({ ...attempts, retry: start }, props);
  };
}

/** The buttons that are shown after a failed attempt. */
export function RetryButtons({ failures, retry }: Pick<Attempts, 'failures' | 'retry'>) {
  return (
    <>
      {failures > 1 && <Button onClick={() => location.reload()}>{t`Reload the page`}</Button>}
      <Button look="main" onClick={retry}>
        {t`Try Again`}
      </Button>
    </>
  );
}

/**
 * A part that the page can do without. `waiting` is shown until the chunk is loaded. When that fails, nothing
 * is shown.
 */
export const optionalPart = <P extends object>(load: Load<P>, waiting: ReactNode = null): ComponentType<P> =>
  lazyComponent(load, ({ isLoading }) => isLoading && waiting);

/** What a part says while it loads ('Loading the checklist') and after a failure. */
interface PartTexts {
  loading: () => string;
  failed: () => string;
}

/** A part of a page. When the chunk cannot be loaded, the part shows an error, and the page stays. */
export const lazyPart = <P extends object>(load: Load<P>, texts: PartTexts): ComponentType<P> =>
  lazyComponent(load, ({ isLoading, ...attempts }) =>
    isLoading ? (
      <Spinner label={texts.loading()} />
    ) : (
      <div className="stack">
        <Note tone="red" icon="offline" alert>
          {texts.failed()}
        </Note>
        <div className="row">
          <RetryButtons {...attempts} />
        </div>
      </div>
    ),
  );

/**
 * A dialog. An empty frame with `title()`, which must equal the dialog's title, is open until the code has
 * loaded. When loading fails, the frame shows an error. `prepare` gets the function that loads the code when the
 * dialog is rendered, also with `isOpen` false.
 */
export function lazyDialog<P extends { onClose: () => void }>(
  load: Load<P>,
  title: () => string,
  prepare?: (load: Load<P>) => void,
): ComponentType<P & { isOpen?: boolean }> {
  const Content = lazyComponent(load, ({ isLoading, ...attempts }, { onClose }: P) => (
    <Dialog title={title()} onClose={onClose}>
      {isLoading ? (
        <Spinner label={t`Loading`} />
      ) : (
        <>
          <Note tone="red" icon="offline" alert>
            {t`This could not be loaded. Please check your internet connection.`}
          </Note>
          <DialogActions>
            <RetryButtons {...attempts} />
          </DialogActions>
        </>
      )}
    </Dialog>
  ));
  return function LazyDialog({ isOpen = true, ...dialog }: P & { isOpen?: boolean }) {
    useEffect(() => prepare?.(load), []);
    return isOpen && <Content {...(dialog as unknown as P)} />;
  };
}
