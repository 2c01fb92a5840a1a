import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import css from './Dialog.module.css';
import { Icon } from './display/Icon.tsx';

interface DialogProps {
  title: string;
  /** Called by the close button, Escape or Android's back, and a tap beside it; whoever draws it then takes it away. */
  onClose: () => void;
  /** It holds what somebody types: a tap beside it, or a selection that ends there, does not close it. */
  isForm?: boolean;
  children: ReactNode;
}

/** A dialog over the page, open for as long as it is drawn; the browser keeps the focus within and brings it back. */
export function Dialog({ title, onClose, isForm, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // closed before it is taken out of the page: only then the focus goes back to where it was
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the browser's own key for it
    <dialog
      className={css.dialog}
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // A second request without a touch of the page between them is not ours to refuse: the browser has closed it. The
      // event comes late, maybe after the dialog was opened anew.
      onClose={(event) => event.currentTarget.open || onClose()}
      // the sheet fills the dialog, so what hits the dialog itself is the backdrop
      onClick={(event) => !isForm && event.target === event.currentTarget && onClose()}
    >
      <div>
        <header className={css.head}>
          <h2 id={id}>{title}</h2>
          <Button look="icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </Button>
        </header>
        <div className={`${css.body} stack`}>{children}</div>
      </div>
    </dialog>
  );
}

/** The buttons at the foot of a dialog, always in sight; the main one last and widest. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className={css.actions}>{children}</footer>;
}
