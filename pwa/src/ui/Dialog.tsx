import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import css from './Dialog.module.css';
import { Icon } from './display/Icon.tsx';

interface DialogProps {
  title: string;
  /** Called by the close button, Escape or Android's back, and a tap beside it; the parent then removes the dialog. */
  onClose: () => void;
  /** It contains input fields: a tap beside it, or a selection that ends there, does not close it. */
  isForm?: boolean;
  children: ReactNode;
}

/** A modal dialog, open while mounted. The browser traps the focus and restores it. */
export function Dialog({ title, onClose, isForm, children }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // close() before the removal from the page restores the focus
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The browser focuses the first control. After a payment its ring would draw the eye to the close button.
    if (document.activeElement === closeButton.current) heading.current?.focus();
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the browser handles Escape
    <dialog
      className={css.dialog}
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The browser closes the dialog itself at a second request without a user action in between. The event comes late,
      // maybe after the dialog was opened again or removed.
      onClose={({ currentTarget }) => currentTarget.isConnected && !currentTarget.open && onClose()}
      // the content fills the dialog, so a click on the dialog itself is on the backdrop
      onClick={(event) => !isForm && event.target === event.currentTarget && onClose()}
    >
      <div>
        <header className={css.head}>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          <Button look="icon" aria-label="Close" ref={closeButton} onClick={onClose}>
            <Icon name="close" />
          </Button>
        </header>
        <div className={`${css.body} stack`}>{children}</div>
      </div>
    </dialog>
  );
}

/** The buttons at the foot of a dialog, always visible; the main one last and widest. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <footer className={css.actions}>{children}</footer>;
}
