import type { ComponentType } from 'react';
import { Dialog, DialogActions } from '../Dialog.tsx';
import { RetryButtons, useLoadedCode } from '../feedback/LazyPart.tsx';
import { Note } from '../feedback/Note.tsx';
import { Spinner } from '../feedback/Spinner.tsx';

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
  const { Content, isLoading, ...attempts } = useLoadedCode(load);
  if (Content) return <Content {...dialog} />;
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
            <RetryButtons {...attempts} />
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
