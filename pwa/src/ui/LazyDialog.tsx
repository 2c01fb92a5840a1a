import { type ComponentType, useCallback, useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogActions } from './Dialog.tsx';
import { Note } from './feedback/Note.tsx';
import { Spinner } from './feedback/Spinner.tsx';

interface LazyDialogProps<P> {
  /** Loads the dialog; the same function in each render. */
  load: () => Promise<ComponentType<P>>;
  /** The title of the frame, equal to the dialog's. */
  title: string;
  /** The dialog's properties. */
  dialog: P;
}

/**
 * A dialog in a chunk of its own. Its empty frame is open until its code is loaded. When that fails, the frame shows an
 * error with Try Again, and a reload after the second failure: some browsers do not request a failed file again.
 */
export function LazyDialog<P extends { onClose: () => void }>({ load, title, dialog }: LazyDialogProps<P>) {
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

  if (loaded) return <loaded.Content {...dialog} />;
  return (
    <Dialog title={title} onClose={dialog.onClose}>
      {isLoading ? (
        <Spinner label="Loading" />
      ) : (
        <>
          <Note tone="red" icon="offline" alert>
            This could not be loaded. Please check your internet connection.
          </Note>
          <DialogActions>
            {failures > 1 && <Button onClick={() => location.reload()}>Reload the page</Button>}
            <Button look="main" onClick={start}>
              Try Again
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
