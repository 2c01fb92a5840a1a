import type { ComponentType } from 'react';
import { Dialog, DialogActions } from '../Dialog.tsx';
import { RetryButtons, useLoadedCode } from '../feedback/LazyPart.tsx';
import { Note } from '../feedback/Note.tsx';
import { Spinner } from '../feedback/Spinner.tsx';

interface LazyDialogProps<P> {
  /** Loads the dialog. Must be the same function in each render. */
  load: () => Promise<ComponentType<P>>;
  /** The title of the frame. Must equal the dialog's title. */
  title: string;
  /** The dialog's properties. */
  dialog: P;
}

/**
 * A dialog with its own chunk. An empty frame is open until the code has loaded. When loading fails, the
 * frame shows an error with Try Again. After the second failure it offers a reload: some browsers do not
 * request a failed file again.
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
